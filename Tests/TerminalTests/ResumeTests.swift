import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

/// Following the same room over several connections.
@Suite struct ResumeTests {
    @Test("after a reconnect the missed news is received once, and nothing is loaded again")
    func resumes() {
        let stage = Self.lostStage()
        stage.miss(
            .event(.bidPlaced(lap(2, 9, "al", at: .seconds(3)))),
            .event(.secondsLeft(60)),
            .event(.bidderKicked(bidder("zoe"), reason: "shill bids")),
            left("zoe"),
            .event(.bidPlaced(lap(3, 12, "bob", at: .seconds(4)))),
            .event(.secondsLeft(60)))
        stage.bids += [lap(2, 9, "al", at: .seconds(3)), lap(3, 12, "bob", at: .seconds(4))]
        stage.snapshot = [
            lotOpened(1, "Vase", start: 1, elapsed: .seconds(5)),
            .event(.bidPlaced(stage.bids[2]), .init(remaining: .seconds(59))),
            .event(.secondsLeft(59), .init(remaining: .seconds(59))),
        ]
        stage.connect(seconds: 60)
        #expect(stage.commands.suffix(2) == ["format json", "resume 2"])
        stage.pass(.milliseconds(600))
        let model = stage.model
        #expect(model.laps.newest == stage.bids)
        #expect(
            model.series.points.map(\.price?.amount)
                == [nil, nil, nil, nil, 5, 5, 9, 9, 12, 12, 12])
        #expect(!model.series.points.contains { $0.isGap })
        #expect(model.elapsed == .milliseconds(5_600))
        #expect(
            model.log.entries.map(\.text) == [
                "zoe was removed: shill bids", "connected again",
            ])
        #expect(model.log.entries[0].elapsed == .seconds(3))
    }

    @Test("a missed join stands at its own time, and not before the missed bids that precede it")
    func missedJoins() {
        let stage = Self.lostStage()
        stage.miss(joined("al"), at: .seconds(3))
        stage.miss(.event(.bidPlaced(lap(2, 9, "al", at: .milliseconds(4_600)))))
        stage.miss(joined("zoe"), at: .seconds(4))
        stage.miss(joined("eve"), at: .seconds(60))
        stage.connect(seconds: 60)
        let joins = stage.model.log.entries.filter { $0.subject == .arrival }
        #expect(
            joins.map(\.elapsed) == [.seconds(3), .milliseconds(4_600), .seconds(5)])
        let points = stage.model.series.points
        #expect(points.indices.filter { points[$0].hasJoin } == [6, 9, 10])
    }

    @Test("news that the server no longer has is a gap in the chart, and is in the log")
    func gone() {
        let stage = Self.lostStage()
        stage.keepsNews = false
        let newest = (3...5).map { lap($0, Int64($0 * 10), "bob", at: .seconds($0)) }
        stage.bids = newest
        stage.snapshot = [
            lotOpened(1, "Vase", start: 1, elapsed: .seconds(5)),
            .event(.bidPlaced(newest[2]), .init(remaining: .seconds(59))),
        ]
        stage.connect(seconds: 60)
        stage.pass(.milliseconds(600))
        let series = stage.model.series
        #expect(
            series.points.map(\.price?.amount)
                == [nil, nil, nil, nil, 5, nil, 30, 30, 40, 40, 50])
        #expect(series.points.map(\.isGap) == (0..<11).map { $0 == 5 })
        #expect(
            stage.model.log.entries.map(\.text) == [
                "some news was missed while the connection was lost", "connected again",
            ])
    }

    @Test("another server is followed from its snapshot")
    func anotherGame() {
        let stage = Self.lostStage()
        stage.connect(seconds: 60, serverID: "zzzz")
        #expect(
            stage.commands.suffix(5) == ["format json", "status", "laps", "who", "results"])
    }

    @Test("a lost connection is one line, which is replaced when it is made again")
    func lineOfConnection() {
        let stage = Stage.open()
        stage.keepsNews = true
        for _ in 0..<2 {
            stage.lose()
            #expect(stage.model.log.entries.map(\.text) == ["connection lost, reconnecting"])
            stage.pass(.seconds(1))
            stage.connect()
            #expect(stage.model.log.entries.map(\.text) == ["connected again"])
        }
    }

    @Test("who comes late sees the lots that have ended")
    func late() {
        let stage = Stage()
        stage.snapshot = [lotOpened(3, "Clock", start: 5)]
        stage.results = [
            .result(Lot(number: 1), winner: bidder("bob"), price: price(7), elapsed: nil),
            .result(Lot(number: 2), winner: nil, price: nil, elapsed: nil),
        ]
        stage.connect()
        #expect(stage.model.pastLots.map(\.lot.number) == [1, 2])
        stage.send(lotSold(3, "Clock", to: "bob", for: 9, at: .seconds(1)))
        #expect(stage.model.pastLots.map(\.winner) == [bidder("bob"), nil, bidder("bob")])
    }

    /// An observer's stage that had one bid at 2 s, and lost its server at 5 s.
    private static func lostStage() -> Stage {
        let stage = Stage(of: nil)
        stage.keepsNews = true
        stage.isCounting = false
        stage.snapshot = [lotOpened(1, "Vase", start: 1)]
        // Without purses and values, so that an observer does not load the standings again.
        stage.standings = [StandingsRow(rank: 1, bidder: bidder("bob"), lots: 0, spent: 0)]
        stage.connect(seconds: 60)
        stage.pass(.seconds(2))
        stage.bid(5, by: "bob", at: .seconds(2))
        stage.lose()
        stage.pass(.seconds(3))
        return stage
    }
}

