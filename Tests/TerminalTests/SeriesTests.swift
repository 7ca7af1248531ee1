import Auction
import Bidder
import BidderSupport
import Terminal
import TestSupport
import Testing

@Suite struct SeriesTests {
    typealias Point = Series.Point

    @Test("missing ticks repeat the last price")
    func adding() {
        let series = Series().adding(Point(), at: 0).adding(Point(price: price(5), bids: 2), at: 1)
            .adding(Point(price: price(9), bids: 1, hasJoin: true), at: 4)
        let missed = Point(price: price(5))
        #expect(
            series.points == [
                Point(), Point(price: price(5), bids: 2), missed, missed,
                Point(price: price(9), bids: 1, hasJoin: true),
            ])
    }

    @Test("a void restores the price before it")
    func voiding() {
        let series = Series().adding(Point(bids: 1), at: 0).adding(Point(price: price(5)), at: 1)
            .adding(Point(price: price(90), bids: 3), at: 2).adding(Point(price: price(90)), at: 3)
        let without = series.voiding(price(90)).points
        #expect(without.map(\.price) == [nil, price(5), price(5), price(5)])
        #expect(without.map(\.bids) == [1, 0, 3, 0])
        #expect(series.voiding(price(5)).points.allSatisfy { $0.price == nil })
    }

    @Test(
        "events of one tick become one point",
        arguments: [
            (Point(), Point(price: price(9)), Point(price: price(9))),
            (Point(price: price(5)), Point(), Point(price: price(5))),
            (Point(price: price(5)), Point(price: price(9)), Point(price: price(9))),
            (Point(bids: 3), Point(bids: 2), Point(bids: 3)),
            (Point(bids: 2), Point(bids: 3), Point(bids: 3)),
            (Point(hasJoin: true), Point(), Point(hasJoin: true)),
            (Point(), Point(hasJoin: true), Point(hasJoin: true)),
        ])
    func merging(first: Point, second: Point, expected: Point) {
        #expect(Series().adding(first, at: 0).adding(second, at: 0).points == [expected])
    }

    @Test("a day of ticks fits into the capacity, and fills at least half of it")
    func bounded() {
        var series = Series()
        for tick in stride(from: 0, to: 172_800, by: 7) {
            series = series.adding(Point(bids: 1), at: tick)
            #expect(series.points.count <= Series.maximumPoints)
        }
        #expect(series.points.count > Series.maximumPoints / 2)
    }

    @Test(
        "merged points have the events of all their points", arguments: [1, 2, 3, 4] as [UInt64])
    func halving(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var added: [Point] = []
        var series = Series()
        for tick in 0..<5000 {
            let point = Point(
                price: Price(Int64(tick / 100)), bids: .random(in: 0...9, using: &random),
                hasJoin: .random(in: 0..<50, using: &random) == 0)
            added.append(point)
            series = series.adding(point, at: tick)
        }
        let merged = stride(from: 0, to: added.count, by: 8).map { first in
            let span = added[first..<(first + 8)]
            return Point(
                price: span.compactMap(\.price).last, bids: span.map(\.bids).max() ?? 0,
                hasJoin: span.contains { $0.hasJoin })
        }
        #expect(series.points == merged)
    }

    @Test("only the newest point changes")
    func append() {
        let series = (0..<20).reduce(Series()) { $0.adding(Point(bids: $1), at: $1) }
        let longer = series.adding(Point(bids: 7), at: 20)
        #expect(Array(longer.points.dropLast()) == series.points)
    }

    @Test(
        "a tick is half a second",
        arguments: [(-1, 0), (0, 0), (499, 0), (500, 1), (999, 1), (60_000, 120)])
    func ticks(milliseconds: Int, expected: Int) {
        #expect(Series.tick(at: .milliseconds(milliseconds)) == expected)
    }

    @Test("bids fill in the past")
    func filled() {
        let series = Series().filled(
            with: [
                lap(1, 5, "bob", at: .milliseconds(600)), lap(2, 9, "al", at: .milliseconds(2100)),
            ], at: 4)
        #expect(series.points.map(\.price?.amount) == [nil, 5, 5, 5, 9])
        #expect(series.points.map(\.bids) == [0, 1, 1, 1, 1])
    }

    @Test("a lot that turns out to have no bids has an empty chart with its joins")
    func emptied() {
        let series = Series().adding(Point(price: price(5), hasJoin: true), at: 1)
            .filled(with: [], at: 1)
        #expect(series.points == [Point(), Point(hasJoin: true)])
        #expect(series.prices == nil)
    }

    @Test("filled in points keep their length and joins")
    func keepsJoins() {
        let series = Series().adding(Point(hasJoin: true), at: 1).adding(Point(), at: 3)
            .filled(with: [lap(1, 5, "bob", at: .zero)], at: 3)
        #expect(series.points.map(\.hasJoin) == [false, true, false, false])
        #expect(series.points.map(\.price?.amount) == [5, 5, 5, 5])
    }

    @Test("joins are kept when a point spans more than a tick")
    func keepsJoinsOfLongLots() {
        var series = Series().adding(Point(), at: 4000)
        series = series.adding(Point(hasJoin: true), at: 4001)
        let filled = series.filled(with: [lap(1, 5, "bob", at: .zero)], at: 4001)
        #expect(filled.points.map(\.hasJoin) == series.points.map(\.hasJoin))
        #expect(filled.points.count == series.points.count)
    }

    @Test(
        "a series longer than the lot is of another history, and is dropped",
        arguments: [
            (nil, [5, 5, 5, 5, 5]), (6, [5, 5, 5, 5, 5]), (4, [5, 5, 5, 5, 5]), (2, [5]),
            (0, [5]),
        ] as [(Int?, [Int64])])
    func anotherHistory(tick: Int?, expected: [Int64]) {
        let series = Series().adding(Point(price: price(50), hasJoin: true), at: 4)
            .filled(with: [lap(1, 5, "bob", at: .zero)], at: tick)
        #expect(series.points.map(\.price?.amount) == expected)
        #expect(series.points.contains { $0.hasJoin } == (expected.count > 1))
    }

    @Test("points before the first loaded bid are kept, unless it is the first of the lot")
    func keepsWhatIsOlder() {
        let series = Series().adding(Point(price: price(2), bids: 1), at: 1)
            .adding(Point(price: price(3), bids: 2), at: 3)
        let (later, first) = (lap(7, 5, "bob", at: .seconds(2)), lap(1, 5, "bob", at: .seconds(2)))
        #expect(
            series.filled(with: [later], at: 4).points.map(\.price?.amount) == [nil, 2, 2, 3, 5])
        #expect(
            series.filled(with: [first], at: 4).points.map(\.price?.amount)
                == [nil, nil, nil, nil, 5])
    }

    @Test("the past of a very long lot is filled in")
    func ages() {
        let hours = Int64(24 * 365 * 1000)
        let bids = [lap(1, 5, "bob", at: .zero), lap(2, 9, "al", at: .seconds(hours * 3600))]
        let prices = Series().filled(with: bids, at: nil).points.compactMap(\.price?.amount)
        #expect(prices.count > Series.maximumPoints / 2)
        #expect(prices.count <= Series.maximumPoints)
        #expect(prices.dropLast().allSatisfy { $0 == 5 })
        #expect(prices.last == 9)
    }
}
