import TestSupport

extension Plan {
    /// Spreads the connections of two thirds of the plans over two or three loops, and lets half of
    /// the servers have little room for what they hear.
    ///
    /// By a generator of its own: the rest of a plan stays as it is without them.
    mutating func drawLoops() {
        var dice = SplitMix64(seed: seed ^ 0x5DEE_CE66_D1CE_4E5B)
        terms.loops = .random(in: 1...3, using: &dice)
        let lags: [Duration] = [.microseconds(200), .milliseconds(5), .milliseconds(120)]
        terms.loopLag = lags.randomElement(using: &dice) ?? .milliseconds(5)
        terms.mostRead = [8, 100, 1 << 20].randomElement(using: &dice) ?? 100
        if dice.chance(in: 2) {
            terms.mostUnsent = [2, 9, 40].randomElement(using: &dice) ?? 9
        }
        guard terms.loops > 1 else { return }
        let end = actions.last?.at ?? .zero
        for _ in 0..<Int.random(in: 0...3, using: &dice) {
            let standstill = Mishap.loopStandstill(
                .random(in: 0...1, using: &dice), .random(in: 0...2_500_000_000, using: &dice))
            actions.append(
                Action(
                    at: .random(in: 0...end.nanoseconds, using: &dice), deed: .mishap(standstill)))
        }
        actions.sort { $0.at < $1.at }
    }
}
