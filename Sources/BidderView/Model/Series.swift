import AuctionRules

/// The price and the number of bids over time of one lot, in bounded memory.
///
/// Points are appended. When the series is full, each two points merge, and a point spans twice the
/// time.
public struct Series: Equatable, Sendable {
    /// The time that a point spans before any merge.
    package static let tick = Duration.milliseconds(500)
    /// The maximum number of points; even.
    package static let maximumPoints = 1024

    /// The events in the span of a point.
    public struct Point: Equatable, Sendable {
        /// The price at the end of the span; nil before the first bid.
        public var price: Price?
        /// The largest number of bids in any five seconds that end in the span.
        public var bids = 0
        /// Whether a bidder joined.
        public var hasJoin = false

        package init(price: Price? = nil, bids: Int = 0, hasJoin: Bool = false) {
            self.price = price
            self.bids = bids
            self.hasJoin = hasJoin
        }

        mutating func merge(_ later: Point) {
            price = later.price ?? price
            bids = max(bids, later.bids)
            hasJoin = hasJoin || later.hasJoin
        }
    }

    /// The points since the opening of the lot, oldest first.
    public private(set) var points: [Point] = []
    /// The number of ticks that a point spans: 1, doubled by each merge.
    private var ticksPerPoint = 1

    /// The time that a point spans.
    package var span: Duration { Self.tick * ticksPerPoint }

    /// The range of the prices; nil before the first bid.
    var prices: ClosedRange<Price>? {
        let known = points.compactMap(\.price)
        guard let lowest = known.min(), let highest = known.max() else { return nil }
        return lowest...highest
    }

    /// Makes an empty series.
    public init() {}

    /// The index of the tick at a time since the opening of the lot; 0 before it.
    package static func tick(at elapsed: Duration) -> Int {
        max(0, Int(elapsed / tick))
    }

    /// The points merged in groups of `count`, oldest first.
    func points(each count: Int) -> [Point] {
        stride(from: 0, to: points.count, by: count).map { first in
            points[first..<min(points.count, first + count)]
                .reduce(into: Point()) { $0.merge($1) }
        }
    }

    /// The series with a point merged into a tick; ticks skipped before it repeat the last price.
    package func adding(_ point: Point, at tick: Int) -> Series {
        var series = self
        series.add(point, at: tick)
        return series
    }

    /// The series without a voided bid: points at or above `price` get the price before it.
    package func voiding(_ price: Price) -> Series {
        var series = self
        for (index, point) in points.enumerated() where point.price.map({ $0 >= price }) ?? false {
            series.points[index].price = index > 0 ? series.points[index - 1].price : nil
        }
        return series
    }

    private mutating func add(_ point: Point, at tick: Int) {
        while tick / ticksPerPoint >= Self.maximumPoints { halve() }
        let index = tick / ticksPerPoint
        let known = points.last?.price
        while points.count <= index { points.append(Point(price: known)) }
        points[index].merge(point)
    }

    private mutating func halve() {
        ticksPerPoint *= 2
        points = points(each: 2)
    }
}

extension Series {
    /// The series with the lot's `bids` filled in, which are oldest first; keeps joins.
    ///
    /// `tick` is the current tick, or nil if the lot has ended. A series that is longer belongs to
    /// another lot, as after a restart of the server without its journal; its points are dropped.
    package func filled(with bids: [Bid], at tick: Int?) -> Series {
        let isAnother = tick.map { points.count * ticksPerPoint > $0 + 1 + ticksPerPoint } ?? false
        return (isAnother ? Series() : self).filled(with: bids)
    }

    /// Fills in the bids; O(points + bids).
    private func filled(with bids: [Bid]) -> Series {
        var series = self
        if let last = bids.last { series.add(Point(), at: Self.tick(at: last.elapsed)) }
        // If the first bids are missing, the points before the first known one are kept.
        let start = bids.first.map { $0.number == 1 ? 0 : series.index(of: $0) } ?? 0
        series.clear(from: start)
        for bid in bids { series.change(series.index(of: bid)) { $0.price = bid.price } }
        for index in series.points.indices.dropFirst(max(1, start))
        where series.points[index].price == nil {
            series.points[index].price = series.points[index - 1].price
        }
        for (second, count) in Self.recentBids(in: bids) {
            // Live, the number of a second is stored in its last tick and in the next one.
            for tick in [second * 2 + 1, second * 2 + 2] where tick / series.ticksPerPoint >= start
            {
                series.change(tick / series.ticksPerPoint) { $0.bids = max($0.bids, count) }
            }
        }
        return series
    }

    private func index(of bid: Bid) -> Int { Self.tick(at: bid.elapsed) / ticksPerPoint }

    private mutating func change(_ index: Int, _ edit: (inout Point) -> Void) {
        if index < points.count { edit(&points[index]) }
    }

    /// Clears the points from an index on, except their joins.
    private mutating func clear(from start: Int) {
        for index in points.indices.dropFirst(start) {
            points[index] = Point(hasJoin: points[index].hasJoin)
        }
    }

    /// The number of bids in the five seconds that end with each second, by second.
    private static func recentBids(in bids: [Bid]) -> [Int: Int] {
        bids.reduce(into: [:]) { counts, bid in
            let second = tick(at: bid.elapsed) / 2
            for window in second..<(second + 5) { counts[window, default: 0] += 1 }
        }
    }
}
