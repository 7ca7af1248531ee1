import AuctionRules

/// The state of a bot's connection, which it makes again for a while after it is lost.
struct BotLink {
    /// How long the bot tries to reconnect.
    private static let patience = Duration.seconds(60)

    private enum State {
        /// An attempt is under way.
        case connecting
        /// Connected.
        case connected
        /// The next attempt begins at this time.
        case waiting(until: Instant)
        /// The bot has ended.
        case closed
    }

    private var state = State.connecting
    private var backoff: Backoff
    /// Since when the bot has not had its name on a connection, after it was lost.
    private var lostSince: Instant?
    private var hasConnected = false

    /// Makes a link whose first attempt is under way.
    init(backoff: Backoff) {
        self.backoff = backoff
    }

    /// Whether there is a connection.
    var isConnected: Bool { if case .connected = state { true } else { false } }

    /// Whether the bot has ended.
    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// When the next attempt begins; nil if none is scheduled.
    var retryAt: Instant? { if case .waiting(let until) = state { until } else { nil } }

    /// Begins on a new connection.
    mutating func connect() {
        (state, hasConnected) = (.connected, true)
    }

    /// Records that the bot has its name, so that the connection is good.
    mutating func settle() {
        lostSince = nil
        backoff.reset()
    }

    /// Schedules the next attempt; false if there was no connection for too long.
    mutating func retry(at now: Instant) -> Bool {
        let since = lostSince ?? now
        guard hasConnected, since.duration(to: now) < Self.patience else { return false }
        lostSince = since
        state = .waiting(until: now.advanced(by: backoff.delay()))
        return true
    }

    /// Begins the scheduled attempt if it is time.
    mutating func beginRetry(at now: Instant) -> Bool {
        guard let retryAt, now >= retryAt else { return false }
        state = .connecting
        return true
    }

    /// Ends for good.
    mutating func close() {
        state = .closed
    }
}
