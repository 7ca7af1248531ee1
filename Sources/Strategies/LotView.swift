import Auction
import Basics

/// What a bidder may know when it decides: the open lot, the game, and its own position in both.
public struct LotView: Equatable, Sendable {
    /// The number of the lot in the sale, from 1.
    public var lot: Int
    /// How many lots follow this one; nil if that is not known.
    public var lotsLeft: Int?
    /// The terms of the lot, which everybody may know.
    public var terms: Terms
    /// The number of other bidders who are present.
    public var rivals: Int
    /// What the lot is worth to this bidder, or the bidder's estimate of that.
    public var worth: Int64
    /// The most by which `worth` is wrong, if it is an estimate of a value that is the same for all.
    public var noise: Int64?
    /// The range from which the values of all bidders are drawn, as the bidder believes.
    public var prior: ClosedRange<Int64>
    /// The most that the bidder can spend on this lot; nil without purses.
    public var purse: Int64?
    /// The leading price of a rising auction; nil before the first bid.
    public var price: Price?
    /// Whether the bidder leads.
    public var isLeading: Bool
    /// The minimum of the next bid.
    public var minimum: Int64
    /// The maximum of the next bid.
    public var ceiling: Int64
    /// The price that is asked now; nil in a format without.
    public var ask: Price?
    /// The bidder's own sealed bid; nil if there is none.
    public var sealedBid: Price?
    /// The bidder's own maximum bid, up to which the server bids; nil if there is none.
    public var maximum: Price?
    /// The time left of the countdown; nil while none runs.
    public var remaining: Duration?

    /// Creates the view of a lot on which nobody has bid.
    public init(
        lot: Int, terms: Terms, rivals: Int, worth: Int64, prior: ClosedRange<Int64>,
        noise: Int64? = nil, purse: Int64? = nil, lotsLeft: Int? = nil
    ) {
        (self.lot, self.terms, self.rivals, self.lotsLeft) = (lot, terms, rivals, lotsLeft)
        (self.worth, self.noise, self.prior) = (worth, noise, prior)
        self.purse = purse
        isLeading = false
        minimum = terms.start.amount
        ceiling = Price.highest.amount
    }
}

extension LotView {
    /// Sees what a bidder may know of an auction; purse and lots are left as they are.
    public mutating func follow(_ auction: borrowing Auction, as bidder: Bidder, at now: Instant) {
        price = auction.leading?.price
        isLeading = auction.leading?.bidder == bidder
        (minimum, ceiling) = (auction.minimum, auction.maximum)
        ask = auction.ask
        sealedBid = auction.sealedBid(of: bidder)?.price
        maximum = auction.maximum(of: bidder)
        remaining = auction.remaining(at: now)
    }

    /// Whether `worth` is an estimate.
    public var isEstimate: Bool { noise != nil }

    /// The move of a bidder who pays at most `limit`: the least raise, a sealed bid, or a take.
    ///
    /// Nil if the lot is too expensive, or if there is nothing to do yet. In a rising auction it is
    /// the minimum of the next bid, in a sealed one the whole limit, and with a falling price
    /// `take` as soon as the ask is at most the limit.
    public func move(upTo limit: Int64) -> Move? {
        switch terms.format.verb {
        case .take:
            if let ask, ask.amount <= affordable(limit) { .take } else { nil }
        case .bid where terms.format.isSealed:
            bid(highestPlainBid(upTo: limit), upTo: limit)
        case .bid: isLeading ? nil : bid(minimum, upTo: limit)
        }
    }

    /// A bid of this amount; nil if the rules, the purse or the limit forbid it, or it stands.
    public func bid(_ amount: Int64, upTo limit: Int64) -> Move? {
        guard amount >= minimum, amount <= affordable(limit), let price = Price(amount),
            price != sealedBid
        else { return nil }
        return .bid(price)
    }

    /// The part of a limit that the purse and the rules allow.
    public func affordable(_ limit: Int64) -> Int64 {
        min(limit, purse ?? limit, ceiling)
    }

    /// Whether at most this time of the countdown is left.
    public func ends(within duration: Duration) -> Bool {
        remaining.map { $0 <= duration } ?? false
    }

    /// The highest bid within a limit that does not buy the lot at its buy-now price.
    private func highestPlainBid(upTo limit: Int64) -> Int64 {
        let affordable = affordable(limit)
        return terms.buy.map { min(affordable, $0.amount - 1) } ?? affordable
    }
}
