import AuctionRules

/// The countdown as the room decides it, in time: every second in its turn, and then the hammer.
package struct Pace {
    let seconds: Int
    /// When the full seconds began; nil while their beginning has not been told.
    private var start: Duration?
    private var untold: Int?
    private var shown: Int?
    private var isHammered: Bool

    /// Begins at the opening of a room, where a lot that was open is to be given its full seconds.
    package init(seconds: Int, isHammered: Bool = false) {
        (self.seconds, self.isHammered) = (seconds, isHammered)
    }

    package mutating func price(seq: Int) {
        (start, untold) = (nil, seq)
    }

    package mutating func told(upTo seq: Int, at now: Duration) {
        guard let untold, untold <= seq else { return }
        (start, self.untold) = (now, nil)
    }

    package mutating func lot() {
        stop()
        isHammered = false
    }

    /// No second passes any more, until a price or the end of a pause begins them anew.
    package mutating func stop() {
        (start, untold, shown) = (nil, nil, nil)
    }

    /// The hammer falls without its seconds.
    package mutating func hammer() {
        isHammered = true
    }

    /// The instant for which the hammer falls when its seconds have run out; nil while none run, or
    /// the auctioneer lets it fall.
    package var hammerInstant: Duration? { isHammered ? nil : start.map { $0 + .seconds(seconds) } }

    /// Whether no seconds run.
    package var isStopped: Bool { start == nil }

    /// Takes a number of seconds, and returns whether it had to be told now.
    package mutating func countdown(_ number: Int, seq: Int, at now: Duration) -> Bool {
        defer { shown = number }
        if isHammered, number == 0 { return true }
        if number == seconds {
            guard let start else {
                untold = untold ?? seq
                return true
            }
            return restarts(from: start, seq: seq, at: now)
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

    /// Whether the full seconds may be given again without a bid: as a second was never told.
    ///
    /// They run from when they are told.
    private mutating func restarts(from start: Duration, seq: Int, at now: Duration) -> Bool {
        guard let shown else { return true }
        (self.start, untold) = (nil, seq)
        return now >= start + .seconds(seconds - shown + 2)
    }
}
