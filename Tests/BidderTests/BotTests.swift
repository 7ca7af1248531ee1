import Auction
import Bidder
import BidderSupport
import Strategies
import Testing

@Suite struct BotTests {
    private static func terms(_ format: AuctionFormat, start: Int64 = 10) -> Terms {
        Terms(format: format, seconds: 20, start: price(start), step: price(5))
    }

    private static func sold(_ name: String, _ amount: Int64) -> SaleEvent {
        .lotSold(
            SoldLot(
                number: 1, title: "Vase", bidder: bidder(name), price: price(amount),
                elapsed: .seconds(9)))
    }

    private static let clock = Lot(number: 2, title: "Clock")

    @Test func greetsTakesANameAndBidsUpToItsValue() {
        var table = BotTable(.truthful)
        table.sitDown()
        #expect(
            table.takeSent() == ["format json", "status", "name truthful-1", "bid 10"])
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.raise(10, "truthful-1", bid: 1)
        #expect(table.takeSent() == [])
        table.raise(90, "eve", bid: 2)
        #expect(table.takeSent() == ["bid 95"])
        table.receive(#"{"type":"ok","content":"bid 95"}"#)
        table.raise(96, "eve", bid: 3)
        #expect(table.takeSent() == [])
    }

    @Test func notesHowLotsEnd() {
        var table = BotTable(.truthful)
        table.sitDown()
        table.news(
            Self.sold("eve", 90), .lotOpened(Self.clock),
            .lotPassed(Self.clock, reason: "no-bids", elapsed: nil))
        #expect(
            table.effects.filter { if case .note = $0 { true } else { false } }.dropFirst() == [
                .note("lot 1: eve has won Vase for 90"),
                .note("lot 2: Clock is unsold: nobody bid"),
            ])
    }

    @Test func movesOnTheLotThatItSees() {
        var table = BotTable(.truthful)
        table.sitDown()
        #expect(table.effects.last == .send("bid 10 lot=1"))
        _ = table.takeSent()
        table.news(.lotOpened(Self.clock), .termsAnnounced(Self.terms(.english)))
        table.receive(
            #"{"type":"error","code":"other-lot","lot":2,"content":"lot 2 is open now"}"#,
            #"{"type":"you","content":"","you":{"worth":100}}"#)
        table.wait(.seconds(1))
        #expect(table.effects.last == .send("bid 10 lot=2"))
    }

    @Test func sendsOneMoveAtATime() {
        var table = BotTable(.truthful)
        table.sitDown()
        _ = table.takeSent()
        table.raise(20, "eve", bid: 1)
        table.raise(30, "eve", bid: 2)
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
        table.sitDown(Self.terms(.sealed))
        #expect(table.takeSent().last == "bid 100")
        table.receive(
            #"{"type":"you","content":"","you":{"left":60,"most":60}}"#,
            #"{"type":"error","code":"over-purse","left":60,"content":"you can bid at most 60"}"#)
        table.wait(.seconds(1))
        #expect(table.takeSent() == ["bid 60"])
    }

    @Test func takesAFallingPrice() {
        var table = BotTable(.truthful)
        table.sitDown(Self.terms(.dutch, start: 150))
        _ = table.takeSent()
        table.news(.askFell(price(110)))
        #expect(table.takeSent() == [])
        table.news(.askFell(price(100)))
        #expect(table.takeSent() == ["take"])
    }

    @Test func setsAMaximum() {
        var table = BotTable(.proxy)
        table.sitDown()
        #expect(table.takeSent().last == "max 100")
        table.receive(
            #"{"type":"you","content":"","you":{"max":100}}"#, #"{"type":"ok","content":"max 100"}"#
        )
        table.raise(10, "proxy-1", bid: 1)
        table.raise(40, "eve", bid: 2)
        #expect(table.takeSent() == [])
    }

    @Test func waitsForItsValueOfEachLot() {
        var table = BotTable(.truthful)
        table.sitDown(game: PublicGame(values: .personal(50...150)))
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.news(
            .lotPassed(Lot(number: 1, title: "Vase"), reason: "closed", elapsed: nil),
            .lotOpened(Self.clock), .termsAnnounced(Self.terms(.english)),
            own: #"{"worth":null}"#)
        table.wait(.seconds(5))
        #expect(table.takeSent() == [])
        table.receive(#"{"type":"you","content":"","you":{"worth":80}}"#)
        #expect(table.takeSent() == ["bid 10"])
    }

    @Test func doesNotUseItsValueOfTheLotBefore() {
        var table = BotTable(.truthful)
        table.sitDown()
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.news(
            .lotPassed(Lot(number: 1, title: "Vase"), reason: "closed", elapsed: nil),
            .lotOpened(Self.clock), .termsAnnounced(Self.terms(.english)))
        table.wait(.seconds(5))
        #expect(table.takeSent() == [])
    }

    @Test func drawsItsOwnValueWhereTheServerDrawsNone() {
        var table = BotTable(.truthful, prior: 60...60)
        table.sitDown(Self.terms(.sealed), worth: nil)
        #expect(table.takeSent().last == "bid 60")
    }

    @Test func believesTheRangeOfValuesThatTheGameAnnounces() {
        var table = BotTable(.shader, prior: 50...150)
        table.sitDown(
            Self.terms(.sealed), worth: nil, game: PublicGame(values: .personal(1_000...2_000)))
        table.news(.bidderJoined(bidder("eve")))
        _ = table.takeSent()
        table.receive(#"{"type":"you","content":"","you":{"worth":1800}}"#)
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
        table.raise(20, "eve", bid: 1)
        table.wait(.milliseconds(4_900))
        #expect(table.takeSent() == ["bid 25"])
    }

    @Test func waitsUntilTheSaleIsStarted() {
        var table = BotTable(.truthful)
        table.connect()
        table.receive(BotTable.hello, "OK format json")
        table.news(.waiting(people: 1))
        table.receive(#"{"type":"ok","content":"status"}"#)
        table.receive(#"{"type":"ok","content":"name truthful-1 t0ken"}"#)
        _ = table.takeSent()
        table.wait(.seconds(10))
        #expect(!table.takeSent().contains { $0.hasPrefix("bid") })
        #expect(!table.bot.hasEnded)
        table.news(
            .lotOpened(Self.clock), .termsAnnounced(Self.terms(.english)), own: #"{"worth":80}"#)
        #expect(table.takeSent().contains("bid 10"))
    }

    @Test func thinksAnewWhenAnotherBidderRaises() {
        var table = BotTable(.truthful, delay: .seconds(2)) { $0.temper = .calm }
        table.sitDown()
        _ = table.takeSent()
        for bid in 1...4 {
            table.wait(.milliseconds(1_700))
            table.raise(Int64(bid * 10), bid % 2 == 0 ? "eve" : "dan", bid: bid)
        }
        #expect(table.takeSent() == [])
        table.wait(.seconds(3))
        #expect(table.takeSent() == ["bid 45"])
    }

    /// The time after which an outbid bot answers, with a mean of two seconds.
    @Test(arguments: [
        (temper: Temper.calm, from: Duration.milliseconds(1_800), to: Duration.seconds(3)),
        (.bold, .seconds(1), .milliseconds(1_800)),
        (.nervous, .seconds(1), .milliseconds(1_200)),
    ])
    func answersByItsTemperWhenItIsOutbid(temper: Temper, from: Duration, to: Duration) {
        var table = BotTable(.truthful, delay: .seconds(2)) { $0.temper = temper }
        table.sitDown()
        table.wait(.seconds(4))
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.raise(10, "truthful-1", bid: 1)
        _ = table.takeSent()
        table.raise(20, "eve", bid: 2)
        table.wait(from - .milliseconds(1))
        #expect(table.takeSent() == [])
        table.wait(to - from + .milliseconds(1))
        #expect(table.takeSent() == ["bid 25"])
    }
}
