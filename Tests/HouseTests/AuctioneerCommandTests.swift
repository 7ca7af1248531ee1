import Auction
import House
import Testing
import Wire

@Suite struct AuctioneerCommandTests {
    @Test(
        "only the auctioneer's commands are executed; the error names the way to become it",
        arguments: ["pause", "resume", "hammer", "void", "kick al x", "close", "stop"])
    func notAuctioneer(order: String) {
        var clients = TestClients()
        clients.lobby.auctioneerToken = .test
        clients.connectNamed("al")
        let news = clients.seqs
        #expect(
            clients.send("al", "#7 \(order)")
                == [
                    "ERROR #7 not-auctioneer type first: auctioneer TOKEN, with the server's token or the key of this room"
                ])
        #expect(clients.seqs == news)
    }

    @Test("the token makes a connection the auctioneer's, and any other word is refused")
    func tokens() {
        var clients = TestClients()
        clients.connect("x")
        let wrong = [
            "ERROR wrong-token this is neither the auctioneer's token nor the key of this room"
        ]
        #expect(clients.send("x", "auctioneer \(String.auctioneerToken)") == wrong)
        clients.lobby.auctioneerToken = .test
        for guess in [
            "a", String.auctioneerToken + "a", String(String.auctioneerToken.dropLast()),
            String.auctioneerToken.uppercased(), String(repeating: "a", count: 900),
        ] {
            #expect(clients.send("x", "auctioneer \(guess)") == wrong)
        }
        #expect(clients.send("x", "pause").first?.hasPrefix("ERROR not-auctioneer") == true)
        #expect(
            clients.send("x", "#1 auctioneer \(String.auctioneerToken)") == ["OK #1 auctioneer"])
        #expect(clients.send("x", "pause") == ["OK pause", "PAUSED"])
    }

    @Test("changing the token revokes the auctioneer")
    func newToken() {
        var clients = TestClients.presided()
        clients.lobby.auctioneerToken = .test
        #expect(clients.send("boss", "pause").first == "OK pause")
        clients.lobby.auctioneerToken = AuctioneerToken(String(repeating: "z", count: 40))
        #expect(clients.send("boss", "resume").first?.hasPrefix("ERROR not-auctioneer") == true)
        clients.lobby.auctioneerToken = nil
        #expect(
            clients.send("boss", "auctioneer \(String.auctioneerToken)").first?
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

    @Test("the command hammer sells the lot at once")
    func hammer() {
        var clients = TestClients.presided()
        #expect(clients.send("boss", "hammer") == ["ERROR no-bids nobody has bid on this lot"])
        clients.send("al", "10")
        clients.pass(milliseconds: 1500)
        _ = clients.received("boss")
        #expect(
            clients.send("boss", "hammer") == [
                "OK hammer", "HAMMERED", "COUNTDOWN 0", "WINNER al 10 00:01.5 lot-1",
                "NEXT 3 lot-2",
            ])
        #expect(
            clients.send("boss", "hammer")
                == ["ERROR closed no lot is open, wait for the next LOT line"])
        clients.pass(milliseconds: 3000)
        #expect(clients.received("boss") == ["LOT 2 lot-2"])
    }

    @Test("a void restores the price before it and starts the countdown again")
    func void() {
        var clients = TestClients.presided()
        clients.pass(milliseconds: 860)
        clients.send("bo", "100")
        clients.pass(milliseconds: 2100)
        clients.send("al", "120")
        clients.pass(milliseconds: 3000)
        _ = clients.received("boss")
        #expect(
            clients.send("boss", "void") == [
                "OK void", "VOIDED 120 al 2 100 bo 00:00.9 1", "PRICE 100 bo 00:00.9 1",
                "COUNTDOWN 7",
            ])
        #expect(clients.send("al", "laps").suffix(2) == ["LAP 1 100 bo 00:00.9", "OK laps 1"])
        #expect(clients.send("al", "#a 101").contains("PRICE 101 al 00:06.0 2"))
        #expect(clients.seqs == Array(1...clients.seqs.count))
    }

    @Test("a void of the only bid leaves the lot as before the first")
    func voidOnly() {
        var clients = TestClients.presided()
        clients.send("al", "120")
        _ = clients.received("boss")
        #expect(clients.send("boss", "void") == ["OK void", "VOIDED 120 al 1"])
        #expect(clients.send("boss", "void") == ["ERROR no-bids nobody has bid on this lot"])
        clients.pass(milliseconds: 60_000)
        #expect(clients.send("boss", "status") == ["LOT 1 lot-1", "OK status"])
        #expect(clients.send("bo", "1").suffix(2) == ["PRICE 1 bo 01:00.0 1", "COUNTDOWN 7"])
    }

    @Test("a lot is closed unsold, with bids or without, and the next follows")
    func close() {
        var clients = TestClients.presided()
        #expect(
            clients.send("boss", "close") == ["OK close", "PASSED 1 closed lot-1", "NEXT 3 lot-2"])
        #expect(clients.send("boss", "close").first?.hasPrefix("ERROR closed") == true)
        clients.pass(milliseconds: 3000)
        clients.send("al", "10")
        _ = clients.received("boss")
        #expect(
            clients.send("boss", "close") == ["OK close", "PASSED 2 closed lot-2", "NEXT 3 lot-3"])
        #expect(clients.send("al", "laps").suffix(2) == ["LAP 1 10 al 00:00.0", "OK laps 1"])
        clients.pass(milliseconds: 3000)
        #expect(clients.received("boss") == ["LOT 3 lot-3"])
    }

    @Test("after the end of the sale its commands are refused, and a pause has ended")
    func over() {
        var clients = TestClients.presided(Catalogue(titles: ["Vase"]))
        clients.send("al", "10")
        clients.send("boss", "pause")
        _ = clients.received("boss")
        #expect(clients.send("boss", "hammer").suffix(2) == ["OVER 1", "CHAMPION al 1"])
        for order in ["pause", "resume", "hammer", "void", "close"] {
            #expect(
                clients.send("boss", order)
                    == ["ERROR closed the sale is over, no lot will follow"])
        }
        #expect(
            clients.send("boss", "status")
                == ["WINNER al 10 00:00.0 Vase", "OVER 1", "CHAMPION al 1", "OK status"])
    }

    @Test("a kicked bidder receives the reason and is closed; the bid and the name stay")
    func kick() {
        var clients = TestClients.presided()
        clients.send("al", "10")
        clients.forget("al", "boss")
        #expect(
            clients.send("boss", "kick AL for  bidding twice")
                == ["OK kick", "KICKED al for  bidding twice", "LEFT al"])
        #expect(
            clients.received("al") == ["KICKED al for  bidding twice", "LEFT al", "BYE kicked"])
        #expect(clients.closed == ["al"])
        #expect(clients.send("boss", "kick al again") == ["OK kick", "KICKED al again"])
        #expect(
            clients.send("boss", "kick al2 why")
                == ["ERROR not-here no bidder here has the name al2, type who for a list"])
        clients.connect("x")
        #expect(clients.send("x", "name al").first?.hasPrefix("ERROR name-taken") == true)
        #expect(clients.send("x", "name al \(token(1))").first == "OK name al \(token(1))")
        #expect(clients.send("x", "10") == ["OK bid 10"])
    }

    @Test("after a kick of oneself the rest of the same bytes is dropped")
    func kickOneself() {
        var clients = TestClients.presided()
        clients.send("boss", "name boss")
        _ = clients.received("boss")
        #expect(
            clients.send("boss", "kick boss enough\nping")
                == ["OK kick", "KICKED boss enough", "LEFT boss", "BYE kicked"])
    }

    @Test("stop is announced and closes all connections, and later input is dropped")
    func stop() {
        var clients = TestClients.presided()
        clients.send("al", "10")
        _ = clients.received("al")
        #expect(!clients.lobby.isStopped)
        #expect(
            clients.send("boss", "stop\nvoid").suffix(3) == ["OK stop", "STOPPED", "BYE shutdown"])
        #expect(clients.received("al") == ["STOPPED", "BYE shutdown"])
        #expect(clients.lobby.isStopped)
        let news = clients.seqs
        clients.send("al", "11")
        clients.pass(milliseconds: 60_000)
        #expect(clients.seqs == news)
    }
}
