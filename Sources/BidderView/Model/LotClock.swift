import AuctionRules
import Reactive
import Wire

/// The time since the lot opened.
package struct LotClock: Equatable, Sendable {
    /// The number of the lot.
    private var lot: Int?
    /// When the lot opened, by the timeline of the view; nil if unknown.
    package private(set) var openedAt: Duration?
    /// The time from the opening to the end; nil while the lot is open.
    package private(set) var stoppedAt: Duration?

    /// Makes the clock before any lot.
    package init() {}

    private init(lot: Int, openedAt: Duration) {
        self.lot = lot
        self.openedAt = openedAt
    }

    /// When the lot opened; nil if it has ended.
    package var runningSince: Duration? { stoppedAt == nil ? openedAt : nil }

    /// The time since the opening, which stops at the end of the lot.
    package func elapsed(at now: Duration) -> Duration? {
        stoppedAt ?? openedAt.map { now - $0 }
    }

    /// The clock after a message that was received at `now`.
    package func applying(_ message: ServerMessage, at now: Duration) -> LotClock {
        var clock = self
        switch message {
        case .lot(let lot, _, let elapsed):
            clock = LotClock(lot: lot.number, openedAt: now - (elapsed ?? .zero))
        case .price(let bid, _, _):
            // A bid is never later than now, so the `LOT` message was delayed.
            clock.openedAt = min(openedAt ?? now, now - bid.elapsed)
        case .winner(let sold): clock.stop(sold.number, after: sold.elapsed)
        case .passed(let passed, _, _):
            // A repeated `PASSED`, as in a snapshot, does not move the end.
            let elapsed = elapsed(at: now)
            clock.stop(passed.number, after: passed.number == lot ? elapsed : nil)
        default: break
        }
        return clock
    }

    /// Stops the clock; for another lot than the known one, the time of opening is unknown.
    private mutating func stop(_ number: Int?, after elapsed: Duration?) {
        if let number, number != lot { openedAt = nil }
        lot = number ?? lot
        stoppedAt = elapsed
    }
}

/// The end of the countdown as far as the server has announced it, and the last warning.
package struct CountdownClock: Equatable, Sendable {
    /// When the countdown ends, by the timeline of the view; nil if none runs.
    package private(set) var endsAt: Duration?
    /// The last warning in this countdown.
    package private(set) var warning: ServerMessage.Warning?
    /// Whether the sale is paused, so that no countdown begins.
    private var isPaused = false

    /// Makes a clock without a countdown.
    package init() {}

    private init(endsAt: Duration? = nil, isPaused: Bool) {
        self.endsAt = endsAt
        self.isPaused = isPaused
    }

    /// The time left at `now`; nil if no countdown runs.
    package func timeLeft(at now: Duration) -> TimeLeft? {
        endsAt.map { TimeLeft(remaining: max(.zero, $0 - now), warning: warning) }
    }

    /// The clock after a message that was received at `now`.
    package func applying(
        _ message: ServerMessage, at now: Duration, fullSeconds: Int
    ) -> CountdownClock {
        var clock = self
        switch message {
        case .price(_, _, let remaining) where !isPaused:
            clock = CountdownClock(
                endsAt: now + (remaining ?? .seconds(fullSeconds)), isPaused: false)
        case .countdown(let seconds, let remaining) where !isPaused:
            clock.correct(to: now + min(remaining ?? .seconds(seconds), .seconds(seconds)))
        case .going(let warning): clock.warning = warning
        case .lot, .winner, .passed, .voided: clock = CountdownClock(isPaused: isPaused)
        case .resumed, .over, .hello, .skipped: clock.isPaused = false
        case .paused: clock = CountdownClock(isPaused: true)
        default: break
        }
        return clock
    }

    /// Moves the end to an announced time.
    ///
    /// A later time is due to network delay and ignored, unless it is later by a second: then the
    /// server itself was stopped for a while.
    private mutating func correct(to announced: Duration) {
        guard let known = endsAt, announced < known + .seconds(1) else {
            endsAt = announced
            return
        }
        endsAt = min(known, announced)
    }
}

/// The time left of the countdown at one instant.
public struct TimeLeft: Equatable, Sendable {
    /// The time left, not negative.
    public let remaining: Duration
    /// The last warning in this countdown.
    public let warning: ServerMessage.Warning?

    package init(remaining: Duration, warning: ServerMessage.Warning?) {
        self.remaining = remaining
        self.warning = warning
    }

    /// The whole seconds left, rounded up as the server does.
    public var seconds: Int64 {
        let (seconds, attoseconds) = remaining.components
        return seconds + (attoseconds > 0 ? 1 : 0)
    }

    /// The part of a full countdown that is left, from 0 to 1.
    public func fraction(ofSeconds seconds: Int) -> Double {
        min(1, remaining / .seconds(max(1, seconds)))
    }
}

extension Signal<ServerMessage> {
    /// The clock of the lot, when it changes.
    package func lotClock(on timeline: Timeline) -> Signal<LotClock> {
        scan(LotClock()) { $0.applying($1, at: timeline.now) }.removeDuplicates()
    }

    /// The clock of the countdown, when it changes; a new greeting resets it.
    package func countdownClock(
        _ greeting: Signal<Greeting>, on timeline: Timeline
    ) -> Signal<CountdownClock> {
        greeting.map { greeting in
            scan(CountdownClock()) {
                $0.applying($1, at: timeline.now, fullSeconds: greeting.seconds)
            }
        }
        .switchToLatest().removeDuplicates()
    }
}

extension Signal where Value == Duration? {
    /// A pulse in each period since the newest instant of this signal, while it is not nil.
    ///
    /// The periods begin at the instant and not at the observation, so that everything that moves
    /// with the clock of a lot moves at the same time.
    package func pulses(every period: Duration, on timeline: Timeline) -> Signal<Void> {
        map { start in
            guard let start else { return .never }
            let passed = timeline.now - start
            let first = period * (Int64(passed / period) + 1) - passed
            return Signal<Int>.of(0).delay(first, on: timeline)
                .concat(.interval(period, on: timeline)).map { _ in }
        }
        .switchToLatest()
    }
}
