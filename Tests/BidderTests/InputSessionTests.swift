import Auction
import Bidder
import BidderSupport
import Testing
import Wire

@Suite struct InputSessionTests {
    static let hello = OneShotSessionTests.hello
    let alice: Bidder

    init() throws {
        alice = try #require(Bidder("alice"))
    }

    @Test("play takes the name, stores the token, and prints the news")
    func begin() {
        var session = OneShotSession(.play(as: alice)) { _ in "old" }
        #expect(session.begin() == [.send("#hello format text")])
        #expect(session.receive(Self.hello) == [.send("name alice old")])
        #expect(printed(session.receive("LOT 1 Vase")) == ["LOT 1 Vase"])
        #expect(!session.wantsInput)
        #expect(
            session.receive("OK name alice new") == [
                .keep(token: "new", of: alice, on: Identity("k3v9"))
            ]
        )
        #expect(session.wantsInput)
        #expect(!session.awaitsAnswer)
        for line in ["JOINED alice", "PRICE 1 bob 00:00.1 1", "WINNER bob 1 00:07.1 Vase", "new"] {
            #expect(printed(session.receive(line)) == [line])
        }
    }

    @Test(
        "a line is sent unchanged, a blank one is not sent",
        arguments: [
            ("bid 5", true), ("  #1  BID\t5 ", true), ("dance", true), ("name zoë", true),
            ("", false), (" \t ", false), ("\r", false), (" \r", false),
        ])
    func sends(line: String, isSent: Bool) {
        var session = playing()
        #expect(session.send(line) == (isSent ? [.send(line)] : []))
        #expect(session.awaitsAnswer == isSent)
    }

    static let answers = [
        "OK bid 5", "OK #1 ping", "ERROR leading price=5 you already lead",
        "ERROR unknown-command type help",
    ]

    @Test("an answer or an error is printed, and the session continues", arguments: answers)
    func answered(answer: String) {
        var session = playing()
        _ = session.send("bid 5")
        #expect(printed(session.receive(answer)) == [answer])
        #expect(!session.awaitsAnswer)
        #expect(session.wantsInput)
    }

    @Test("after the end of the input the session ends with the last answer", arguments: answers)
    func end(answer: String) {
        var session = playing()
        _ = session.send("bid 5")
        _ = session.send("bid 6")
        #expect(session.endInput() == [])
        #expect(!session.wantsInput)
        #expect(session.receive("OK bid 5").last != .exit(.done))
        #expect(session.receive("PRICE 5 alice 00:00.1 1").last != .exit(.done))
        let end = session.receive(answer)
        #expect(printed(end) == [answer])
        #expect(end.last == .exit(.done))
        #expect(session.receive("COUNTDOWN 7") == [])
        #expect(session.lose() == [])
    }

    @Test("an empty input ends the session at once")
    func emptyInput() {
        var session = playing()
        #expect(session.endInput() == [.exit(.done)])
        #expect(session.endInput() == [])
    }

    @Test("no input is wanted while a thousand lines wait for an answer")
    func bound() {
        var session = playing()
        for number in 1...OneShotSession.inputWindow {
            #expect(session.wantsInput)
            #expect(session.send("#\(number) ping").count == 1)
        }
        #expect(!session.wantsInput)
        #expect(session.send("a line that was read with the last").count == 1)
        _ = session.receive("OK #1 ping")
        #expect(!session.wantsInput)
        _ = session.receive("OK #2 ping")
        #expect(session.wantsInput)
    }

    @Test("an answer without a request is printed, and is not counted")
    func unasked() {
        var session = playing()
        #expect(
            printed(session.receive("ERROR unavailable try again")) == [
                "ERROR unavailable try again"
            ]
        )
        _ = session.send("ping")
        #expect(session.awaitsAnswer)
    }

    @Test("a refused name ends the session before any input is read")
    func nameRefused() {
        var session = OneShotSession(.play(as: alice))
        _ = session.begin()
        _ = session.receive(Self.hello)
        let effects = session.receive("ERROR name-taken choose another")
        #expect(printed(effects) == ["ERROR name-taken choose another"])
        #expect(effects.last == .exit(.refused))
        #expect(!session.wantsInput)
    }

    static let goodbyes: [(bye: String, code: ExitCode, complaints: [String])] = [
        ("BYE quit", .done, []),
        ("BYE shutdown", .lost, ["the server has stopped"]),
        ("BYE journal", .lost, ["the server can no longer store bids, and has stopped"]),
        ("BYE replaced", .refused, ["another connection took over the name"]),
        ("BYE kicked", .refused, ["the auctioneer has removed you"]),
        ("BYE idle", .lost, ["the server waited too long for the end of a line"]),
    ]

    @Test("every BYE is printed, and ends with its exit code", arguments: goodbyes)
    func goodbye(bye: String, code: ExitCode, complaints: [String]) {
        var session = playing()
        _ = session.send("quit")
        let effects = session.receive(bye)
        #expect(printed(effects) == [bye])
        #expect(complained(effects) == complaints)
        #expect(effects.last == .exit(code))
        #expect(session.send("ping") == [])
        #expect(session.endInput() == [])
    }

    @Test("a kicked bidder waits for BYE, also after the last answer")
    func kicked() {
        var session = playing()
        _ = session.send("ping")
        #expect(printed(session.receive("KICKED alice shill bids")) == ["KICKED alice shill bids"])
        #expect(session.endInput() == [])
        #expect(printed(session.receive("OK ping")) == ["OK ping"])
        #expect(session.receive("BYE kicked").last == .exit(.refused))
    }

    @Test("a kick before the name was taken is ignored")
    func kickedBefore() {
        var session = OneShotSession(.play(as: alice)) { _ in "t" }
        _ = session.begin()
        for line in [Self.hello, "LOT 1 Vase", "KICKED alice shill bids", "OK name alice t"] {
            _ = session.receive(line)
        }
        #expect(session.endInput() == [.exit(.done)])
    }

    @Test("a lost connection is reported, also after the end of the input")
    func lost() {
        var session = playing()
        _ = session.send("ping")
        _ = session.endInput()
        #expect(session.lose().last == .exit(.lost))
    }

    @Test("in JSON the snapshot comes before the name, and all lines after it are printed")
    func json() {
        var session = OneShotSession(.play(as: alice), format: .json) { _ in "old" }
        #expect(session.begin() == [.send("format json")])
        _ = session.receive(Self.hello)
        _ = session.receive("LOT 1 Vase")
        #expect(session.receive("OK format json") == [.send("status")])
        let lot = #"{"seq":1,"type":"lot","content":"Vase","lot":1}"#
        _ = session.receive(lot)
        let snapshot = session.receive(#"{"type":"ok","content":"status"}"#)
        #expect(printed(snapshot) == [lot])
        #expect(snapshot.last == .send("name alice old"))
        _ = session.receive(#"{"type":"ok","content":"name alice new"}"#)
        _ = session.send("ping")
        let pong = #"{"type":"ok","content":"ping"}"#
        #expect(printed(session.receive(pong)) == [pong])
        #expect(!session.awaitsAnswer)
    }

    @Test("after a format line of the user the new format is parsed")
    func format() {
        var session = playing()
        _ = session.send("format json")
        _ = session.send("ping")
        _ = session.receive("OK format json")
        _ = session.receive(#"{"type":"ok","content":"ping"}"#)
        #expect(!session.awaitsAnswer)
    }

    private func playing() -> OneShotSession {
        var session = OneShotSession(.play(as: alice))
        _ = session.begin()
        _ = session.receive(Self.hello)
        _ = session.receive("OK name alice t")
        return session
    }
}
