import AuctionRules
import Reactive

extension Signal<Laps> {
    /// The laps of one lot after another: loaded, and then with each bid as it is told.
    package static func laps(
        of lots: Signal<Lot?>, bids: Signal<Bid>, loaded: Signal<[Bid]>
    ) -> Signal<Laps> {
        Signal<(Laps) -> Laps>.merge([
            lots.map { _ in { _ in Laps() } },
            bids.map { bid in { $0.adding(bid) } },
            loaded.map { bids in { $0.replaced(with: bids) } },
        ])
        .scan(Laps()) { laps, edit in edit(laps) }
    }

    /// How long ago the newest laps were, as many as have a place, of a lot that opened then.
    package func ages(
        rows: Signal<Int>, openedAt: Signal<Duration?>, on timeline: Timeline
    ) -> Signal<[String]> {
        combineLatest(rows).combineLatest(openedAt).map { shown, openedAt in
            guard let openedAt else { return .of([]) }
            let (laps, rows) = shown
            return Age.texts(
                since: laps.rows(rows).map { openedAt + $0.bid.elapsed }, on: timeline)
        }
        .switchToLatest()
    }
}
