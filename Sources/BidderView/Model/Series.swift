import AuctionRules

/// The price and the pace of bids over the time of a lot, of which any amount fits into bounded
/// memory.
///
/// It only grows at its end. When it is full, each two points become one, and from then on a point
/// spans twice the time.
public struct Series: Equatable, Sendable {
    /// The time that a point spans at first.
    package static let tick = Duration.milliseconds(500)
    /// So many points are kept at most; even.
    package static let most = 1024

    /// What happened in the span of a point.
    public struct Point: Equatable, Sendable {
        /// The price at its end; nil before the first bid.
        public var price: Price?
        /// The most bids in five seconds.
        public var bids = 0
        /// Whether somebody joined.
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

    /// Oldest first, the first from the opening of the lot on.
    public private(set) var points: [Point] = []
    /// How many ticks a point spans.
    private var stride = 1

    /// The time that a point spans now.
    package var span: Duration { Self.tick * stride }

    /// From the lowest price to the highest; nil before the first bid.
    var prices: ClosedRange<Price>? {
        let known = points.compactMap(\.price)
        guard let lowest = known.min(), let highest = known.max() else { return nil }
        return lowest...highest
    }

    /// A series of nothing.
    public init() {}

    /// The number of the tick that a time since the opening of the lot belongs to.
    package static func tick(at elapsed: Duration) -> Int {
        max(0, Int(elapsed / tick))
    }

    /// The series with what happened at a tick; ticks in between that were missed are like the one
    /// before them.
    package func adding(_ point: Point, at tick: Int) -> Series {
        var series = self
        series.add(point, at: tick)
        return series
    }

    /// The series without a bid of this price, which was the last and is void: what led before it
    /// led on.
    package func voiding(_ price: Price) -> Series {
        var series = self
        for (index, point) in points.enumerated() where point.price.map({ $0 >= price }) ?? false {
            series.points[index].price = index > 0 ? series.points[index - 1].price : nil
        }
        return series
    }

    private mutating func add(_ point: Point, at tick: Int) {
        while tick / stride >= Self.most { halve() }
        let index = tick / stride
        let known = points.last?.price
        while points.count <= index { points.append(Point(price: known)) }
        points[index].merge(point)
    }

    private mutating func halve() {
        stride *= 2
        points = Swift.stride(from: 0, to: points.count, by: 2).map { index in
            var point = points[index]
            if index + 1 < points.count { point.merge(points[index + 1]) }
            return point
        }
    }
}

extension Series {
    /// The series with the past of the lot filled in from its bids, oldest first; who joined when
    /// is kept.
    ///
    /// It is `tick` by the clock of the lot, or nil if that stands. A clock that has run back is
    /// that of another history, as of a server that was started anew: then nothing is kept.
    package func filled(with bids: [Bid], at tick: Int?) -> Series {
        let isAnother = tick.map { points.count * stride > $0 + 1 + stride } ?? false
        return (isAnother ? Series() : self).filled(with: bids)
    }

    /// O(points + bids), however long the lot has been open.
    private func filled(with bids: [Bid]) -> Series {
        var series = self
        if let last = bids.last { series.add(Point(), at: Self.tick(at: last.elapsed)) }
        // What came before the first of the bids, where they are not all, is known from nowhere else.
        let start = bids.first.map { $0.number == 1 ? 0 : series.index(of: $0) } ?? 0
        series.clear(from: start)
        for bid in bids { series.change(series.index(of: bid)) { $0.price = bid.price } }
        for index in series.points.indices.dropFirst(max(1, start))
        where series.points[index].price == nil {
            series.points[index].price = series.points[index - 1].price
        }
        for (second, count) in Self.pace(of: bids) {
            for tick in [second * 2 + 1, second * 2 + 2] where tick / series.stride >= start {
                series.change(tick / series.stride) { $0.bids = max($0.bids, count) }
            }
        }
        return series
    }

    private func index(of bid: Bid) -> Int { Self.tick(at: bid.elapsed) / stride }

    private mutating func change(_ index: Int, _ edit: (inout Point) -> Void) {
        if index < points.count { edit(&points[index]) }
    }

    /// Keeps only who joined.
    private mutating func clear(from start: Int) {
        for index in points.indices.dropFirst(start) {
            points[index] = Point(hasJoin: points[index].hasJoin)
        }
    }

    /// How many bids there were in the five seconds up to the end of each second that has any.
    private static func pace(of bids: [Bid]) -> [Int: Int] {
        bids.reduce(into: [:]) { pace, bid in
            let second = tick(at: bid.elapsed) / 2
            for window in second..<(second + 5) { pace[window, default: 0] += 1 }
        }
    }
}
