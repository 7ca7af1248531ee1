/// The asking prices of a Dutch auction, and the time that each has.
///
/// The price falls by `step` from the start to the floor, which is the last asking price even if
/// the last step is smaller. All asking prices together last the full countdown, each the same time.
struct DutchClock {
    private let start: Int64
    private let floor: Int64
    private let step: Int64
    private let countdown: Duration

    init(_ rules: Rules) {
        start = rules.start.amount
        floor = min(rules.reserve ?? .lowest, rules.start).amount
        step = rules.step.amount
        countdown = rules.countdown
    }

    /// The asking price after this one; nil if it is the last.
    func ask(after ask: Price) -> Price? {
        ask.amount > floor ? Price(max(ask.amount - step, floor)) : nil
    }

    /// The time from the beginning of this asking price to the end of the lot.
    func duration(from ask: Price) -> Duration {
        let asks = falls(to: floor) + 1
        let left = asks - min(falls(to: ask.amount), asks - 1)
        return countdown * left / asks
    }

    /// The number of falls from the start to an asking price.
    private func falls(to ask: Int64) -> Int64 {
        (max(start - ask, 0) + step - 1) / step
    }
}
