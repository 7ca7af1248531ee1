import Auction
import Bidder
import BidderSupport
import Testing
import Wire

@Suite struct OneShotSessionTests {
    static let hello = "HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)"
    let alice = bidder("alice")
    let amount = price(120)

    @Test(
        "every command sends a line at once, because the server may wait for one",
        arguments: [
            ClientCommand.bid(.bid(price(1)), by: bidder("al"), waits: true),
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
        var session = OneShotSession(.bid(.bid(amount), by: alice, waits: true))
        _ = session.begin()
        let effects = session.receive(line)
        #expect(effects == [.show(ReceivedLine(line)), .exit(.lost)])
        var inJSON = OneShotSession(.bid(.bid(amount), by: alice, waits: true), format: .json)
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
        (.laps(nil), "OK laps 0", "no laps"),
        (.laps(ListRange(first: 9, count: 5)), "OK laps 3", "3 laps"),
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
}
