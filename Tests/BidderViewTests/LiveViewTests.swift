import AuctionRules
import BidderView
import TestSupport
import Testing
import Wire

@Suite struct LiveViewTests {
    @Test("a view connects, takes its name, and shows the lot")
    func connects() {
        let stage = Stage()
        #expect(stage.effects == [.connect])
        #expect(stage.view.model.connection.isLoading)
        stage.snapshot = [
            .lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: .seconds(3))
        ]
        stage.bidders = [bidder("alice")]
        stage.connect()
        #expect(
            stage.said == ["#1 format json", "#2 name alice", "#3 status", "#4 laps", "#5 who"])
        #expect(
            stage.effects == [
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
        #expect(stage.view.model.sale.leading?.bidder == bidder("bob"))
        #expect(stage.view.model.ticker == "bob bids 5")
        stage.pass(.milliseconds(1550))
        #expect(stage.view.model.countdown?.remaining == .milliseconds(5500))
        #expect(stage.view.model.elapsed == .milliseconds(3500))
        #expect(stage.view.model.pace == 1)
        stage.pass(.milliseconds(5450))
        stage.sell(to: "bob", for: 5, at: .seconds(9))
        #expect(stage.view.model.countdown == nil)
        #expect(stage.view.model.elapsed == .seconds(9))
        #expect(stage.view.model.sale.outcome != nil)
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
        #expect(model.sale.leading?.bidder == bidder("bob"))
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
        #expect(stage.view.model.sale.isPaused)
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

/// Going on after the process was stopped, or its machine slept.
@Suite struct StandstillTests {
    @Test("after a standstill the clock goes on from where the lot is by then")
    func standstill() {
        let stage = Stage()
        stage.snapshot = [.lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: .zero)]
        stage.connect()
        stage.bid(100, by: "bob", at: .zero, seconds: 3600)
        stage.pass(.seconds(2))
        stage.view.advance(to: stage.now + .seconds(36_000))
        stage.pass(.seconds(2))
        #expect(stage.view.model.elapsed == .seconds(36_004))
        #expect(stage.view.model.series.points.last?.price == price(100))
        #expect(stage.view.model.ages == [1: "10h"])
    }

    @Test("after a standstill no more is shown of the countdown than is left by then")
    func standstillOfCountdown() {
        let stage = Stage()
        stage.snapshot = [.lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: .zero)]
        stage.connect()
        stage.bid(100, by: "bob", at: .zero)
        stage.view.advance(to: stage.now + .seconds(6))
        #expect(stage.view.model.countdown?.remaining == .seconds(1))
        #expect(stage.view.model.elapsed == .seconds(6))
    }

    @Test("after a standstill an answer may be there unread, and has its time once more")
    func standstillOfAnswer() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { _ in true }
        stage.enter("ping")
        stage.view.advance(to: stage.now + .seconds(3600))
        #expect(stage.view.model.isConnected)
        stage.pass(.milliseconds(4999))
        #expect(stage.view.model.isConnected)
        stage.pass(.milliseconds(1))
        #expect(stage.view.model.connection.lastError == "the server does not answer")
    }

    @Test("a spinner does not make up for a standstill")
    func standstillOfSpinner() {
        let stage = Stage()
        #expect(stage.view.model.spinner == 0)
        stage.view.advance(to: .seconds(36_000))
        #expect(stage.view.model.spinner == 0)
        stage.pass(.milliseconds(100))
        #expect(stage.view.model.spinner == 1)
    }
}

/// What somebody sees who was there from the beginning, and somebody who came late.
@Suite struct BackfillTests {
    @Test("the chart filled in from the laps is the one that grew live", arguments: 0..<8)
    func chart(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let stage = Stage(of: nil)
        stage.snapshot = [
            .lot(Lot(number: 1, title: "Vase"), start: price(1), elapsed: .zero)
        ]
        stage.connect(seconds: 60)
        while stage.now < .seconds(40) {
            stage.pass(.milliseconds(.random(in: 1...1500, using: &random)))
            stage.bid(Int64(stage.bids.count + 1), by: "bob", at: stage.now, seconds: 60)
        }
        let bids = stage.bids
        stage.pass(.milliseconds(600))
        let live = stage.view.model.series.points
        let filled = Series().filled(with: bids, at: nil).points
        let ticks = filled.count - 1
        #expect(Array(live.prefix(ticks)) == Array(filled.prefix(ticks)))
    }

