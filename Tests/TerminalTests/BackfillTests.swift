import Auction
import Bidder
import BidderSupport
import Terminal
import TestSupport
import Testing
import Wire

/// The loads that fill in the past of a lot.
@Suite struct BackfillTests {
    @Test("the chart from loaded laps equals the chart that grew live", arguments: 0..<8)
    func chart(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let stage = Stage(of: nil)
        stage.snapshot = [lotOpened(1, "Vase", start: 1)]
        stage.connect(seconds: 60)
        while stage.now < .seconds(40) {
            stage.pass(.milliseconds(.random(in: 1...1500, using: &random)))
            stage.bid(Int64(stage.bids.count + 1), by: "bob", at: stage.now)
        }
        let bids = stage.bids
        stage.pass(.milliseconds(600))
        let live = stage.model.series.points
        let filled = Series().filled(with: bids, at: nil).points
        let ticks = filled.count - 1
        #expect(Array(live.prefix(ticks)) == Array(filled.prefix(ticks)))
    }

    @Test("after a reconnect the missed bids are in the laps and the chart")
    func missed() {
        let stage = Stage(of: nil)
        let lot = Lot(number: 1, title: "Vase")
        stage.snapshot = [.event(.lotOpened(lot), .init(start: price(1), elapsed: .zero))]
        stage.connect(seconds: 60)
        stage.pass(.seconds(2))
        stage.bid(5, by: "bob", at: .seconds(2))
        stage.lose()
        stage.pass(.seconds(3))
        stage.bids += [lap(2, 9, "al", at: .seconds(3)), lap(3, 12, "bob", at: .seconds(4))]
        stage.snapshot = [
            .event(.lotOpened(lot), .init(start: price(1), elapsed: .seconds(5))),
            .event(.bidPlaced(stage.bids[2]), .init(remaining: .seconds(59))),
            .event(.secondsLeft(59), .init(remaining: .seconds(59))),
        ]
        stage.connect(seconds: 60)
        stage.pass(.milliseconds(600))
        let model = stage.model
        #expect(model.laps.newest == stage.bids)
        #expect(
            model.series.points.map(\.price?.amount)
                == [nil, nil, nil, nil, 5, 5, 9, 9, 12, 12, 12])
        #expect(model.lot.price == stage.bids[2].price)
    }

    @Test("after a restart with another history the old state is replaced")
    func otherHistory() {
        let stage = Stage(of: nil)
        let lot = Lot(number: 1, title: "Vase")
        stage.snapshot = [.event(.lotOpened(lot), .init(start: price(1), elapsed: .zero))]
        stage.connect(seconds: 60)
        stage.pass(.seconds(20))
        stage.bid(50, by: "bob", at: .seconds(20))
        stage.send(joined("bob"))
        stage.lose()
        stage.pass(.seconds(1))
        stage.bids = [lap(1, 3, "carol", at: .seconds(1))]
        stage.bidders = [bidder("carol")]
        stage.snapshot = [
            .event(.lotOpened(lot), .init(start: price(1), elapsed: .milliseconds(1300))),
            .event(.bidPlaced(stage.bids[0]), .init(remaining: .seconds(60))),
            .event(.secondsLeft(60), .init(remaining: .seconds(60))),
        ]
        stage.connect(seconds: 60)
        let model = stage.model
        #expect(model.laps.newest == stage.bids)
        #expect(model.laps.count == 1)
        #expect(model.bidders == [bidder("carol")])
        #expect(model.lot.price == stage.bids[0].price)
        #expect(model.elapsed == .milliseconds(1300))
        #expect(model.series.points.map(\.price?.amount) == [nil, nil, 3])
        #expect(model.series.points.allSatisfy { !$0.hasJoin })
    }

    @Test(
        "of more than 20 laps the newest 1,000 are requested",
        arguments: [
            (20, []), (21, ["laps 1 1000"]), (1000, ["laps 1 1000"]), (1500, ["laps 501 1000"]),
        ] as [(Int, [String])])
    func ranges(count: Int, expected: [String]) {
        let stage = Stage(of: nil)
        stage.bids = (1...count).map { lap($0, Int64($0), "bob", at: .milliseconds($0)) }
        stage.connect()
        let asked = stage.sentLines.compactMap { try? Request(line: $0)?.command.description }
        #expect(asked.filter { $0.hasPrefix("laps") } == ["laps"] + expected)
        #expect(stage.model.laps.count == count)
        #expect(stage.model.laps.newest.last == stage.bids.last)
    }

    @Test("bids that arrive during a load are not lost")
    func meanwhile() {
        let stage = Stage(of: nil)
        stage.bids = (1...30).map { lap($0, Int64($0), "bob", at: .milliseconds($0)) }
        stage.snapshot = [
            lotOpened(1, elapsed: .seconds(1)),
            .event(.bidPlaced(stage.bids[29]), .init(remaining: .seconds(7))),
        ]
        stage.isHeld = { if case .laps(.some) = $0 { true } else { false } }
        stage.connect()
        let known = stage.bids
        stage.bid(31, by: "al", at: .seconds(2))
        let all = stage.bids
        stage.bids = known
        stage.release()
        #expect(stage.model.laps.newest == all)
    }

    @Test("a lot that opens during a load is loaded from its beginning")
    func nextLotMeanwhile() {
        let stage = Stage.open()
        stage.bids = (1...1500).map { lap($0, Int64($0), "bob", at: .milliseconds($0)) }
        stage.isHeld = { if case .laps(.some) = $0 { true } else { false } }
        stage.enter("laps")
        stage.bids = []
        stage.send(lotOpened(2, "Clock", start: 1))
        stage.bid(3, by: "al", at: .zero)
        stage.release()
        #expect(stage.model.laps.newest == stage.bids)
    }

    @Test("the pace does not count bids repeated by a snapshot")
    func paceOfSnapshots() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(10))
        stage.snapshot = [
            lotOpened(1, "Vase", start: 1, elapsed: .seconds(10)),
            .event(.bidPlaced(stage.bids[0]), .init(remaining: .seconds(50))),
        ]
        stage.enter("status")
        stage.pass(.seconds(1))
        #expect(stage.model.recentBids == 0)
        stage.bid(6, by: "al", at: .seconds(11))
        stage.pass(.seconds(1))
        #expect(stage.model.recentBids == 1)
    }
}
