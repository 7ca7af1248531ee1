import Auction
import Basics

/// Bids its value in every format.
///
/// In a second-price auction no other bid is ever better: the bid decides whether it wins, but not
/// what it pays. A rising auction is the same, if it raises by the least and stops at its value.
/// Where the winner pays the own bid it never earns anything.
///
/// Source: W. Vickrey, "Counterspeculation, Auctions, and Competitive Sealed Tenders", Journal of
/// Finance 16, 1961.
public struct Truthful: Strategy {
    /// Creates the strategy.
    public init() {}

    /// Bids up to the worth.
    public func decide(_ view: LotView, at now: Instant) -> Move? {
        view.move(upTo: view.worth)
    }
}
