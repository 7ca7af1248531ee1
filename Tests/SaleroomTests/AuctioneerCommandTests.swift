import AuctionRules
import Sale
import Saleroom
import Testing
import Wire

@Suite struct AuctioneerCommandTests {
    @Test(
        "only the auctioneer may order, and is told how to become one",
        arguments: ["pause", "resume", "hammer", "void", "kick al x", "close", "stop"])
    func notAuctioneer(order: String) {
        var visitors = Visitors()
        visitors.room.auctioneerToken = .test
        visitors.joinNamed("al")
        let news = visitors.seqs
        #expect(
            visitors.say("al", "#7 \(order)")
                == ["ERROR #7 not-auctioneer say first: auctioneer TOKEN"])
        #expect(visitors.seqs == news)
    }

    @Test("the token makes a connection the auctioneer's, and any other word is wrong")
    func tokens() {
        var visitors = Visitors()
        visitors.join("x")
        _ = visitors.hear("x")
        let wrong = ["ERROR wrong-token this is not the auctioneer's token"]
        #expect(visitors.say("x", "auctioneer \(String.auctioneerToken)") == wrong)
        visitors.room.auctioneerToken = .test
        for guess in [
            "a", String.auctioneerToken + "a", String(String.auctioneerToken.dropLast()),
            String.auctioneerToken.uppercased(), String(repeating: "a", count: 900),
        ] {
            #expect(visitors.say("x", "auctioneer \(guess)") == wrong)
        }
        #expect(visitors.say("x", "pause").first?.hasPrefix("ERROR not-auctioneer") == true)
        #expect(
            visitors.say("x", "#1 auctioneer \(String.auctioneerToken)") == ["OK #1 auctioneer"])
        #expect(visitors.say("x", "pause") == ["OK pause", "PAUSED"])
    }

    @Test("with another token whoever said the one before is the auctioneer no more")
    func newToken() {
        var visitors = Visitors.presided()
        visitors.room.auctioneerToken = .test
        #expect(visitors.say("boss", "pause").first == "OK pause")
        visitors.room.auctioneerToken = AuctioneerToken(String(repeating: "z", count: 40))
        #expect(visitors.say("boss", "resume").first?.hasPrefix("ERROR not-auctioneer") == true)
        visitors.room.auctioneerToken = nil
        #expect(
            visitors.say("boss", "auctioneer \(String.auctioneerToken)").first?
                .hasPrefix("ERROR wrong-token") == true)
    }

    @Test(
        "a token is one word of 32 to 256 visible characters",
        arguments: [
            (31, "a", false), (32, "a", true), (256, "~", true), (257, "a", false),
            (40, " ", false), (40, "\u{7F}", false), (40, "é", false),
        ] as [(Int, Character, Bool)])
    func tokenWords(count: Int, character: Character, isToken: Bool) {
        let word = String(repeating: character, count: count)
        #expect((AuctioneerToken(word) != nil) == isToken)
    }

    @Test("the hammer falls when the auctioneer says so")
    func hammer() {
        var visitors = Visitors.presided()
        #expect(visitors.say("boss", "hammer") == ["ERROR no-bids nobody has bid on this lot"])
        visitors.say("al", "10")
        visitors.pass(milliseconds: 1500)
        _ = visitors.hear("boss")
        #expect(
            visitors.say("boss", "hammer") == [
                "OK hammer", "HAMMERED", "COUNTDOWN 0", "WINNER al 10 00:01.5 lot-1",
            ])
        #expect(
            visitors.say("boss", "hammer")
                == ["ERROR closed no lot is open, wait for the next LOT line"])
        visitors.pass(milliseconds: 3000)
        #expect(visitors.hear("boss") == ["LOT 2 lot-2"])
    }

    @Test("a void gives the lead back, tells the price that leads again, and starts the countdown")
    func void() {
        var visitors = Visitors.presided()
        visitors.pass(milliseconds: 860)
        visitors.say("bo", "100")
        visitors.pass(milliseconds: 2100)
        visitors.say("al", "120")
        visitors.pass(milliseconds: 3000)
        _ = visitors.hear("boss")
        #expect(
            visitors.say("boss", "void") == [
                "OK void", "VOIDED 120 al", "PRICE 100 bo 00:00.9 1", "COUNTDOWN 7",
            ])
        #expect(visitors.say("al", "laps").suffix(2) == ["LAP 1 100 bo 00:00.9", "OK laps 1"])
        #expect(visitors.say("al", "#a 101").contains("PRICE 101 al 00:06.0 2"))
        #expect(visitors.seqs == Array(1...visitors.seqs.count))
    }

    @Test("a void of the only bid leaves the lot as before the first")
    func voidOnly() {
        var visitors = Visitors.presided()
        visitors.say("al", "120")
        _ = visitors.hear("boss")
        #expect(visitors.say("boss", "void") == ["OK void", "VOIDED 120 al"])
        #expect(visitors.say("boss", "void") == ["ERROR no-bids nobody has bid on this lot"])
        visitors.pass(milliseconds: 60_000)
        #expect(visitors.say("boss", "status") == ["LOT 1 lot-1", "OK status"])
        #expect(visitors.say("bo", "1").suffix(2) == ["PRICE 1 bo 01:00.0 1", "COUNTDOWN 7"])
    }

    @Test("a lot is closed unsold, with bids or without, and the next follows")
    func close() {
        var visitors = Visitors.presided()
        #expect(visitors.say("boss", "close") == ["OK close", "PASSED 1 closed lot-1"])
        #expect(visitors.say("boss", "close").first?.hasPrefix("ERROR closed") == true)
        visitors.pass(milliseconds: 3000)
        visitors.say("al", "10")
        _ = visitors.hear("boss")
        #expect(visitors.say("boss", "close") == ["OK close", "PASSED 2 closed lot-2"])
        #expect(visitors.say("al", "laps").suffix(2) == ["LAP 1 10 al 00:00.0", "OK laps 1"])
        visitors.pass(milliseconds: 3000)
        #expect(visitors.hear("boss") == ["LOT 3 lot-3"])
    }

    @Test("when the sale is over every order about it is closed, and a pause has ended with it")
    func over() {
        var visitors = Visitors.presided(Catalogue(titles: ["Vase"]))
        visitors.say("al", "10")
        visitors.say("boss", "pause")
        _ = visitors.hear("boss")
        #expect(visitors.say("boss", "hammer").last == "OVER 1")
        for order in ["pause", "resume", "hammer", "void", "close"] {
            #expect(
                visitors.say("boss", order)
                    == ["ERROR closed the sale is over, no lot will follow"])
        }
        #expect(
            visitors.say("boss", "status") == ["WINNER al 10 00:00.0 Vase", "OVER 1", "OK status"])
    }

    @Test("who is kicked is told why and goes, and the bid and the name stay theirs")
    func kick() {
        var visitors = Visitors.presided()
        visitors.say("al", "10")
        _ = visitors.hear("al")
        _ = visitors.hear("boss")
        #expect(
            visitors.say("boss", "kick AL for  bidding twice")
                == ["OK kick", "KICKED al for  bidding twice", "LEFT al"])
        #expect(
            visitors.hear("al") == ["KICKED al for  bidding twice", "LEFT al", "BYE kicked"])
        #expect(visitors.closed == ["al"])
        #expect(
            visitors.say("boss", "kick al again")
                == ["ERROR not-here nobody is here as al, say who for a list"])
        visitors.join("x")
        _ = visitors.hear("x")
        #expect(visitors.say("x", "name al").first?.hasPrefix("ERROR name-taken") == true)
        #expect(visitors.say("x", "name al \(token(1))").first == "OK name al \(token(1))")
        #expect(visitors.say("x", "10") == ["OK bid 10"])
    }

    @Test("an auctioneer may be kicked by themselves; what follows in the same bytes is dropped")
    func kickOneself() {
        var visitors = Visitors.presided()
        visitors.say("boss", "name boss")
        _ = visitors.hear("boss")
        #expect(
            visitors.say("boss", "kick boss enough\nping")
                == ["OK kick", "KICKED boss enough", "LEFT boss", "BYE kicked"])
    }

    @Test("stop tells everybody, says goodbye, and nothing is taken from anybody after that")
    func stop() {
        var visitors = Visitors.presided()
        visitors.say("al", "10")
        _ = visitors.hear("al")
        #expect(!visitors.room.isStopped)
        #expect(
            visitors.say("boss", "stop\nvoid").suffix(3) == ["OK stop", "STOPPED", "BYE shutdown"])
        #expect(visitors.hear("al") == ["STOPPED", "BYE shutdown"])
        #expect(visitors.room.isStopped)
        let news = visitors.seqs
        visitors.say("al", "11")
        visitors.pass(milliseconds: 60_000)
        #expect(visitors.seqs == news)
    }
}
