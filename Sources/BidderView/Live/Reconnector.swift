import Reactive

/// The attempts to connect to the server, repeated with a backoff after each failure.
///
/// An attempt is a load of a resource, which succeeds with the greeting.
final class Reconnector {
    /// A connection shorter than this does not reset the backoff.
    private static let trialPeriod = Duration.seconds(5)

    /// The state of the connection.
    let connection: Resource<Void>

    private let timeline: Timeline
    private let effects: Subject<ClientEffect>
    private let attempts = Subject<Signal<Void>>()
    private var attempt: Signal<Void>.Observer?
    private var backoff: Backoff
    private var retry: Subscription?
    private var workingSince: Duration?

    /// Makes a reconnector that does not connect yet; `effects` gets each attempt.
    init(on timeline: Timeline, backoff: Backoff, effects: Subject<ClientEffect>) {
        self.timeline = timeline
        self.backoff = backoff
        self.effects = effects
        connection = Resource(attempts.signal)
    }

    /// Whether an attempt is in progress.
    var isConnecting: Bool { attempt != nil }

    /// Begins an attempt.
    func begin() {
        retry = nil
        attempts.notify(
            Signal { [self] observer in
                attempt = observer
                effects.notify(.connect)
            })
    }

    /// Completes the attempt, because the server sent its greeting.
    func succeed() {
        let observer = attempt.take()
        observer?.next(())
        observer?.complete()
    }

    /// Starts the trial period, because the server answers.
    func startTrial() {
        workingSince = workingSince ?? timeline.now
    }

    /// Ends the attempt or the connection, and schedules the next attempt.
    ///
    /// Ignores further errors before the next attempt, such as the end of the stream after `BYE`.
    func fail(_ error: ClientError) {
        guard retry == nil else { return }
        if let start = workingSince.take(), timeline.now - start >= Self.trialPeriod {
            backoff.reset()
        }
        if let observer = attempt.take() {
            observer.fail(error)
        } else {
            attempts.notify(.failed(error))
        }
        retry = timeline.schedule(after: backoff.delay(), begin)
    }
}

/// The delay before the next attempt to connect.
///
/// 0.2 s at first, then doubled up to 5 s; each is random within a fifth, so that clients do not all
/// reconnect at the same time.
package struct Backoff {
    private static let (shortest, longest) = (Duration.milliseconds(200), Duration.seconds(5))

    private let chance: () -> Double
    private var next = Self.shortest

    /// Makes a backoff; `chance` returns uniform random numbers from 0 to 1.
    package init(chance: @escaping () -> Double) {
        self.chance = chance
    }

    /// Returns the delay before the next attempt, and doubles the one after.
    package mutating func delay() -> Duration {
        defer { next = min(next * 2, Self.longest) }
        return next * (0.8 + 0.4 * chance())
    }

    /// Starts again at the shortest delay.
    package mutating func reset() {
        next = Self.shortest
    }
}
