import AuctionRules
import MonotonicTime
import Queues
import Sale

/// The countdown of the open lot as it is sent: its whole seconds, and when they were published.
///
/// It has no clock and no deadline of its own: both times are arguments. A countdown runs from the
/// instant at which its beginning is published, however long that had to wait for a disk. Numbers
/// are those of news.
struct SentCountdown {
    /// The full seconds of the lot.
    private var seconds: Int
    /// The seconds that were sent last; nil before a lot's first bid.
    private var shown: Int?
    /// The number of the news with which the countdown begins, until it is published.
    private var unpublishedBeginning: Int?
    /// The unpublished seconds: the number of the news, and when each was due.
    private var unpublishedSeconds = Queue<(number: Int, due: Instant)>()

    /// Creates the countdown of a lot with these full seconds, before its first bid.
    init(seconds: Int) {
        self.seconds = seconds
    }

    /// Whether the beginning of the countdown is published, so that it runs.
    var isRunning: Bool { unpublishedBeginning == nil }

    /// When the seconds that were sent are no longer right; nil until the countdown runs.
    func nextChange(before deadline: Instant) -> Instant? {
        isRunning ? shownEnd(before: deadline) : nil
    }

    /// Whether a second was due and never sent, because the machine stalled.
    func hasMissed(at now: Instant, before deadline: Instant) -> Bool {
        now >= shownEnd(before: deadline).advanced(by: .seconds(1))
    }

    /// When the seconds that were sent last were due.
    func due(before deadline: Instant) -> Instant {
        deadline.advanced(by: .seconds(-(shown ?? seconds)))
    }

    /// The fair warning at a number of seconds: at 2/5 and at 1/5 of all, rounded.
    ///
    /// If the machine stalls over that second there is no warning, because it would be at a wrong
    /// number.
    func warning(at shown: Int) -> Warning? {
        guard seconds >= 5 else { return nil }
        return switch shown {
        case (4 * seconds + 5) / 10: .once
        case (2 * seconds + 5) / 10: .twice
        default: nil
        }
    }

    /// Begins another lot, with these full seconds.
    mutating func reset(seconds: Int) {
        self.seconds = seconds
        stop()
    }

    /// Lets the countdown begin when the news of this number is published.
    mutating func begin(after number: Int) {
        unpublishedBeginning = number
    }

    /// Forgets what was sent, so that the next countdown sends its first second in any case.
    mutating func stop() {
        unpublishedBeginning = nil
        shown = nil
    }

    /// Notes the remaining time, and returns the seconds to send if their number has changed.
    mutating func show(remaining: Duration) -> Int? {
        let whole = Self.roundedUp(remaining)
        precondition(whole <= seconds, "a countdown never exceeds its full seconds")
        guard whole != shown else { return nil }
        shown = whole
        return whole
    }

    /// Notes which news has the seconds that were due at an instant.
    mutating func note(_ number: Int, due: Instant) {
        unpublishedSeconds.append((number, due))
    }

    /// Notes that the news up to a number was published; true if the countdown begins to run.
    ///
    /// Adds how late each second was published to `lateness`.
    mutating func published(
        upTo seq: Int, at now: Instant, _ lateness: inout DurationHistogram
    ) -> Bool {
        while let (number, due) = unpublishedSeconds.first, number <= seq {
            lateness.record(now.nanoseconds - due.nanoseconds)
            _ = unpublishedSeconds.popFirst()
        }
        guard let beginning = unpublishedBeginning, beginning <= seq else { return false }
        unpublishedBeginning = nil
        return true
    }

    /// When the seconds that were sent last are over.
    private func shownEnd(before deadline: Instant) -> Instant {
        deadline.advanced(by: .seconds(1 - max(shown ?? seconds, 1)))
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
