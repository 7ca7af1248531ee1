import Load
import Posix

/// A line a second about how far a scenario is, if standard error is a terminal.
struct Progress {
    private static let interval: Int64 = 1_000_000_000

    /// When the next line is due, in monotonic nanoseconds.
    private(set) var next = monotonicNanoseconds() + interval
    private let subject: String
    private let isShown = StandardStream.error.isTerminal
    private var count = 0
    private var seconds = 0

    /// Creates the lines about a subject, which follows a number, as in `bids/s accepted`.
    init(of subject: String) {
        self.subject = subject
    }

    /// Prints by how much a count has grown in the last second, if a second has passed.
    mutating func show(_ count: Int, at now: Int64) {
        guard now >= next else { return }
        next += Self.interval
        seconds += 1
        if isShown {
            StandardStream.error.say("\(seconds) s: \((count - self.count).grouped) \(subject)")
        }
        self.count = count
    }
}
