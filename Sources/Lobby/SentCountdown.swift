import AuctionRules
import MonotonicTime
import Queues
import Sale

/// The countdown of the open lot as it is sent: its whole seconds, and when they were published.
///
/// A countdown runs from the instant at which its beginning is published, however long that had to
/// wait for a disk. The numbers are those of news.
struct SentCountdown {
    private var countdown: Countdown
    /// The number of the news with which the countdown begins, until it is published.
    private var unpublishedBeginning: Int?
    /// The unpublished seconds: the number of the news, and when each was due.
    private var unpublishedSeconds = Queue<(number: Int, due: Instant)>()
    /// How late each second was published, down to the hammer.
    private(set) var lateness = DurationHistogram()

    /// Creates the countdown of a lot with these full seconds.
    init(seconds: Int) {
        countdown = Countdown(seconds: seconds)
    }

    /// Whether the beginning of the countdown is published, so that it runs.
    var isRunning: Bool { unpublishedBeginning == nil }

    /// When the seconds that were sent are no longer right; nil until the countdown runs.
    func nextChange(before deadline: Instant) -> Instant? {
        isRunning ? countdown.nextChange(before: deadline) : nil
    }

    /// Whether a second was due and never sent, because the machine stalled.
    func hasMissed(at now: Instant, before deadline: Instant) -> Bool {
        countdown.hasMissed(at: now, before: deadline)
    }

    /// The fair warning at a number of seconds, if there is one.
    func warning(at seconds: Int) -> Warning? { countdown.warning(at: seconds) }

    /// Begins another lot, with these full seconds.
    mutating func reset(seconds: Int) {
        countdown = Countdown(seconds: seconds)
        unpublishedBeginning = nil
    }

    /// Lets the countdown begin when the news of this number is published.
    mutating func begin(after number: Int) {
        unpublishedBeginning = number
    }

    /// Forgets what was sent, so that the next countdown sends its first second in any case.
    mutating func stop() {
        unpublishedBeginning = nil
        countdown.restart()
    }

    /// Notes the remaining time, and returns the seconds to send if their number has changed.
    mutating func show(remaining: Duration) -> Int? { countdown.show(remaining: remaining) }

    /// Notes which news has the seconds that were due at an instant.
    mutating func note(_ number: Int, due: Instant) {
        unpublishedSeconds.append((number, due))
    }

    /// When the seconds that were sent last were due.
    func due(before deadline: Instant) -> Instant { countdown.instant(before: deadline) }

    /// Notes that the news up to a number was published; true if the countdown begins to run.
    mutating func published(upTo seq: Int, at now: Instant) -> Bool {
        while let (number, due) = unpublishedSeconds.first, number <= seq {
            lateness.record(now.nanoseconds - due.nanoseconds)
            _ = unpublishedSeconds.popFirst()
        }
        guard let beginning = unpublishedBeginning, beginning <= seq else { return false }
        unpublishedBeginning = nil
        return true
    }
}
