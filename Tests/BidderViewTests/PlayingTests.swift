import AuctionRules
import BidderView
import Testing
import Wire

@Suite struct PlayingTests {
    static let hello = ErrandTests.hello
    let alice: Bidder

    init() throws {
        alice = try #require(Bidder("alice"))
    }

    @Test("to play is to take the name with its token, to keep that, and to see what happens")
    func begin() {
        var errand = Errand(.play(as: alice)) { _ in "old" }
        #expect(errand.begin() == [])
        #expect(errand.hear(Self.hello) == [.send("name alice old")])
        #expect(texts(errand.hear("LOT 1 Vase")) == ["LOT 1 Vase"])
        #expect(!errand.wantsInput)
        #expect(
            errand.hear("OK name alice new") == [.keep(token: "new", of: alice, in: GameID("k3v9"))]
        )
        #expect(errand.wantsInput)
        #expect(!errand.awaitsAnswer)
        for line in ["JOINED alice", "PRICE 1 bob 00:00.1 1", "WINNER bob 1 00:07.1 Vase", "new"] {
            #expect(texts(errand.hear(line)) == [line])
        }
    }

    @Test(
        "a line is said as it is, and one without a word is not said",
        arguments: [
            ("bid 5", true), ("  #1  BID\t5 ", true), ("dance", true), ("name zoë", true),
            ("", false), (" \t ", false), ("\r", false), (" \r", false),
        ])
    func say(line: String, isSaid: Bool) {
        var errand = playing()
        #expect(errand.say(line) == (isSaid ? [.send(line)] : []))
        #expect(errand.awaitsAnswer == isSaid)
    }

    static let answers = [
        "OK bid 5", "OK #1 ping", "ERROR leading price=5 you lead already",
        "ERROR unknown-command say help",
    ]

    @Test("an answer is shown, an error too, and playing goes on", arguments: answers)
    func answered(answer: String) {
        var errand = playing()
        _ = errand.say("bid 5")
        #expect(texts(errand.hear(answer)) == [answer])
        #expect(!errand.awaitsAnswer)
        #expect(errand.wantsInput)
    }

    @Test("at the end of the input it ends when everything said is answered", arguments: answers)
    func end(answer: String) {
        var errand = playing()
        _ = errand.say("bid 5")
        _ = errand.say("bid 6")
        #expect(errand.endInput() == [])
        #expect(!errand.wantsInput)
        #expect(errand.hear("OK bid 5").last != .exit(.done))
        #expect(errand.hear("PRICE 5 alice 00:00.1 1").last != .exit(.done))
        let end = errand.hear(answer)
        #expect(texts(end) == [answer])
        #expect(end.last == .exit(.done))
        #expect(errand.hear("COUNTDOWN 7") == [])
        #expect(errand.lose() == [])
    }

    @Test("an input with nothing in it ends at once")
    func emptyInput() {
        var errand = playing()
        #expect(errand.endInput() == [.exit(.done)])
        #expect(errand.endInput() == [])
    }

    @Test("no more lines are wanted while a thousand wait for their answers")
    func bound() {
        var errand = playing()
        for number in 1...Errand.mostUnanswered {
            #expect(errand.wantsInput)
            #expect(errand.say("#\(number) ping").count == 1)
        }
        #expect(!errand.wantsInput)
        #expect(errand.say("a line that was read with the last").count == 1)
        _ = errand.hear("OK #1 ping")
        #expect(!errand.wantsInput)
        _ = errand.hear("OK #2 ping")
        #expect(errand.wantsInput)
    }

    @Test("an answer to nothing is shown, and counts for nothing")
    func unasked() {
        var errand = playing()
        #expect(
            texts(errand.hear("ERROR unavailable try again")) == ["ERROR unavailable try again"])
        _ = errand.say("ping")
        #expect(errand.awaitsAnswer)
    }

    @Test("a name that is refused ends as refused, before any line is read")
    func nameRefused() {
        var errand = Errand(.play(as: alice))
        _ = errand.begin()
        _ = errand.hear(Self.hello)
        let actions = errand.hear("ERROR name-taken choose another")
        #expect(texts(actions) == ["ERROR name-taken choose another"])
        #expect(actions.last == .exit(.refused))
        #expect(!errand.wantsInput)
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
        var errand = playing()
        _ = errand.say("quit")
        let actions = errand.hear(bye)
        #expect(texts(actions) == [bye])
        #expect(self.complaints(actions) == complaints)
        #expect(actions.last == .exit(code))
        #expect(errand.say("ping") == [])
        #expect(errand.endInput() == [])
    }

    @Test("who is kicked waits for the goodbye, though the input ends and all is answered")
    func kicked() {
        var errand = playing()
        _ = errand.say("ping")
        #expect(texts(errand.hear("KICKED alice shill bids")) == ["KICKED alice shill bids"])
        #expect(errand.endInput() == [])
        #expect(texts(errand.hear("OK ping")) == ["OK ping"])
        #expect(errand.hear("BYE kicked").last == .exit(.refused))
    }

    @Test("who kicked somebody else of that name out before is no matter")
    func kickedBefore() {
        var errand = Errand(.play(as: alice)) { _ in "t" }
        _ = errand.begin()
        for line in [Self.hello, "LOT 1 Vase", "KICKED alice shill bids", "OK name alice t"] {
            _ = errand.hear(line)
        }
        #expect(errand.endInput() == [.exit(.done)])
    }

    @Test("a server that is gone is lost, though the input has ended")
    func lost() {
        var errand = playing()
        _ = errand.say("ping")
        _ = errand.endInput()
        #expect(errand.lose().last == .exit(.lost))
    }

    @Test("in JSON the snapshot comes before the name, and all is shown from there on")
    func json() {
        var errand = Errand(.play(as: alice), format: .json) { _ in "old" }
        #expect(errand.begin() == [.send("format json")])
        _ = errand.hear(Self.hello)
        _ = errand.hear("LOT 1 Vase")
        #expect(errand.hear("OK format json") == [.send("status")])
        let lot = #"{"seq":1,"type":"lot","content":"Vase","lot":1}"#
        _ = errand.hear(lot)
        let snapshot = errand.hear(#"{"type":"ok","content":"status"}"#)
        #expect(texts(snapshot) == [lot])
        #expect(snapshot.last == .send("name alice old"))
        _ = errand.hear(#"{"type":"ok","content":"name alice new"}"#)
        _ = errand.say("ping")
        let pong = #"{"type":"ok","content":"ping"}"#
        #expect(texts(errand.hear(pong)) == [pong])
        #expect(!errand.awaitsAnswer)
    }

    @Test("a format that the user asks for is understood from then on")
    func format() {
        var errand = playing()
        _ = errand.say("format json")
        _ = errand.say("ping")
        _ = errand.hear("OK format json")
        _ = errand.hear(#"{"type":"ok","content":"ping"}"#)
        #expect(!errand.awaitsAnswer)
    }

    private func playing() -> Errand {
        var errand = Errand(.play(as: alice))
        _ = errand.begin()
        _ = errand.hear(Self.hello)
        _ = errand.hear("OK name alice t")
        return errand
    }

    private func texts(_ actions: [Action]) -> [String] {
        actions.compactMap { if case .show(let line) = $0 { line.text } else { nil } }
    }

    private func complaints(_ actions: [Action]) -> [String] {
        actions.compactMap { if case .complain(let line) = $0 { line.text } else { nil } }
    }
}
