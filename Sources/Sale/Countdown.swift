import AuctionRules

/// The remaining whole seconds as they were sent last.
///
/// It has no clock and no deadline of its own: the remaining time is an argument.
package struct Countdown {
    /// The full seconds.
    package let seconds: Int

    /// The number that was sent last; nil before a lot's first bid.
    package private(set) var shown: Int?

    /// Creates the countdown of a lot before its first bid.
    package init(seconds: Int) {
        self.seconds = seconds
    }

    /// Notes the remaining time, and returns the seconds if their number has changed.
    package mutating func show(remaining: Duration) -> Int? {
        let whole = Self.roundedUp(remaining)
        precondition(whole <= seconds, "a countdown never exceeds its full seconds")
        guard whole != shown else { return nil }
        shown = whole
        return whole
    }

    /// The fair warning at a number of seconds: at 2/5 and at 1/5 of all, rounded.
    ///
    /// If the machine stalls over that second there is no warning, because it would be at a wrong
    /// number.
    package func warning(at shown: Int) -> Warning? {
        guard seconds >= 5 else { return nil }
        return switch shown {
        case (4 * seconds + 5) / 10: .once
        case (2 * seconds + 5) / 10: .twice
        default: nil
        }
    }

    /// When the number that was sent is no longer right.
    package func nextChange(before deadline: Instant) -> Instant {
        deadline.advanced(by: .seconds(1 - max(shown ?? seconds, 1)))
    }

    /// When the number that was sent last was due.
    package func instant(before deadline: Instant) -> Instant {
        deadline.advanced(by: .seconds(-(shown ?? seconds)))
    }

    /// Whether a number was due and never sent, because the machine stalled.
    package func hasMissed(at now: Instant, before deadline: Instant) -> Bool {
        now >= nextChange(before: deadline).advanced(by: .seconds(1))
    }

    /// Forgets the number that was sent, so that the next one is sent in any case.
    package mutating func restart() {
        shown = nil
    }

    /// The seconds of a duration of whole nanoseconds, rounded up.
    private static func roundedUp(_ duration: Duration) -> Int {
        if let nanoseconds = duration.briefNanoseconds {
            return Int((nanoseconds + 999_999_999) / 1_000_000_000)
        }
        let (seconds, attoseconds) = duration.components
        return max(Int(seconds) + (attoseconds > 0 ? 1 : 0), 0)
    }
}
