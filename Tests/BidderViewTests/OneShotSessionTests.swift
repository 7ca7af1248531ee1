import AuctionRules
import BidderView
import Sale
import Testing
import Wire

@Suite struct OneShotSessionTests {
    static let hello = "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)"
    let alice: Bidder
    let amount: Price

    init() throws {
        alice = try #require(Bidder("alice"))
        amount = try #require(Price(120))
    }

    @Test("a bid takes the name, stores the token, bids, and prints the news to the end of the lot")
    func bidWon() {
        var session = OneShotSession(.bid(.amount(amount), by: alice, waits: true)) {
            "\($0?.description ?? "no")-old"
        }
        #expect(session.begin() == [.send("#hello format text")])
        #expect(session.receive(Self.hello) == [.send("name alice k3v9-old")])
        #expect(printed(session.receive("LOT 1 Vase")) == ["LOT 1 Vase"])
        #expect(
            session.receive("OK name alice new")
                == [.keep(token: "new", of: alice, on: Identity("k3v9")), .send("bid 120")])
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

    @Test(
        "every command sends a line at once, because the server may wait for one",
        arguments: [
            ClientCommand.bid(.amount(price(1)), by: bidder("al"), waits: true),
            .play(as: bidder("al")),
            .watch, .ask(.who), .send("ping", as: bidder("al")), .send("ping", as: nil),
        ])
    func sendsAtOnce(command: ClientCommand) {
        for format in [Format.text, .json] {
            var session = OneShotSession(command, format: format)
            let sent = session.begin().count { if case .send = $0 { true } else { false } }
            #expect(sent == 1)
        }
    }

    @Test("the answer to the line that was sent at once is not printed")
    func openingAnswer() {
        var session = OneShotSession(.watch)
        #expect(session.begin() == [.send("#hello format text")])
        #expect(session.receive(Self.hello) == [])
        #expect(session.receive("OK #hello format text") == [])
        #expect(!session.awaitsAnswer)
        #expect(printed(session.receive("LOT 1 Vase")) == ["LOT 1 Vase"])
    }

    @Test(
        "ERROR or BYE in place of a greeting ends the session",
        arguments: ["ERROR full too many are connected, try again later", "BYE shutdown"])
    func full(line: String) {
        var session = OneShotSession(.bid(.amount(amount), by: alice, waits: true))
        _ = session.begin()
        let effects = session.receive(line)
        #expect(effects == [.show(ReceivedLine(line)), .exit(.lost)])
        var inJSON = OneShotSession(.bid(.amount(amount), by: alice, waits: true), format: .json)
        #expect(complained(inJSON.receive(line)) == [line])
    }

