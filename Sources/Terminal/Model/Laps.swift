import Auction
import Bidder

/// The newest accepted bids of a lot, how many there are in all, and which of them are shown.
package struct Laps: Equatable, Sendable {
    /// The maximum number of listed bids, as many as a server keeps.
    package static let maximumBids = 1_000

    /// The newest bids, oldest first, at most twice the maximum.
    ///
    /// - Invariant: their numbers increase.
    private var stored: [Bid] = []
    /// The number of accepted bids of the lot.
    package private(set) var count = 0
    /// The number of the first shown bid; nil if that is always the newest.
    private var top: Int?

    /// Makes an empty list.
    package init() {}

    init(_ bids: [Bid]) {
        for bid in bids.suffix(Self.maximumBids) { add(bid) }
    }

    /// The newest bids, oldest first; O(bids).
    package var newest: [Bid] { stored.suffix(Self.maximumBids) }

    /// The newest bid.
    package var last: Bid? { stored.last }

    /// The heading of the table: `no laps`, `1 lap`, `12 laps`.
    package var heading: String {
        switch count {
        case 0: "no laps"
        case 1: "1 lap"
        default: "\(Int64(count).grouped) laps"
        }
    }

    /// The loaded bids, followed by those that arrived during the load.
    package func replaced(with bids: [Bid]) -> Laps {
        var loaded = Laps(bids)
        loaded.top = top.flatMap { $0 < loaded.count ? $0 : nil }
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
        top = top.flatMap { $0 < count ? $0 : nil }
    }

    /// The last known bid before the one with a number.
    package func last(before number: Int) -> Bid? {
        stored.last { $0.number < number }
    }

    /// The newest known bid of a bidder.
    package func newest(of bidder: Bidder?) -> Bid? {
        stored.last { $0.bidder == bidder }
    }

    /// The shown bids, newest first, each with the time since the bid before it, if known.
    package func rows(_ count: Int) -> [(bid: Bid, split: Duration?)] {
        let listed = stored.indices.suffix(Self.maximumBids)
        // If the first shown bid is no longer listed, the oldest ones are shown.
        let newer = top.map { top in stored.reversed().prefix { $0.number > top }.count } ?? 0
        let shown = listed.dropLast(min(newer, max(0, listed.count - count))).suffix(count)
        return shown.reversed().map { index in
            let bid = stored[index]
            guard index > 0, stored[index - 1].number == bid.number - 1 else { return (bid, nil) }
            return (bid, bid.elapsed - stored[index - 1].elapsed)
        }
    }
}

// MARK: - Scrolling

extension Laps {
    /// Whether older bids are shown instead of the newest.
    package var isScrolled: Bool { top != nil }

    /// The number of bids that are newer than the first shown one.
    package var newerCount: Int { top.map { count - $0 } ?? 0 }

    /// Shows other bids: `steps` older ones, or newer ones if it is negative.
    ///
    /// Unless they are the newest, the shown bids stay when new ones arrive. Stops when the
    /// oldest listed bid is in the last of `rows`.
    package mutating func scroll(by steps: Int, rows: Int) {
        guard let oldest = stored.suffix(Self.maximumBids).first?.number, count - oldest >= rows
        else { return top = nil }
        let place = max(Double(top ?? count) - Double(steps), Double(oldest + rows - 1))
        top = place < Double(count) ? Int(place) : nil
    }
}
