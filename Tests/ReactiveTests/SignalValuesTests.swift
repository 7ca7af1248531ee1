import MarbleSupport
import Reactive
import Testing

@Suite struct SignalValuesTests {
    @Test(
        "map replaces each value",
        arguments: [("-a--b-|", "-A--B-|"), ("(ab)-#", "(AB)-#"), ("-a---", "-A---"), ("|", "|")])
    func map(line: String, expected: String) {
        let marbles = Marbles("line \(line)\n= \(expected)")
        marbles.expect(marbles.line.map { Character($0.uppercased()) })
    }

    @Test(
        "filter leaves out what does not satisfy the predicate",
        arguments: [("-1-a-2b-|", "---a--b-|"), ("-1-2-#", "-----#"), ("(1a2b|)", "(ab|)")])
    func filter(line: String, expected: String) {
        let marbles = Marbles("line \(line)\n= \(expected)")
        marbles.expect(marbles.line.filter(\.isLetter))
    }

    @Test("scan emits the running results without the initial one")
    func scan() {
        let marbles = Marbles(
            """
            line  -1--2-3---4-|
            =     -1--3-6---0-|
            """)
        marbles.expect(marbles.line.scan("0", sumModulo10))
    }

    @Test("scan begins from the initial result for everyone who observes it")
    func scanTwice() {
        let marbles = Marbles("line -1-2-|")
        let sums = marbles.line.scan("5", sumModulo10)
        #expect(marbles.watch(sums).description == "-6-8-|")
        let again = marbles.watch(sums)
        #expect(again.marks.map(\.symbol) == ["6", "8", "|"])
    }

    @Test("prefix emits the first values, completes with the last, and lets the source go")
    func prefix() {
        let marbles = Marbles(
            """
            line  -a-b-c-d-|
            line  ^----!
            =     -a-b-(c|)
            """)
        marbles.expect(marbles.line.prefix(3))
    }

    @Test("prefix ends sooner with a source that does")
    func shortPrefix() {
        let marbles = Marbles(
            """
            line  -a-b-#
            =     -a-b-#
            """)
        marbles.expect(marbles.line.prefix(3))
    }

    @Test("a prefix of nothing completes without observing")
    func emptyPrefix() {
        var starts = 0
        let signal = Signal<Character> { _ in starts += 1 }
        #expect(Marbles("= -").watch(signal.prefix(0)) == "|")
        #expect(starts == 0)
    }

    @Test("a prefix is not exceeded by what is emitted from inside its last value")
    func reentrantPrefix() {
        var source: Signal<Int>.Observer?
        var told: [Int] = []
        let subscription = Signal<Int> { source = $0 }.prefix(1).observe {
            told.append($0)
            source?.next(2)
        }
        source?.next(1)
        #expect(told == [1])
        subscription.cancel()
    }

    @Test("sample emits the latest value whenever the trigger emits one, and ends with it")
    func sample() {
        let marbles = Marbles(
            """
            values   --a-b--c------|
            values   ^------------!
            trigger  -x-x-xx--(xx)|
            trigger  ^------------!
            =        ---a-bb--(cc)|
            """)
        marbles.expect(marbles.values.sample(on: marbles.trigger))
    }

    @Test("sample goes on with the last value of a source that has completed")
    func sampleAfterCompletion() {
        let marbles = Marbles(
            """
            values   -a|
            values   ^-!
            trigger  ---x-x-|
            =        ---a-a-|
            """)
        marbles.expect(marbles.values.sample(on: marbles.trigger))
    }

    @Test("sample fails when either does, and lets the other go")
    func sampleFailure() {
        let values = Marbles(
            """
            values   -a-#
            trigger  --x---x-|
            trigger  ^--!
            =        --a#
            """)
        values.expect(values.values.sample(on: values.trigger))
        let trigger = Marbles(
            """
            values   -a-----b-|
            values   ^--!
            trigger  --x#
            =        --a#
            """)
        trigger.expect(trigger.values.sample(on: trigger.trigger))
    }

    @Test(
        "only the end is left when values are ignored",
        arguments: [("-a-b-|", "-----|"), ("-a-#", "---#"), ("-a-b-", "-----")])
    func ignoreValues(line: String, expected: String) {
        let marbles = Marbles("line \(line)\n= \(expected)")
        marbles.expect(marbles.line.map { _ in 1 }.ignoreValues())
    }

    @Test(
        "removeDuplicates leaves out what equals the value before it",
        arguments: [("-aab-ba-a|", "-a-b--a--|"), ("(aaa)-#", "a-----#"), ("-a-b-", "-a-b-")])
    func removeDuplicates(line: String, expected: String) {
        let marbles = Marbles("line \(line)\n= \(expected)")
        marbles.expect(marbles.line.removeDuplicates())
    }

    @Test("removeDuplicates compares values by the closure")
    func removeDuplicatesBy() {
        let marbles = Marbles(
            """
            line  -aAbBa|
            =     -a-b-a|
            """)
        marbles.expect(
            marbles.line.removeDuplicates { $0.lowercased() == $1.lowercased() })
    }

    @Test("scan into a value emits each result, and starts again for each observer")
    func scanInto() {
        let lists = Signal.of(contentsOf: 1...3).scan(into: []) { $0.append($1) }
        for _ in 0..<2 {
            var told: [[Int]] = []
            lists.observe { told.append($0) }.cancel()
            #expect(told == [[1], [1, 2], [1, 2, 3]])
        }
    }

    @Test("scan into an array appends in place")
    func scanInPlace() {
        var addresses: Set<UInt> = []
        Signal.of(contentsOf: 0..<1000).scan(into: [Int]()) { list, value in
            if list.isEmpty { list.reserveCapacity(1000) }
            list.append(value)
        }.observe { list in
            addresses.insert(list.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
        }.cancel()
        #expect(addresses.count == 1)
    }

    @Test("compactMap leaves out what nothing can be made of")
    func compactMap() {
        let marbles = Marbles(
            """
            line  -a1-b2|
            =     --1--2|
            """)
        marbles.expect(marbles.line.compactMap { $0.isNumber ? $0 : nil })
    }
}

private func sumModulo10(_ sum: Character, _ digit: Character) -> Character {
    let total = (sum.wholeNumberValue ?? 0) + (digit.wholeNumberValue ?? 0)
    return Character("\(total % 10)")
}
