import AuctionRules
import Reactive

extension Signal<Laps> {
    /// The laps of one lot after another: loaded, and then with each bid as it is told; `voided`
    /// are the numbers of bids that are taken back.
    package static func laps(
        of lots: Signal<Lot?>, bids: Signal<Bid>, voided: Signal<Int>, loaded: Signal<[Bid]>
    ) -> Signal<Laps> {
        Signal<(Laps) -> Laps>.merge([
            lots.map { _ in { _ in Laps() } },
            bids.map { bid in { $0.led(by: bid) } },
            voided.map { number in { $0.voiding(number) } },
            loaded.map { bids in { $0.replaced(with: bids) } },
        ])
        .scan(Laps()) { laps, edit in edit(laps) }
    }

    /// Each bid that came after the one before it while this was observed: none that was loaded, or
    /// told a second time by a snapshot.
    package var additions: Signal<Bid> {
        typealias State = (count: Int?, addition: Bid?)
        return map { (count: $0.count, newest: $0.newest.last) }
            .scan(State(nil, nil)) { state, laps in
                let isNext = state.count.map { laps.count == $0 + 1 } ?? false
                return State(laps.count, isNext ? laps.newest : nil)
            }
            .compactMap(\.addition)
    }

    /// How long ago the newest laps were, by their numbers: as many as have a place, of a lot that
    /// opened then.
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
