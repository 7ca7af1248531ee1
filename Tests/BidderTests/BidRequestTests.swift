import Auction
import Bidder
import BidderSupport
import Testing
import Wire

/// Sessions that bid in one of the ways other than a plain bid, or in another format.
@Suite struct BidRequestTests {
    static let requests: [(request: Request.Offer, line: String, answer: String)] = [
        (.bid(price(120)), "bid 120", "OK bid 120"),
        (.maximum(price(200)), "max 200", "OK max 200"),
        (.take, "take", "OK take 90"), (.buy, "buy", "OK buy 500"),
    ]

    @Test(
        "each way to bid follows the lot to its end, and exits by the result", arguments: requests)
    func followsLot(request: Request.Offer, line: String, answer: String) {
        for (winner, code) in [("alice", ExitCode.done), ("bob", .refused)] {
            var session = Self.bidding(request)
            #expect(session.receive("OK name alice t").last == .send(line + " lot=1"))
            #expect(printed(session.receive(answer)) == [answer])
            #expect(session.receive("PRICE 90 \(winner) 00:04.0 1").last != .exit(code))
            #expect(session.receive("WINNER \(winner) 90 00:12.4 Vase").last == .exit(code))
        }
    }

    @Test("a maximum that is taken back ends with its answer")
    func takenBack() {
        var session = OneShotSession(.bid(.maximum(nil), by: bidder("alice"), waits: false))
        _ = session.receive(OneShotSessionTests.hello)
        #expect(session.receive("OK name alice t").last == .send("max 0"))
        #expect(session.receive("OK max 0").last == .exit(.done))
    }

    @Test(
        "a sealed bid waits until the bids are revealed, and exits by the result",
        arguments: [
            ("WINNER alice 110 00:20.0 Vase", ExitCode.done),
            ("WINNER bob 120 00:20.0 Vase", .refused),
            ("PASSED 1 reserve-not-met Vase", .refused),
        ])
    func sealed(end: String, code: ExitCode) {
        var session = Self.bidding(.bid(price(120)))
        _ = session.receive("TERMS format=vickrey seconds=20 start=10 step=5 reserve=yes")
        _ = session.receive("OK name alice t")
        for line in ["OK bid 120", "SEALED 1", "COUNTDOWN 1", "REVEALED 120 alice"] {
            let effects = session.receive(line)
            #expect(printed(effects) == [line])
            #expect(effects.count == 1)
        }
        #expect(session.receive(end).last == .exit(code))
    }

