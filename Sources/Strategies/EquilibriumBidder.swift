import Auction
import Basics

/// Plays the equilibrium in every format, by the number of rivals.
///
/// In a rising auction it tells the server its value as a maximum bid. The server bids the least
/// that leads, so the bidder pays what the second-highest one would: a rising auction with maximum
/// bids is a second-price auction, and the value is the best maximum.
///
/// An estimate of a common value is taken for a private value, which is naive, or corrected: then the
/// bidder plays the equilibrium of bidders with estimates, and does not suffer the winner's curse. In
/// `allpay` it takes for its value what the lot is worth if no estimate is higher.
///
/// Source: D. Lucking-Reiley, "Vickrey Auctions in Practice: From Nineteenth-Century Philately to
/// Twenty-First-Century E-Commerce", Journal of Economic Perspectives 14, 2000; for the rest see
/// ``PrivateValueAuction`` and ``CommonValueAuction``.
public struct EquilibriumBidder: Strategy {
    private let correctsEstimates: Bool

    /// Creates the strategy.
    public init(correctsEstimates: Bool) {
        self.correctsEstimates = correctsEstimates
    }

    /// Bids up to the limit of the format; sets its maximum once on each lot.
    public func decide(_ view: LotView, at now: Instant) -> Move? {
        let limit = correctsEstimates ? view.correctedLimit : view.equilibriumLimit
        guard view.terms.format.isRising else { return view.move(upTo: limit) }
        let maximum = view.affordable(limit)
        guard view.maximum == nil, !view.isLeading, maximum >= view.minimum else { return nil }
        return Price(maximum).map { .maximum($0) }
    }
}
