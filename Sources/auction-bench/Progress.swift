import Load
import Posix

/// What somebody who waits is told every second, if there is a terminal.
struct Progress {
    private static let pace: Int64 = 1_000_000_000

    /// When there is something to show again, in monotonic nanoseconds.
    private(set) var next: Int64
    private let isShown = StandardStream.error.isTerminal
    private var accepted = 0
    private var seconds = 0

    init(from start: Int64) {
        next = start + Self.pace
    }

    mutating func show(_ tally: Tally, at now: Int64) {
        guard now >= next else { return }
        next += Self.pace
        seconds += 1
        if isShown {
            StandardStream.error.say(
                "\(seconds) s: \((tally.accepted - accepted).grouped) bids/s accepted")
        }
        accepted = tally.accepted
    }
}