    @Test("laps and chart are as if one had been there, after a connection that was lost")
    func missed() {
        let stage = Stage(of: nil)
        let lot = Lot(number: 1, title: "Vase")
        stage.snapshot = [.lot(lot, start: price(1), elapsed: .zero)]
        stage.connect(seconds: 60)
        stage.pass(.seconds(2))
        stage.bid(5, by: "bob", at: .seconds(2), seconds: 60)
        stage.lose()
        stage.pass(.seconds(3))
        stage.bids += [lap(2, 9, "al", at: .seconds(3)), lap(3, 12, "bob", at: .seconds(4))]
        stage.snapshot = [
            .lot(lot, start: price(1), elapsed: .seconds(5)),
            .price(stage.bids[2], lot: 1, remaining: .seconds(59)),
            .countdown(59, remaining: .seconds(59)),
        ]
        stage.connect(seconds: 60)
        stage.pass(.milliseconds(600))
        let model = stage.view.model
        #expect(model.laps.result?.newest == stage.bids)
        #expect(
            model.series.points.map(\.price?.amount)
                == [nil, nil, nil, nil, 5, 5, 9, 9, 12, 12, 12])
        #expect(model.sale.leading == stage.bids[2])
    }

    @Test("a server that was started again with another history replaces all of the one before")
    func otherHistory() {
        let stage = Stage(of: nil)
        let lot = Lot(number: 1, title: "Vase")
        stage.snapshot = [.lot(lot, start: price(1), elapsed: .zero)]
        stage.connect(seconds: 60)
        stage.pass(.seconds(20))
        stage.bid(50, by: "bob", at: .seconds(20), seconds: 60)
        stage.tell(.joined(bidder("bob")))
        stage.lose()
        stage.pass(.seconds(1))
        stage.bids = [lap(1, 3, "carol", at: .seconds(1))]
        stage.bidders = [bidder("carol")]
        stage.snapshot = [
            .lot(lot, start: price(1), elapsed: .milliseconds(1300)),
            .price(stage.bids[0], lot: 1, remaining: .seconds(60)),
            .countdown(60, remaining: .seconds(60)),
        ]
        stage.connect(seconds: 60)
        let model = stage.view.model
        #expect(model.laps.result?.newest == stage.bids)
        #expect(model.laps.result?.count == 1)
        #expect(model.bidders.result == [bidder("carol")])
        #expect(model.sale.leading == stage.bids[0])
        #expect(model.elapsed == .milliseconds(1300))
        #expect(model.series.points.map(\.price?.amount) == [nil, nil, 3])
        #expect(model.series.points.allSatisfy { !$0.hasJoin })
    }

    @Test(
        "of more than 20 laps the newest 1,000 are asked for",
        arguments: [
            (20, []), (21, ["laps 1 1000"]), (1000, ["laps 1 1000"]), (1500, ["laps 501 1000"]),
        ] as [(Int, [String])])
    func ranges(count: Int, expected: [String]) {
        let stage = Stage(of: nil)
        stage.bids = (1...count).map { lap($0, Int64($0), "bob", at: .milliseconds($0)) }
        stage.connect()
        let asked = stage.said.compactMap { try? Request(line: $0)?.command.description }
        #expect(asked.filter { $0.hasPrefix("laps") } == ["laps"] + expected)
        #expect(stage.view.model.laps.result?.count == count)
        #expect(stage.view.model.laps.result?.newest.last == stage.bids.last)
    }

    @Test("bids that come while the laps are loaded are not lost")
    func meanwhile() {
        let stage = Stage(of: nil)
        stage.bids = (1...30).map { lap($0, Int64($0), "bob", at: .milliseconds($0)) }
        stage.snapshot = [
            .lot(Lot(number: 1), start: nil, elapsed: .seconds(1)),
            .price(stage.bids[29], lot: 1, remaining: .seconds(7)),
        ]
        stage.isHeld = { if case .laps(.some) = $0 { true } else { false } }
        stage.connect()
        let known = stage.bids
        stage.bid(31, by: "al", at: .seconds(2))
        let all = stage.bids
        stage.bids = known
        stage.release()
        #expect(stage.view.model.laps.result?.newest == all)
    }

    @Test("a lot that opens between the parts of a load is loaded from its beginning")
    func nextLotMeanwhile() {
        let stage = Stage.open()
        stage.bids = (1...1500).map { lap($0, Int64($0), "bob", at: .milliseconds($0)) }
        stage.isHeld = { if case .laps(.some) = $0 { true } else { false } }
        stage.enter("laps")
        stage.bids = []
        stage.tell(.lot(Lot(number: 2, title: "Clock"), start: price(1), elapsed: .zero))
        stage.bid(3, by: "al", at: .zero)
        stage.release()
        #expect(stage.view.model.laps.result?.newest == stage.bids)
    }

    @Test("the pace counts no bid that is told again by a snapshot")
    func paceOfSnapshots() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero, seconds: 60)
        stage.pass(.seconds(10))
        stage.snapshot = [
            .lot(Lot(number: 1, title: "Vase"), start: price(1), elapsed: .seconds(10)),
            .price(stage.bids[0], lot: 1, remaining: .seconds(50)),
        ]
        stage.enter("status")
        stage.pass(.seconds(1))
        #expect(stage.view.model.pace == 0)
        stage.bid(6, by: "al", at: .seconds(11), seconds: 60)
        stage.pass(.seconds(1))
        #expect(stage.view.model.pace == 1)
    }

}