    @Test("without an identity in the greeting the token without an identity is used")
    func oldServer() {
        var session = OneShotSession(.send("ping", as: alice)) { $0 == nil ? "old" : nil }
        _ = session.begin()
        #expect(
            session.receive("HELLO auction/1 seconds=7 step=1 (type help)")
                == [.send("name alice old")])
        #expect(session.receive("OK name alice t").first == .keep(token: "t", of: alice, on: nil))
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
        var session = OneShotSession(.bid(.amount(amount), by: alice, waits: true))
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
        var session = OneShotSession(.bid(.amount(amount), by: alice, waits: true), format: .json)
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
        #expect(session.receive("LOT 2 Clock").last == .send("bid 120"))
        #expect(session.awaitsAnswer)
        #expect(printed(session.receive("OK bid 120")) == ["OK bid 120"])
        #expect(session.receive("WINNER alice 120 00:12.4 Clock").last == .exit(.done))
    }

    @Test("a bid that waits for a lot is sent at once if one is open")
    func waitsForNothing() {
        var session = OneShotSession(
            .bid(.amount(amount), by: alice, waits: true, waitsForLot: true))
        _ = session.receive(Self.hello)
        _ = session.receive("LOT 1 Vase")
        #expect(session.receive("OK name alice t").last == .send("bid 120"))
    }

    @Test("a bid that was too late waits for the next lot")
    func tooLate() {
        var session = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        _ = session.receive("LOT 2 Clock")
        _ = session.receive("PASSED 2 closed Clock")
        #expect(complained(session.receive("ERROR closed wait")) == ["waiting for the next lot"])
        #expect(session.receive("LOT 3 Lamp").last == .send("bid 120"))
    }

    @Test("a bid that waits for a lot is sent when the sale resumes")
    func waitsForPause() {
        var session = waitingForLot(after: ["LOT 1 Vase", "PAUSED"])
        #expect(session.receive("RESUMED").last == .send("bid 120"))
    }

    @Test(
        "a bid that waits for a lot is refused when the sale is over",
        arguments: [["OVER 1"], ["WINNER bob 9 00:12.4 Vase", "OVER 1"]])
    func over(snapshot: [String]) {
        var session = OneShotSession(
            .bid(.amount(amount), by: alice, waits: true, waitsForLot: true))
        for line in [Self.hello] + snapshot { _ = session.receive(line) }
        let effects = session.receive("OK name alice t")
        #expect(complained(effects) == ["the sale is over"])
        #expect(effects.last == .exit(.refused))
        var waiting = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        #expect(waiting.receive("OVER 1").last == .exit(.refused))
    }

    private func waitingForLot(after snapshot: [String]) -> OneShotSession {
        var session = OneShotSession(
            .bid(.amount(amount), by: alice, waits: true, waitsForLot: true))
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

    @Test("a server with another protocol ends the session")
    func wrongServer() {
        var session = OneShotSession(.watch)
        #expect(session.begin() == [.send("#hello format text")])
        #expect(session.receive("SSH-2.0-OpenSSH").last == .exit(.lost))
    }

    @Test("watch prints the snapshot and the news, but not the greeting")
    func watch() {
        var session = OneShotSession(.watch)
        #expect(session.receive(Self.hello) == [])
        for line in ["LOT 1 Vase", "PRICE 1 bob 00:00.1 1", "WINNER bob 1 00:07.1 Vase"] {
            #expect(printed(session.receive(line)) == [line])
        }
    }

    static let asked: [(command: Request.Command, received: [String], shown: [String])] = [
        (
            .laps(nil), ["LOT 1 Vase", "LAP 1 5 bob 00:00.1", "LAP 2 6 al 00:00.2", "OK laps 2"],
            ["LAP 1 5 bob 00:00.1", "LAP 2 6 al 00:00.2"]
        ),
        (.laps(nil), ["LOT 1 Vase", "OK laps 0"], []),
        (.help, ["LOT 1 Vase", "HELP ping", "HELP quit", "OK help"], ["HELP ping", "HELP quit"]),
        (.who, ["WINNER bob 1 00:07.1 Vase", "WHO bob", "OK who 1"], ["WHO bob"]),
        (
            .status,
            [
                "LOT 1 Vase", "PRICE 1 bob 00:00.1 1", "COUNTDOWN 7", "LEFT bob", "LOT 1 Vase",
                "PRICE 1 bob 00:00.1 1", "COUNTDOWN 6", "OK status",
            ], ["LOT 1 Vase", "PRICE 1 bob 00:00.1 1", "COUNTDOWN 6"]
        ),
        (
            .status,
            ["WINNER bob 1 00:07.1 Vase", "WINNER bob 1 00:07.1 Vase", "OVER 1", "OK status"],
            ["WINNER bob 1 00:07.1 Vase", "OVER 1"]
        ),
        (
            .results(nil), ["LOT 3 Lamp", "RESULT 2 - - 00:07.0 Clock", "OK results 2"],
            ["RESULT 2 - - 00:07.0 Clock"]
        ),
        (
            .resume(after: 7),
            ["LOT 1 Vase", "JOINED al", "COUNTDOWN 6", "LEFT bob", "OK resume 2"],
            ["COUNTDOWN 6", "LEFT bob"]
        ),
    ]

    @Test("only the data of the answer is printed", arguments: asked)
    func ask(command: Request.Command, received: [String], shown: [String]) {
        var session = OneShotSession(.ask(command))
        #expect(session.begin() == [.send(command.description)])
        var effects = session.receive(Self.hello)
        for line in received { effects += session.receive(line) }
        #expect(printed(effects) == shown)
        #expect(effects.last == .exit(.done))
    }

    @Test("send prints the data and the answer")
    func send() {
        var session = OneShotSession(.send("#1 laps", as: alice))
        #expect(session.begin() == [.send("#hello format text")])
        #expect(session.receive(Self.hello) == [.send("name alice")])
        #expect(session.receive("OK name alice t").last == .send("#1 laps"))
        _ = session.receive("PRICE 5 bob 00:00.1 1")
        _ = session.receive("LAP 1 5 bob 00:00.1")
        let effects = session.receive("OK #1 laps 1")
        #expect(printed(effects) == ["LAP 1 5 bob 00:00.1", "OK #1 laps 1"])
        #expect(effects.last == .exit(.done))
    }

    @Test("send prints a refusal")
    func sendRefused() {
        var session = OneShotSession(.send("dance", as: nil))
        _ = session.receive(Self.hello)
        let effects = session.receive("ERROR unknown-command type help")
        #expect(printed(effects) == ["ERROR unknown-command type help"])
        #expect(effects.last == .exit(.refused))
    }

    @Test("send quit ends with its answer")
    func sendQuit() {
        var session = OneShotSession(.send("quit", as: nil))
        _ = session.receive(Self.hello)
        let effects = session.receive("OK quit")
        #expect(printed(effects) == ["OK quit"])
        #expect(effects.last == .exit(.done))
    }

    static let emptyAnswers: [(command: Request.Command, answer: String, words: String)] = [
        (.who, "OK who 0", "nobody is here under a name"),
        (.laps(nil), "OK laps 0", "nobody has bid on this lot"),
        (.laps(ListRange(first: 9, count: 5)), "OK laps 3", "the lot has 3 bids"),
        (.status, "OK status", "no lot has opened yet"),
    ]

    @Test("an answer without data causes a complaint", arguments: emptyAnswers)
    func empty(command: Request.Command, answer: String, words: String) {
        var session = OneShotSession(.ask(command))
        _ = session.receive(Self.hello)
        let effects = session.receive(answer)
        #expect(complained(effects) == [words])
        #expect(printed(effects) == [])
        #expect(effects.last == .exit(.done))
    }

    @Test("in JSON the text snapshot is not printed, and requested again")
    func json() {
        var session = OneShotSession(.watch, format: .json)
        #expect(session.begin() == [.send("format json")])
        _ = session.receive(Self.hello)
        #expect(session.receive("LOT 1 Vase") == [])
        #expect(session.receive("OK format json") == [.send("status")])
        let joined = #"{"seq":2,"type":"joined","content":"bob","bidder":"bob"}"#
        let lot = #"{"seq":1,"type":"lot","content":"Vase","lot":1}"#
        #expect(session.receive(joined) == [])
        #expect(session.receive(lot) == [])
        #expect(printed(session.receive(#"{"type":"ok","content":"status"}"#)) == [lot])
        #expect(printed(session.receive(joined)) == [joined])
    }

    private func bidding(waits: Bool) -> OneShotSession {
        var session = OneShotSession(.bid(.amount(amount), by: alice, waits: waits))
        _ = session.begin()
        _ = session.receive(Self.hello)
        _ = session.receive("LOT 1 Vase")
        _ = session.receive("OK name alice t")
        return session
    }
}
