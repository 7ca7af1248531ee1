import MarbleSupport
import Reactive
import Testing

@Suite struct SignalCombiningTests {
    @Test("merge emits values as they come and completes with the last")
    func merge() {
        let marbles = Marbles(
            """
            first   -a--b---|
            second  --1-2-----3|
            =       -a1-(b2)--3|
            """)
        // `b` and `2` share a tick: emitted in the order in which the signals were observed.
        marbles.expect(marbles.first.merge(marbles.second))
    }

    @Test("merge fails with the first failure and lets the others go")
    func mergeFailure() {
        let marbles = Marbles(
            """
            first   -a---a--|
            first   ^--!
            second  --b#
            =       -ab#
            """)
        marbles.expect(.merge([marbles.first, marbles.second]))
    }

    @Test("a failure at once keeps merge from observing the rest")
    func mergeFailingAtOnce() {
        let marbles = Marbles("line -a-|")
        #expect(marbles.watch(.merge([.failed(Broken()), marbles.line])) == "#")
        #expect(marbles.timeline.nextDeadline == nil)
    }

    @Test("a merge of nothing completes at once")
    func mergeOfNothing() {
        #expect(Marbles("= -").watch(.merge([])) == "|")
    }

    @Test("concat observes the next signal when the last has completed")
    func concat() {
        let marbles = Marbles(
            """
            first   -a-|
            first   ^--!
            second  1-2|
            second  ---^--!
            =       -a-1-2|
            """)
        marbles.expect(marbles.first.concat(marbles.second))
    }

    @Test("a failure ends a concat before its turn comes to the rest")
    func concatFailure() {
        let marbles = Marbles(
            """
            first   -a-#
            second  1-2|
            =       -a-#
            """)
        marbles.expect(.concat([marbles.first, marbles.second]))
    }

    @Test("a concat of nothing completes at once")
    func concatOfNothing() {
        #expect(Marbles("= -").watch(.concat([])) == "|")
    }

    @Test("a concat of many signals that complete at once does not grow the stack")
    func longConcat() {
        var sum = 0
        var ends = 0
        let signals = (1...200_000).lazy.map { Signal.of($0) }
        let subscription = Signal.concat(signals).observe {
            sum += $0
        } onEnd: { _ in
            ends += 1
        }
        #expect(sum == 200_000 * 200_001 / 2)
        #expect(ends == 1)
        subscription.cancel()
    }

    @Test("startWith emits its value at once and then those of the signal")
    func startWith() {
        let marbles = Marbles(
            """
            line  --a-b-|
            =     s-a-b-|
            """)
        marbles.expect(marbles.line.startWith("s"))
    }

    @Test("a signal that is repeated starts again at the tick of its completion")
    func repeated() {
        let marbles = Marbles(
            """
            line  -a-|
            line  ^--!
            line  ---^--!
            line  ------^--!
            line  ---------^!
            =     -a--a--a--a
            """)
        marbles.expect(marbles.line.repeated(), until: 10)
    }

    @Test("a failure ends the repetition")
    func repeatedFailure() {
        let marbles = Marbles(
            """
            line  -a-#
            line  ^--!
            =     -a-#
            """)
        marbles.expect(marbles.line.repeated())
    }

    @Test("a signal that completes at once is repeated without growing the stack, until cancelled")
    func endlessRepetition() {
        let bag = SubscriptionBag()
        var count = 0
        Signal.of(1).repeated().observe(in: bag) { _ in
            count += 1
            if count == 200_000 { bag.cancel() }
        }
        #expect(count == 200_000)
    }

    @Test("a signal that completes without a value can be repeated and cancelled by its source")
    func emptyRepetition() {
        let bag = SubscriptionBag()
        var count = 0
        let signal = Signal<Int> { observer in
            count += 1
            if count == 1000 { bag.cancel() }
            observer.complete()
        }
        signal.repeated().observe(in: bag) { _ in }
        #expect(count == 1000)
    }

    @Test("combineLatest emits both newest values once both have one, and ends with the last")
    func combineLatest() {
        let marbles = Marbles(
            """
            letters  -a-b------c|
            digits   ---1--2|
            =        ---1--2---3|
            """)
        // A pair is drawn as how many of them there have been.
        let pairs = marbles.letters.combineLatest(marbles.digits).scan(0) { count, _ in count + 1 }
        marbles.expect(pairs.map { Character("\($0)") })
        var told: [String] = []
        let again = Marbles("letters a|\ndigits 12|")
        let subscription = again.letters.combineLatest(again.digits).observe {
            told.append("\($0)\($1)")
        }
        again.timeline.advance(to: .seconds(3))
        #expect(told == ["a1", "a2"])
        subscription.cancel()
    }

    @Test("combineLatest fails with the first failure, and lets the other go")
    func combineLatestFailure() {
        let marbles = Marbles(
            """
            letters  -a--------|
            letters  ^---!
            digits   ----#
            =        ----#
            """)
        marbles.expect(marbles.letters.combineLatest(marbles.digits).map(\.0))
    }
}
