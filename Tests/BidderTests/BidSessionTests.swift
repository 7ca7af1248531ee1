import Auction
import Bidder
import BidderSupport
import Testing
import Wire

/// Sessions of a plain bid.
@Suite struct BidSessionTests {
    private static let hello = OneShotSessionTests.hello
    let alice = bidder("alice")
    let amount = price(120)

    @Test("a bid takes the name, stores the token, bids, and prints the news to the end of the lot")
    func bidWon() {
        var session = OneShotSession(.bid(.bid(amount), by: alice, waits: true)) {
            "\($0?.description ?? "no")-old"
        }
        #expect(session.begin() == [.send("#hello format text")])
        #expect(session.receive(Self.hello) == [.send("name alice k3v9-old")])
        #expect(printed(session.receive("LOT 1 Vase")) == ["LOT 1 Vase"])
        #expect(
            session.receive("OK name alice new")
                == [.keep(token: "new", of: alice, on: Identity("k3v9")), .send("bid 120 lot=1")])
        #expect(printed(session.receive("JOINED alice")) == ["JOINED alice"])
        #expect(printed(session.receive("OK bid 120")) == ["OK bid 120"])
        #expect(
            printed(session.receive("PRICE 120 alice 00:03.2 1")) == ["PRICE 120 alice 00:03.2 1"])
        #expect(
            printed(session.receive("a word of a newer server")) == ["a word of a newer server"])
        let end = session.receive("WINNER ALICE 120 00:12.4 Vase")
        #expect(printed(end) == ["WINNER ALICE 120 00:12.4 Vase"])
        #expect(end.last == .exit(.done))
        #expect(session.receive("BYE shutdown") == [])
        #expect(session.lose() == [])
    }

    @Test("an outbid session ends as refused at the end of the lot")
    func outbid() {
        var session = bidding(waits: true)
        _ = session.receive("OK bid 120")
        #expect(session.receive("PRICE 130 bob 00:04.0 2").last != .exit(.refused))
        #expect(session.receive("WINNER bob 130 00:12.4 Vase").last == .exit(.refused))
    }

    @Test("the winner of an earlier lot does not end a bid")
    func earlierWinner() {
        var session = OneShotSession(.bid(.bid(amount), by: alice, waits: true))
        _ = session.begin()
        _ = session.receive(Self.hello)
        #expect(session.receive("WINNER bob 9 00:12.4 Vase") == [])
        #expect(session.receive("OK name alice t").last == .send("bid 120"))
        #expect(printed(session.receive("LOT 2 Clock")).count == 1)
        #expect(session.receive("OK bid 120").last != .exit(.refused))
        #expect(session.receive("WINNER alice 120 00:12.4 Clock").last == .exit(.done))
    }

    @Test("the winner of an earlier lot is not printed in JSON")
    func earlierWinnerInJSON() {
        var session = OneShotSession(.bid(.bid(amount), by: alice, waits: true), format: .json)
        _ = session.begin()
        _ = session.receive(Self.hello)
        _ = session.receive("OK format json")
        let winner =
            #"{"type":"winner","content":"bob","bidder":"bob","amount":9,"lot":1,"title":"Vase","elapsedMilliseconds":9}"#
        _ = session.receive(winner)
        #expect(printed(session.receive(#"{"type":"ok","content":"status"}"#)) == [])
    }

    @Test("a bid that waits for a lot is sent when the next one opens")
    func waitsForLot() {
        var session = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        #expect(!session.awaitsAnswer)
        #expect(printed(session.receive("JOINED bob")) == ["JOINED bob"])
        #expect(session.receive("LOT 2 Clock").last == .send("bid 120 lot=2"))
        #expect(session.awaitsAnswer)
        #expect(printed(session.receive("OK bid 120")) == ["OK bid 120"])
        #expect(session.receive("WINNER alice 120 00:12.4 Clock").last == .exit(.done))
    }

    @Test("a bid that waits for a lot is sent at once if one is open")
    func waitsForNothing() {
        var session = OneShotSession(
            .bid(.bid(amount), by: alice, waits: true, waitsForLot: true))
        _ = session.receive(Self.hello)
        _ = session.receive("LOT 1 Vase")
        #expect(session.receive("OK name alice t").last == .send("bid 120 lot=1"))
    }

    @Test("a bid that was too late waits for the next lot")
    func tooLate() {
        var session = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        _ = session.receive("LOT 2 Clock")
        _ = session.receive("PASSED 2 closed Clock")
        #expect(complained(session.receive("ERROR closed wait")) == ["waiting for the next lot"])
        #expect(session.receive("LOT 3 Lamp").last == .send("bid 120 lot=3"))
    }

    @Test("a bid that waits for a lot is sent when the sale resumes")
    func waitsForPause() {
        var session = waitingForLot(after: ["LOT 1 Vase", "PAUSED"])
        #expect(session.receive("RESUMED").last == .send("bid 120 lot=1"))
    }

    @Test(
        "a bid that waits for a lot is refused when the sale is over",
        arguments: [["OVER 1"], ["WINNER bob 9 00:12.4 Vase", "OVER 1"]])
    func over(snapshot: [String]) {
        var session = OneShotSession(
            .bid(.bid(amount), by: alice, waits: true, waitsForLot: true))
        for line in [Self.hello] + snapshot { _ = session.receive(line) }
        let effects = session.receive("OK name alice t")
        #expect(complained(effects) == ["the sale is over"])
        #expect(effects.last == .exit(.refused))
        var waiting = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        #expect(waiting.receive("OVER 1").last == .exit(.refused))
    }

    private func waitingForLot(after snapshot: [String]) -> OneShotSession {
        var session = OneShotSession(
            .bid(.bid(amount), by: alice, waits: true, waitsForLot: true))
        for line in [Self.hello] + snapshot { _ = session.receive(line) }
        #expect(complained(session.receive("OK name alice t")).count == 1)
        return session
    }

    @Test("without waits a bid ends with its answer")
    func noWait() {
        var session = bidding(waits: false)
        #expect(session.receive("OK bid 120").last == .exit(.done))
    }

    @Test(
        "a refusal is printed unchanged, and ends the session",
        arguments: ["ERROR too-low minimum=121 bid at least 121", "ERROR closed wait"])
    func refused(error: String) {
        var session = bidding(waits: true)
        let effects = session.receive(error)
        #expect(printed(effects) == [error])
        #expect(complained(effects) == [])
        #expect(effects.last == .exit(.refused))
    }

    @Test("a bid that waits outlives its connection, and is made once")
    func outlives() {
        var session = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        #expect(session.outlivesConnection)
        session.disconnect()
        #expect(session.begin() == [.send("#hello format text")])
        for line in ["OK #hello format text", Self.hello, "LOT 2 Clock"] {
            _ = session.receive(line)
        }
        #expect(session.receive("OK name alice t").last == .send("bid 120 lot=2"))
        _ = session.receive("OK bid 120")
        session.disconnect()
        _ = session.begin()
        #expect(session.receive(Self.hello).last == .send("name alice"))
        _ = session.receive("LOT 2 Clock")
        #expect(!session.receive("OK name alice t").contains(.send("bid 120 lot=2")))
        #expect(session.receive("WINNER alice 120 00:12.4 Clock").last == .exit(.done))
        #expect(!session.outlivesConnection)
    }

    @Test("in JSON too, an end that came while the connection was lost ends the bid")
    func endInSnapshot() {
        var session = OneShotSession(
            .bid(.bid(amount), by: alice, waits: true, waitsForLot: true), format: .json)
        _ = session.begin()
        _ = session.receiveInJSON(
            after: Self.hello, ["LOT 2 Clock", "OK status", "OK name alice t", "OK bid 120"])
        session.disconnect()
        _ = session.begin()
        let end = session.receiveInJSON(
            after: Self.hello, ["WINNER alice 120 00:12.4 Clock", "OK status"])
        #expect(printed(end) == [inJSON("WINNER alice 120 00:12.4 Clock")])
        #expect(end.last == .exit(.done))
    }

    @Test("a bid that waits does not take the end of a later lot for its own")
    func laterLot() {
        var session = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        for line in ["LOT 2 Clock", "OK bid 120"] { _ = session.receive(line) }
        session.disconnect()
        _ = session.begin()
        _ = session.receive(Self.hello)
        let effects = session.receive("WINNER alice 70 00:12.4 Lamp")
        #expect(complained(effects) == ["the end of the lot was missed"])
        #expect(effects.last == .exit(.lost))
    }

    @Test("a bid that does not wait ends with its connection")
    func isMortal() {
        let session = bidding(waits: true)
        #expect(!session.outlivesConnection)
    }

    @Test("an interrupt says what stays of the bid")
    func interrupted() {
        func complaint(_ request: Request.Offer, _ lines: String...) -> String? {
            var session = OneShotSession(
                .bid(request, by: alice, waits: true, waitsForLot: true))
            for line in [Self.hello] + lines { _ = session.receive(line) }
            return complained(session.interrupt()).first
        }
        let name = "OK name alice t"
        let bid = Request.Offer.bid(amount)
        #expect(complaint(bid, name) == "your bid was not sent")
        #expect(complaint(bid, "LOT 1 Vase", name) == nil)
        let stays = "your bid of 120 stays and may win"
        #expect(complaint(bid, "LOT 1 Vase", name, "OK bid 120") == stays)
        let led = ["LOT 1 Vase", name, "OK bid 120", "PRICE 120 alice 00:03.2 1"]
        #expect(complaint(bid, led[0], led[1], led[2], led[3]) == stays)
        #expect(complaint(bid, led[0], led[1], led[2], led[3], "PRICE 130 bob 00:04.0 2") == nil)
        #expect(
            complaint(.maximum(price(200)), "LOT 1 Vase", name, "OK max 200")
                == "the server bids for you up to 200")
        let sealed = "TERMS format=sealed seconds=20 start=10 step=1"
        #expect(
            complaint(bid, "LOT 1 Vase", sealed, name, "OK bid 120")
                == "your sealed bid of 120 stays and may win")
    }

    @Test("a name in use is explained beside the answer")
    func nameInUse() {
        var session = OneShotSession(.bid(.bid(amount), by: alice, waits: true))
        _ = session.receive(Self.hello)
        let error =
            "ERROR name-taken choose another name, or prove that it is yours: name YOU TOKEN"
        let effects = session.receive(error)
        #expect(printed(effects) == [error])
        #expect(complained(effects).first?.contains("maybe by you on another machine") == true)
        #expect(effects.last == .exit(.refused))
    }

    @Test("a lost connection and BYE are reported with their exit code")
    func lost() {
        var waiting = bidding(waits: true)
        #expect(waiting.lose().last == .exit(.lost))
        var replaced = bidding(waits: true)
        let effects = replaced.receive("BYE shutdown")
        #expect(printed(effects) == ["BYE shutdown"])
        #expect(complained(effects) == ["the server has stopped"])
        #expect(effects.last == .exit(.lost))
        var asking = OneShotSession(.send("ping", as: nil))
        _ = asking.receive(Self.hello)
        #expect(asking.receive("BYE shutdown").last == .exit(.lost))
    }

    @Test("BYE replaced ends as refused")
    func replaced() {
        var session = bidding(waits: true)
        let effects = session.receive("BYE replaced")
        #expect(complained(effects) == ["another connection took over the name"])
        #expect(effects.last == .exit(.refused))
    }

    @Test("a session that missed the end of its lot ends at the next lot")
    func missedHammer() {
        var session = bidding(waits: true)
        _ = session.receive("OK bid 120")
        _ = session.receive("SKIPPED 9")
        #expect(!session.receive("LOT 1 Vase").contains(.exit(.lost)))
        #expect(session.receive("LOT 2 Clock").last == .exit(.lost))
    }

    @Test("a passed lot ends a bid as refused")
    func passed() {
        var session = bidding(waits: true)
        _ = session.receive("OK bid 120")
        #expect(session.receive("PASSED 1 void Vase").last == .exit(.refused))
    }

    @Test("an answer is awaited from the greeting to the last step")
    func awaitsAnswer() {
        var session = OneShotSession(.ask(.who))
        _ = session.begin()
        #expect(session.awaitsAnswer)
        _ = session.receive(Self.hello)
        #expect(session.awaitsAnswer)
        var watching = OneShotSession(.watch)
        #expect(watching.awaitsAnswer)
        _ = watching.receive(Self.hello)
        #expect(!watching.awaitsAnswer)
    }

    private func bidding(waits: Bool) -> OneShotSession {
        var session = OneShotSession(.bid(.bid(amount), by: alice, waits: waits))
        _ = session.begin()
        _ = session.receive(Self.hello)
        _ = session.receive("LOT 1 Vase")
        _ = session.receive("OK name alice t")
        return session
    }
}
