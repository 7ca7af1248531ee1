/// The times that a room tells, which only ever move forward.
package struct RoomClock {
    private let full: Duration
    private var elapsed = Duration.zero
    private var remaining: Duration?

    /// Begins with a lot, or with the start of a server.
    package init(seconds: Int) {
        full = .seconds(seconds)
    }

    /// Begins the clock of a new lot.
    package mutating func lot() {
        self = RoomClock(full: full)
    }

    private init(full: Duration) {
        self.full = full
    }

    /// Takes the time since the lot opened; false if it goes back.
    package mutating func show(elapsed now: Duration) -> Bool {
        defer { elapsed = max(elapsed, now) }
        return now >= elapsed
    }

    /// Takes the time that is left; false if there was less of it before, and it does not begin anew.
    package mutating func show(remaining now: Duration) -> Bool {
        defer { remaining = now }
        return now == full || now <= remaining ?? full
    }

    /// Whether a time that is left can be one.
    package func mayRemain(_ remaining: Duration) -> Bool { remaining <= full }
}
