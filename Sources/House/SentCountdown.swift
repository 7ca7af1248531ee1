import Auction
import Basics

/// The countdown of the open lot as it is sent: its whole seconds, and whether they were published.
///
/// It has no clock and no deadline of its own: both are arguments. A time that was told runs from
/// the instant at which its news is published, even if the disk delays that. Until then nothing
/// that depends on the clock is decided. Numbers are those of news.
struct SentCountdown {
    /// How much shorter than announced a second or an asking price may be.
    ///
    /// Thus a fast disk does not move the deadline. An asking price lasts at least twice this time.
    static let tolerance = Duration.milliseconds(50)

    /// The full seconds of the lot.
    private var seconds: Int
    /// The seconds that were sent last; nil until some are.
    private var shown: Int?
    /// The least time that must be left when the news of this number is published; nil after that.
    private var unpublished: (number: Int, remaining: Duration)?
    /// The number of a second that is not published yet, and when it was due.
    ///
    /// - Invariant: There is one at most, because no other is sent before it is published.
    private var unpublishedSecond: (number: Int, due: Instant)?

    /// Creates the countdown of a lot with these full seconds, before its first bid.
    init(seconds: Int) {
        self.seconds = seconds
    }

    /// Whether every time that was told is published, so that the clock runs.
    var isRunning: Bool { unpublished == nil }

    /// The time that is left, which stands still while a time that was told is not published.
    ///
    /// `left` is what the clock says.
    func atLeastTold(_ left: Duration?) -> Duration? {
        guard let left, let unpublished else { return left }
        return max(left, unpublished.remaining)
    }

    /// When the seconds that were sent are no longer right; nil until the clock runs.
    func nextChange(before deadline: Instant) -> Instant? {
        isRunning ? shownEnd(before: deadline) : nil
    }

    /// Whether a second was due and never sent, because the machine stalled.
    func hasMissed(at now: Instant, before deadline: Instant) -> Bool {
        now >= shownEnd(before: deadline).advanced(by: .seconds(1))
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

    /// Notes that at least `remaining` must be left when the news of this number is published.
    mutating func tell(_ remaining: Duration, in number: Int) {
        unpublished = (number, max(remaining, unpublished?.remaining ?? remaining))
    }

    /// Forgets what was sent, so that the next countdown sends its first second in any case.
    mutating func stop() {
        unpublished = nil
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
        unpublishedSecond = (number, due)
    }

    /// Returns when the second that the news up to a number tells was due, once it is published.
    mutating func popSecond(publishedUpTo seq: Int) -> Instant? {
        guard let (number, due) = unpublishedSecond, number <= seq else { return nil }
        unpublishedSecond = nil
        return due
    }

    /// Returns the least time that is left, once the news that tells it is published.
    ///
    /// Nil if the clock was running, or does not run yet.
    mutating func popTime(publishedUpTo seq: Int) -> Duration? {
        guard let (number, remaining) = unpublished, number <= seq else { return nil }
        unpublished = nil
        return remaining
    }

    /// When the seconds that were sent last are over.
    func shownEnd(before deadline: Instant) -> Instant {
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
