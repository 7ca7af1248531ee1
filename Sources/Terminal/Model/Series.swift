import Auction
import Bidder

/// The price and the number of bids over time of one lot, in bounded memory.
///
/// Each event stands at its own time and not at that of its arrival, so a client that was suspended
/// shows what happened meanwhile, and a gap where it cannot know. When the series is full, each two
/// points merge, and a point spans twice the time.
package struct Series: Equatable, Sendable {
    /// The time that a point spans before any merge.
    package static let tick = Duration.milliseconds(500)
    /// The maximum number of points; even.
    package static let maximumPoints = 1024

    /// The events in the span of a point.
    package struct Point: Equatable, Sendable {
        /// The price at the end of the span; nil before the first bid.
        package var price: Price?
        /// The largest number of bids in any five seconds that end in the span.
        package var bids = 0
        /// Whether a bidder joined.
        package var hasJoin = false
        /// Whether bids in the span are missing, so that the price is unknown.
        package var isGap = false

        package init(
            price: Price? = nil, bids: Int = 0, hasJoin: Bool = false, isGap: Bool = false
        ) {
            self.price = price
            self.bids = bids
            self.hasJoin = hasJoin
            self.isGap = isGap
        }

        mutating func merge(_ later: Point) {
            price = later.price ?? price
            bids = max(bids, later.bids)
            hasJoin = hasJoin || later.hasJoin
            isGap = price == nil && (isGap || later.isGap)
        }
    }

    /// The points since the opening of the lot, oldest first.
    package private(set) var points: [Point] = []
    /// The number of ticks that a point spans: 1, doubled by each merge.
    private var ticksPerPoint = 1
    /// The number of bids in the five seconds that end with a second; only the newest seconds.
    private var windows: [Int: Int] = [:]
    /// The time from which all bids are known.
    private var knownSince = Duration.zero
    /// The price of the first known bid.
    private var firstPrice: Price?

    /// The time that a point spans.
    package var span: Duration { Self.tick * ticksPerPoint }

    /// The range of the prices of all known bids; nil before the first one.
    package var prices: ClosedRange<Price>? {
        let known = points.compactMap(\.price)
        guard let lowest = known.min(), let highest = known.max() else { return nil }
        return min(lowest, firstPrice ?? lowest)...highest
    }

    /// Makes an empty series.
    package init() {}

    /// The index of the tick at a time since the opening of the lot; 0 before it.
    package static func tick(at elapsed: Duration) -> Int {
        max(0, Int(elapsed / tick))
    }

    /// The index of the first point that is not a gap.
    var firstKnown: Int { points.firstIndex { !$0.isGap } ?? 0 }

    /// Merges the known points of a range into one.
    func merged(_ range: Range<Int>) -> Point {
        points[range.clamped(to: points.indices)].reduce(into: Point()) { $0.merge($1) }
    }

    /// Removes a voided bid: points at or above `price` get the price before it.
    package mutating func void(_ price: Price) {
        for index in points.indices where points[index].price.map({ $0 >= price }) ?? false {
            points[index].price = index > 0 ? points[index - 1].price : nil
        }
        if let firstPrice, firstPrice >= price { self.firstPrice = nil }
    }

    /// Merges a point into a tick; ticks skipped before it repeat the last price.
    package mutating func add(_ point: Point, at tick: Int) {
        while tick / ticksPerPoint >= Self.maximumPoints { halve() }
        let index = tick / ticksPerPoint
        let last = points.last
        while points.count <= index {
            points.append(Point(price: last?.price, isGap: last?.isGap ?? false))
        }
        points[index].merge(point)
    }

    private mutating func halve() {
        ticksPerPoint *= 2
        points = stride(from: 0, to: points.count, by: 2).map { merged($0..<$0 + 2) }
    }
}

// MARK: - Asking prices

extension Series {
    /// Sets the asking price of a Dutch lot from a tick on.
    ///
    /// Before the first known price there is a gap, unless it is that of the opening.
    package mutating func ask(_ price: Price, at tick: Int) {
        let isFirst = points.allSatisfy { $0.price == nil }
        add(Point(price: price), at: tick)
        let index = tick / ticksPerPoint
        for later in points.indices[index...] { points[later].price = price }
        if isFirst, tick > 1 { markGap(0..<index) }
        if isFirst, tick <= 1 { points[0].price = price }
    }
}

// MARK: - Bids

extension Series {
    /// The seconds in which bids are counted.
    private static let window = 5

