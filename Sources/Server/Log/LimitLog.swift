import AuctionRules
import Lobby

/// Says which limits stopped somebody: the first time at once, and then at most once a second for
/// each, with how often.
package struct LimitLog {
    private static let interval = Duration.seconds(1)

    private var counts: [LimitReached: Int] = [:]
    private var silentUntil: [LimitReached: Instant] = [:]

    package init() {}

    /// When something is to be said that had to wait; nil if there is nothing.
    package var deadline: Instant? {
        counts.isEmpty ? nil : counts.keys.compactMap { silentUntil[$0] }.min()
    }

    /// Counts those whom a limit stopped.
    package mutating func note(_ limit: LimitReached, count: Int = 1) {
        if count > 0 { counts[limit, default: 0] += count }
    }

    /// Says what is to be said by now.
    package mutating func expire(at now: Instant, _ log: Log) {
        if counts.isEmpty { return }
        for limit in LimitReached.allCases {
            guard let count = counts[limit], silentUntil[limit].map({ $0 <= now }) ?? true else {
                continue
            }
            counts[limit] = nil
            silentUntil[limit] = now.advanced(by: Self.interval)
            log.write(.warning, "refused") { line in
                line.add("reason", limit.rawValue)
                line.add("count", count)
            }
        }
    }
}
