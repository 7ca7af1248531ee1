import Auction
import Basics
import House

/// A quota of log lines for one kind of event, and the number of lines left out.
///
/// Strangers can cause some events as often as they like: opening a connection, taking a name. The
/// log writes 50 lines of each kind at once, then 5 a second, and counts the others.
package struct LineQuota {
    private static let burst = 50
    private static let perSecond = 5

    private var second: Int64 = 0
    private var written = 0
    /// How many lines were left out since `takeWithheld` last returned a number.
    package private(set) var withheld = 0

    package init() {}

    /// Whether one more line may be written at a time in milliseconds; counts it in either case.
    package mutating func admit(at milliseconds: Int64) -> Bool {
        if withheld == 0 { pass(to: milliseconds / 1000) }
        guard withheld == 0, written < Self.burst else {
            withheld += 1
            return false
        }
        written += 1
        return true
    }

    /// Returns how many lines were left out, at most once a second.
    package mutating func takeWithheld(at milliseconds: Int64) -> Int {
        guard withheld > 0, milliseconds / 1000 != second else { return 0 }
        defer { withheld = 0 }
        pass(to: milliseconds / 1000)
        return withheld
    }

    /// Advances time; a clock that was set back counts as one second.
    private mutating func pass(to second: Int64) {
        guard second != self.second else { return }
        let elapsed = second > self.second ? min(second - self.second, 60) : 1
        written = max(written - Int(elapsed) * Self.perSecond, 0)
        self.second = second
    }
}

/// Logs how often each limit refused something: the first time at once, then once a second at most.
package struct LimitLog {
    private static let interval = Duration.seconds(1)

    private var counts: [LimitReached: Int] = [:]
    private var silentUntil: [LimitReached: Instant] = [:]

    package init() {}

    /// When a count is due that had to wait; nil if there is none.
    package var deadline: Instant? {
        counts.isEmpty ? nil : counts.keys.compactMap { silentUntil[$0] }.min()
    }

    /// Counts what a limit refused.
    package mutating func note(_ limit: LimitReached, count: Int = 1) {
        if count > 0 { counts[limit, default: 0] += count }
    }

    /// Writes the counts that are due by now.
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
