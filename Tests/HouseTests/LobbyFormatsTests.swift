import Auction
import House
import Testing
import Wire

/// How lots of each format are played: `playing` takes 40 milliseconds from the first name, al's.
@Suite struct LobbyFormatsTests {
    private static let dutch = Rules.clocked(.dutch, start: 100, step: 10, reserve: 60)

    @Test(
        "a newcomer learns the terms of a lot, but not the amount of its reserve",
        arguments: [
            (
                dutch, "TERMS format=dutch seconds=10 start=100 step=10 reserve=yes"
            ),
            (Rules.clocked(.vickrey), "TERMS format=vickrey seconds=10 start=1 step=1"),
            (
                Rules(
                    seconds: 7, start: price(5), longest: .seconds(60), reserve: price(80),
                    buy: price(500)),
                "TERMS format=english seconds=7 start=5 step=1 reserve=yes buy=500 longest=60"
            ),
        ])
    func terms(rules: Rules, line: String) {
        var clients = TestClients(rules)
        clients.join("eve")
        #expect(clients.received("eve").dropFirst() == ["LOT 1 lot-1", line])
    }

    @Test("the status has the rule of the lot after its terms for a person, not for a program")
    func rule() {
        var clients = TestClients(.clocked(.vickrey))
        clients.join("eve")
        clients.forget()
        #expect(
            clients.send("eve", "status") == [
                "LOT 1 lot-1", "TERMS format=vickrey seconds=10 start=1 step=1",
                "HELP Secret bids: the highest wins, but pays the second-highest.", "OK status",
            ])
        clients.send("eve", "format json")
        let lines = clients.send("eve", "status")
        #expect(lines.contains { $0.contains(#""type":"terms""#) })
        #expect(!lines.contains { $0.contains(#""type":"help""#) })
    }

    @Test("a lot that begins at its opening waits for the first name, and then counts down")
    func waits() {
        var clients = TestClients(.clocked(.sealed))
        clients.join("eve")
        clients.pass(milliseconds: 60_000)
        _ = clients.received("eve")
        clients.join("al")
        clients.send("al", "name al")
        #expect(clients.received("eve") == ["JOINED al", "COUNTDOWN 10"])
        clients.pass(milliseconds: 1000)
        #expect(clients.received("eve") == ["COUNTDOWN 9"])
    }

    @Test("the asking price of a Dutch lot falls until somebody takes it, or until the floor")
    func falls() {
        var clients = TestClients.playing(Self.dutch)
        clients.pass(milliseconds: 1960)
        #expect(clients.received("eve") == ["COUNTDOWN 9", "ASK 90", "COUNTDOWN 8"])
        #expect(
            clients.send("bo", "#1 bid 89").last == "ERROR #1 too-low minimum=90 bid at least 90")
        #expect(
            clients.send("bo", "take").suffix(4) == [
                "OK take 90", "PRICE 90 bo 00:02.0 1", "WINNER bo 90 00:02.0 lot-1",
                "NEXT 3 lot-2",
            ])
        #expect(clients.send("al", "take").last?.hasPrefix("ERROR closed ") == true)
        clients.pass(milliseconds: 3000)
        clients.forget()
        clients.pass(milliseconds: 10_000)
        #expect(
            clients.received("eve") == [
                "COUNTDOWN 9", "ASK 90", "COUNTDOWN 8", "COUNTDOWN 7", "ASK 80", "COUNTDOWN 6",
                "COUNTDOWN 5", "ASK 70", "COUNTDOWN 4", "COUNTDOWN 3", "ASK 60", "COUNTDOWN 2",
                "COUNTDOWN 1", "COUNTDOWN 0", "PASSED 2 no-bids lot-2", "NEXT 3 lot-3",
            ])
    }

    @Test("a bid of more than the asking price buys at the asking price")
    func dutchBid() {
        var clients = TestClients.playing(Self.dutch)
        #expect(clients.send("bo", "500").prefix(2) == ["OK take 100", "PRICE 100 bo 00:00.0 1"])
    }

    @Test(
        "sealed bids are counted, may be replaced, and are revealed at the end, highest first",
        arguments: [(AuctionFormat.sealed, 80), (.vickrey, 70)])
    func sealed(format: AuctionFormat, paid: Int) {
        var clients = TestClients.playing(.clocked(format))
        #expect(clients.send("al", "bid 50") == ["OK bid 50", "SEALED 1"])
        #expect(clients.send("bo", "70").suffix(2) == ["OK bid 70", "SEALED 2"])
        #expect(clients.send("al", "80").suffix(1) == ["OK bid 80"])
        #expect(clients.send("al", "80") == ["OK bid 80"])
        #expect(clients.received("eve") == ["SEALED 1", "SEALED 2"])
        clients.pass(milliseconds: 9960)
        #expect(
            clients.received("eve") == [
                "COUNTDOWN 9", "COUNTDOWN 8", "COUNTDOWN 7", "COUNTDOWN 6", "COUNTDOWN 5",
                "COUNTDOWN 4", "COUNTDOWN 3", "COUNTDOWN 2", "COUNTDOWN 1", "COUNTDOWN 0",
                "REVEALED 80 al", "REVEALED 70 bo",
                "WINNER al \(paid) 00:10.0 lot-1", "NEXT 3 lot-2",
            ])
    }

    @Test("without a sealed bid, or below the reserve, the lot passes")
    func sealedPassed() {
        var clients = TestClients.playing(.clocked(.sealed, reserve: 60))
        clients.pass(milliseconds: 9960)
        #expect(
            clients.received("eve").suffix(3)
                == ["COUNTDOWN 0", "PASSED 1 no-bids lot-1", "NEXT 3 lot-2"])
        clients.pass(milliseconds: 3000)
        clients.send("al", "59")
        clients.pass(milliseconds: 10_000)
        #expect(
            clients.received("eve").suffix(3)
                == ["REVEALED 59 al", "PASSED 2 reserve-not-met lot-2", "NEXT 3 lot-3"])
    }

    @Test("an English lot below its reserve passes, and everybody hears when it is met")
    func reserve() {
        var clients = TestClients.playing(Rules(seconds: 1, reserve: price(60)))
        clients.send("al", "59")
        clients.pass(milliseconds: 1000)
        #expect(
            clients.received("eve")
                == [
                    "PRICE 59 al 00:00.0 1", "COUNTDOWN 1", "COUNTDOWN 0",
                    "PASSED 1 reserve-not-met lot-1", "NEXT 3 lot-2",
                ])
        clients.pass(milliseconds: 3000)
        clients.forget()
        clients.send("al", "59")
        clients.send("bo", "60")
        #expect(
            clients.received("eve")
                == [
                    "PRICE 59 al 00:00.0 1", "COUNTDOWN 1", "PRICE 60 bo 00:00.0 2", "RESERVE met",
                ])
        clients.pass(milliseconds: 1000)
        #expect(clients.received("eve").contains("WINNER bo 60 00:01.0 lot-2"))
    }

    @Test("buying ends a lot at once, with buy or with a bid of at least that price")
    func buy() {
        let rules = Rules(seconds: 7, buy: price(500))
        for (line, answer) in [("buy", "OK buy 500"), ("bid 700", "OK buy 500")] {
            var clients = TestClients.playing(rules)
            clients.send("al", "100")
            clients.forget()
            #expect(clients.send("bo", line).first == answer)
            #expect(
                clients.received("eve")
                    == ["PRICE 500 bo 00:00.0 2", "WINNER bo 500 00:00.0 lot-1", "NEXT 3 lot-2"])
        }
        var sealed = TestClients.playing(.clocked(.vickrey, buy: 500))
        sealed.send("al", "100")
        sealed.forget()
        sealed.send("bo", "buy")
        #expect(
            sealed.received("eve") == [
                "PRICE 500 bo 00:00.0 1", "REVEALED 100 al", "WINNER bo 500 00:00.0 lot-1",
                "NEXT 3 lot-2",
            ])
    }

    @Test(
        "the server bids for a bidder up to the maximum, and of two equal maxima the earlier leads")
    func maximum() {
        var clients = TestClients.playing(Rules(seconds: 7))
        #expect(
            clients.send("al", "max 100")
                == ["OK max 100", "PRICE 1 al 00:00.0 1", "COUNTDOWN 7"])
        clients.forget()
        #expect(
            clients.send("bo", "50")
                == ["OK bid 50", "PRICE 50 bo 00:00.0 2", "PRICE 51 al 00:00.0 3"])
        clients.forget()
        #expect(
            clients.send("bo", "max 100")
                == [
                    "PRICE 100 al 00:00.0 4",
                    "ERROR outbid minimum=101 another bid is as high, bid at least 101",
                ])
        #expect(
            clients.send("bo", "max 101").prefix(2) == ["OK max 101", "PRICE 101 bo 00:00.0 5"])
        clients.forget()
        #expect(clients.send("bo", "max 0") == ["OK max 0"])
        #expect(clients.send("al", "102").contains("PRICE 102 al 00:00.0 6"))
        #expect(clients.received("eve") == ["PRICE 102 al 00:00.0 6"])
    }

    @Test(
        "a command that the lot does not have, or that comes too early, is refused",
        arguments: [
            (Rules(seconds: 7), "take", "ERROR wrong-format "),
            (.clocked(.sealed), "take", "ERROR wrong-format "),
            (.clocked(.sealed), "max 5", "ERROR wrong-format "),
            (.clocked(.dutch, start: 100, step: 10), "max 5", "ERROR wrong-format "),
            (Rules(seconds: 7), "buy", "ERROR no-buy-price "),
            (.clocked(.dutch, start: 100, step: 10), "buy", "ERROR no-buy-price "),
            (Rules(seconds: 7, start: price(5)), "max 4", "ERROR too-low minimum=5 "),
            (.clocked(.sealed, start: 5), "bid 4", "ERROR too-low minimum=5 "),
        ])
    func refused(rules: Rules, line: String, error: String) {
        var clients = TestClients.playing(rules)
        let news = clients.seqs
        #expect(clients.send("al", line).last?.hasPrefix(error) == true)
        clients.send("boss", "pause")
        _ = clients.received("al")
        if error.contains("too-low") {
            #expect(clients.send("al", line) == ["ERROR paused wait for RESUMED"])
        }
        var unnamed = TestClients(rules)
        unnamed.connect("x")
        #expect(unnamed.send("x", line).last?.hasPrefix("ERROR not-named ") == true)
        #expect(clients.seqs.count == news.count + 1)
    }

    @Test("an asking price does not fall before the beginning of the countdown is published")
    func unpublishedAsks() {
        var clients = TestClients(.clocked(.dutch, start: 100, step: 10, reserve: 60))
        clients.publishesAtOnce = false
        clients.connectNamed("al")
        clients.stall(milliseconds: 5000)
        clients.connectNamed("bo")
        #expect(!clients.received("al").contains { $0.hasPrefix("ASK") })
        clients.publishesAtOnce = true
        clients.publish()
        clients.pass(milliseconds: 1990)
        #expect(!clients.received("al").contains("ASK 90"))
        clients.pass(milliseconds: 10)
        #expect(clients.received("al").contains("ASK 90"))
    }

    @Test("a maximum above the buy price is confirmed as the buy price, also when repeated")
    func cappedMaximum() {
        var clients = TestClients.playing(Rules(seconds: 7, buy: price(50)))
        #expect(clients.send("al", "max 90").first == "OK max 50")
        #expect(clients.send("al", "max 90") == ["OK max 50"])
        #expect(clients.send("al", "max 0") == ["OK max 0"])
        #expect(clients.send("al", "max 0") == ["OK max 0"])
    }

    static let bought = Rules(seconds: 7, step: price(10), buy: price(100))

    static let offers: [(rules: Rules, before: [String], offer: String, answer: String)] = [
        (bought, [], "bid 99", "OK bid 99"), (bought, [], "bid 100", "OK buy 100"),
        (bought, [], "900", "OK buy 100"), (bought, [], "buy", "OK buy 100"),
        (bought, [], "max 900", "OK max 100"), (bought, ["bo 90"], "max 99", tooLow),
        (bought, ["bo 90"], "max 900", "OK buy 100"), (bought, ["bo 95"], "bid 100", "OK buy 100"),
        (bought, ["bo max 99"], "max 100", "OK buy 100"),
        (bought, ["bo max 50"], "max 100", "OK max 100"),
        (bought, ["al 90"], "max 100", "OK max 100"),
        (.clocked(.dutch, start: 90, step: 10), [], "bid 900", "OK take 90"),
        (.clocked(.dutch, start: 90, step: 10), [], "take", "OK take 90"),
        (.clocked(.sealed, buy: 90), [], "bid 89", "OK bid 89"),
        (.clocked(.vickrey, buy: 90), ["bo 70"], "bid 900", "OK buy 90"),
        // Of two equal amounts the earlier leads, and at the buy price it has bought.
        (
            bought, ["bo max 900"], "max 200",
            "ERROR outbid another bid is as high, and nobody can bid more"
        ),
        (
            bought, ["bo max 900"], "bid 99",
            "ERROR outbid minimum=100 another bid is as high, bid at least 100"
        ),
        (bought, ["bo max 900"], "bid 100", "OK buy 100"),
        (bought, ["bo max 900"], "buy", "OK buy 100"),
        (
            bought, ["bo max 60"], "bid 55",
            "ERROR outbid minimum=65 another bid is as high, bid at least 65"
        ),
    ]

    private static let tooLow = "ERROR too-low minimum=100 bid at least 100"

    @Test("an answer says what the offer has done", arguments: offers)
    func answer(rules: Rules, before: [String], offer: String, answer: String) {
        var clients = TestClients.playing(rules)
        for line in before {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            clients.send(words[0], words[1])
        }
        clients.forget()
        let isAnswer = { (line: String) in line.hasPrefix("OK ") || line.hasPrefix("ERROR ") }
        #expect(clients.send("al", offer).filter(isAnswer) == [answer])
        let news = clients.received("eve")
        #expect(answer.hasPrefix("OK buy 100") == news.contains { $0.hasPrefix("WINNER al 100") })
        // Only `outbid` has an effect although it is a refusal.
        let isRefused = answer.hasPrefix("ERROR too-low ")
        #expect(!isRefused || news.isEmpty)
        #expect(!answer.hasPrefix("ERROR outbid ") || news.first?.hasPrefix("PRICE ") == true)
    }

    static let nextBids: [(rules: Rules, lines: [String], amounts: [String])] = [
        (
            Rules(seconds: 7, start: price(5), step: price(10), mostRaise: price(50)),
            ["al 5", "bo 20", "bo 15", "boss void"],
            ["lot 5...55", "price 15...55", "price 30...70", "voided 15...55", "price 15...55"]
        ),
        // Not 105, which the step alone gives: that would buy.
        (
            Rules(seconds: 7, step: price(10), buy: price(100)), ["al 95", "bo 100"],
            ["lot 1...1000000000000", "price 100...1000000000000", "price none"]
        ),
        (
            Rules(seconds: 7), ["al 1000000000000", "boss void"],
            ["lot 1...1000000000000", "price none", "voided 1...1000000000000"]
        ),
        (
            .clocked(.dutch, start: 100, step: 90), ["pass", "bo take"],
            ["lot 100...1000000000000", "ask 10...1000000000000", "price none"]
        ),
        (
            .clocked(.sealed, start: 5, buy: 90), ["al 7", "bo 90"],
            ["lot 5...1000000000000", "price none"]
        ),
    ]

    @Test("the state has the amounts of the next bid after all news", arguments: nextBids)
    func nextBid(rules: Rules, lines: [String], amounts: [String]) {
        var clients = TestClients.playing(rules)
        clients.send("eve", "format json")
        var state = LotState()
        for line in clients.send("eve", "status") {
            state.merge(json: ServerMessage(json: line)?.stateMembers ?? [])
        }
        var known = ["lot \(Self.words(state.amounts))"]
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            if line == "pass" {
                clients.pass(milliseconds: 5_000)
            } else {
                clients.send(words[0], words[1])
            }
        }
        for message in clients.received("eve").compactMap({ ServerMessage(json: $0) }) {
            state.merge(json: message.stateMembers ?? [])
            let type: String? =
                switch message.event {
                case .bidPlaced: "price"
                case .askFell: "ask"
                case .bidVoided: "voided"
                default: nil
                }
            if let type { known.append("\(type) \(Self.words(state.amounts))") }
        }
        #expect(known == amounts)
    }

    private static func words(_ amounts: ClosedRange<Int64>?) -> String {
        amounts.map { "\($0)" } ?? "none"
    }
}
