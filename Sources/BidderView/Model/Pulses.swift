import Auction
import Reactive

extension Signal where Value == Duration? {
    /// A pulse in each period since, or until, the newest instant of this signal; none if it is nil.
    ///
    /// The periods begin at the instant and not at the observation, so that everything that moves
    /// with the clock of a lot moves at the same time.
    package func pulses(every period: Duration, on timeline: Timeline) -> Signal<Void> {
        map { start in
            guard let start else { return .never }
            let passed = timeline.now - start
            let first = period * (Int64((passed / period).rounded(.down)) + 1) - passed
            return Signal<Int>.of(0).delay(first, on: timeline)
                .concat(.interval(period, on: timeline)).map { _ in }
        }
        .switchToLatest()
    }
}

extension Signal where Value == Int? {
    /// Each number of this signal that stays the newest for a time, after that time.
    package func expiries(after time: Duration, on timeline: Timeline) -> Signal<Int> {
        map { number in number.map { Signal<Int>.of($0).delay(time, on: timeline) } ?? .never }
            .switchToLatest()
    }
}

extension Signal<Bool> {
    /// The picture number of the spinner, ten a second while this is true; else nil.
    package func spinner(on timeline: Timeline) -> Signal<Int?> {
        removeDuplicates().map { isLoading in
            guard isLoading else { return .of(nil) }
            return Signal<Int>.interval(.milliseconds(100), on: timeline).map { $0 + 1 }
                .startWith(0).map(Optional.some)
        }
        .switchToLatest()
    }
}

extension Signal<Laps> {
    /// The ages of the newest laps that fit on the screen, by their numbers.
    package func ages(
        rows: Signal<Int>, openedAt: Signal<Duration?>, on timeline: Timeline
    ) -> Signal<[Int: String]> {
        combineLatest(rows).combineLatest(openedAt).map { shown, openedAt in
            guard let openedAt else { return .of([:]) }
            let (laps, rowCount) = shown
            let bids = laps.rows(rowCount).map(\.bid)
            let instants = bids.map { openedAt + $0.elapsed }
            return RelativeAge.texts(since: instants, on: timeline).map { texts in
                Dictionary(uniqueKeysWithValues: zip(bids.map(\.number), texts))
            }
        }
        .switchToLatest()
    }
}
