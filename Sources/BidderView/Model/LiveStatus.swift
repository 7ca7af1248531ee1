/// Whether the news is up to date, and the seconds for which the view waits.
struct LiveStatus: Equatable, Sendable {
    /// Whether the news is up to date, from the snapshot to the end of the connection.
    private(set) var isLive = false
    /// When the next attempt to connect begins; nil if none is scheduled.
    private(set) var retryAt: Duration?
    /// Whether the connection was lost, and not made again since.
    private var wasLost = false
    /// The time from which the seconds of waiting are counted.
    private var now = Duration.zero

    /// Records whether the news is up to date, and returns the event for the log, if it is one.
    mutating func follow(isLive: Bool, at now: Duration) -> String? {
        self.isLive = isLive
        self.now = now
        guard !isLive || wasLost else { return nil }
        wasLost = !isLive
        return isLive ? "connected again" : "the connection was lost"
    }

    /// Sets when the next attempt to connect begins.
    mutating func awaitRetry(at time: Duration?, now: Duration) {
        retryAt = time
        self.now = now
    }

    /// Counts the seconds of waiting from `now`.
    mutating func advance(to now: Duration) {
        self.now = now
    }

    /// The whole seconds until a time, at least 1.
    func seconds(until time: Duration) -> Int64 {
        max(1, TimeLeft(remaining: time - now, warning: nil).seconds)
    }
}
