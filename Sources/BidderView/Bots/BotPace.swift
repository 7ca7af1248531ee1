import Auction
import Basics
import Strategies

/// When a bot looks at the lot next: after news, as quick as a program or as slow as a person.
struct BotPace: Sendable {
    /// The part of the remaining time after which a person who thinks decides all the same.
    private static let haste = 0.7

    private let mean: Duration
    private var chance: SeededGenerator
    /// When it looks next; nil if it waits for news.
    private(set) var due: Instant?
    /// Whether it looks because of news, and not because time has passed.
    private var isThinking = false

    /// Makes a pace with the mean of the time to think, which is zero for a program.
    init(mean: Duration, seed: UInt64) {
        self.mean = mean
        chance = SeededGenerator(seed: ~seed)
    }

    /// Notes news; with a countdown it looks before the end.
    mutating func notice(at now: Instant, remaining: Duration?) {
        if !isThinking {
            isThinking = true
            due = now.advanced(by: mean * .random(in: 0.5...1.5, using: &chance))
        }
        guard let remaining, let due else { return }
        self.due = min(due, now.advanced(by: remaining * Self.haste))
    }

    /// Notes that it has looked, and looks again after a period, or with nil after news.
    mutating func looked(at now: Instant, again period: Duration?) {
        isThinking = false
        due = period.map { now.advanced(by: $0) }
    }

    /// Forgets what it has noticed, because the connection is lost.
    mutating func forget() {
        (isThinking, due) = (false, nil)
    }
}
