import Auction
import Basics

/// Bids less than its value in every format, by the number of rivals.
///
/// With n bidders it bids `low + (value - low) * (n - 1) / n`, the equilibrium of auctions with
/// private values in which the winner pays its own bid. In rising and second-price auctions, where it pays what
/// others bid, shading only loses lots that it could have won with a profit.
///
/// Source: V. Krishna, "Auction Theory", 2nd edition, 2010, chapter 2.
public struct Shader: Strategy {
    /// Creates the strategy.
    public init() {}

    /// Bids up to the equilibrium bid.
    public func decide(_ view: LotView, at now: Instant) -> Move? {
        view.move(upTo: view.equilibriumBid)
    }
}
