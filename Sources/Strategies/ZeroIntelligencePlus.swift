import Auction
import Basics

/// Adapts the profit it asks for to how lots end: zero intelligence plus, or ZIP.
///
/// It bids its value less a margin. If a lot was sold below its own limit, the margin grows towards
/// the price that would have been enough; if it was sold above the limit but below its value, the
/// margin shrinks. The step is the Widrow-Hoff rule with momentum, and its parameters are drawn
/// from the ranges of the source. Margins are fractions, because the value is new in each lot. A
/// target is perturbed by at most 0.05 in the source, where prices are about 2: here by at most the
/// same part, a fortieth, of the middle of all values.
///
/// Source: D. Cliff, "Minimal-Intelligence Agents for Bargaining Behaviors in Market-Based
/// Environments", Hewlett-Packard Laboratories HPL-97-91, 1997.
public struct ZeroIntelligencePlus: Strategy {
    private let learningRate, momentum: Double
    private var chance: SeededGenerator
    /// The part of its value that it does not bid.
    ///
    /// - Invariant: from 0 to 1.
    private var margin: Double
    private var lastChange = 0.0
    /// The newest lot that it saw, with its value, and the middle of all values.
    private var seen: (lot: Int, worth: Double, middle: Double)?

    /// Creates the strategy with the seed of its parameters and targets.
    public init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        learningRate = .random(in: 0.1...0.5, using: &chance)
        momentum = .random(in: 0...0.1, using: &chance)
        margin = .random(in: 0.05...0.35, using: &chance)
    }

    /// Bids up to the worth less the margin.
    public mutating func decide(_ view: LotView, at now: Instant) -> Move? {
        let worth = Double(view.worth)
        let middle = (Double(view.prior.lowerBound) + Double(view.prior.upperBound)) / 2
        seen = (view.lot, worth, middle)
        return view.move(upTo: Int64(worth * (1 - margin)))
    }

    /// Moves the margin towards one that would have been better.
    public mutating func learn(_ end: LotEnd) {
        guard let (lot, worth, middle) = seen, lot == end.lot, worth > 0, let price = end.price
        else {
            return
        }
        let (limit, paid) = (worth * (1 - margin), Double(price.amount))
        let perturbation = Double.random(in: 0...0.025, using: &chance) * middle
        if end.isWon || limit >= paid {
            let scale = Double.random(in: 0.95...1, using: &chance)
            approach(paid * scale - perturbation, from: limit, worth)
        } else if paid < worth {
            let scale = Double.random(in: 1...1.05, using: &chance)
            approach(paid * scale + perturbation, from: limit, worth)
        }
    }

    private mutating func approach(_ target: Double, from limit: Double, _ worth: Double) {
        let step = learningRate * (target - limit)
        lastChange = momentum * lastChange + (1 - momentum) * step
        margin = min(max(1 - (limit + lastChange) / worth, 0), 1)
    }
}
