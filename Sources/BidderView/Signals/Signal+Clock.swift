import Reactive
import Wire

extension Signal<ServerMessage> {
    /// When the lot opened, and how long it was open.
    package func lotClock(on timeline: Timeline) -> Signal<LotClock> {
        scan(LotClock()) { $0.hearing($1, at: timeline.now) }.removeDuplicates()
    }

    /// When the hammer falls, as far as the server has said.
    package func hammer(_ greeting: Signal<Greeting>, on timeline: Timeline) -> Signal<Hammer> {
        greeting.map { greeting in
            scan(Hammer()) {
                $0.hearing($1, at: timeline.now, fullSeconds: greeting.seconds)
            }
        }
        .switchToLatest().removeDuplicates()
    }
}

extension Signal where Value == Duration? {
    /// Speaks once in each period since the newest instant that this signal said, for as long as
    /// it is not nil.
    ///
    /// The periods are those of the instant and not of whoever observes, so that all that moves
    /// with the clock of a lot moves at once.
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
