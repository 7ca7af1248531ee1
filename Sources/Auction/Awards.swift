/// An award at the end of a sale.
public struct Award: Hashable, Sendable {
    /// What an award is for; the raw value is the word on the wire.
    public enum Kind: String, CaseIterable, Sendable {
        /// The greatest profit of one lot.
        case bargain
        /// The greatest loss of one lot.
        case overpay
        /// The smallest gap between the winning bid of a lot and the best bid of another bidder.
        case closest
    }

    /// What it is for.
    public let kind: Kind
    /// Who receives it.
    public let bidder: Bidder
    /// The profit, the loss or the gap, none of which is negative.
    public let amount: Int64
    /// The title of the lot.
    public let title: String

    /// Creates an award.
    public init(_ kind: Kind, to bidder: Bidder, amount: Int64, title: String) {
        (self.kind, self.bidder, self.amount, self.title) = (kind, bidder, amount, title)
    }

    /// Whether it replaces another of its kind; of equals the earlier stays.
    fileprivate func beats(_ other: Award) -> Bool {
        kind == .closest ? amount < other.amount : amount > other.amount
    }
}

/// The awards that a sale gives if it ends now.
struct Awards: Equatable, Sendable {
    /// At most one of each kind, in the order of the kinds.
    private(set) var best: [Award] = []

    /// Notes what a lot has brought its bidders.
    ///
    /// `changes` has the lots, payments and profits of its bidders; without values a profit is 0.
    mutating func note(_ changes: [Tally], from auction: Auction) {
        let title = auction.lot.title
        for change in changes where change.profit != 0 {
            enter(
                Award(
                    change.profit > 0 ? .bargain : .overpay, to: change.bidder,
                    amount: Int64(clamping: change.profit.magnitude), title: title))
        }
        if let (bidder, gap) = auction.closestRival {
            enter(Award(.closest, to: bidder, amount: gap, title: title))
        }
    }

    /// Enters an award if it beats the one of its kind.
    mutating func enter(_ award: Award) {
        guard let former = best.first(where: { $0.kind == award.kind }) else {
            let kinds = Award.Kind.allCases
            best = kinds.compactMap { kind in
                kind == award.kind ? award : best.first { $0.kind == kind }
            }
            return
        }
        if award.beats(former) { best = best.map { $0 == former ? award : $0 } }
    }
}

extension Auction {
    /// Who made the best bid beside the winner of a sold lot, and how much less it was.
    ///
    /// Nil if nobody did. The maximum of a bidder who has lost stays secret, so only what it has
    /// bid counts.
    fileprivate var closestRival: (bidder: Bidder, gap: Int64)? {
        if let leading {
            let rival = bids.last { $0.bidder != leading.bidder }
            return rival.map { ($0.bidder, leading.price.amount - $0.price.amount) }
        }
        guard sealedCount > 1 else { return nil }
        let (winner, rival) = (secretBids[0], secretBids[1])
        return (rival.bidder, winner.price.amount - rival.price.amount)
    }
}
