import AuctionRules

/// The accepted bids of a lot, of which the newest are kept.
public struct Laps: Equatable, Sendable {
    /// So many are kept, more than a screen has rows.
    package static let most = 200

    /// The newest bids, oldest first.
    ///
    /// - Invariant: their numbers rise.
    public private(set) var newest: [Bid] = []
    /// How many there were in all.
    public private(set) var count = 0

    /// No bids.
    public init() {}

    init(_ bids: [Bid]) {
        self = bids.suffix(Self.most).reduce(Laps()) { $0.adding($1) }
    }

    /// The heading of the table: `no laps`, `1 lap`, `12 laps`.
    public var heading: String {
        switch count {
        case 0: "no laps"
        case 1: "1 lap"
        default: "\(Int64(count).grouped) laps"
        }
    }

    /// The laps as they were loaded, with those that came in meanwhile.
    package func replaced(with bids: [Bid]) -> Laps {
        let loaded = Laps(bids)
        // The same bid in both shows that both tell of the same lot.
        guard let last = bids.last, let index = newest.lastIndex(of: last) else { return loaded }
        return newest[index...].reduce(loaded) { $0.adding($1) }
    }

    /// The laps with one more bid; one that is known already changes nothing.
    package func adding(_ bid: Bid) -> Laps {
        guard bid.number > count else { return self }
        var laps = self
        if newest.count == Self.most { laps.newest.removeFirst() }
        laps.newest.append(bid)
        laps.count = bid.number
        return laps
    }

    /// The laps up to the bid that leads now: whatever was known beyond it was voided while nobody
    /// listened.
    package func led(by bid: Bid) -> Laps {
        guard bid.number <= count, newest.last != bid else { return adding(bid) }
        return voiding(bid.number).adding(bid)
    }

    /// The laps without the bid that was voided, which was the last.
    package func voiding(_ number: Int) -> Laps {
        var laps = self
        laps.newest.removeAll { $0.number >= number }
        laps.count = min(count, max(number - 1, 0))
        return laps
    }

    /// The newest bids, newest first, each with the time since the one before it where that is
    /// known.
    public func rows(_ most: Int) -> [(bid: Bid, split: Duration?)] {
        newest.indices.suffix(most).reversed().map { index in
            let bid = newest[index]
            guard index > 0, newest[index - 1].number == bid.number - 1 else { return (bid, nil) }
            return (bid, bid.elapsed - newest[index - 1].elapsed)
        }
    }
}
