import Auction
import Bidder
import Reactive
import Wire

/// Detects a server that is silent.
///
/// While a countdown runs, each second of it is a line that is due. After a long time without a line
/// a ping asks whether the server is there.
package final class SilenceMonitor {
    /// How much later than due a line may arrive.
    private static let grace = Duration.seconds(2)
    /// The time without a line after which a ping is sent.
    private static let idleTime = Duration.seconds(15)
    /// The time in which a ping must be answered.
    private static let pingTimeout = Duration.seconds(5)

    private let timeline: Timeline
    private let ping: () -> Void
    private let fail: () -> Void
    /// When the last line arrived; nil before the greeting.
    private var lastLine: Duration?
    /// When the next line is due; nil if none is.
    private var nextLineDue: Duration?
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
        (lastLine, nextLineDue, pingSent, check) = (nil, nil, nil, nil)
    }

    /// Records that a line arrives now.
    package func receiveLine() {
        guard isWatching else { return }
        (lastLine, pingSent) = (timeline.now, nil)
    }

    /// Records when the next line is due: the next second of a countdown, or the next lot.
    package func receive(_ message: ServerMessage) {
        let now = timeline.now
        switch message {
        case .event(.bidPlaced, _): nextLineDue = now + .seconds(1)
        case .event(.secondsLeft(let seconds), _):
            nextLineDue = seconds > 0 ? now + .seconds(1) : nil
        case .event(.nextAnnounced(_, let seconds), _): nextLineDue = now + .seconds(seconds)
        case .event(let event, _) where event.stopsClock: nextLineDue = nil
        case .hello, .skipped, .bye: nextLineDue = nil
        default: break
        }
        watch()
    }

    /// Restarts all timeouts after the process was suspended until a time.
    package func restart(at time: Duration) {
        guard isWatching else { return }
        lastLine = time
        nextLineDue = nextLineDue.map { max($0, time) }
        pingSent = pingSent.map { _ in time }
        watch()
    }

    /// When the server counts as silent; nil if no line is due and no ping is under way.
    private var silenceDeadline: Duration? {
        guard let lastLine else { return nil }
        let ends = [
            nextLineDue.map { max($0, lastLine) + Self.grace },
            pingSent.map { $0 + Self.pingTimeout },
        ]
        return ends.compactMap { $0 }.min()
    }

    /// When a ping is due; nil if one is under way.
    private var pingDue: Duration? { pingSent == nil ? lastLine.map { $0 + Self.idleTime } : nil }

    /// Schedules the next check, unless an earlier one is scheduled.
    private func watch() {
        guard let deadline = [silenceDeadline, pingDue].compactMap({ $0 }).min() else { return }
        if let check, check.time <= deadline { return }
        check = (deadline, timeline.schedule(at: deadline) { [unowned self] in look() })
    }

    private func look() {
        check = nil
        if let silenceDeadline, timeline.now >= silenceDeadline { return fail() }
        if let pingDue, timeline.now >= pingDue {
            pingSent = timeline.now
            ping()
        }
        watch()
    }
}

extension SaleEvent {
    /// Whether no second is due any more.
    fileprivate var stopsClock: Bool {
        switch self {
        case .lotOpened, .lotSold, .lotPassed, .ended, .paused, .resumed, .bidVoided, .stopped: true
        default: false
        }
    }
}
