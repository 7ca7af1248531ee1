import Auction
import Basics

/// The state of a connection, which is made again for a while after it is lost.
package struct RetryLink {
    /// How long it is tried to reconnect.
    private static let patience = Duration.seconds(60)

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
    /// Since when no connection has been good, after one was lost.
    private var lostSince: Instant?
    private var hasConnected = false

    /// Makes a link whose first attempt is under way.
    package init(backoff: Backoff) {
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

    /// Records that the connection is good.
    package mutating func settle() {
        lostSince = nil
        backoff.reset()
    }

    /// Schedules the next attempt; false if there was no connection for too long.
    package mutating func retry(at now: Instant) -> Bool {
        let since = lostSince ?? now
        guard hasConnected, since.duration(to: now) < Self.patience else { return false }
        lostSince = since
        state = .waiting(until: now.advanced(by: backoff.delay()))
        return true
    }

    /// Begins the scheduled attempt if it is time.
    package mutating func beginRetry(at now: Instant) -> Bool {
        guard let retryAt, now >= retryAt else { return false }
        state = .connecting
        return true
    }

    /// Ends for good.
    package mutating func close() {
        state = .closed
    }
}
