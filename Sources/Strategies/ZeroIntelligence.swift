import Auction
import Basics

/// Bids at random, but never more than its value: zero intelligence, constrained.
///
/// Each bid is drawn evenly from the minimum to its value. Markets of such traders still find
/// nearly efficient prices, which shows how much the rules of a market do by themselves. A sealed
/// bid is drawn once; a falling price is taken at one that was drawn at the opening.
///
/// Source: D. Gode and S. Sunder, "Allocative Efficiency of Markets with Zero-Intelligence
/// Traders", Journal of Political Economy 101, 1993.
public struct ZeroIntelligence: Strategy {
    private var chance: SeededGenerator
    /// The price that was drawn for a lot with private bids or a falling price.
    private var drawn: (lot: Int, price: Int64)?

    /// Creates the strategy with the seed of its chance.
    public init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
    }

    /// Bids anything from the minimum to the worth.
    public mutating func decide(_ view: LotView, at now: Instant) -> Move? {
        let limit = view.affordable(view.worth)
        guard view.terms.format.isRising else {
            let isAsked = view.terms.format.verb == .take
            return view.move(
                upTo: drawnPrice(from: isAsked ? Price.lowest.amount : view.minimum, view))
        }
        guard !view.isLeading, view.minimum <= limit else { return nil }
        return view.bid(.random(in: view.minimum...limit, using: &chance), upTo: limit)
    }

    /// The price that is drawn once for each lot, from the lowest one to the worth.
    private mutating func drawnPrice(from lowest: Int64, _ view: LotView) -> Int64 {
        if let drawn, drawn.lot == view.lot { return drawn.price }
        let price = Int64.random(in: min(lowest, view.worth)...view.worth, using: &chance)
        drawn = (view.lot, price)
        return price
    }
}
