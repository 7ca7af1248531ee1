import AuctionRules
import BidderView
import Testing
import Wire

@Suite struct ErrandTests {
    static let hello = "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)"
    let alice: Bidder
    let amount: Price

    init() throws {
        alice = try #require(Bidder("alice"))
        amount = try #require(Price(120))
    }

    @Test("a bid takes the name, keeps the token, bids, and shows the news until the hammer")
    func bidWon() {
        var errand = Errand(.bid(amount, by: alice, waits: true)) {
            "\($0?.description ?? "no")-old"
        }
        #expect(errand.begin() == [])
        #expect(errand.hear(Self.hello) == [.send("name alice k3v9-old")])
        #expect(shown(errand.hear("LOT 1 Vase")) == ["LOT 1 Vase"])
        #expect(
            errand.hear("OK name alice new")
                == [.keep(token: "new", of: alice, in: GameID("k3v9")), .send("bid 120")])
        #expect(shown(errand.hear("JOINED alice")) == ["JOINED alice"])
        #expect(shown(errand.hear("OK bid 120")) == ["OK bid 120"])
        #expect(shown(errand.hear("PRICE 120 alice 00:03.2 1")) == ["PRICE 120 alice 00:03.2 1"])
        #expect(shown(errand.hear("a word of a newer server")) == ["a word of a newer server"])
        let end = errand.hear("WINNER ALICE 120 00:12.4 Vase")
        #expect(shown(end) == ["WINNER ALICE 120 00:12.4 Vase"])
        #expect(end.last == .exit(.done))
        #expect(errand.hear("BYE shutdown") == [])
        #expect(errand.lose() == [])
    }

    @Test(
        "a server that has no room says so in the place of a greeting",
        arguments: ["ERROR full too many are connected, try again later", "BYE shutdown"])
    func full(line: String) {
        var errand = Errand(.bid(amount, by: alice, waits: true))
        _ = errand.begin()
        let actions = errand.hear(line)
        #expect(actions == [.show(Line(line, ServerMessage(text: line))), .exit(.lost)])
        var inJSON = Errand(.bid(amount, by: alice, waits: true), format: .json)
        #expect(complaints(inJSON.hear(line)) == [line])
    }

    @Test("a server that does not say its game is asked with the token for that")
    func oldServer() {
        var errand = Errand(.send("ping", as: alice)) { $0 == nil ? "old" : nil }
        _ = errand.begin()
        #expect(
            errand.hear("HELLO auction/1 seconds=7 step=1 (type help)")
                == [.send("name alice old")])
        #expect(errand.hear("OK name alice t").first == .keep(token: "t", of: alice, in: nil))
    }

    @Test("a bid that somebody else passes ends as refused when the hammer falls")
    func outbid() {
        var errand = bidding(waits: true)
        _ = errand.hear("OK bid 120")
        #expect(errand.hear("PRICE 130 bob 00:04.0 2").last != .exit(.refused))
        #expect(errand.hear("WINNER bob 130 00:12.4 Vase").last == .exit(.refused))
    }

    @Test("the winner of the lot before is not the end of a bid")
    func earlierWinner() {
        var errand = Errand(.bid(amount, by: alice, waits: true))
        _ = errand.begin()
        _ = errand.hear(Self.hello)
        #expect(errand.hear("WINNER bob 9 00:12.4 Vase") == [])
        #expect(errand.hear("OK name alice t").last == .send("bid 120"))
        #expect(shown(errand.hear("LOT 2 Clock")).count == 1)
        #expect(errand.hear("OK bid 120").last != .exit(.refused))
        #expect(errand.hear("WINNER alice 120 00:12.4 Clock").last == .exit(.done))
    }

    @Test("the winner of the lot before is not shown in JSON either")
    func earlierWinnerInJSON() {
        var errand = Errand(.bid(amount, by: alice, waits: true), format: .json)
        _ = errand.begin()
        _ = errand.hear(Self.hello)
        _ = errand.hear("OK format json")
        let winner =
            #"{"type":"winner","content":"bob","bidder":"bob","amount":9,"lot":1,"title":"Vase","elapsedMilliseconds":9}"#
        _ = errand.hear(winner)
        #expect(shown(errand.hear(#"{"type":"ok","content":"status"}"#)) == [])
    }

    @Test("a bid that waits for a lot is said when the next one opens, however long that takes")
    func waitsForLot() {
        var errand = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        #expect(!errand.awaitsAnswer)
        #expect(shown(errand.hear("JOINED bob")) == ["JOINED bob"])
        #expect(errand.hear("LOT 2 Clock").last == .send("bid 120"))
        #expect(errand.awaitsAnswer)
        #expect(shown(errand.hear("OK bid 120")) == ["OK bid 120"])
        #expect(errand.hear("WINNER alice 120 00:12.4 Clock").last == .exit(.done))
    }

    @Test("a bid that waits for a lot is said at once where one is open")
    func waitsForNothing() {
        var errand = Errand(.bid(amount, by: alice, waits: true, waitsForLot: true))
        _ = errand.hear(Self.hello)
        _ = errand.hear("LOT 1 Vase")
        #expect(errand.hear("OK name alice t").last == .send("bid 120"))
    }

    @Test("a bid that came too late for a lot waits for the next one, if it waits for lots")
    func tooLate() {
        var errand = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        _ = errand.hear("LOT 2 Clock")
        _ = errand.hear("PASSED 2 closed Clock")
        #expect(complaints(errand.hear("ERROR closed wait")) == ["waiting for the next lot"])
        #expect(errand.hear("LOT 3 Lamp").last == .send("bid 120"))
    }

    @Test("a bid that waits for a lot waits for a paused one too")
    func waitsForPause() {
        var errand = waitingForLot(after: ["LOT 1 Vase", "PAUSED"])
        #expect(errand.hear("RESUMED").last == .send("bid 120"))
    }

    @Test(
        "a bid that waits for a lot is refused when the sale is over",
        arguments: [["OVER 1"], ["WINNER bob 9 00:12.4 Vase", "OVER 1"]])
    func over(snapshot: [String]) {
        var errand = Errand(.bid(amount, by: alice, waits: true, waitsForLot: true))
        for line in [Self.hello] + snapshot { _ = errand.hear(line) }
        let actions = errand.hear("OK name alice t")
        #expect(complaints(actions) == ["the sale is over"])
        #expect(actions.last == .exit(.refused))
        var waiting = waitingForLot(after: ["WINNER bob 9 00:12.4 Vase"])
        #expect(waiting.hear("OVER 1").last == .exit(.refused))
    }

    private func waitingForLot(after snapshot: [String]) -> Errand {
        var errand = Errand(.bid(amount, by: alice, waits: true, waitsForLot: true))
        for line in [Self.hello] + snapshot { _ = errand.hear(line) }
        #expect(complaints(errand.hear("OK name alice t")).count == 1)
        return errand
    }

    @Test("without waiting a bid ends when it is answered")
    func noWait() {
        var errand = bidding(waits: false)
        #expect(errand.hear("OK bid 120").last == .exit(.done))
    }

    @Test(
        "a refusal goes to the user as it came, and ends the errand",
        arguments: ["ERROR too-low minimum=121 bid at least 121", "ERROR closed wait"])
    func refused(error: String) {
        var errand = bidding(waits: true)
        let actions = errand.hear(error)
        #expect(shown(actions) == [error])
        #expect(complaints(actions) == [])
        #expect(actions.last == .exit(.refused))
    }

    @Test("a name that is refused ends the errand")
    func nameRefused() {
        var errand = Errand(.bid(amount, by: alice, waits: true))
        _ = errand.begin()
        _ = errand.hear(Self.hello)
        #expect(errand.hear("ERROR name-taken choose another").last == .exit(.refused))
    }

    @Test("a server that is lost or says goodbye is told of, with the code for it")
    func lost() {
        var waiting = bidding(waits: true)
        #expect(waiting.lose().last == .exit(.lost))
        var replaced = bidding(waits: true)
        let actions = replaced.hear("BYE shutdown")
        #expect(shown(actions) == ["BYE shutdown"])
        #expect(complaints(actions) == ["the server has ended"])
        #expect(actions.last == .exit(.lost))
        var asking = Errand(.send("ping", as: nil))
        _ = asking.hear(Self.hello)
        #expect(asking.hear("BYE shutdown").last == .exit(.lost))
    }

    @Test("one whose name another call took over is told so, and is as one outbid")
    func replaced() {
        var errand = bidding(waits: true)
        let actions = errand.hear("BYE replaced")
        #expect(complaints(actions) == ["another call took over the name"])
        #expect(actions.last == .exit(.refused))
    }

    @Test("one who missed the hammer does not wait for that of another lot")
    func missedHammer() {
        var errand = bidding(waits: true)
        _ = errand.hear("OK bid 120")
        _ = errand.hear("SKIPPED 9")
        #expect(!errand.hear("LOT 1 Vase").contains(.exit(.lost)))
        #expect(errand.hear("LOT 2 Clock").last == .exit(.lost))
    }

    @Test("a lot that is passed ends a bid as refused")
    func passed() {
        var errand = bidding(waits: true)
        _ = errand.hear("OK bid 120")
        #expect(errand.hear("PASSED 1 void Vase").last == .exit(.refused))
    }

    @Test("an answer is awaited from the greeting to the last step, and not after")
    func awaitsAnswer() {
        var errand = Errand(.ask(.who))
        #expect(errand.awaitsAnswer)
        _ = errand.hear(Self.hello)
        #expect(errand.awaitsAnswer)
        var watching = Errand(.watch)
        #expect(watching.awaitsAnswer)
        _ = watching.hear(Self.hello)
        #expect(!watching.awaitsAnswer)
    }

    @Test("a server of another kind is told of")
    func wrongServer() {
        var errand = Errand(.watch)
        #expect(errand.begin() == [])
        #expect(errand.hear("SSH-2.0-OpenSSH").last == .exit(.lost))
    }

    @Test("watching shows the snapshot and the news, and not the greeting")
    func watch() {
        var errand = Errand(.watch)
        #expect(errand.hear(Self.hello) == [])
        for line in ["LOT 1 Vase", "PRICE 1 bob 00:00.1 1", "WINNER bob 1 00:07.1 Vase"] {
            #expect(shown(errand.hear(line)) == [line])
        }
    }

    static let asked: [(command: Request.Command, heard: [String], shown: [String])] = [
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
    ]

    @Test("what is asked for is shown alone", arguments: asked)
    func ask(command: Request.Command, heard: [String], shown: [String]) {
        var errand = Errand(.ask(command))
        #expect(errand.begin() == [.send(command.description)])
        var actions = errand.hear(Self.hello)
        for line in heard { actions += errand.hear(line) }
        #expect(self.shown(actions) == shown)
        #expect(actions.last == .exit(.done))
    }

    @Test("a line that is sent shows its data and its answer")
    func send() {
        var errand = Errand(.send("#1 laps", as: alice))
        #expect(errand.begin() == [])
        #expect(errand.hear(Self.hello) == [.send("name alice")])
        #expect(errand.hear("OK name alice t").last == .send("#1 laps"))
        _ = errand.hear("PRICE 5 bob 00:00.1 1")
        _ = errand.hear("LAP 1 5 bob 00:00.1")
        let actions = errand.hear("OK #1 laps 1")
        #expect(shown(actions) == ["LAP 1 5 bob 00:00.1", "OK #1 laps 1"])
        #expect(actions.last == .exit(.done))
    }

    @Test("a line that is refused shows the error as its answer")
    func sendRefused() {
        var errand = Errand(.send("dance", as: nil))
        _ = errand.hear(Self.hello)
        let actions = errand.hear("ERROR unknown-command say help")
        #expect(shown(actions) == ["ERROR unknown-command say help"])
        #expect(actions.last == .exit(.refused))
    }

    @Test("to quit ends well with its answer")
    func sendQuit() {
        var errand = Errand(.send("quit", as: nil))
        _ = errand.hear(Self.hello)
        let actions = errand.hear("OK quit")
        #expect(shown(actions) == ["OK quit"])
        #expect(actions.last == .exit(.done))
    }

    static let emptyAnswers: [(command: Request.Command, answer: String, words: String)] = [
        (.who, "OK who 0", "nobody is here under a name"),
        (.laps(nil), "OK laps 0", "nobody has bid on this lot"),
        (.laps(LapRange(first: 9, count: 5)), "OK laps 3", "the lot has 3 bids"),
        (.status, "OK status", "no lot has opened yet"),
    ]

    @Test("an answer without data is put into words, beside the output", arguments: emptyAnswers)
    func empty(command: Request.Command, answer: String, words: String) {
        var errand = Errand(.ask(command))
        _ = errand.hear(Self.hello)
        let actions = errand.hear(answer)
        #expect(complaints(actions) == [words])
        #expect(shown(actions) == [])
        #expect(actions.last == .exit(.done))
    }

    @Test("in JSON the greeting's text is left out, and the snapshot is asked for again")
    func json() {
        var errand = Errand(.watch, format: .json)
        #expect(errand.begin() == [.send("format json")])
        _ = errand.hear(Self.hello)
        #expect(errand.hear("LOT 1 Vase") == [])
        #expect(errand.hear("OK format json") == [.send("status")])
        let joined = #"{"seq":2,"type":"joined","content":"bob","bidder":"bob"}"#
        let lot = #"{"seq":1,"type":"lot","content":"Vase","lot":1}"#
        #expect(errand.hear(joined) == [])
        #expect(errand.hear(lot) == [])
        #expect(shown(errand.hear(#"{"type":"ok","content":"status"}"#)) == [lot])
        #expect(shown(errand.hear(joined)) == [joined])
    }

    private func bidding(waits: Bool) -> Errand {
        var errand = Errand(.bid(amount, by: alice, waits: waits))
        _ = errand.begin()
        _ = errand.hear(Self.hello)
        _ = errand.hear("LOT 1 Vase")
        _ = errand.hear("OK name alice t")
        return errand
    }

    private func shown(_ actions: [Action]) -> [String] {
        actions.compactMap { if case .show(let line) = $0 { line.text } else { nil } }
    }

    private func complaints(_ actions: [Action]) -> [String] {
        actions.compactMap { if case .complain(let line) = $0 { line.text } else { nil } }
    }
}
