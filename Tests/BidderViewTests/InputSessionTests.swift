import AuctionRules
import BidderView
import Testing
import Wire

@Suite struct InputSessionTests {
    static let hello = OneShotSessionTests.hello
    let alice: Bidder

    init() throws {
        alice = try #require(Bidder("alice"))
    }

    @Test("to play is to take the name with its token, to keep that, and to see what happens")
    func begin() {
        var session = OneShotSession(.play(as: alice)) { _ in "old" }
        #expect(session.begin() == [])
        #expect(session.receive(Self.hello) == [.send("name alice old")])
        #expect(texts(session.receive("LOT 1 Vase")) == ["LOT 1 Vase"])
        #expect(!session.wantsInput)
        #expect(
            session.receive("OK name alice new") == [
                .keep(token: "new", of: alice, in: GameID("k3v9"))
            ]
        )
        #expect(session.wantsInput)
        #expect(!session.awaitsAnswer)
        for line in ["JOINED alice", "PRICE 1 bob 00:00.1 1", "WINNER bob 1 00:07.1 Vase", "new"] {
            #expect(texts(session.receive(line)) == [line])
        }
    }

    @Test(
        "a line is said as it is, and one without a word is not said",
        arguments: [
            ("bid 5", true), ("  #1  BID\t5 ", true), ("dance", true), ("name zoë", true),
            ("", false), (" \t ", false), ("\r", false), (" \r", false),
        ])
    func say(line: String, isSaid: Bool) {
        var session = playing()
        #expect(session.send(line) == (isSaid ? [.send(line)] : []))
        #expect(session.awaitsAnswer == isSaid)
    }

    static let answers = [
        "OK bid 5", "OK #1 ping", "ERROR leading price=5 you lead already",
        "ERROR unknown-command say help",
    ]

    @Test("an answer is shown, an error too, and playing goes on", arguments: answers)
    func answered(answer: String) {
        var session = playing()
        _ = session.send("bid 5")
        #expect(texts(session.receive(answer)) == [answer])
        #expect(!session.awaitsAnswer)
        #expect(session.wantsInput)
    }

    @Test("at the end of the input it ends when everything said is answered", arguments: answers)
    func end(answer: String) {
        var session = playing()
        _ = session.send("bid 5")
        _ = session.send("bid 6")
        #expect(session.endInput() == [])
        #expect(!session.wantsInput)
        #expect(session.receive("OK bid 5").last != .exit(.done))
        #expect(session.receive("PRICE 5 alice 00:00.1 1").last != .exit(.done))
        let end = session.receive(answer)
        #expect(texts(end) == [answer])
        #expect(end.last == .exit(.done))
        #expect(session.receive("COUNTDOWN 7") == [])
        #expect(session.lose() == [])
    }

    @Test("an input with nothing in it ends at once")
    func emptyInput() {
        var session = playing()
        #expect(session.endInput() == [.exit(.done)])
        #expect(session.endInput() == [])
    }

    @Test("no more lines are wanted while a thousand wait for their answers")
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

    @Test("an answer to nothing is shown, and counts for nothing")
    func unasked() {
        var session = playing()
        #expect(
            texts(session.receive("ERROR unavailable try again")) == ["ERROR unavailable try again"]
        )
        _ = session.send("ping")
        #expect(session.awaitsAnswer)
    }

    @Test("a name that is refused ends as refused, before any line is read")
    func nameRefused() {
        var session = OneShotSession(.play(as: alice))
        _ = session.begin()
        _ = session.receive(Self.hello)
        let effects = session.receive("ERROR name-taken choose another")
        #expect(texts(effects) == ["ERROR name-taken choose another"])
        #expect(effects.last == .exit(.refused))
        #expect(!session.wantsInput)
    }

    static let goodbyes: [(bye: String, code: ExitCode, complaints: [String])] = [
        ("BYE quit", .done, []),
        ("BYE shutdown", .lost, ["the server has ended"]),
        ("BYE journal", .lost, ["the server can no longer keep what happens, and has ended"]),
        ("BYE replaced", .refused, ["another call took over the name"]),
        ("BYE kicked", .refused, ["the auctioneer kicked you out"]),
        ("BYE idle", .lost, ["the server waited too long for the end of a line"]),
    ]

    @Test("every goodbye is shown, and ends with its code", arguments: goodbyes)
    func goodbye(bye: String, code: ExitCode, complaints: [String]) {
        var session = playing()
        _ = session.send("quit")
        let effects = session.receive(bye)
        #expect(texts(effects) == [bye])
        #expect(self.complaints(effects) == complaints)
        #expect(effects.last == .exit(code))
        #expect(session.send("ping") == [])
        #expect(session.endInput() == [])
    }

    @Test("who is kicked waits for the goodbye, though the input ends and all is answered")
    func kicked() {
        var session = playing()
        _ = session.send("ping")
        #expect(texts(session.receive("KICKED alice shill bids")) == ["KICKED alice shill bids"])
        #expect(session.endInput() == [])
        #expect(texts(session.receive("OK ping")) == ["OK ping"])
        #expect(session.receive("BYE kicked").last == .exit(.refused))
    }

    @Test("who kicked somebody else of that name out before is no matter")
    func kickedBefore() {
        var session = OneShotSession(.play(as: alice)) { _ in "t" }
        _ = session.begin()
        for line in [Self.hello, "LOT 1 Vase", "KICKED alice shill bids", "OK name alice t"] {
            _ = session.receive(line)
        }
        #expect(session.endInput() == [.exit(.done)])
    }

    @Test("a server that is gone is lost, though the input has ended")
    func lost() {
        var session = playing()
        _ = session.send("ping")
        _ = session.endInput()
        #expect(session.lose().last == .exit(.lost))
    }

    @Test("in JSON the snapshot comes before the name, and all is shown from there on")
    func json() {
        var session = OneShotSession(.play(as: alice), format: .json) { _ in "old" }
        #expect(session.begin() == [.send("format json")])
        _ = session.receive(Self.hello)
        _ = session.receive("LOT 1 Vase")
        #expect(session.receive("OK format json") == [.send("status")])
        let lot = #"{"seq":1,"type":"lot","content":"Vase","lot":1}"#
        _ = session.receive(lot)
        let snapshot = session.receive(#"{"type":"ok","content":"status"}"#)
        #expect(texts(snapshot) == [lot])
        #expect(snapshot.last == .send("name alice old"))
        _ = session.receive(#"{"type":"ok","content":"name alice new"}"#)
        _ = session.send("ping")
        let pong = #"{"type":"ok","content":"ping"}"#
        #expect(texts(session.receive(pong)) == [pong])
        #expect(!session.awaitsAnswer)
    }

    @Test("a format that the user asks for is understood from then on")
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

    private func texts(_ effects: [ClientEffect]) -> [String] {
        effects.compactMap { if case .show(let line) = $0 { line.text } else { nil } }
    }

    private func complaints(_ effects: [ClientEffect]) -> [String] {
        effects.compactMap { if case .complain(let text) = $0 { text } else { nil } }
    }
}
