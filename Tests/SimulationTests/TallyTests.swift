import Lobby
import Simulation
import Testing

@Suite("Tally")
struct TallyTests {
    /// Three at once, and one more every 20 seconds.
    private static let rate = TokenBucket.Rate(3, per: .seconds(60), burst: 3)

    private func isSpent(after seconds: [Int], at now: Duration, slack: Int64 = 0) -> Bool {
        var tally = Tally()
        for second in seconds { tally.add(at: .seconds(second)) }
        return tally.isSpent(Self.rate, at: now, slack: slack)
    }

    @Test(
        "what a burst and its time allow is not too much",
        arguments: [
            ([], 0), ([0, 0], 0), ([0, 0, 0], 20), ([0, 0, 0, 20], 40), ([0, 30, 30], 31),
            ([0, 0, 0, 60, 60, 60], 80),
        ] as [([Int], Int)])
    func allowed(seconds: [Int], now: Int) {
        #expect(!isSpent(after: seconds, at: .seconds(now)))
    }

    @Test(
        "one more than that is too much, in whatever time",
        arguments: [
            ([0, 0, 0], 19), ([0, 0, 0, 20], 39), ([0, 30, 30, 30], 31), ([0, 50, 50, 50], 61),
            ([0, 0, 0, 60, 60, 60], 79),
        ] as [([Int], Int)])
    func tooMuch(seconds: [Int], now: Int) {
        #expect(isSpent(after: seconds, at: .seconds(now)))
    }

    @Test("a nanosecond decides")
    func exact() {
        #expect(isSpent(after: [0, 0, 0], at: .seconds(20) - .nanoseconds(1)))
        #expect(!isSpent(after: [0, 0, 0], at: .seconds(20)))
    }

    @Test("slack is so many more")
    func slack() {
        #expect(!isSpent(after: [0, 0, 0], at: .zero, slack: 1))
        #expect(isSpent(after: [0, 0, 0, 0], at: .zero, slack: 1))
    }
}
