import Reactive
import Wire

/// When the hammer falls, as far as the server has said, and the warning that it gave.
package struct Hammer: Equatable, Sendable {
    /// By the timeline of the view; nil while no countdown runs.
    package private(set) var fallsAt: Duration?
    package private(set) var warning: ServerMessage.Warning?

    /// Whether the sale is interrupted, so that nothing begins a countdown.
    private var isPaused = false

    /// No countdown runs.
    package init() {}

    private init(fallsAt: Duration? = nil, isPaused: Bool) {
        self.fallsAt = fallsAt
        self.isPaused = isPaused
    }

    /// What is left now, never more than the server has said.
    package func countdown(at now: Duration) -> Countdown? {
        fallsAt.map { Countdown(remaining: max(.zero, $0 - now), warning: warning) }
    }

    /// The hammer after one more line of news, heard now, in a sale with so many full seconds.
    package func hearing(_ message: ServerMessage, at now: Duration, fullSeconds: Int) -> Hammer {
        var hammer = self
        switch message {
        case .price(_, _, let remaining) where !isPaused:
            hammer = Hammer(
                fallsAt: now + (remaining ?? .seconds(fullSeconds)), isPaused: false)
        case .countdown(let seconds, let remaining) where !isPaused:
            hammer.correct(to: now + min(remaining ?? .seconds(seconds), .seconds(seconds)))
        case .going(let warning): hammer.warning = warning
        case .lot, .winner, .passed, .voided: hammer = Hammer(isPaused: isPaused)
        case .resumed, .over, .hello, .skipped: hammer.isPaused = false
        case .paused: hammer = Hammer(isPaused: true)
        case .price, .countdown, .last, .hammered, .kicked, .stopped, .joined, .left, .bye, .lap,
            .who,
            .help, .ok, .error:
            break
        }
        return hammer
    }

    /// News that took longer than the last must not turn the countdown back; a server that stood
    /// still for a while may.
    private mutating func correct(to announced: Duration) {
        guard let known = fallsAt, announced < known + .seconds(1) else {
            fallsAt = announced
            return
        }
        fallsAt = min(known, announced)
    }
}
