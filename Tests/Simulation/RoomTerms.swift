import Auction
import House
import TestSupport

/// The rooms of a simulated server: their names, and what may be chosen for one.
struct RoomTerms: Sendable {
    /// The rooms that clients open and join, and one more that never exists.
    static let names = ["blue", "red", "x-1"].compactMap { RoomName($0) }
    static let unknown = RoomName("nowhere") ?? .main

    private let rules: Rules

    init(_ rules: Rules) {
        self.rules = rules
    }

    /// Draws options of which most go together.
    func options(using dice: inout SplitMix64) -> RoomOptions {
        var options = RoomOptions()
        options.lot.seconds = .random(in: 1...4, using: &dice)
        if dice.chance(in: 3) {
            let plan = LotPlan.drawn("", rules, using: &dice)
            options.lot = plan.options
        }
        if dice.chance(in: 8) { options.lot.buy = .lowest }
        // Lots whose countdown begins by itself must end, so that all is quiet in the end.
        let isEndless = options.lot.format ?? .english == .english && dice.chance(in: 3)
        if !isEndless { options.lots = .random(in: 1...4, using: &dice) }
        if dice.chance(in: 2) { options.pause = .seconds(Int.random(in: 0...2, using: &dice)) }
        if dice.chance(in: 3) {
            options.purse = Price(.random(in: 300_000_000...3_000_000_000, using: &dice))
        }
        if dice.chance(in: 3) {
            let amounts = GameTerms.secretAmounts
            options.values =
                dice.chance(in: 2)
                ? .personal(amounts) : .common(amounts, noise: 90_000_000)
        }
        return options
    }
}
