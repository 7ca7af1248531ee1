import Auction
import Basics

/// The attempts to connect, each of which follows a failure after a backoff.
package struct Reconnection {
    /// How long a client tries, unless it is endless.
    private static let patience = Duration.seconds(60)
    /// A connection shorter than this does not reset the backoff.
    private static let trialPeriod = Duration.seconds(5)

    private enum State {
        /// An attempt is under way.
        case connecting
        /// Connected.
        case connected
        /// The next attempt begins at this time.
        case waiting(until: Instant)
        /// The client has ended.
        case closed
    }

    private var state = State.connecting
    private var backoff: Backoff
    private let isEndless: Bool
    private var hasConnected = false
    /// Since when no connection has been good, after one was lost.
    private var lostSince: Instant?
    /// When the server first answered on this connection.
    private var workingSince: Instant?

    /// Makes the state in which the first attempt is under way.
    ///
    /// Unless it is endless, the first attempt must succeed, and later ones within a minute.
    package init(isEndless: Bool = false, backoff: Backoff) {
        self.isEndless = isEndless
        self.backoff = backoff
    }

    /// Whether there is a connection.
    package var isConnected: Bool { if case .connected = state { true } else { false } }

    /// Whether the client has ended.
    package var isClosed: Bool { if case .closed = state { true } else { false } }

    /// When the next attempt begins; nil if none is scheduled.
    package var retryAt: Instant? { if case .waiting(let until) = state { until } else { nil } }

    /// Begins on a new connection.
    package mutating func connect() {
        (state, hasConnected) = (.connected, true)
    }

    /// Records that the server answers on this connection.
    package mutating func noteAnswer(at now: Instant) {
        lostSince = nil
        workingSince = workingSince ?? now
    }

    /// Schedules the next attempt; false if there was no connection for too long.
    package mutating func retry(at now: Instant) -> Bool {
        if let start = workingSince.take(), start.duration(to: now) >= Self.trialPeriod {
            backoff.reset()
        }
        let since = lostSince ?? now
        guard isEndless || hasConnected && since.duration(to: now) < Self.patience else {
            return false
        }
        lostSince = since
        state = .waiting(until: now.advanced(by: backoff.delay()))
        return true
    }

    /// Begins the scheduled attempt if it is due or hurried; false if it did not begin.
    package mutating func beginRetry(at now: Instant, isHurried: Bool = false) -> Bool {
        guard let retryAt, isHurried || now >= retryAt else { return false }
        state = .connecting
        return true
    }

    /// Ends for good.
    package mutating func close() {
        state = .closed
    }
}

/// The delay before the next attempt to connect.
///
/// 0.2 s at first, then doubled up to 5 s; each is random within a fifth, so that clients do not
/// all reconnect at the same time.
package struct Backoff {
    private static let (minimum, maximum) = (Duration.milliseconds(200), Duration.seconds(5))

    private let chance: () -> Double
    private var next = Self.minimum

    /// Makes a backoff; `chance` returns uniform random numbers from 0 to 1.
    package init(chance: @escaping () -> Double) {
        self.chance = chance
    }

    /// Returns the delay before the next attempt, and doubles the one after.
    package mutating func delay() -> Duration {
        defer { next = min(next * 2, Self.maximum) }
        return next * (0.8 + 0.4 * chance())
    }

    /// Starts again at the minimum delay.
    package mutating func reset() {
        next = Self.minimum
    }
}
