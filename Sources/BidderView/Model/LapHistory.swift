import Auction

/// The bids of a lot, and their chart.
struct LapHistory: Equatable, Sendable {
    /// The accepted bids.
    private(set) var laps = Laps()
    /// The price and the rate of bids over the time of the lot.
    private(set) var series = Series()
    /// The newest accepted bid of the user; nil if there is none.
    private(set) var ownBid: Bid?
    /// The number of the lot.
    private var lot = 0

    /// Begins a lot, and returns whether it is another one.
    @discardableResult
    mutating func begin(lot number: Int) -> Bool {
        guard number != lot else { return false }
        self = LapHistory()
        lot = number
        return true
    }

    /// Adds a bid; a known one, as in a snapshot, changes nothing.
    mutating func add(_ bid: Bid, isOwn: Bool) {
        let count = laps.count
        laps.lead(by: bid)
        if isOwn { ownBid = bid }
        if bid.number > count { series.add(bid, isNext: bid.number == count + 1) }
    }

    /// Removes a bid, after which one of `user` may be the newest again.
    mutating func void(_ bid: VoidedBid, user: Bidder?) {
        series = series.voiding(bid.price)
        laps.void(bid.number)
        if let ownBid, ownBid.number >= bid.number { self.ownBid = laps.newest(of: user) }
    }

    /// Adds an asking price to the chart.
    mutating func ask(_ price: Price, at elapsed: Duration) {
        series = series.asking(price, at: Series.tick(at: elapsed))
    }

    /// Adds to the chart that a bidder joined.
    mutating func join(at elapsed: Duration) {
        series = series.adding(Series.Point(hasJoin: true), at: Series.tick(at: elapsed))
    }

    /// Replaces the bids with all that were loaded; the chart has those up to `elapsed`.
    ///
    /// The chart of a falling price has the asking prices, which are no bids.
    mutating func load(_ bids: [Bid], user: Bidder?, isFalling: Bool, elapsed: Duration?) {
        let known = bids.first.flatMap { laps.last(before: $0.number) }
        laps = laps.replaced(with: bids)
        ownBid = laps.newest(of: user) ?? ownBid
        guard !isFalling else { return }
        series = series.filled(with: bids, after: known, at: elapsed.map { Series.tick(at: $0) })
    }

    /// Adds the point of the tick of the chart that ends now, and returns the number of recent bids.
    mutating func endTick(at elapsed: Duration) -> Int {
        let tick = Series.tick(at: elapsed)
        defer { if tick > 0 { series.endTick(tick - 1) } }
        return series.recentBids(before: tick / 2)
    }

    /// Shows laps that are older by a number, or newer if it is negative, in `rows` of the screen.
    mutating func scrollLaps(by count: Int, rows: Int) {
        laps.scroll(by: count, rows: rows)
    }
}
