import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

@Suite struct LiveViewTests {
    @Test("a view connects, takes its name, and shows the lot")
    func connects() {
        let stage = Stage()
        #expect(stage.effects == [.connect])
        #expect(stage.model.connection.isLoading)
        stage.snapshot = [lotOpened(1, "Vase", start: 5, elapsed: .seconds(3))]
        stage.bidders = [bidder("alice")]
        stage.connect()
        #expect(
            stage.sentLines == [
                "#1 format json", "#2 status", "#3 name alice", "#4 laps", "#5 who", "#6 results",
            ])
        #expect(
            stage.effects == [
                .connect, .keep(token: "t0ken", of: bidder("alice"), on: Identity("k3v9")),
            ])
        let model = stage.model
        #expect(model.isConnected)
        #expect(
            model.sale.greeting == Greeting(serverID: Identity("k3v9")))
        #expect(model.lot.least == price(5))
        #expect(model.elapsed == .seconds(3))
        #expect(model.bidders == [bidder("alice")])
        #expect(model.laps.heading == "no laps")
        #expect(model.spinner == nil)
    }

    @Test("a lot is shown from its first bid to its end")
    func wholeLot() {
        let stage = Stage.open()
        #expect(stage.model.countdown == nil)
        stage.pass(.seconds(2))
        stage.bid(5, by: "bob", at: .seconds(2))
        #expect(stage.model.lot.leader == bidder("bob"))
        #expect(stage.model.log.ticker == "bob bids 5")
        stage.pass(.milliseconds(1550))
        #expect(stage.model.countdown?.remaining == .milliseconds(5500))
        #expect(stage.model.elapsed == .milliseconds(3500))
        #expect(stage.model.recentBids == 1)
        stage.pass(.milliseconds(5450))
        stage.sell(to: "bob", for: 5, at: .seconds(9))
        #expect(stage.model.countdown == nil)
        #expect(stage.model.elapsed == .seconds(9))
        #expect(stage.model.lot.winner != nil)
        #expect(stage.model.recentBids == 0)
        #expect(stage.model.ages == [1: "7s"])
    }

    @Test("a voided bid is removed from the price, the laps and the chart")
    func voided() {
        let stage = Stage.open()
        stage.pass(.seconds(1))
        stage.bid(5, by: "bob", at: .seconds(1))
        stage.pass(.seconds(2))
        stage.bid(90, by: "carol", at: .seconds(3))
        stage.pass(.seconds(1))
        stage.void()
        let model = stage.model
        #expect(model.log.ticker == "carol's bid of 90 is void")
        #expect(model.lot.leader == bidder("bob"))
        #expect(model.laps.newest.map(\.number) == [1])
        #expect(model.countdown?.remaining == .seconds(7))
        stage.pass(.seconds(1))
        #expect(stage.model.series.points.compactMap(\.price).max() == price(5))
        stage.bid(20, by: "carol", at: .seconds(5))
        #expect(stage.model.log.ticker == "carol bids 20")
        #expect(stage.model.laps.newest.map(\.price) == [price(5), price(20)])
    }

    @Test("a bid that was voided while the server was lost is removed from the laps")
    func voidedUnheard() {
        let stage = Stage.open()
        for amount in 1...3 { stage.bid(Int64(amount), by: "bob", at: .seconds(amount)) }
        stage.lose()
        stage.bids.removeLast()
        stage.snapshot += [.event(.bidPlaced(stage.bids[1]), .init(remaining: .seconds(7)))]
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.model.laps.newest == stage.bids)
        stage.bid(9, by: "carol", at: .seconds(9))
        #expect(stage.model.laps.newest == stage.bids)
    }

    @Test("a paused sale shows no countdown, also after a snapshot")
    func paused() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(2))
        stage.send(.event(.paused))
        #expect(stage.model.countdown == nil)
        stage.snapshot += [
            .event(.bidPlaced(stage.bids[0])), .event(.secondsLeft(5)),
            .event(.paused),
        ]
        stage.enter("status")
        #expect(stage.model.countdown == nil)
        #expect(stage.model.lot.stage == .paused)
        stage.send(.event(.resumed), .event(.secondsLeft(7), .init(remaining: .seconds(7))))
        #expect(stage.model.countdown?.remaining == .seconds(7))
    }

    @Test("the countdown moves ten times a second, and only down without a bid")
    func countdown() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        var shown: [Duration] = []
        for _ in 0..<70 {
            stage.pass(.milliseconds(100))
            if let countdown = stage.model.countdown { shown.append(countdown.remaining) }
        }
        #expect(shown == (0..<70).map { .milliseconds(6900 - 100 * $0) })
    }

    @Test("an open lot causes exactly ten wake-ups a second")
    func beat() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(60))
        #expect(stage.pass(.seconds(60)) == 600)
    }

    @Test("without an open lot and bids there are at most two wake-ups for a ping, and no frames")
    func idle() {
        let stage = Stage.open()
        stage.send(lotPassed(1, "Vase"))
        stage.pass(.seconds(1))
        let frames = stage.frames
        #expect(stage.pass(.seconds(3600)) <= 2 * 240)
        #expect(stage.frames == frames)
    }

    @Test("hour-old laps cause at most about one wake-up a minute")
    func hourOld() {
        let stage = Stage.open()
        for number in 1...30 {
            stage.bid(Int64(number), by: "bob", at: .seconds(number * 3))
            stage.pass(.seconds(3))
        }
        stage.sell(to: "bob", for: 30, at: .seconds(97))
        stage.pass(.seconds(3700))
        let frames = stage.frames
        let wakes = stage.pass(.seconds(3600)) - 2 * 240
        #expect(wakes <= 70)
        #expect(stage.frames - frames <= 70)
    }

    @Test("a lap of 1 to 60 minutes causes one wake-up and one frame a minute")
    func minuteOld() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(7))
        stage.sell(to: "bob", for: 5, at: .seconds(7))
        stage.pass(.seconds(60))
        let frames = stage.frames
        #expect(stage.pass(.seconds(1800)) == 30 + 2 * 120)
        #expect(stage.frames == frames + 30)
    }

    @Test("10,000 bids a second cause at most 30 frames a second")
    func storm() {
        let stage = Stage.open()
        stage.pass(.seconds(1))
        let frames = stage.frames
        for number in 1...5000 {
            stage.pass(.microseconds(100))
            let bid = lap(number, Int64(number), "bob", at: stage.now)
            stage.send(.event(.bidPlaced(bid), .init(remaining: .seconds(7))))
        }
        #expect((14...16).contains(stage.frames - frames))
        stage.pass(.seconds(1))
        #expect(stage.model.laps.count == 5000)
        #expect(stage.model.recentBids == 5000)
    }

    @Test("many changes in one turn cause one frame")
    func oneFrame() {
        let stage = Stage.open()
        stage.send(lotPassed(1, "Vase"))
        stage.pass(.seconds(1))
        let frames = stage.frames
        stage.send(joined("bob"), left("bob"), joined("carol"), .event(.ended(lots: 1)))
        stage.pass(.seconds(1))
        #expect(stage.frames == frames + 1)
    }

    @Test("the first change after a pause is drawn at once")
    func atOnce() {
        let stage = Stage.open()
        stage.send(lotPassed(1, "Vase"))
        stage.pass(.seconds(1))
        let frames = stage.frames
        stage.send(joined("bob"))
        #expect(stage.frames == frames + 1)
    }

    @Test("after a resize the frame has the new size")
    func resizes() {
        let stage = Stage.open(columns: 80, rows: 24)
        stage.pass(.milliseconds(50))
        stage.view.resize(to: .init(columns: 50, rows: 15))
        stage.pass(.milliseconds(50))
        #expect(stage.frame.size == .init(columns: 50, rows: 15))
    }

    @Test("the columns of the laps are aligned when a lot is open for hours")
    func longLot() {
        let stage = Stage()
        stage.bids = [
            lap(1, 5, "bob", at: .seconds(59)), lap(2, 7, "al", at: .seconds(99 * 60)),
            lap(3, 9, "bob", at: .seconds(100 * 60)),
        ]
        stage.snapshot = [lotOpened(1, "Vase", start: 5, elapsed: .seconds(100 * 60))]
        stage.connect()
        let rows = stage.screen.filter { $0.contains(":00.0 ") }
        #expect(rows.count == 2)
        #expect(Set(rows.map { $0.column(of: ":00.0 ") }).count == 1)
    }
}

