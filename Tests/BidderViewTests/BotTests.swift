import Auction
import BidderView
import Strategies
import Testing

@Suite struct BotTests {
    private static func terms(_ format: String) -> String {
        #"{"seq":2,"snapshot":true,"type":"terms","content":"\#(format)","format":"\#(format)","#
            + #""seconds":20,"start":10,"step":5,"reserve":false}"#
    }

    @Test func greetsTakesANameAndBidsUpToItsValue() {
        var table = BotTable(.truthful)
        table.sitDown()
        #expect(
            table.takeSent() == ["format json", "status", "name truthful-1", "who", "bid 10"])
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.price(10, "truthful-1", seq: 2, bid: 1)
        #expect(table.takeSent() == [])
        table.price(90, "eve", seq: 3, bid: 2)
        #expect(table.takeSent() == ["bid 95"])
        table.receive(#"{"type":"ok","content":"bid 95"}"#)
        table.price(96, "eve", seq: 4, bid: 3)
        #expect(table.takeSent() == [])
    }

    @Test func notesHowLotsEnd() {
        var table = BotTable(.truthful)
        table.sitDown()
        table.receive(
            #"{"seq":2,"type":"winner","content":"eve","bidder":"eve","amount":90,"lot":1,"#
                + #""title":"Vase","elapsedMilliseconds":9000}"#,
            #"{"seq":3,"type":"passed","content":"Clock","lot":2,"reason":"no-bids"}"#
        )
        #expect(
            table.effects.filter { if case .note = $0 { true } else { false } } == [
                .note("lot 1: eve has won Vase for 90"), .note("Clock is unsold: nobody bid"),
            ])
    }

    @Test func movesOnTheLotThatItSees() {
        var table = BotTable(.truthful)
        table.sitDown()
        #expect(table.effects.last == .send("bid 10 lot=1"))
        _ = table.takeSent()
        table.receive(
            #"{"seq":2,"type":"lot","lot":2,"content":"Clock","start":10}"#,
            #"{"type":"error","code":"other-lot","lot":2,"content":"lot 2 is open now"}"#,
            #"{"type":"worth","content":"100","amount":100}"#)
        table.wait(.seconds(1))
        #expect(table.effects.last == .send("bid 10 lot=2"))
    }

    @Test func sendsOneMoveAtATime() {
        var table = BotTable(.truthful)
        table.sitDown()
        _ = table.takeSent()
        table.price(20, "eve", seq: 2, bid: 1)
        table.price(30, "eve", seq: 3, bid: 2)
        #expect(table.takeSent() == [])
        table.receive(
            #"{"type":"error","code":"too-low","minimum":35,"content":"bid at least 35"}"#)
        #expect(table.takeSent() == ["bid 35"])
    }

    @Test func repeatsARefusedMoveOnceASecondAtMost() {
        var table = BotTable(.truthful)
        table.sitDown()
        for _ in 0..<3 {
            #expect(table.takeSent().last == "bid 10")
            table.receive(
                #"{"type":"error","code":"too-low","minimum":10,"content":"bid at least 10"}"#)
            table.wait(.milliseconds(999))
            #expect(table.takeSent() == [])
            table.wait(.milliseconds(1))
        }
    }

    @Test func givesALotUpOnWhichItsCommandsMakeNoSense() {
        var table = BotTable(.truthful)
        table.sitDown()
        _ = table.takeSent()
        table.receive(#"{"type":"error","code":"wrong-format","content":"say take"}"#)
        table.wait(.seconds(10))
        #expect(table.takeSent() == [])
    }

    @Test func keepsToItsPurse() {
        var table = BotTable(.truthful)
        table.sitDown(terms: Self.terms("sealed"))
        #expect(table.takeSent().last == "bid 100")
        table.receive(
            #"{"type":"error","code":"over-purse","left":60,"content":"you can bid at most 60"}"#)
        table.wait(.seconds(1))
        #expect(table.takeSent() == ["bid 60"])
    }

    @Test func takesAFallingPrice() {
        var table = BotTable(.truthful)
        table.sitDown(
            terms: #"{"seq":2,"snapshot":true,"type":"terms","content":"dutch","format":"dutch","#
                + #""seconds":20,"start":150,"step":10,"reserve":false}"#)
        _ = table.takeSent()
        table.receive(#"{"seq":3,"type":"ask","content":"110","amount":110}"#)
        #expect(table.takeSent() == [])
        table.receive(#"{"seq":4,"type":"ask","content":"100","amount":100}"#)
        #expect(table.takeSent() == ["take"])
    }

    @Test func setsAMaximum() {
        var table = BotTable(.proxy)
        table.sitDown()
        #expect(table.takeSent().last == "max 100")
        table.receive(#"{"type":"ok","content":"max 100"}"#)
        table.price(10, "proxy-1", seq: 2, bid: 1)
        table.price(40, "eve", seq: 3, bid: 2)
        #expect(table.takeSent() == [])
    }

    @Test func waitsForItsValueOfEachLot() {
        var table = BotTable(.truthful)
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.receive(
            #"{"seq":2,"type":"passed","lot":1,"reason":"closed","content":"Vase"}"#,
            #"{"seq":3,"type":"lot","lot":2,"content":"Clock","start":10}"#)
        table.wait(.seconds(5))
        #expect(table.takeSent() == [])
        table.receive(#"{"type":"worth","content":"80","amount":80}"#)
        #expect(table.takeSent() == ["bid 10"])
    }

    @Test func drawsItsOwnValueWhereTheServerDrawsNone() {
        var table = BotTable(.truthful, prior: 60...60)
        table.sitDown(terms: Self.terms("sealed"), worth: nil)
        _ = table.takeSent()
        table.wait(.milliseconds(500))
        #expect(table.takeSent() == [])
        table.wait(.milliseconds(500))
        #expect(table.takeSent() == ["bid 60"])
    }

    @Test func believesTheRangeOfValuesThatTheGameAnnounces() {
        var table = BotTable(.shader, prior: 50...150)
        table.sitDown(worth: nil)
        table.receive(
            #"{"type":"game","content":"worth=1000..2000","worth":[1000,2000]}"#,
            #"{"seq":9,"type":"joined","content":"eve","bidder":"eve"}"#,
            #"{"seq":10,"type":"lot","lot":2,"content":"Clock","start":10}"#, Self.terms("sealed"))
        _ = table.takeSent()
        table.receive(#"{"type":"worth","content":"1800","amount":1800}"#)
        #expect(table.takeSent() == ["bid 1400"])
    }

    @Test func thinksBeforeItMovesButNotLongerThanTheCountdown() {
        var table = BotTable(.truthful, delay: .seconds(4))
        table.sitDown()
        _ = table.takeSent()
        table.wait(.milliseconds(1_999))
        #expect(table.takeSent() == [])
        table.wait(.milliseconds(4_001))
        #expect(table.takeSent() == ["bid 10"])
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.price(20, "eve", seq: 2, bid: 1)
        table.receive(
            #"{"seq":3,"type":"countdown","content":"1","seconds":1,"remainingMilliseconds":1000}"#)
        table.wait(.milliseconds(700))
        #expect(table.takeSent() == ["bid 25"])
    }
}
