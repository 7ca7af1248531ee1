import Auction
import Bidder
import BidderSupport
import Terminal
import Testing

@Suite struct LapsTests {
    @Test(
        "the heading has the number of laps",
        arguments: [(0, "no laps"), (1, "1 lap"), (12, "12 laps")])
    func heading(count: Int, expected: String) {
        #expect(laps(1..<(count + 1)).heading == expected)
    }

    @Test("the newest are stored, and all are counted")
    func bounded() {
        let many = laps(1..<1001)
        #expect(many.newest.map(\.number) == Array((1001 - Laps.maximumBids)...1000))
        #expect(many.count == 1000)
        #expect(many.heading == "1,000 laps")
        #expect(Laps().replaced(with: bids(1..<1001)) == many)
    }

    @Test("a known bid changes nothing", arguments: [1, 2, 3])
    func known(number: Int) {
        #expect(laps(1..<4).adding(bid(number)) == laps(1..<4))
    }

    @Test(
        "a load replaces the laps, but not the bids that arrived during it",
        arguments: [
            // Known, loaded, expected numbers.
            (0..<0, 1..<4, [1, 2, 3]),
            (3..<4, 1..<4, [1, 2, 3]),
            (3..<6, 1..<4, [1, 2, 3, 4, 5]),
            (1..<4, 1..<6, [1, 2, 3, 4, 5]),
            (1..<4, 0..<0, []),
        ])
    func replaced(known: Range<Int>, loaded: Range<Int>, expected: [Int]) {
        let replaced = laps(known).replaced(with: bids(loaded))
        #expect(replaced.newest.map(\.number) == expected)
        #expect(replaced.count == expected.last ?? 0)
    }

    @Test(
        "a void removes the last bid, and the next one gets its number",
        arguments: [(3, [1, 2]), (2, [1]), (4, [1, 2, 3]), (0, [])])
    func voided(number: Int, expected: [Int]) {
        let laps = laps(1..<4).voiding(number)
        #expect(laps.newest.map(\.number) == expected)
        #expect(laps.count == expected.count)
        #expect(laps.adding(bid(expected.count + 1)).count == expected.count + 1)
    }

    @Test("scrolled laps stay when new ones arrive, and stop at both ends")
    func scrolls() {
        var laps = laps(1..<31)
        func shown() -> [Int] { laps.rows(5).map(\.bid.number) }
        laps.scroll(by: 4, rows: 5)
        #expect(shown() == [26, 25, 24, 23, 22] && laps.newerCount == 4)
        laps = laps.adding(bid(31)).adding(bid(32))
        #expect(shown() == [26, 25, 24, 23, 22] && laps.newerCount == 6)
        laps.scroll(by: .max, rows: 5)
        #expect(shown() == [5, 4, 3, 2, 1])
        laps.scroll(by: -4, rows: 5)
        #expect(shown() == [9, 8, 7, 6, 5])
        laps.scroll(by: -.max, rows: 5)
        #expect(shown() == [32, 31, 30, 29, 28] && !laps.isScrolled)
        laps = laps.adding(bid(33))
        #expect(shown().first == 33)
    }

    @Test("laps that fit are not scrolled, and a void of the shown ones shows the newest")
    func scrollsNot() {
        var laps = laps(1..<6)
        laps.scroll(by: 1, rows: 5)
        #expect(!laps.isScrolled)
        laps.scroll(by: 1, rows: 3)
        #expect(laps.rows(3).map(\.bid.number) == [4, 3, 2])
        laps.void(4)
        #expect(!laps.isScrolled)
    }

    @Test("if the scrolled laps are no longer listed, the oldest listed ones are shown")
    func scrollsOut() {
        var laps = laps(1..<31)
        laps.scroll(by: 20, rows: 5)
        for number in 31...(40 + Laps.maximumBids) { laps.add(bid(number)) }
        #expect(laps.rows(5).map(\.bid.number) == [45, 44, 43, 42, 41])
    }

    @Test("a load of another history replaces all laps")
    func otherHistory() {
        let others = [lap(1, 7, "carol"), lap(2, 8, "dan")]
        #expect(laps(1..<10).replaced(with: others).newest == others)
    }

    @Test("a load with repeated or unordered bids keeps the numbers increasing")
    func rising() {
        let loaded = Laps().replaced(with: [bid(2), bid(2), bid(1), bid(3)])
        #expect(loaded.newest.map(\.number) == [2, 3])
    }

    @Test("rows are newest first, with the time since the bid before")
    func rows() {
        let rows = laps(1..<4).rows(2)
        #expect(rows.map(\.bid.number) == [3, 2])
        #expect(rows.map(\.split) == [.seconds(3), .seconds(2)])
    }

    @Test("the first row, and one after a gap, has no time since the bid before")
    func noSplit() {
        #expect(laps(1..<3).rows(9).map(\.split) == [.seconds(2), nil])
        let gap = laps(1..<2).adding(bid(5)).adding(bid(6))
        #expect(gap.rows(9).map(\.split) == [.seconds(6), nil, nil])
    }

    /// Bid n is n seconds after bid n - 1.
    private func bid(_ number: Int) -> Bid {
        lap(number, Int64(number), "bob", at: .seconds(number * (number + 1) / 2))
    }

    private func bids(_ numbers: Range<Int>) -> [Bid] { numbers.map(bid) }

    private func laps(_ numbers: Range<Int>) -> Laps {
        bids(numbers).reduce(Laps()) { $0.adding($1) }
    }
}
