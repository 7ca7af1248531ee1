import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

@Suite struct NewsLogTests {
    @Test("a kick hides that the bidder left, and a winner does not hide the hammer")
    func rulings() {
        let stage = Stage.open()
        stage.bid(5, by: "bob", at: .zero)
        stage.send(.event(.bidderKicked(bidder("mallory"), reason: "shill bids")), left("mallory"))
        #expect(stage.model.log.ticker == "mallory was removed: shill bids")
        stage.pass(.seconds(2))
        stage.send(.event(.hammered), .event(.secondsLeft(0), .init(remaining: .zero)))
        stage.sell(to: "bob", for: 5, at: .seconds(2))
        #expect(stage.model.log.ticker == "by the hammer, bob has won Vase for 5")
        #expect(
            stage.texts == [
                "mallory was removed: shill bids", "the auctioneer sells the lot now",
                "bob has won Vase for 5",
            ])
        #expect(stage.model.log.entries.map(\.elapsed) == [.zero, .seconds(2), .seconds(2)])
        #expect(stage.model.log.entries.map(\.subject) == [.auctioneer, .auctioneer, .ending])
    }

    @Test("a bidder who was kicked before and comes back may leave as anybody")
    func leavesLater() {
        let stage = Stage.open()
        stage.send(.event(.bidderKicked(bidder("mallory"), reason: "x")), left("mallory"))
        stage.send(joined("mallory"), left("mallory"))
        #expect(
            stage.texts == ["mallory was removed: x", "mallory has joined", "mallory has left"])
    }

    @Test("bidders who left and are back, as after a restart of the server, are no events")
    func restart() {
        let stage = Stage.open()
        stage.send(joined("bob"), joined("eve"))
        stage.send(left("bob"), left("eve"))
        stage.send(joined("eve"), joined("bob"))
        #expect(stage.texts == ["bob has joined", "eve has joined"])
        #expect(stage.model.log.ticker == "bob is back")
        stage.send(left("bob"), .event(.paused), joined("bob"))
        #expect(stage.texts.suffix(3) == ["bob has left", "the sale is paused", "bob has joined"])
        #expect(
            stage.model.log.entries.map(\.subject)
                == [.arrival, .arrival, .departure, .auctioneer, .arrival])
    }

    @Test("the user is told as you")
    func user() {
        let stage = Stage.open()
        stage.send(joined("alice"))
        stage.bid(5, by: "alice", at: .zero)
        #expect(stage.model.log.ticker == "you bid 5")
        stage.sell(to: "alice", for: 5, at: .seconds(7))
        #expect(stage.texts == ["you have joined", "you have won Vase for 5"])
    }

    @Test("what a snapshot repeats is no news")
    func snapshot() {
        let stage = Stage.open()
        #expect(stage.texts == [])
        #expect(stage.model.log.ticker == "")
    }

    @Test("the log keeps the newest 200 events")
    func bound() {
        let stage = Stage.open()
        for _ in 0..<150 { stage.send(.event(.paused), .event(.resumed)) }
        #expect(stage.texts.count == 200)
        #expect(stage.texts.last == "the sale is resumed")
        stage.send(left("bob"))
        #expect(stage.model.log.ticker == "bob has left")
    }

    @Test("lines that cannot be parsed are counted, and the first one is in the log")
    func unreadable() {
        let stage = Stage.open()
        for line in ["{}", "what", #"{"type":"news","content":""}"#] {
            stage.view.receive([.line(line)])
        }
        #expect(stage.model.unreadableLines == 3)
        #expect(stage.texts == ["a line of the server cannot be read"])
    }
}

@Suite struct StandingTests {
    @Test("the standing follows the bids, a void and the end")
    func standing() {
        let stage = Stage.open()
        #expect(stage.standing == .noBids)
        stage.bid(5, by: "bob", at: .zero)
        #expect(stage.standing == .other(bidder("bob")))
        stage.bid(6, by: "alice", at: .zero)
        #expect(stage.standing == .leading)
        #expect(stage.model.offer == nil)
        stage.bid(9, by: "bob", at: .zero)
        #expect(stage.standing == .outbid(by: bidder("bob")))
        #expect(stage.model.offer == price(10))
        stage.void()
        #expect(stage.standing == .leading)
        stage.void()
        #expect(stage.standing == .other(bidder("bob")))
        stage.sell(to: "alice", for: 9, at: .zero)
        #expect(stage.standing == .won)
    }

    @Test("nothing is offered while the sale is paused, or the server is lost")
    func offers() {
        let stage = Stage.open()
        #expect(stage.model.offer == price(5))
        stage.send(.event(.paused))
        #expect(stage.model.offer == nil)
        stage.send(.event(.resumed))
        #expect(stage.model.offer == price(5))
        stage.lose()
        #expect(stage.model.nextBid == nil)
    }

    @Test("the title of the window shows how the bidder stands")
    func titles() {
        let stage = Stage.open()
        #expect(stage.view.title == "no bid yet: Vase")
        stage.bid(1_200, by: "bob", at: .zero)
        #expect(stage.view.title == "bob leads at 1,200: Vase")
        stage.bid(1_300, by: "alice", at: .zero)
        #expect(stage.view.title == "you lead at 1,300: Vase")
        stage.bid(1_400, by: "bob", at: .zero)
        #expect(stage.view.title == "OUTBID by bob at 1,400: Vase")
        stage.lose()
        #expect(stage.view.title == "not connected: Vase")
    }

    @Test("the bell rings once each time that the lead is lost, if the user wants it")
    func bell() {
        for ringsBell in [true, false] {
            let stage = Stage.open(ringsBell: ringsBell)
            stage.bid(5, by: "alice", at: .zero)
            stage.bid(6, by: "bob", at: .zero)
            stage.bid(7, by: "zoe", at: .zero)
            stage.bid(8, by: "alice", at: .zero)
            stage.bid(9, by: "bob", at: .zero)
            #expect(stage.effects.count { $0 == .bell } == (ringsBell ? 2 : 0))
        }
    }

    @Test("the seconds to the next lot are counted")
    func nextLot() {
        let stage = Stage.open()
        stage.send(lotPassed(1, "Vase"))
        stage.send(.event(.nextAnnounced(title: "Clock", seconds: 3)))
        #expect(stage.model.lot.next == ["Clock"])
        #expect(stage.model.secondsToNextLot == 3)
        stage.pass(.milliseconds(1_100))
        #expect(stage.model.secondsToNextLot == 2)
        stage.send(.event(.paused))
        #expect(stage.model.secondsToNextLot == nil)
    }
}

extension Stage {
    fileprivate var texts: [String] { view.model.log.entries.map(\.text) }
    fileprivate var standing: Standing { view.model.standing }
}
