import Auction
import Basics

/// Bids less than its value in every format, by the number of rivals.
///
/// With n bidders it bids `low + (value - low) * (n - 1) / n`, the equilibrium of auctions with
/// private values in which only the winner pays, namely its own bid. In rising and second-price
/// auctions, where the winner pays what others bid, shading only loses lots that it could have won
/// with a profit. In an all-pay auction it bids more than the equilibrium bid.
///
/// Source: V. Krishna, "Auction Theory", 2nd edition, 2010, chapter 2.
public struct Shader: Strategy {
    /// Creates the strategy.
    public init() {}

    /// Bids up to the equilibrium bid of a first-price auction.
    public func decide(_ view: LotView, at now: Instant) -> Move? {
        view.move(upTo: view.equilibriumBid)
    }
}