    /// Adds a bid at its own time; unless it is the next after the last, there is a gap before it.
    package mutating func add(_ bid: Bid, isNext: Bool) {
        let tick = Self.tick(at: bid.elapsed)
        if !isNext {
            leaveGap(before: tick)
            knownSince = bid.elapsed
        }
        if firstPrice == nil || !isNext && bid.number == 1 { firstPrice = bid.price }
        add(Point(price: bid.price), at: tick)
        for index in points.indices[(tick / ticksPerPoint)...] {
            (points[index].price, points[index].isGap) = (bid.price, false)
        }
        count(second: tick / 2)
    }

    /// Marks the points after the last known bid, which are those with its price, up to a tick.
    private mutating func leaveGap(before tick: Int) {
        if tick > 0 { add(Point(), at: tick - 1) }
        let end = min(points.count, tick / ticksPerPoint)
        guard let price = points.last?.price else { return markGap(0..<end) }
        let last = points.firstIndex { $0.price == price }.map { $0 + 1 } ?? 0
        markGap(min(last, end)..<end)
    }

    private mutating func markGap(_ range: Range<Int>) {
        for index in range { points[index] = Point(hasJoin: points[index].hasJoin, isGap: true) }
    }

    /// Counts a bid in all windows that have its second, and in the points that show them.
    private mutating func count(second: Int) {
        for end in second..<(second + Self.window) {
            windows[end, default: 0] += 1
            show(window: end)
        }
        // Wrong times of a malicious server must not make the memory grow without bound.
        if windows.count > 64 {
            windows = windows.filter { abs($0.key - second) <= Self.window }
        }
    }

    /// Shows a window in the last tick of its last second and in the next one, if they have passed.
    private mutating func show(window end: Int) {
        let bids = recentBids(before: end + 1)
        for tick in [end * 2 + 1, end * 2 + 2] where tick / ticksPerPoint < points.count {
            let index = tick / ticksPerPoint
            points[index].bids = max(points[index].bids, bids)
        }
    }

    /// Adds the points up to the end of a tick, which repeat the last price.
    package mutating func endTick(_ tick: Int) {
        add(Point(), at: tick)
        for end in windows.keys where end < (tick + 1) / 2 { show(window: end) }
    }

    /// The number of bids in the five seconds before a second of the lot.
    ///
    /// If only a part of this time is known, the number is scaled up.
    package func recentBids(before second: Int) -> Int {
        let known = Duration.seconds(second) - knownSince
        let bids = windows[second - 1] ?? 0
        guard knownSince > .zero, known < .seconds(Self.window), known >= .milliseconds(250) else {
            return bids
        }
        return Int((Double(bids) * (.seconds(Self.window) / known)).rounded())
    }

    /// Fills in the lot's loaded `bids`, which are oldest first; keeps joins.
    ///
    /// `known` is the last bid before them that was known, and `tick` the current tick, or nil if
    /// the lot has ended. A series that is longer belongs to another lot, as after a restart of the
    /// server without its journal; its points are dropped. O(points + bids).
    package mutating func fill(with bids: [Bid], after known: Bid? = nil, at tick: Int?) {
        if let tick, points.count * ticksPerPoint > tick + 1 + ticksPerPoint { self = Series() }
        guard let first = bids.first, let last = bids.last else { return removeBids(from: 0) }
        add(Point(), at: Self.tick(at: last.elapsed))
        // The points before the first loaded bid are kept, unless it is the first of the lot.
        let start = first.number == 1 ? 0 : index(of: first)
        var lowest: Price?
        if first.number > 1 {
            lowest = min(first.price, firstPrice ?? first.price)
            if let known, known.number + 1 < first.number {
                markGap(min(index(of: known) + 1, start)..<start)
            } else if known == nil {
                for index in 0..<start where points[index].price == nil {
                    points[index].isGap = true
                }
            }
        }
        knownSince = first.number > 1 ? first.elapsed : .zero
        removeBids(from: start)
        firstPrice = lowest
        for bid in bids { add(bid, isNext: true) }
    }

    /// Removes all that bids changed in the points from an index on.
    private mutating func removeBids(from start: Int) {
        for index in points.indices[start...] {
            points[index] = Point(hasJoin: points[index].hasJoin)
        }
        (windows, firstPrice) = ([:], nil)
    }

    /// The index of the point of a bid; the last one if the bid is later.
    private func index(of bid: Bid) -> Int {
        min(points.count - 1, Self.tick(at: bid.elapsed) / ticksPerPoint)
    }
}
