import MarbleSupport
import Reactive
import Testing

/// What operators do, as marble diagrams; `MarblesTests` says how to read them.
@Suite struct DiagramTests {
    @Test(
        "a source or an operator does what its diagram says",
        arguments: sources + lines + values + ends)
    func ofOneSignal(drawing: Drawing) { drawing.check() }

    @Test("an operator on signals does what its diagram says", arguments: combining + switching)
    func ofSignals(drawing: Drawing) { drawing.check() }

    @Test("an operator on time does what its diagram says", arguments: time)
    func ofTime(drawing: Drawing) { drawing.check() }

    static let sources: [Drawing] = [
        Drawing("empty completes at once", "= |") { _ in .empty },
        Drawing("never is silent", "= ---") { _ in .never },
        Drawing("values are emitted at once", "= (ab|)") { _ in .of("a", "b") },
    ]

    static let lines: [Drawing] = [
        Drawing.lines(
            "map replaces each value",
            [("-a--b-|", "-A--B-|"), ("(ab)-#", "(AB)-#"), ("-a---", "-A---"), ("|", "|")]
        ) { $0.map { Character($0.uppercased()) } },
        Drawing.lines(
            "filter leaves out what does not satisfy the predicate",
            [("-1-a-2b-|", "---a--b-|"), ("-1-2-#", "-----#"), ("(1a2b|)", "(ab|)")]
        ) { $0.filter(\.isLetter) },
        Drawing.lines(
            "removeDuplicates leaves out what equals the value before it",
            [("-aab-ba-a|", "-a-b--a--|"), ("(aaa)-#", "a-----#"), ("-a-b-", "-a-b-")]
        ) { $0.removeDuplicates() },
        Drawing.lines(
            "only the end is left when values are ignored",
            [("-a-b-|", "-----|"), ("-a-#", "---#"), ("-a-b-", "-----")]
        ) { $0.map { _ in 1 }.ignoreValues() },
        Drawing.lines(
            "materialize emits the end as a value and completes",
            [("-a-b-|", "-a-b-(C|)"), ("-a-#", "-a-(F|)"), ("-a-", "-a-"), ("|", "(C|)")]
        ) { line in
            line.materialize().map { event in
                switch event {
                case .next(let value): value
                case .completed: "C"
                case .failed: "F"
                }
            }
        },
    ].flatMap { $0 }

    static let values: [Drawing] = [
        Drawing(
            "prefix emits the first values, completes with the last, and cancels the source",
            """
            line  -a-b-c-d-|
            line  ^----!
            =     -a-b-(c|)
            """
        ) { $0.line.prefix(3) },
        Drawing("prefix ends sooner with a source that does", "line -a-b-#\n= -a-b-#") {
            $0.line.prefix(3)
        },
        Drawing(
            "sample emits the latest value whenever the trigger emits one, and ends with it",
            """
            line     --a-b--c------|
            line     ^------------!
            trigger  -x-x-xx--(xx)|
            trigger  ^------------!
            =        ---a-bb--(cc)|
            """
        ) { $0.line.sample(on: $0.trigger) },
        Drawing(
            "sample goes on with the last value of a source that has completed",
            """
            line     -a|
            line     ^-!
            trigger  ---x-x-|
            =        ---a-a-|
            """
        ) { $0.line.sample(on: $0.trigger) },
        Drawing(
            "sample fails with its source, and cancels the trigger",
            """
            line     -a-#
            trigger  --x---x-|
            trigger  ^--!
            =        --a#
            """
        ) { $0.line.sample(on: $0.trigger) },
        Drawing(
            "sample fails with its trigger, and cancels the source",
            """
            line     -a-----b-|
            line     ^--!
            trigger  --x#
            =        --a#
            """
        ) { $0.line.sample(on: $0.trigger) },
    ]

    static let ends: [Drawing] = [
        Drawing(
            "catchError goes on with the replacement after a failure",
            """
            line   -a-b-#
            line   ^----!
            other  -x-y-|
            other  -----^----!
            =      -a-b--x-y-|
            """
        ) { marbles in marbles.line.catchError { _ in marbles.other } },
        Drawing("catchError does not touch a completion", "line -a-b-|\n= -a-b-|") {
            $0.line.catchError { _ in .of("x") }
        },
        Drawing("a failure of the replacement is passed on", "line -a-#\nother -x-#\n= -a--x-#") {
            marbles in marbles.line.catchError { _ in marbles.other }
        },
        Drawing("catchError hands over the error", "line -#\n= -(B|)") {
            $0.line.catchError { .of($0 is Broken ? "B" : "?") }
        },
    ]

    static let combining: [Drawing] = [
        Drawing(
            "concat observes the next signal when the last has completed",
            """
            first   -a-|
            first   ^--!
            second  1-2|
            second  ---^--!
            =       -a-1-2|
            """
        ) { $0.first.concat($0.second) },
        Drawing(
            "a failure ends a concat before its turn comes to the rest",
            "first -a-#\nsecond 1-2|\n= -a-#"
        ) { .concat([$0.first, $0.second]) },
        Drawing("a concat of nothing completes at once", "= |") { _ in .concat([]) },
        Drawing("startWith emits its value first", "line --a-b-|\n= s-a-b-|") {
            $0.line.startWith("s")
        },
        Drawing(
            "a signal that is repeated starts again at the tick of its completion",
            """
            line  -a-|
            line  ^--!
            line  ---^--!
            line  ------^--!
            line  ---------^!
            =     -a--a--a--a
            """, until: 10
        ) { $0.line.repeated() },
        Drawing("a failure ends the repetition", "line -a-#\nline ^--!\n= -a-#") {
            $0.line.repeated()
        },
        Drawing(
            "combineLatest emits once both have a value, and ends with the last",
            "letters -a-b------c|\ndigits ---1--2|\n= ---b--b---c|"
        ) { $0.letters.combineLatest($0.digits).map(\.0) },
        Drawing(
            "combineLatest emits the newest value of both",
            "letters -a-b------c|\ndigits ---1--2|\n= ---1--2---2|"
        ) { $0.letters.combineLatest($0.digits).map(\.1) },
        Drawing(
            "combineLatest fails with the first failure, and cancels the other",
            """
            letters  -a--------|
            letters  ^---!
            digits   ----#
            =        ----#
            """
        ) { $0.letters.combineLatest($0.digits).map(\.0) },
    ]

