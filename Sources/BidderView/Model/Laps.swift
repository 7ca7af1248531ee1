import AuctionRules

/// The newest accepted bids of a lot, and how many there are in all.
public struct Laps: Equatable, Sendable {
    /// The maximum number of stored bids, more than a screen has rows.
    package static let maximumBids = 200

    /// The newest bids, oldest first.
    ///
    /// - Invariant: their numbers increase.
    public private(set) var newest: [Bid] = []
    /// The number of accepted bids of the lot.
    public private(set) var count = 0

    /// Makes an empty list.
    public init() {}

    init(_ bids: [Bid]) {
        self = bids.suffix(Self.maximumBids).reduce(Laps()) { $0.adding($1) }
    }

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
        let loaded = Laps(bids)
        // A bid in both shows that both are of the same lot.
        guard let last = bids.last, let index = newest.lastIndex(of: last) else { return loaded }
        return newest[index...].reduce(loaded) { $0.adding($1) }
    }

    /// The laps with a new bid; a known bid changes nothing.
    package func adding(_ bid: Bid) -> Laps {
        guard bid.number > count else { return self }
        var laps = self
        if newest.count == Self.maximumBids { laps.newest.removeFirst() }
        laps.newest.append(bid)
        laps.count = bid.number
        return laps
    }

    /// The laps up to the leading bid; later ones were voided while the connection was lost.
    package func led(by bid: Bid) -> Laps {
        guard bid.number <= count, newest.last != bid else { return adding(bid) }
        return voiding(bid.number).adding(bid)
    }

    /// The laps before a voided bid, which was the last.
    package func voiding(_ number: Int) -> Laps {
        var laps = self
        laps.newest.removeAll { $0.number >= number }
        laps.count = min(count, max(number - 1, 0))
        return laps
    }

    /// The newest bids, newest first, each with the time since the bid before it, if known.
    public func rows(_ count: Int) -> [(bid: Bid, split: Duration?)] {
        newest.indices.suffix(count).reversed().map { index in
            let bid = newest[index]
            guard index > 0, newest[index - 1].number == bid.number - 1 else { return (bid, nil) }
            return (bid, bid.elapsed - newest[index - 1].elapsed)
        }
    }
}
