import Reactive
import Sale
import Wire

/// Detects a server that is silent for longer than it promised.
///
/// While a countdown runs, the server sends each second of it. Without a promise, a ping asks
/// whether the server is there.
package final class SilenceMonitor {
    /// How much later than promised a line may arrive.
    private static let grace = Duration.seconds(2)
    /// The time without a line, if none is promised, until a ping is due.
    private static let idleTime = Duration.seconds(15)
    /// The time in which a ping must be answered.
    private static let pingTimeout = Duration.seconds(5)

    private let timeline: Timeline
    private let ping: () -> Void
    private let fail: () -> Void
    /// When the last line arrived; nil before the greeting.
    private var lastLine: Duration?
    /// When the next line is promised; nil if none is.
    private var promised: Duration?
    private var pingSent: Duration?
    private var check: (time: Duration, Subscription)?

    /// Makes a monitor that watches no connection yet; calls `fail` when the server is silent.
    package init(
        on timeline: Timeline, ping: @escaping () -> Void, fail: @escaping () -> Void
    ) {
        (self.timeline, self.ping, self.fail) = (timeline, ping, fail)
    }

    /// Whether the server has greeted on this connection.
    var isWatching: Bool { lastLine != nil }

    /// Begins to watch, with a greeting that arrives now.
    package func begin() {
        end()
        lastLine = timeline.now
        watch()
    }

    /// Stops watching, because the connection has ended.
    func end() {
        (lastLine, promised, pingSent, check) = (nil, nil, nil, nil)
    }

    /// Records that a line arrives now.
    package func receiveLine() {
        guard isWatching else { return }
        (lastLine, pingSent) = (timeline.now, nil)
    }

    /// Records the promise of a message: the next second of a countdown, or the next lot.
    package func receive(_ message: ServerMessage) {
        let now = timeline.now
        switch message {
        case .event(.bidPlaced, _): promised = now + .seconds(1)
        case .event(.secondsLeft(let seconds), _):
            promised = seconds > 0 ? now + .seconds(1) : nil
        case .event(.nextAnnounced(_, let seconds), _): promised = now + .seconds(seconds)
        case .event(let event, _) where event.stopsClock: promised = nil
        case .hello, .skipped, .bye: promised = nil
        default: break
        }
        watch()
    }

    /// Restarts all timeouts at a time before which the process could not receive.
    package func restart(at time: Duration) {
        guard isWatching else { return }
        lastLine = time
        promised = promised.map { max($0, time) }
        pingSent = pingSent.map { _ in time }
        watch()
    }

    /// When the server is silent unless a line arrives before; nil without a promise or a ping.
    private var silenceStart: Duration? {
        guard let lastLine else { return nil }
        let ends = [
            promised.map { max($0, lastLine) + Self.grace }, pingSent.map { $0 + Self.pingTimeout },
        ]
        return ends.compactMap { $0 }.min()
    }

    /// When a ping is due; nil if one is under way.
    private var pingDue: Duration? { pingSent == nil ? lastLine.map { $0 + Self.idleTime } : nil }

    /// Schedules the next check, unless an earlier one is scheduled.
    private func watch() {
        guard let deadline = [silenceStart, pingDue].compactMap({ $0 }).min() else { return }
        if let check, check.time <= deadline { return }
        check = (deadline, timeline.schedule(at: deadline) { [unowned self] in look() })
    }

    private func look() {
        check = nil
        if let silenceStart, timeline.now >= silenceStart { return fail() }
        if let pingDue, timeline.now >= pingDue {
            pingSent = timeline.now
            ping()
        }
        watch()
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
