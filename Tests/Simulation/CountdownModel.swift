/// The countdown as the lobby must send it: every second in its turn, and then the hammer.
package struct CountdownModel {
    private let seconds: Int
    /// When the full seconds began; nil while no seconds run, or their beginning is not published.
    private var start: Duration?
    /// The event with which they begin, until it is published.
    private var beginning: Int?
    private var shown: Int?
    private var isHammered: Bool

    /// Starts with a server, which restarts the countdown of an open lot.
    package init(seconds: Int, isHammered: Bool = false) {
        (self.seconds, self.isHammered) = (seconds, isHammered)
    }

    /// Begins the full seconds, when this event is published.
    package mutating func price(seq: Int) {
        (start, beginning) = (nil, seq)
    }

    package mutating func published(upTo seq: Int, at now: Duration) {
        guard let beginning, beginning <= seq else { return }
        (start, self.beginning) = (now, nil)
    }

    package mutating func lot() {
        stop()
        isHammered = false
    }

    /// Stops the countdown until a price or the end of a pause begins it again.
    package mutating func stop() {
        (start, beginning, shown) = (nil, nil, nil)
    }

    /// Lets the hammer fall without its seconds.
    package mutating func hammer() {
        isHammered = true
    }

    /// The instant for which the hammer falls when its seconds have passed; nil while none run, or
    /// the auctioneer lets it fall.
    package var hammerInstant: Duration? { isHammered ? nil : start.map { $0 + .seconds(seconds) } }

    /// When the next second is due; nil while none run.
    package var nextChange: Duration? {
        guard !isHammered, let start, let shown else { return nil }
        return start + .seconds(seconds - max(shown - 1, 0))
    }

    /// Whether no seconds run.
    package var isStopped: Bool { start == nil }

    /// Takes a number of seconds; false if it did not have to be shown now.
    package mutating func show(_ number: Int, seq: Int, at now: Duration) -> Bool {
        defer { shown = number }
        if isHammered, number == 0 { return true }
        if number == seconds {
            guard let start else {
                beginning = beginning ?? seq
                return true
            }
            return restart(from: start, seq: seq, at: now)
        }
        guard let start, let shown else { return false }
        return number == shown - 1 && now >= start + .seconds(seconds - number)
    }

    /// Whether the hammer may fall: after the last second, and in its time.
    package func mayFall(at now: Duration) -> Bool {
        guard !isHammered else { return true }
        guard let start else { return false }
        return shown == 0 && now >= start + .seconds(seconds)
    }

    /// Gives the full seconds again; false if there is neither a bid nor a second that was missed.
    private mutating func restart(from start: Duration, seq: Int, at now: Duration) -> Bool {
        guard let shown else { return true }
        (self.start, beginning) = (nil, seq)
        return now >= start + .seconds(seconds - shown + 2)
    }
}

/// The times of a lot in the order in which the server sends them; they never go back.
package struct LotClock {
    private let full: Duration
    private var elapsed = Duration.zero
    private var remaining: Duration?

    /// Starts with a lot, or with a server.
    package init(seconds: Int) {
        full = .seconds(seconds)
    }

    /// Starts again with a new lot.
    package mutating func lot() {
        (elapsed, remaining) = (.zero, nil)
    }

    /// Takes the time since the lot opened; false if it goes back.
    package mutating func show(elapsed now: Duration) -> Bool {
        defer { elapsed = max(elapsed, now) }
        return now >= elapsed
    }

    /// Takes the time that is left; false if there was less of it before, and it is not the full
    /// time again.
    package mutating func show(remaining now: Duration) -> Bool {
        defer { remaining = now }
        return now == full || now <= remaining ?? full
    }

    /// Whether this much time may be left.
    package func mayRemain(_ remaining: Duration) -> Bool { remaining <= full }
}
