import AuctionRules
import Reactive
import Wire

extension Signal<Bid> {
    /// How many bids there were in the last five seconds, told once a second.
    ///
    /// Source: the seed text on the live chart, whose windows do not slide.
    package func pace(on timeline: Timeline) -> Signal<Int> {
        map { _ in }.buffer(time: .seconds(1), on: timeline)
            .scan([]) { counts, bids in (counts + [bids.count]).suffix(5) }
            .map { $0.reduce(0, +) }
    }
}

extension Signal<Series> {
    /// The chart of one lot after another: its past as loaded, then a point for each tick of its
    /// clock, and a mark for each who joins; `voided` are the prices of bids that are taken back.
    package static func series(
        of lots: Signal<Lot?>, loaded: Signal<[Bid]>, readings: Signal<Series.Point>,
        joins: Signal<Bidder>, voided: Signal<Price>, openedAt: Signal<Duration?>,
        on timeline: Timeline
    ) -> Signal<Series> {
        func ticks(since openedAt: Duration) -> Int { Series.tick(at: timeline.now - openedAt) }
        let pulses = openedAt.pulses(every: Series.tick, on: timeline)
        let mark = Series.Point(hasJoin: true)
        return Signal<(Series) -> Series>.merge([
            lots.map { _ in { _ in Series() } },
            loaded.combineLatest(openedAt).sample(on: loaded).map { bids, openedAt in
                { $0.filled(with: bids, at: openedAt.map(ticks)) }
            },
            readings.combineLatest(openedAt).sample(on: pulses).compactMap { point, openedAt in
                openedAt.map { start in { $0.adding(point, at: ticks(since: start) - 1) } }
            },
            voided.map { price in { $0.voiding(price) } },
            openedAt.sample(on: joins).compactMap { openedAt in
                openedAt.map { start in { $0.adding(mark, at: ticks(since: start)) } }
            },
        ])
        .scan(Series()) { series, edit in edit(series) }
    }
}
