import Reactive
import Wire

/// Watches a connection for silence: sends pings, and reports a server that does not answer.
final class SilenceMonitor {
    private let timeline: Timeline
    private let requests: RequestClient
    private let bag = SubscriptionBag()
    /// Detects that the server is silent; nil before its greeting.
    private var silence: Silence?
    private var check: (time: Duration, Subscription)?

    /// Makes a monitor that sends its pings, and reports its error, with `requests`.
    init(of requests: RequestClient, on timeline: Timeline) {
        self.requests = requests
        self.timeline = timeline
    }

    /// Whether the server has greeted on this connection.
    var isWatching: Bool { silence != nil }

    /// Begins to watch, with a greeting that arrives now.
    func begin() {
        silence = Silence(at: timeline.now)
        watch()
    }

    /// Stops watching, because the connection has ended.
    func end() {
        (silence, check) = (nil, nil)
    }

    /// Records that a line arrives now.
    func receiveLine() {
        silence?.receiveLine(at: timeline.now)
    }

    /// Records what a message promises.
    func receive(_ message: ServerMessage) {
        silence?.receive(message, at: timeline.now)
        watch()
    }

    /// Restarts all timeouts at a time before which the process could not receive.
    func restart(at time: Duration) {
        silence?.restart(at: time)
        watch()
    }

    /// Schedules the next check, unless an earlier one is scheduled.
    private func watch() {
        guard let deadline = silence?.deadline else { return }
        if let check, check.time <= deadline { return }
        check = (deadline, timeline.schedule(at: deadline) { [unowned self] in look() })
    }

    private func look() {
        check = nil
        switch silence?.verdict(at: timeline.now) {
        case .isPingDue?:
            silence?.sendPing(at: timeline.now)
            requests.request(.ping).observe(in: bag) { _ in }
        case .isSilent?: return requests.errors.notify(.lost("the server is silent"))
        case .isFine?, nil: break
        }
        watch()
    }
}
