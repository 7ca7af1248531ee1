import AuctionRules
import BidderView
import Testing
import Wire

@Suite struct LiveViewTests {
    @Test("a view connects, takes its name, and shows the lot")
    func connects() {
        let stage = Stage()
        #expect(stage.wishes == [.connect])
        #expect(stage.view.model.connection.isLoading)
        stage.snapshot = [
            .lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: .seconds(3))
        ]
        stage.bidders = [bidder("alice")]
        stage.connect()
        #expect(
            stage.said == ["#1 format json", "#2 name alice", "#3 status", "#4 laps", "#5 who"])
        #expect(
            stage.wishes == [
                .connect, .keep(token: "t0ken", of: bidder("alice"), in: GameID("k3v9")),
            ])
        let model = stage.view.model
        #expect(model.isConnected)
        #expect(
            model.connection.result == Greeting(seconds: 7, step: price(1), game: GameID("k3v9")))
        #expect(model.leastBid == price(5))
        #expect(model.elapsed == .seconds(3))
        #expect(model.bidders.result == [bidder("alice")])
        #expect(model.laps.result?.heading == "no laps")
        #expect(model.spinner == nil)
    }

    @Test("a lot is seen from its first bid to the hammer")
    func wholeLot() {
        let stage = Stage.open()
        #expect(stage.view.model.countdown == nil)
        stage.pass(.seconds(2))
        stage.bid(5, by: "bob", at: .seconds(2))
        #expect(stage.view.model.standing.leading?.bidder == bidder("bob"))
        #expect(stage.view.model.ticker == "bob bids 5")
        stage.pass(.milliseconds(1550))
        #expect(stage.view.model.countdown?.remaining == .milliseconds(5500))
        #expect(stage.view.model.elapsed == .milliseconds(3500))
        #expect(stage.view.model.pace == 1)
        stage.pass(.milliseconds(5450))
        stage.sell(to: "bob", for: 5, at: .seconds(9))
        #expect(stage.view.model.countdown == nil)
        #expect(stage.view.model.elapsed == .seconds(9))
        #expect(stage.view.model.standing.outcome != nil)
        #expect(stage.view.model.pace == 0)
        #expect(stage.view.model.ages == [1: "7s"])
    }

    @Test("a voided bid leaves the price, the laps and the chart")
    func voided() {
        let stage = Stage.open()
        stage.pass(.seconds(1))
        stage.bid(5, by: "bob", at: .seconds(1))
        stage.pass(.seconds(2))
        stage.bid(90, by: "carol", at: .seconds(3))
        stage.pass(.seconds(1))
        stage.void(restating: 7)
        let model = stage.view.model
        #expect(model.ticker == "carol's bid of 90 is void")
        #expect(model.standing.leading?.bidder == bidder("bob"))
        #expect(model.laps.result?.newest.map(\.number) == [1])
        #expect(model.countdown?.remaining == .seconds(7))
        stage.pass(.seconds(1))
        #expect(stage.view.model.series.points.compactMap(\.price).max() == price(5))
        stage.bid(20, by: "carol", at: .seconds(5))
        #expect(stage.view.model.ticker == "carol bids 20")
        #expect(stage.view.model.laps.result?.newest.map(\.price) == [price(5), price(20)])
    }

    @Test("a bid that was voided while the server was lost is no lap any more")
    func voidedUnheard() {
        let stage = Stage.open()
        for amount in 1...3 { stage.bid(Int64(amount), by: "bob", at: .seconds(amount)) }
        stage.lose()
        stage.bids.removeLast()
        stage.snapshot += [.price(stage.bids[1], lot: 1, remaining: .seconds(7))]
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.view.model.laps.result?.newest == stage.bids)
        stage.bid(9, by: "carol", at: .seconds(9))
        #expect(stage.view.model.laps.result?.newest == stage.bids)
    }

    @Test("while the sale is paused no countdown is seen, and with the snapshot of it neither")
    func paused() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(2))
        stage.tell(.paused)
        #expect(stage.view.model.countdown == nil)
        stage.snapshot += [
            .price(stage.bids[0], lot: 1, remaining: nil), .countdown(5, remaining: nil), .paused,
        ]
        stage.enter("status")
        #expect(stage.view.model.countdown == nil)
        #expect(stage.view.model.standing.isPaused)
        stage.tell(.resumed, .countdown(7, remaining: .seconds(7)))
        #expect(stage.view.model.countdown?.remaining == .seconds(7))
    }

    @Test("the countdown moves ten times a second, and never up without a bid")
    func countdown() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        var shown: [Duration] = []
        for _ in 0..<70 {
            stage.pass(.milliseconds(100))
            if let countdown = stage.view.model.countdown { shown.append(countdown.remaining) }
        }
        #expect(shown == (0..<70).map { .milliseconds(6900 - 100 * $0) })
    }

    @Test("what moves with the clock of the lot moves at once: ten wake-ups a second and no more")
    func beat() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(60))
        #expect(stage.pass(.seconds(60)) == 600)
    }

    @Test("while no lot is open and nobody has bid, nothing wakes and nothing is drawn for an hour")
    func idle() {
        let stage = Stage.open()
        stage.tell(.passed(Lot(number: 1, title: "Vase"), reason: "no-bids"))
        stage.pass(.seconds(1))
        let frames = stage.frames
        #expect(stage.pass(.seconds(3600)) == 0)
        #expect(stage.frames == frames)
        #expect(stage.view.timeline.nextDeadline == nil)
    }

    @Test("between lots with laps of an hour ago it wakes at most about once a minute")
    func hourOld() {
        let stage = Stage.open()
        for number in 1...30 {
            stage.bid(Int64(number), by: "bob", at: .seconds(number * 3))
            stage.pass(.seconds(3))
        }
        stage.sell(to: "bob", for: 30, at: .seconds(97))
        stage.pass(.seconds(3700))
        let frames = stage.frames
        let wakes = stage.pass(.seconds(3600))
        #expect(wakes <= 70)
        #expect(stage.frames - frames <= wakes)
    }

    @Test("one lap between 1 minute and 1 hour old wakes once a minute, for one frame")
    func minuteOld() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(7))
        stage.sell(to: "bob", for: 5, at: .seconds(7))
        stage.pass(.seconds(60))
        let frames = stage.frames
        #expect(stage.pass(.seconds(1800)) == 30)
        #expect(stage.frames == frames + 30)
    }

    @Test("a storm of 10,000 bids a second draws no more than 30 frames a second")
    func storm() {
        let stage = Stage.open()
        stage.pass(.seconds(1))
        let frames = stage.frames
        for number in 1...5000 {
            stage.pass(.microseconds(100))
            let bid = lap(number, Int64(number), "bob", at: stage.now)
            stage.tell(.price(bid, lot: 1, remaining: .seconds(7)))
        }
        #expect((14...16).contains(stage.frames - frames))
        stage.pass(.seconds(1))
        #expect(stage.view.model.laps.result?.count == 5000)
        #expect(stage.view.model.pace == 5000)
    }

    @Test("many changes in one turn make one frame")
    func oneFrame() {
        let stage = Stage.open()
        stage.tell(.passed(Lot(number: 1, title: "Vase"), reason: "no-bids"))
        stage.pass(.seconds(1))
        let frames = stage.frames
        stage.tell(
            .joined(bidder("bob")), .left(bidder("bob")), .joined(bidder("carol")),
            .over(lots: 1))
        stage.pass(.seconds(1))
        #expect(stage.frames == frames + 1)
    }

    @Test("a change after a rest is drawn at once")
    func atOnce() {
        let stage = Stage.open()
        stage.tell(.passed(Lot(number: 1, title: "Vase"), reason: "no-bids"))
        stage.pass(.seconds(1))
        let frames = stage.frames
        stage.tell(.joined(bidder("bob")))
        #expect(stage.frames == frames + 1)
    }

    @Test("a terminal of another size gets a frame of that size")
    func resizes() {
        let stage = Stage.open(columns: 80, rows: 24)
        stage.pass(.milliseconds(50))
        stage.view.resize(to: .init(columns: 50, rows: 15))
        stage.pass(.milliseconds(50))
        #expect(stage.frame.size == .init(columns: 50, rows: 15))
    }
}

extension Stage {
    /// A stage whose lot has just opened.
    static func open(of name: String? = "alice", columns: Int = 80, rows: Int = 24) -> Stage {
        let stage = Stage(of: name, columns: columns, rows: rows)
        stage.snapshot = [
            .lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: .zero)
        ]
        stage.connect()
        return stage
    }

    func sell(to name: String, for amount: Int64, at elapsed: Duration) {
        tell(
            .winner(
                SoldLot(
                    number: 1, title: "Vase", bidder: bidder(name), price: price(amount),
                    elapsed: elapsed)))
    }

    @Test("the columns of the laps stay straight when a lot is open for hours")
    func longLot() {
        let stage = Stage()
        stage.bids = [
            lap(1, 5, "bob", at: .seconds(59)), lap(2, 7, "al", at: .seconds(99 * 60)),
            lap(3, 9, "bob", at: .seconds(100 * 60)),
        ]
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
