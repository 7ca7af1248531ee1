import Auction
import Basics

/// Raises by more than it must, to show strength and drive rivals out early.
///
/// Its first bid on a lot jumps halfway from the minimum to its value; then it raises by the least.
/// Rivals who know their values are not impressed, and then a jump can only cost money: it may pass
/// the price at which the last rival would have stopped. In other formats it plays the equilibrium.
///
/// Source: C. Avery, "Strategic Jump Bidding in English Auctions", Review of Economic Studies 65,
/// 1998.
public struct Jumper: Strategy {
    /// The newest lot on which it has jumped.
    private var jumped: Int?

    /// Creates the strategy.
    public init() {}

    /// Jumps once on each lot, and then raises by the least.
    public mutating func decide(_ view: LotView, at now: Instant) -> Move? {
        guard view.terms.format.isRising, jumped != view.lot, !view.isLeading else {
            return view.move(upTo: view.equilibriumLimit)
        }
        let limit = view.affordable(view.worth)
        guard let jump = view.bid((view.minimum + limit) / 2, upTo: limit) else { return nil }
        jumped = view.lot
        return jump
    }
}
