import Auction
import Basics

/// Tells the server its value as a maximum bid, and leaves the rising auction to it.
///
/// The server bids the least that leads, so the bidder pays what the second-highest one would: a
/// rising auction with maximum bids is a second-price auction, and the value is the best maximum.
/// In other formats, which have no maximum bids, it plays the equilibrium.
///
/// Source: D. Lucking-Reiley, "Vickrey Auctions in Practice: From Nineteenth-Century Philately to
/// Twenty-First-Century E-Commerce", Journal of Economic Perspectives 14, 2000.
public struct ProxyBidder: Strategy {
    /// Creates the strategy.
    public init() {}

    /// Sets its maximum once on each lot.
    public func decide(_ view: LotView, at now: Instant) -> Move? {
        guard view.terms.format.isRising else { return view.move(upTo: view.equilibriumLimit) }
        let limit = view.affordable(view.worth)
        guard view.maximum == nil, !view.isLeading, limit >= view.minimum else { return nil }
        return Price(limit).map { .maximum($0) }
    }
}
