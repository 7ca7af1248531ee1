import AuctionRules
import BidderView
import MarbleSupport
import Reactive
import Testing

@Suite struct SignalLapsTests {
    @Test("laps grow with each bid, a load replaces them, and another lot or a void has fewer")
    func laps() {
        let marbles = Marbles(
            """
            lots   --b------c------
            bids   ---12-4---1---3-
            voids  -------------3--
            loads  -----3------3---
            =      --01234--01-323-
            """)
        let laps = Signal.laps(
            of: marbles.lots.map { Lot(number: $0 == "b" ? 1 : 2) },
            bids: marbles.bids.map { lap(digit($0), 9, "bob") },
            voided: marbles.voids.map(digit),
            loaded: marbles.loads.map { (1...digit($0)).map { lap($0, 9, "bob") } })
        marbles.expect(laps.map { Character("\($0.count)") })
    }

    @Test("the ages are those of as many of the newest laps as have a place")
    func ages() {
        let timeline = Timeline()
        timeline.advance(to: .seconds(100))
        let laps = Laps().adding(lap(1, 5, "bob", at: .seconds(20))).adding(
            lap(2, 6, "al", at: .seconds(93)))
        let rows = Subject(5)
        let openedAt = Subject<Duration?>(nil)
        var told: [[Int: String]] = []
        let subscription = Signal.of(laps)
            .ages(rows: rows.signal, openedAt: openedAt.signal, on: timeline)
            .observe { told.append($0) }
        openedAt.notify(.zero)
        rows.notify(1)
        #expect(told == [[:], [2: "7s", 1: "1m"], [2: "7s"]])
        subscription.cancel()
    }

    @Test("laps that have no place on the screen wake nobody")
    func hidden() {
        let timeline = Timeline()
        timeline.advance(to: .seconds(100))
        let laps = Laps().adding(lap(1, 5, "bob", at: .seconds(99)))
        let subscription = Signal.of(laps)
            .ages(rows: .of(0), openedAt: .of(.zero), on: timeline).observe { _ in }
        #expect(timeline.nextDeadline == nil)
        subscription.cancel()
    }
}

private func digit(_ symbol: Character) -> Int {
    symbol.wholeNumberValue ?? 0
}