    static let switching: [Drawing] = [
        .switching(
            "values come from the newest signal, and the one before is cancelled",
            """
            outer  -a-----b-------|
            a      -1-2-3-4-5-6-|
            a      -^-----!
            b      --7--8|
            b      -------^-----!
            =      --1-2-3--7--8--|
            """),
        .switching(
            "a value at the very tick of the switch is not emitted",
            "outer -a--b----|\na ---1---|\nb -2-|\n= -----2---|"),
        .switching(
            "it completes when the outer signal and the newest inner one have",
            "outer -a-|\na -1---2|\nb |\n= --1---2|"),
        .switching(
            "an outer signal that completes without a value completes it", "outer --|\n= --|"),
        .switching(
            "a failure of the inner signal ends it and cancels the outer one",
            """
            outer  -a-----|
            outer  ^----!
            a      -1--#
            a      -^---!
            =      --1--#
            """),
        .switching(
            "a failure of the outer signal ends it and cancels the inner one",
            """
            outer  -a---#
            outer  ^----!
            a      -1--2-3|
            a      -^---!
            =      --1--#
            """),
        .switching(
            "cancelling it cancels both",
            """
            outer  -a---b---|
            outer  ^--!
            a      -1-2-3-|
            a      -^-!
            =      --1
            """, until: 3),
    ]

    static let time: [Drawing] = [
        Drawing("an interval counts until it is cancelled", "= --0-1-2---", until: 7) {
            Signal.interval(.seconds(2), on: $0.timeline).map(digit)
        },
        Drawing(
            "delay emits values and the completion later",
            "line -ab--c|\nline ^-----!\n= ----ab--c|"
        ) { $0.line.delay(.seconds(3), on: $0.timeline) },
        Drawing(
            "delay emits a failure at once, and drops delayed values",
            "line -a--b#----\n= ---a-#"
        ) { $0.line.delay(.seconds(2), on: $0.timeline) },
        Drawing(
            "delayed values are not emitted after the cancellation", "line -ab-----\n= ----",
            until: 4
        ) {
            $0.line.delay(.seconds(4), on: $0.timeline)
        },
        Drawing(
            "buffer emits the values of each interval, even if there are none, and then the rest",
            "line -ab-c--------d|\n= ---2--1--0--0-(1|)"
        ) { $0.line.buffer(time: .seconds(3), on: $0.timeline).map { digit($0.count) } },
        Drawing(
            "a value at the very end of an interval belongs to the next",
            "line --a-b-c-d-|\n= --0-a-b-c-(d|)"
        ) { $0.line.buffer(time: .seconds(2), on: $0.timeline).map { $0.first ?? "0" } },
        Drawing("buffer fails at once and drops what it has", "line -ab-c#----\n= ---2-#") {
            $0.line.buffer(time: .seconds(3), on: $0.timeline).map { digit($0.count) }
        },
        Drawing(
            "throttle emits a value at once, then the newest of each interval",
            "line -ab--c---def----g-|\n= -a--b--c--e--f--g-|"
        ) { $0.line.throttle(.seconds(3), on: $0.timeline) },
        Drawing("throttle emits what waits before the completion", "line -ab|\n= -a-(b|)") {
            $0.line.throttle(.seconds(4), on: $0.timeline)
        },
        Drawing("throttle drops what waits at a failure", "line -ab#\n= -a-#") {
            $0.line.throttle(.seconds(4), on: $0.timeline)
        },
    ]
}

/// A sentence, its diagram, and the signal that the diagram draws.
struct Drawing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let diagram: String
    private let end: Int?
    private let signal: @Sendable (Marbles) -> Signal<Character>

    init(
        _ sentence: String, _ diagram: String, until end: Int? = nil,
        _ signal: @escaping @Sendable (Marbles) -> Signal<Character>
    ) {
        (testDescription, self.diagram, self.end, self.signal) = (sentence, diagram, end, signal)
    }

    /// Drawings of one sentence: the line that is played, and the one that is expected.
    static func lines(
        _ sentence: String, _ lines: [(line: String, expected: String)],
        _ signal: @escaping @Sendable (Signal<Character>) -> Signal<Character>
    ) -> [Drawing] {
        lines.map { line, expected in
            Drawing(sentence, "line \(line)\n= \(expected)") { signal($0.line) }
        }
    }

    static func switching(_ sentence: String, _ diagram: String, until end: Int? = nil) -> Drawing {
        Drawing(sentence, diagram, until: end) { marbles in
            marbles.outer.map { $0 == "a" ? marbles.a : marbles.b }.switchToLatest()
        }
    }

    /// Plays the signal against the expected lines; after that nothing may be left of it.
    func check() {
        let marbles = Marbles(diagram)
        #expect(marbles.differences(signal(marbles), until: end) == [], "\(testDescription)")
    }
}

private func digit(_ number: Int) -> Character {
    Character("\(number % 10)")
}