/// Events at their own time.
@Suite struct EventTimeTests {
    @Test("bids that arrive late stand at their own time, in the price and in the rate")
    func late() {
        let stage = Stage.open(of: nil)
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(10))
        for second in 1...9 { stage.bid(Int64(second * 10), by: "bob", at: .seconds(second)) }
        let points = stage.model.series.points
        #expect(points[2].price == price(10))
        #expect(points[3].price == price(10))
        #expect(points[18].price == price(90))
        #expect(points[13].bids == 5)
    }

    @Test("after skipped bids there is a gap, and the rate counts from its end")
    func gap() {
        var series = Series()
        series.add(lap(1, 5, "bob", at: .seconds(1)), isNext: true)
        series.endTick(19)
        for number in 0..<10 {
            series.add(
                lap(100 + number, Int64(100 + number), "bob", at: .milliseconds(9_500 + number)),
                isNext: number > 0)
        }
        #expect(series.points.indices.filter { series.points[$0].isGap } == Array(3..<19))
        #expect(series.points[19].price == price(109))
        #expect(series.recentBids(before: 10) == 100)
    }

    @Test("the range of prices begins with the first bid, also of several in one tick")
    func range() {
        var series = Series()
        for (index, amount) in [10, 110, 210].enumerated() {
            series.add(
                lap(index + 1, Int64(amount), "bob", at: .milliseconds(100 * index)),
                isNext: true)
        }
        #expect(series.prices == price(10)...price(210))
    }

    @Test("a join stands at the time at which the server sent it")
    func join() {
        let stage = Stage.open(of: nil)
        stage.send(joined("al"))
        stage.pass(.seconds(5))
        stage.deliver(joined("bob"), number: 9, at: .seconds(2))
        let points = stage.model.series.points
        #expect(points.indices.filter { points[$0].hasJoin } == [0, 4])
        #expect(stage.model.log.entries.map(\.elapsed) == [.zero, .seconds(2)])
    }

    @Test("a user's own join is marked")
    func ownJoin() {
        let stage = Stage(of: "alice")
        stage.snapshot = [lotOpened(1, elapsed: .seconds(3))]
        stage.connect()
        stage.send(joined("alice"))
        let points = stage.model.series.points
        #expect(points.indices.filter { points[$0].hasJoin } == [6])
    }

    @Test("a late joiner sees the rate of the loaded bids, and a gap before them")
    func lateJoiner() {
        let stage = Stage(of: nil)
        stage.bids = (1...1_500).map { lap($0, Int64($0), "bob", at: .milliseconds($0 * 10)) }
        stage.snapshot = [
            lotOpened(1, elapsed: .seconds(15)),
            .event(.bidPlaced(stage.bids[1_499]), .init(remaining: .seconds(7))),
        ]
        stage.connect()
        stage.pass(.milliseconds(600))
        let series = stage.model.series
        #expect(stage.model.recentBids == 500)
        #expect(series.points.indices.filter { series.points[$0].isGap } == Array(0..<10))
        #expect(series.prices == price(501)...price(1_500))
    }
}