extension String {
    fileprivate func column(of mark: String) -> Int? {
        firstRange(of: mark).map { distance(from: startIndex, to: $0.lowerBound) }
    }
}

/// Views whose process was stopped, or whose machine slept.
@Suite struct StandstillTests {
    @Test("after a standstill the clock shows the present time of the lot")
    func standstill() {
        let stage = Stage.open(secrets: [], seconds: 3600)
        stage.bid(100, by: "bob", at: .zero)
        stage.pass(.seconds(2))
        stage.view.advance(to: stage.now + .seconds(36_000))
        stage.pass(.seconds(2))
        #expect(stage.model.elapsed == .seconds(36_004))
        #expect(stage.model.series.points.last?.price == price(100))
        #expect(stage.model.ages == [1: "10h"])
    }

    @Test("after a standstill the countdown shows the time that is left")
    func standstillOfCountdown() {
        let stage = Stage.open()
        stage.bid(100, by: "bob", at: .zero)
        stage.view.advance(to: stage.now + .seconds(6))
        #expect(stage.model.countdown?.remaining == .seconds(1))
        #expect(stage.model.elapsed == .seconds(6))
    }

    @Test("after a standstill the timeout of an answer starts again")
    func standstillOfAnswer() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { _ in true }
        stage.enter("ping")
        stage.view.advance(to: stage.now + .seconds(3600))
        #expect(stage.model.isConnected)
        stage.pass(.milliseconds(4999))
        #expect(stage.model.isConnected)
        stage.pass(.milliseconds(1))
        #expect(stage.model.connection.lastError == "the server does not answer")
    }

    @Test("the spinner does not catch up after a standstill")
    func standstillOfSpinner() {
        let stage = Stage()
        #expect(stage.model.spinner == 0)
        stage.view.advance(to: .seconds(36_000))
        #expect(stage.model.spinner == 0)
        stage.pass(.milliseconds(100))
        #expect(stage.model.spinner == 1)
    }
}
