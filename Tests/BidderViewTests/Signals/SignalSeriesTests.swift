import AuctionRules
import BidderView
import MarbleSupport
import Reactive
import Testing

@Suite struct SignalSeriesTests {
    @Test("the pace is told each second, of a window of five seconds that slides")
    func pace() {
        let marbles = Marbles(
            """
            bids  -ab--c-------
            =     -01222321110-
            """)
        let pace = marbles.bids.map { _ in lap(1, 5, "bob") }.pace(on: marbles.timeline)
        marbles.expect(pace.map { Character("\($0)") }, until: 11)
    }

    @Test("many bids of one second all count")
    func burst() {
        let marbles = Marbles(
            """
            bids  -(aaaa)---
            =     -0444440--
            """)
        let pace = marbles.bids.map { _ in lap(1, 5, "bob") }.pace(on: marbles.timeline)
        marbles.expect(pace.map { Character("\($0)") }, until: 7)
    }

    @Test("each tick of the lot's clock adds the reading that holds then")
    func ticks() {
        let chart = Chart()
        chart.open()
        chart.timeline.advance(to: .milliseconds(700))
        chart.readings.notify(Series.Point(price: price(5), bids: 1))
        chart.timeline.advance(to: .milliseconds(1700))
        #expect(chart.series.points.map(\.price?.amount) == [nil, 5, 5])
        #expect(chart.series.points.map(\.bids) == [0, 1, 1])
    }

    @Test("who joins leaves a mark at the tick that runs, and keeps it when the tick is read")
    func marks() {
        let chart = Chart()
        chart.open()
        chart.timeline.advance(to: .milliseconds(600))
        chart.joins.notify(bidder("bob"))
        chart.timeline.advance(to: .milliseconds(2000))
        #expect(chart.series.points.map(\.hasJoin) == [false, true, false, false])
    }

    @Test("who joins while no lot is open leaves no mark, not even later")
    func joinsBetweenLots() {
        let chart = Chart()
        chart.openedAt.notify(nil)
        chart.joins.notify(bidder("bob"))
        chart.open()
        chart.timeline.advance(to: .seconds(1))
        #expect(chart.series.points.map(\.hasJoin) == [false, false])
    }

    @Test("no tick passes while no lot runs, and another lot begins anew")
    func anew() {
        let chart = Chart()
        chart.open()
        chart.timeline.advance(to: .seconds(2))
        chart.openedAt.notify(nil)
        chart.timeline.advance(to: .seconds(9))
        #expect(chart.series.points.count == 4)
        chart.lots.notify(Lot(number: 2))
        #expect(chart.series.points.isEmpty)
    }

    @Test("the past that was loaded is filled in, and the present goes on behind it")
    func loaded() {
        let chart = Chart()
        chart.timeline.advance(to: .seconds(10))
        chart.readings.notify(Series.Point(price: price(9), bids: 2))
        chart.openedAt.notify(.seconds(8))
        chart.loads.notify([
            lap(1, 5, "bob", at: .milliseconds(600)), lap(2, 9, "al", at: .seconds(1)),
        ])
        chart.timeline.advance(to: .milliseconds(10_500))
        #expect(chart.series.points.map(\.price?.amount) == [nil, 5, 9, 9, 9])
        #expect(chart.series.points.last?.bids == 2)
    }
}

/// The series of a lot whose events a test makes.
private final class Chart {
    let timeline = Timeline()
    let lots = Subject<Lot?>(nil)
    let loads = Subject<[Bid]>()
    let readings = Subject<Series.Point>(Series.Point())
    let joins = Subject<Bidder>()
    let voided = Subject<Price>()
    let openedAt = Subject<Duration?>()
    private(set) var series = Series()
    private let bag = SubscriptionBag()

    init() {
        Signal.series(
            of: lots.signal, loaded: loads.signal, readings: readings.signal, joins: joins.signal,
            voided: voided.signal, openedAt: openedAt.signal, on: timeline
        )
        .observe(in: bag) { [unowned self] in series = $0 }
    }

    func open() {
        openedAt.notify(timeline.now)
    }
}
