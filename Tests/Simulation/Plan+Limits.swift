import Lobby
import TestSupport

extension Plan {
    /// Gives half of the plans limits, and visitors who reach them.
    ///
    /// By a generator of its own: the rest of a plan stays as it is without them.
    mutating func drawLimits() {
        var dice = SplitMix64(seed: ~seed)
        guard dice.chance(in: 2) else { return }
        terms.limits = Limits(visitors: terms.visitors, using: &dice)
        let end = actions.last?.at ?? .zero
        for _ in 0..<Int.random(in: 0...12, using: &dice) {
            let time = Duration.random(in: 0...end.nanoseconds, using: &dice)
            let visitor = Int.random(in: 0..<terms.visitors, using: &dice)
            let pace = Duration.random(in: 50_000_000...4_000_000_000, using: &dice)
            for (number, move) in Move.excess(using: &dice).enumerated() {
                actions.append(Action(at: time + pace * number, deed: .visitor(visitor, move)))
            }
        }
        actions.sort { $0.at < $1.at }
    }
}

extension Limits {
    fileprivate init(visitors: Int, using dice: inout SplitMix64) {
        self = .none
        if dice.chance(in: 3) {
            connections = max(visitors + .random(in: -2...3, using: &dice), 1)
        }
        if dice.chance(in: 2) { connectionsPerAddress = .random(in: 1...4, using: &dice) }
        if !dice.chance(in: 3) {
            lines = TokenBucket.Rate(
                .random(in: 2...20, using: &dice), per: .seconds(1),
                burst: .random(in: 2...10, using: &dice))
        }
        if !dice.chance(in: 3) {
            addressLines = TokenBucket.Rate(
                .random(in: 2...20, using: &dice), per: .seconds(1),
                burst: .random(in: 2...20, using: &dice))
        }
        if !dice.chance(in: 3) { wrongTokensInRow = .random(in: 1...9, using: &dice) }
        if !dice.chance(in: 3) { claims = .aMinute(.random(in: 1...5, using: &dice)) }
        if !dice.chance(in: 3) { wrongTokens = .aMinute(.random(in: 1...4, using: &dice)) }
        if !dice.chance(in: 3) { openings = .aMinute(.random(in: 1...5, using: &dice)) }
        kick = .random(in: 0...20_000_000_000, using: &dice)
        absence = .random(in: 0...5_000_000_000, using: &dice)
        if !dice.chance(in: 3) { answerLines = .random(in: 2...12, using: &dice) }
        if !dice.chance(in: 3) { lineTime = .seconds(Int.random(in: 1...30, using: &dice)) }
    }
}

extension TokenBucket.Rate {
    /// So many a minute, all of them at once if need be.
    fileprivate static func aMinute(_ count: Int) -> Self {
        Self(count, per: .seconds(60), burst: count)
    }
}

extension Move {
    /// What a visitor does, one after the other, that may be too much.
    fileprivate static func excess(using dice: inout SplitMix64) -> [Move] {
        let times = Int.random(in: 1...8, using: &dice)
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: return [.chatter(.random(in: 2...30, using: &dice))]
        case 1: return [.stammer(.random(in: 0...40_000_000_000, using: &dice))]
        case 2: return (0..<times).flatMap { _ in [.name(.own), .bid(.least), .quit] }
        case 3: return (0..<times).flatMap { _ in [.guess(3), .quit] }
        default: return (0..<times).flatMap { _ in [.name(.forgotten), .quit] }
        }
    }
}
