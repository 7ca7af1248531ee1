import Bidder
import Reactive

/// The attempts to connect, each of which follows a failure after a backoff.
final class Reconnector {
    /// A connection shorter than this does not reset the backoff.
    private static let trialPeriod = Duration.seconds(5)

    /// The state of the attempts; an attempt ends with the greeting.
    let state = Subject(LoadState())
    /// When the next attempt begins; nil while none is scheduled.
    let retryAt = Subject<Duration?>(nil)
    /// Whether an attempt is under way.
    private(set) var isConnecting = false

    private let timeline: Timeline
    private let effects: Subject<ClientEffect>
    private var backoff: Backoff
    private var retry: Subscription?
    /// When the server first answered on this connection.
    private var workingSince: Duration?

    /// Makes a reconnector without an attempt; `effects` is told when to connect.
    init(on timeline: Timeline, backoff: Backoff, effects: Subject<ClientEffect>) {
        self.timeline = timeline
        self.backoff = backoff
        self.effects = effects
    }

    /// Begins an attempt.
    func connect() {
        retry = nil
        retryAt.notify(nil)
        isConnecting = true
        report(isLoading: true, lastError: state.value?.lastError)
        effects.notify(.connect)
    }

    /// Begins the scheduled attempt now; does nothing unless one is scheduled.
    func retryNow() {
        if retry != nil { connect() }
    }

    /// Ends the attempt, if one is under way, because the server has greeted.
    func succeed() {
        guard isConnecting else { return }
        isConnecting = false
        report(isLoading: false, lastError: nil)
    }

    /// Records that the server answers on this connection.
    func noteAnswer() {
        workingSince = workingSince ?? timeline.now
    }

    /// Ends the connection or the attempt, and schedules the next attempt unless one is scheduled.
    func fail(_ reason: String) {
        guard retry == nil else { return }
        if let start = workingSince.take(), timeline.now - start >= Self.trialPeriod {
            backoff.reset()
        }
        isConnecting = false
        report(isLoading: false, lastError: reason)
        let time = timeline.now + backoff.delay()
        retry = timeline.schedule(at: time) { [unowned self] in connect() }
        retryAt.notify(time)
    }

    private func report(isLoading: Bool, lastError: String?) {
        state.notify(LoadState(isLoading: isLoading, lastError: lastError))
    }
}
