import Wire

/// The countdown as the lobby must send it: every second in its turn, and then the hammer.
package struct CountdownModel {
    /// By how much a second may be shorter than a second.
    package static let tolerance = Duration.milliseconds(50)

    private let seconds: Int
    /// When the lot ends; nil while no countdown runs, or its beginning is not published.
    private var end: Duration?
    /// The event that tells a time, and the least of it that is left at its publication; nil then.
    private var unpublished: (seq: Int, time: Duration)?
    private var shown: Int?
    private var isHammered: Bool

    /// Starts with a server, which restarts the countdown of an open lot.
    package init(seconds: Int, isHammered: Bool = false) {
        (self.seconds, self.isHammered) = (seconds, isHammered)
    }

    /// Begins the full seconds, when this event is published.
    package mutating func price(seq: Int) {
        (end, unpublished) = (nil, (seq, .seconds(seconds)))
    }

    package mutating func published(upTo seq: Int, at now: Duration) {
        guard let (number, time) = unpublished, number <= seq else { return }
        (end, unpublished) = (max(end ?? .zero, now + time), nil)
    }

    package mutating func lot() {
        stop()
        isHammered = false
    }

    /// Stops the countdown until a price or the end of a pause begins it again.
    package mutating func stop() {
        (end, unpublished, shown) = (nil, nil, nil)
    }

    /// Ends the lot early, by the auctioneer's `hammer`.
    package mutating func hammer() {
        isHammered = true
    }

    /// The end of the countdown; nil while none runs, or after the auctioneer's `hammer`.
    package var hammerInstant: Duration? { isHammered ? nil : end }

    /// When the next second is due; nil while no countdown runs, or the last one is not published.
    package var nextChange: Duration? {
        guard !isHammered, unpublished == nil, let end, let shown else { return nil }
        return end - .seconds(max(shown - 1, 0))
    }

    /// Whether no seconds run.
    package var isStopped: Bool { end == nil }

    /// Takes a number of seconds; false if it did not have to be shown now.
    package mutating func show(_ number: Int, seq: Int, at now: Duration) -> Bool {
        defer { shown = number }
        if isHammered, number == 0 { return true }
        if number == seconds {
            guard let end else {
                unpublished = (seq, .seconds(seconds))
                return true
            }
            return restart(before: end, seq: seq, at: now)
        }
        guard unpublished == nil, let end, let shown else { return false }
        if number > 0 { unpublished = (seq, .seconds(number) - Self.tolerance) }
        return number == shown - 1 && now >= end - .seconds(number)
    }

    /// Whether the hammer may fall: after the last second, and in its time.
    package func mayFall(at now: Duration) -> Bool {
        guard !isHammered else { return true }
        guard let end else { return false }
        return shown == 0 && now >= end
    }

    /// Gives the full seconds again; false if there is neither a bid nor a second that was missed.
    private mutating func restart(before end: Duration, seq: Int, at now: Duration) -> Bool {
        guard unpublished == nil else { return false }
        price(seq: seq)
        return shown.map { now >= end - .seconds($0 - 2) } ?? true
    }
}

/// The time that an observer was told last, counted from its publication.
///
/// It does not depend on how the server counts: a time that was told must pass.
package struct ToldTime {
    /// The news with the time until it is published.
    private var unpublished: (seq: Int, time: Duration, decided: Duration)?
    /// When the time is over; nil if none was told.
    private var end: Duration?

    package init() {}

    /// Takes news that is decided and tells a time.
    package mutating func tell(_ time: Duration, seq: Int, at now: Duration) {
        unpublished = (seq, time, now)
    }

    /// Notes what is published; returns how long it has waited for that, if it tells the time.
    package mutating func publish(upTo seq: Int, at now: Duration) -> Duration? {
        guard let (number, time, decided) = unpublished, number <= seq else { return nil }
        (end, unpublished) = (now + time, nil)
        return now - decided
    }

    /// Whether it would be over, if it had been published when it was decided, and is not yet.
    package func isOverdue(at now: Duration) -> Bool {
        unpublished.map { now >= $0.decided + $0.time } ?? false
    }

    /// Whether an event that leaves only `left` may be decided, with the time told not cut short.
    package func allows(_ left: Duration, at now: Duration) -> Bool {
        guard unpublished == nil else { return false }
        return end.map { now + left >= $0 - CountdownModel.tolerance } ?? true
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

    /// Takes the time since the lot opened; false if it goes back, in whole milliseconds.
    package mutating func show(elapsed now: Duration) -> Bool {
        let now = Duration.milliseconds(now.wholeMilliseconds)
        defer { elapsed = max(elapsed, now) }
        return now >= elapsed
    }

    /// Takes the time that is left; false if there was less of it before, and it is not the full
    /// time again.
    ///
    /// With a second that is told, the time may be up to that second, however late it is.
    package mutating func show(remaining now: Duration, second: Int? = nil) -> Bool {
        defer { remaining = now }
        return now == full || now <= second.map { .seconds($0) } ?? remaining ?? full
    }

    /// Forgets how much time is left, so that any amount may follow.
    package mutating func forgetRemaining() { remaining = nil }

    /// Whether this much time may be left.
    package func mayRemain(_ remaining: Duration) -> Bool { remaining <= full }
}
