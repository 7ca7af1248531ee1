import Sale
import Wire

/// The detection of a server that is silent for longer than it promised, without any I/O.
///
/// While a countdown runs, the server sends each second of it. Without a promise, a ping asks
/// whether the server is there.
package struct Silence: Equatable, Sendable {
    /// The result of a check.
    package enum Verdict: Equatable {
        /// Nothing; check again at `deadline`.
        case isFine
        /// A ping is due.
        case isPingDue
        /// The server is silent.
        case isSilent
    }

    /// How much later than promised a line may arrive.
    package static let grace = Duration.seconds(2)
    /// The time without a line, if none is promised, until a ping is due.
    package static let idleTime = Duration.seconds(15)
    /// The time in which a ping must be answered.
    package static let pingTimeout = Duration.seconds(5)

    private var lastLine: Duration
    /// When the next line is promised; nil if none is.
    private var promised: Duration?
    private var pingSent: Duration?

    /// Begins on a connection whose last line arrived at `now`.
    package init(at now: Duration) {
        lastLine = now
    }

    /// Records any line.
    package mutating func receiveLine(at now: Duration) {
        lastLine = now
        pingSent = nil
    }

    /// Records the promise of a message: the next second of a countdown, or the next lot.
    package mutating func receive(_ message: ServerMessage, at now: Duration) {
        switch message {
        case .event(.bidPlaced, _): promised = now + .seconds(1)
        case .event(.secondsLeft(let seconds), _):
            promised = seconds > 0 ? now + .seconds(1) : nil
        case .event(.nextAnnounced(_, let seconds), _): promised = now + .seconds(seconds)
        case .event(let event, _) where event.stopsClock: promised = nil
        case .hello, .skipped, .bye: promised = nil
        default: break
        }
    }

    /// Records that a ping was sent.
    package mutating func sendPing(at now: Duration) {
        pingSent = now
    }

    /// Restarts all timeouts, after a time in which this process did not run.
    package mutating func restart(at now: Duration) {
        lastLine = now
        promised = promised.map { max($0, now) }
        pingSent = pingSent.map { _ in now }
    }

    /// When the verdict can change next.
    package var deadline: Duration {
        min(promiseEnd ?? pingEnd, pingEnd)
    }

    /// The verdict at a time.
    package func verdict(at now: Duration) -> Verdict {
        if let promiseEnd, now >= promiseEnd { return .isSilent }
        guard now >= pingEnd else { return .isFine }
        return pingSent == nil ? .isPingDue : .isSilent
    }

    private var promiseEnd: Duration? { promised.map { max($0, lastLine) + Self.grace } }

    /// When a ping is due, or must be answered.
    private var pingEnd: Duration {
        pingSent.map { $0 + Self.pingTimeout } ?? lastLine + Self.idleTime
    }
}

extension SaleEvent {
    /// Whether no second is promised any more.
    fileprivate var stopsClock: Bool {
        switch self {
        case .lotOpened, .lotSold, .lotPassed, .ended, .paused, .resumed, .bidVoided, .stopped: true
        default: false
        }
    }
}
