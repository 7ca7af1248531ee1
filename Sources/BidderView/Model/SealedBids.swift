import Auction

/// The sealed bids on a lot: how many there are, and after its end the highest of them.
public struct SealedBids: Equatable, Sendable {
    /// The maximum number of revealed bids that are kept.
    package static let maximumRevealed = 100

    /// The number of bidders with a sealed bid.
    public private(set) var count = 0
    /// The revealed bids, highest first; empty before the end, at most `maximumRevealed`.
    public private(set) var revealed: [SealedBid] = []

    /// Makes an empty list.
    public init() {}

    /// Sets the number of bidders with a sealed bid.
    mutating func seal(_ count: Int) {
        self.count = max(0, count)
    }

    /// Adds the next revealed bid; a known one changes nothing.
    ///
    /// O(revealed bids).
    mutating func reveal(_ bid: SealedBid) {
        guard revealed.count < Self.maximumRevealed,
            !revealed.contains(where: { $0.bidder == bid.bidder })
        else { return }
        revealed.append(bid)
        count = max(count, revealed.count)
    }
}
