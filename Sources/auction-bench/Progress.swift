import Load
import Posix

/// What somebody who waits is told every second, if there is a terminal.
struct Progress {
    private static let pace: Int64 = 1_000_000_000

    /// When there is something to show again, in monotonic nanoseconds.
    private(set) var next: Int64
    private let subject: String
    private let isShown = StandardStream.error.isTerminal
    private var count = 0
    private var seconds = 0

    /// The subject follows a number, as in `bids/s accepted`.
    init(of subject: String, from start: Int64 = monotonicNanoseconds()) {
        self.subject = subject
        next = start + Self.pace
    }

    /// Shows how many there are more than a second ago, if a second has passed.
    mutating func show(_ count: Int, at now: Int64) {
        guard now >= next else { return }
        next += Self.pace
        seconds += 1
        if isShown {
            StandardStream.error.say("\(seconds) s: \((count - self.count).grouped) \(subject)")
        }
        self.count = count
    }
}
