import Auction
import Basics

/// Bids its value in every format.
///
/// In a second-price auction no other bid is ever better: the bid decides whether it wins, but not
/// what it pays. A rising auction is the same, if it raises by the least and stops at its value.
/// If the winner pays its own bid it earns nothing; in an all-pay auction it loses each bid that
/// does not win.
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
