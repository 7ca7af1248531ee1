import AuctionRules

/// The newest accepted bids of a lot, and how many there are in all.
public struct Laps: Equatable, Sendable {
    /// The maximum number of listed bids, as many as a server keeps.
    package static let maximumBids = 1_000

    /// The newest bids, oldest first, at most twice the maximum.
    ///
    /// - Invariant: their numbers increase.
    private var stored: [Bid] = []
    /// The number of accepted bids of the lot.
    public private(set) var count = 0

    /// Makes an empty list.
    public init() {}

    init(_ bids: [Bid]) {
        for bid in bids.suffix(Self.maximumBids) { add(bid) }
    }

    /// The newest bids, oldest first; O(bids).
    public var newest: [Bid] { stored.suffix(Self.maximumBids) }

    /// The newest bid.
    package var last: Bid? { stored.last }

    /// The heading of the table: `no laps`, `1 lap`, `12 laps`.
    public var heading: String {
        switch count {
        case 0: "no laps"
        case 1: "1 lap"
        default: "\(Int64(count).grouped) laps"
        }
    }

    /// The loaded bids, followed by those that arrived during the load.
    package func replaced(with bids: [Bid]) -> Laps {
        var loaded = Laps(bids)
        // A bid in both shows that both are of the same lot.
        guard let last = bids.last, let index = stored.lastIndex(of: last) else { return loaded }
        for bid in stored[index...] { loaded.add(bid) }
        return loaded
    }

    /// Adds a new bid; a known one changes nothing.
    ///
    /// Amortised O(1).
    package mutating func add(_ bid: Bid) {
        guard bid.number > count else { return }
        if stored.count == 2 * Self.maximumBids { stored.removeFirst(Self.maximumBids) }
        stored.append(bid)
        count = bid.number
    }

    /// Makes a bid the leading one; later ones were voided while the connection was lost.
    package mutating func lead(by bid: Bid) {
        if bid.number <= count, stored.last != bid { void(bid.number) }
        add(bid)
    }

    /// Removes a voided bid, which was the last, and any later ones.
    package mutating func void(_ number: Int) {
        stored.removeAll { $0.number >= number }
        count = min(count, max(number - 1, 0))
    }

    /// The last known bid before the one with a number.
    package func last(before number: Int) -> Bid? {
        stored.last { $0.number < number }
    }

    /// The newest known bid of a bidder.
    package func newest(of bidder: Bidder?) -> Bid? {
        stored.last { $0.bidder == bidder }
    }

    /// The newest bids, newest first, each with the time since the bid before it, if known.
    public func rows(_ count: Int) -> [(bid: Bid, split: Duration?)] {
        rows(from: 0, count)
    }

    /// The bids after the newest `offset` ones, newest first, each with the time since the bid before.
    public func rows(from offset: Int, _ count: Int) -> [(bid: Bid, split: Duration?)] {
        let listed = stored.indices.suffix(Self.maximumBids)
        return listed.dropLast(offset).suffix(count).reversed().map { index in
            let bid = stored[index]
            guard index > 0, stored[index - 1].number == bid.number - 1 else { return (bid, nil) }
            return (bid, bid.elapsed - stored[index - 1].elapsed)
        }
    }
}