    @Test("a bid below a falling price is refused, or waits until the price has fallen to it")
    func waitsForAsk() {
        let tooLow = "ERROR too-low minimum=100 bid at least 100"
        var impatient = Self.falling(waitsForLot: false)
        #expect(impatient.receive(tooLow).last == .exit(.refused))
        var session = Self.falling(waitsForLot: true)
        #expect(
            complained(session.receive(tooLow)) == ["waiting until the price has fallen to 80"])
        #expect(!session.awaitsAnswer)
        #expect(printed(session.receive("ASK 90")) == ["ASK 90"])
        #expect(!session.awaitsAnswer)
        #expect(session.receive("ASK 80").last == .send("bid 80 lot=1"))
        _ = session.receive("OK bid 80")
        #expect(session.receive("WINNER alice 80 00:03.0 Vase").last == .exit(.done))
    }

    @Test("the price may have fallen before the refusal arrives")
    func fallenMeanwhile() {
        var session = Self.falling(waitsForLot: true)
        _ = session.receive("ASK 80")
        #expect(
            session.receive("ERROR too-low minimum=90 bid at least 90").last
                == .send("bid 80 lot=1"))
    }

    @Test(
        "a bid that waits for the price is refused when the lot ends or the next one opens",
        arguments: [
            ("WINNER bob 90 00:03.0 Vase", ExitCode.refused), ("PASSED 1 closed Vase", .refused),
            ("LOT 2 Clock", .lost),
        ])
    func takenByAnother(line: String, code: ExitCode) {
        var session = Self.falling(waitsForLot: true)
        _ = session.receive("ERROR too-low minimum=100 bid at least 100")
        #expect(!session.receive("LOT 1 Vase").contains(.send("bid 80 lot=1")))
        #expect(session.receive(line).last == .exit(code))
    }

    @Test("a bid that waits for a lot waits for the first price of a Dutch one")
    func waitsForFirstAsk() {
        var session = Self.bidding(.bid(price(80)), waitsForLot: true)
        _ = session.receive("OK name alice t")
        _ = session.receive("TERMS format=dutch seconds=20 start=100 step=10")
        let effects = session.receive("ERROR too-low minimum=100 bid at least 100")
        #expect(complained(effects) == ["waiting until the price has fallen to 80"])
        #expect(!session.receive("ASK 100").contains(.send("bid 80 lot=1")))
        #expect(session.receive("ASK 80").last == .send("bid 80 lot=1"))
    }

    @Test("a message takes the name first, and prints nothing but a refusal")
    func say() {
        var session = OneShotSession(.ask(.say("hello all"), as: bidder("alice")))
        _ = session.begin()
        #expect(session.receive(OneShotSessionTests.hello) == [.send("name alice")])
        #expect(session.receive("OK name alice t").last == .send("say hello all"))
        #expect(printed(session.receive("SAID alice hello all")) == [])
        #expect(session.receive("OK say") == [.exit(.done)])
    }

    // MARK: - In sentences

    @Test("a maximum is reported with each bid of the server")
    func maximumInSentences() {
        let said = Self.said(
            .maximum(price(200)),
            [
                inJSON(.you(Array(#"{"max":200}"#.utf8))), "OK max 200",
                "PRICE 100 alice 00:01.0 1", "PRICE 150 bob 00:02.0 2",
                "PRICE 151 alice 00:02.0 3", "PRICE 201 bob 00:04.0 4",
                "WINNER bob 201 00:11.0 Vase",
            ])
        #expect(
            said == [
                "your maximum is 200", "the server bids for you, up to 200", "you bid 100",
                "bob bids 150", "you bid 151",
                "OUTBID by bob: 201", "bob has won Vase for 201",
            ])
    }

    @Test("a sealed bid is reported with the terms, the value and the revealed bids")
    func sealedInSentences() {
        let own = #"{"left":1000,"worth":128,"isEstimate":true,"sealed":90}"#
        let said = Self.said(
            .bid(price(120)),
            after: ["TERMS format=vickrey seconds=20 start=10 step=5 reserve=yes"],
            own: [inJSON(.you(Array(own.utf8)))],
            [
                "OK bid 120", "SEALED 2", "REVEALED 120 alice", "REVEALED 110 bob", "RESERVE met",
                "WINNER alice 110 00:20.0 Vase",
            ])
        #expect(
            said == [
                "secret bids: the highest wins, but pays the second-highest, with a reserve",
                "your purse has 1,000 left", "your estimate is about 128",
                "your sealed bid is 90", "your sealed bid is 120", "2 sealed bids",
                "alice had bid 120", "bob had bid 110", "the reserve is met",
                "you have won Vase for 110",
            ])
    }

    @Test(
        "where all pay, the loser reads the cost before the session ends", arguments: [true, false])
    func lostAllPay(isCostLast: Bool) {
        let cost = Self.own(#"{"sealed":null,"paid":120}"#)
        var session = Self.inAllPay()
        let first = session.receive(isCostLast ? Self.soldToBob : cost)
        #expect(!first.contains(.exit(.refused)))
        #expect(session.awaitsAnswer == isCostLast)
        let last = session.receive(isCostLast ? cost : Self.soldToBob)
        let said = (first + last).compactMap {
            if case .say(let sentence) = $0 { sentence.text } else { nil }
        }
        #expect(Set(said) == ["bob has won Vase for 130", "you pay 120, your own bid"])
        #expect(last.last == .exit(.refused))
    }

    @Test("where all pay, a purchase ends the session, although nobody else pays")
    func boughtAllPay() {
        var session = Self.inAllPay()
        #expect(session.receive(Self.soldToBob).last != .exit(.refused))
        let rest = session.receive(Self.own(#"{"sealed":null,"rank":2}"#))
        #expect(rest == [.exit(.refused)])
    }

    @Test("where all pay, a connection lost after the end of the lot ends the session as refused")
    func lostConnectionAllPay() {
        var session = Self.inAllPay()
        #expect(session.outlivesConnection)
        _ = session.receive(Self.soldToBob)
        #expect(!session.outlivesConnection)
        #expect(session.lose() == [.exit(.refused)])
    }

    @Test(
        "where all pay, an end that came while the connection was lost is in the snapshot",
        arguments: ["120", "null"])
    func missedEndAllPay(paid: String) {
        var session = Self.inAllPay()
        session.disconnect()
        _ = session.begin()
        let winner = "WINNER bob 130 00:20.0 Vase"
        let opened = session.receiveInJSON(
            after: OneShotSessionTests.hello, [winner, "OK status", "OK name alice t"])
        #expect(opened.contains(.say(Sentence("bob has won Vase for 130"))))
        #expect(!opened.contains(.exit(.refused)) && session.awaitsAnswer)
        let own = session.receive(
            Self.own(#"{"name":"alice","sealed":null,"paid":"# + paid + "}"))
        let cost = Sentence("you pay 120, your own bid", .bad)
        #expect(own == (paid == "null" ? [] : [.say(cost)]) + [.exit(.refused)])
    }

    private static let soldToBob = inJSON(
        .event(
            .lotSold(
                SoldLot(
                    number: 1, title: "Vase", bidder: bidder("bob"), price: price(130),
                    elapsed: .seconds(20))), Array(#"{"stage":"sold"}"#.utf8)))

    private static func own(_ members: String) -> String { inJSON(.you(Array(members.utf8))) }

    /// A session whose sealed bid of 120 was accepted in a lot where all pay.
    private static func inAllPay() -> OneShotSession {
        var session = OneShotSession(
            .bid(.bid(price(120)), by: bidder("alice"), waits: true, waitsForLot: true),
            inSentences: true)
        _ = session.begin()
        _ = session.receiveInJSON(
            after: OneShotSessionTests.hello, ["LOT 1 Vase", "OK status", "OK name alice t"])
        for line in [
            inJSON(.state(Array(#"{"lot":1,"format":"allpay","stage":"open"}"#.utf8))),
            own(#"{"name":"alice","sealed":null,"paid":null}"#), inJSON("OK bid 120"),
            own(#"{"sealed":120}"#),
        ] { _ = session.receive(line) }
        return session
    }

    /// What a session says after these lines, without the lot that opens first.
    private static func said(
        _ request: Request.Offer, after terms: [String] = [], own: [String] = [], _ lines: [String]
    ) -> [String] {
        var session = OneShotSession(
            .bid(request, by: bidder("alice"), waits: true), inSentences: true)
        _ = session.begin()
        let opening = ["LOT 1 Vase"] + terms + ["OK status", "OK name alice t"]
        return session.receiveInJSON(after: OneShotSessionTests.hello, opening + own + lines)
            .compactMap { if case .say(let sentence) = $0 { sentence.text } else { nil } }
            .filter { $0 != "lot 1 is open: Vase" }
    }

    /// A session that has asked for its name in an open lot.
    private static func bidding(_ request: Request.Offer, waitsForLot: Bool = false)
        -> OneShotSession
    {
        var session = OneShotSession(
            .bid(request, by: bidder("alice"), waits: true, waitsForLot: waitsForLot))
        _ = session.begin()
        _ = session.receive(OneShotSessionTests.hello)
        _ = session.receive("LOT 1 Vase")
        return session
    }

    /// A session that has sent a bid of 80 in a lot whose price has fallen to 100.
    private static func falling(waitsForLot: Bool) -> OneShotSession {
        var session = bidding(.bid(price(80)), waitsForLot: waitsForLot)
        _ = session.receive("TERMS format=dutch seconds=20 start=100 step=10")
        _ = session.receive("ASK 100")
        _ = session.receive("OK name alice t")
        return session
    }
}
