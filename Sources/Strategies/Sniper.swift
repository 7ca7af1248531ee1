import Auction
import Basics

/// Waits for the last second, so that nobody can answer.
///
/// It helps where an auction ends at a fixed time. Where each bid resets the countdown, as here
/// until `LAST`, others can always answer, and waiting earns nothing. In amounts it plays the
/// equilibrium of the format. If nobody opens a rising auction for a full countdown, it does.
///
/// Source: A. Roth and A. Ockenfels, "Last-Minute Bidding and the Rules for Ending Second-Price
/// Auctions", American Economic Review 92, 2002.
public struct Sniper: Strategy {
    /// How long before the end it bids.
    private static let lead = Duration.seconds(1)

    /// The lot that it watches, and since when.
    private var watched: (lot: Int, since: Instant)?

    /// Creates the strategy.
    public init() {}

    /// Bids if less than a second is left, or if everybody waits.
    public mutating func decide(_ view: LotView, at now: Instant) -> Move? {
        if watched?.lot != view.lot { watched = (view.lot, now) }
        return isTime(view, at: now) ? view.move(upTo: view.equilibriumLimit) : nil
    }

    private func isTime(_ view: LotView, at now: Instant) -> Bool {
        // There is no last second in which to take a falling price: the first to take it has won.
        if view.terms.format.verb == .take || view.ends(within: Self.lead) { return true }
        guard view.terms.format.isRising, view.price == nil, let watched else { return false }
        return watched.since.duration(to: now) >= .seconds(view.terms.seconds)
    }
}
