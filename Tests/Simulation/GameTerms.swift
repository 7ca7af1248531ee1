import Auction
import House
import TestSupport

/// What makes a simulated sale a game: purses, values, and lots of all kinds.
///
/// Amounts that may be secret have nine digits or more, so one of them in a line is no accident.
struct GameTerms: Sendable {
    static let secretAmounts: ClosedRange<Int64> = 100_000_000...999_999_999

    let settings: GameSettings
    let plans: [LotPlan]

    init(_ rules: Rules, using dice: inout SplitMix64) {
        let purse = Int64.random(in: 300_000_000...3_000_000_000, using: &dice)
        let values: [GameOptions.Values?] = [
            nil, .personal(Self.secretAmounts), .common(Self.secretAmounts, noise: 90_000_000),
        ]
        var options = RoomOptions()
        options.purse = dice.chance(in: 3) ? nil : Price(purse)
        options.values = dice.pick(values)
        settings = GameSettings(options, seed: Seed(dice.next()))
        plans = (1...8).map { .drawn("Vase \($0)", rules, using: &dice) }
    }
}

extension LotPlan {
    /// Draws a lot that can be sold in a sale with these rules.
    static func drawn(_ title: String, _ rules: Rules, using dice: inout SplitMix64) -> LotPlan {
        let options = LotOptions(using: &dice)
        let isRight = (try? options.rules(rules)) != nil
        return LotPlan(title: title, options: isRight ? options : LotOptions())
    }
}

extension LotOptions {
    fileprivate init(using dice: inout SplitMix64) {
        self.init()
        let format = dice.pick(AuctionFormat.allCases)
        self.format = format
        if dice.chance(in: 2) { seconds = .random(in: 1...5, using: &dice) }
        let secret = GameTerms.secretAmounts
        if dice.chance(in: 2) { reserve = Price(.random(in: secret, using: &dice)) }
        if format == .dutch {
            start = Price(2_000_000_000)
            step = Price(.random(in: 250_000_000...900_000_000, using: &dice))
        } else {
            if dice.chance(in: 3) { start = Price(.random(in: 1...90, using: &dice)) }
            if dice.chance(in: 3) { buy = Price(.random(in: 1...3, using: &dice) * 1_000_000_000) }
        }
    }
}
