import Auction
import Basics
import Bidder
import BidderSupport
import Strategies
import Testing
import Wire

/// The commands that print lines, and bots, in a room other than the main one.
@Suite struct RoomSessionTests {
    private static let main = "HELLO auction/1 seconds=7 step=1 game=k3v9 room=main (type help)"
    private static let blue = "HELLO auction/1 seconds=9 step=2 game=k3v9 room=blue (type help)"
    private static let mainInJSON =
        #"{"type":"hello","content":"auction/1","seconds":7,"step":1,"game":"k3v9","room":"main"}"#
    private static let blueInJSON =
        #"{"type":"hello","content":"auction/1","seconds":9,"step":2,"game":"k3v9","room":"blue"}"#

    private static let alice = bidder("alice")
    private static let bid = ClientCommand.bid(.bid(price(5)), by: alice, waits: true)

    @Test(
        "every command joins its room first, then takes the name, and then does what it is for",
        arguments: [
            (bid, ["join blue", "name alice kept", "bid 5 lot=1"]),
            (.play(as: alice), ["join blue", "name alice kept"]),
            (.watch, ["join blue"]), (.ask(.who), ["join blue", "who"]),
            (.ask(.say("hello"), as: alice), ["join blue", "name alice kept", "say hello"]),
            (.send("ping", as: nil), ["join blue", "ping"]), (.ask(.rooms), ["rooms"]),
            (.open(room("red"), RoomOptions()), ["open red"]),
        ] as [(ClientCommand, [String])])
    func sends(command: ClientCommand, lines: [String]) {
        var session = OneShotSession(command, in: room("blue")) { _ in "kept" }
        let effects =
            session.begin()
            + [
                Self.main, "LOT 9 Clock", "PRICE 90 bob 00:01.0 1", Self.blue, "LOT 1 Vase",
                "OK join blue", "OK name alice kept", "OK bid 5",
            ].flatMap { session.receive($0) }
        #expect(sent(effects).prefix(lines.count) == lines[...])
        #expect(!printed(effects).contains { $0.contains("Clock") || $0.contains("90") })
    }

    @Test("what is printed of the room begins with its snapshot, in text and in JSON")
    func snapshot() {
        var inText = OneShotSession(.watch, in: room("blue"))
        let lines = [Self.main, "LOT 9 Clock", "JOINED bob", Self.blue, "LOT 1 Vase"]
        #expect(printed(inText.begin() + lines.flatMap { inText.receive($0) }) == [])
        #expect(printed(inText.receive("OK join blue")) == ["LOT 1 Vase"])
        #expect(printed(inText.receive("JOINED zoe")) == ["JOINED zoe"])
        var inJSON = OneShotSession(.watch, in: room("blue"), format: .json)
        let lot = #"{"seq":1,"snapshot":true,"type":"lot","content":"Vase","lot":1}"#
        #expect(inJSON.begin() == [.send("format json")])
        #expect(inJSON.receive(Self.main) + inJSON.receive("LOT 9 Clock") == [])
        #expect(inJSON.receive("OK format json") == [.send("join blue")])
        #expect(inJSON.receive(#"{"seq":8,"type":"joined","content":"bob","bidder":"bob"}"#) == [])
        #expect(inJSON.receive(Self.blueInJSON) + inJSON.receive(lot) == [])
        #expect(inJSON.receive(#"{"type":"ok","content":"join blue"}"#) == shown(lot))
    }

    @Test("a bid follows the lot of its room, whatever news of another room came before")
    func bids() {
        var session = OneShotSession(Self.bid, in: room("blue"), inSentences: true)
        _ = session.begin()
        let lines = [Self.blue, "LOT 1 Vase", "TERMS x"]
        let effects =
            [Self.main, "LOT 1 Clock", "PAUSED"].flatMap { session.receive($0) }
            + session.receiveInJSON(after: "LOT 1 Clock", lines)
        #expect(effects == [.send("join blue")])
        #expect(
            session.receive(inJSON("OK join blue"))
                == [.say(Sentence("lot 1 is open: Vase")), .send("name alice")])
        #expect(sent(session.receive(inJSON("OK name alice t"))) == ["bid 5 lot=1"])
        _ = session.receive(inJSON("OK bid 5"))
        #expect(session.receive(inJSON("WINNER alice 5 00:02.0 Vase")).last == .exit(.done))
    }

    @Test("a bid that was accepted stays known when the room is joined on another connection")
    func rejoins() {
        let command = ClientCommand.bid(
            .bid(price(5)), by: Self.alice, waits: true, waitsForLot: true)
        var session = OneShotSession(command, in: room("blue"))
        _ = session.begin()
        for line in [
            Self.main, "LOT 1 Clock", Self.blue, "LOT 3 Vase", "OK join blue", "OK name alice t",
            "OK bid 5",
        ] { _ = session.receive(line) }
        session.disconnect()
        _ = session.begin()
        let lines = [
            Self.main, "WINNER bob 9 00:02.0 Vase", Self.blue, "LOT 3 Vase", "OK join blue",
            "OK name alice t",
        ]
        let effects = lines.flatMap { session.receive($0) }
        #expect(!effects.contains(.exit(.refused)) && !effects.contains(.send("bid 5 lot=3")))
        #expect(session.receive("WINNER alice 5 00:02.0 Vase").last == .exit(.done))
    }

    @Test("a room that is not open ends a command with a message and exit code 1")
    func refused() {
        let line = "ERROR no-room no room has this name, type rooms for a list"
        var session = OneShotSession(.ask(.who), in: room("blue"))
        _ = session.begin() + session.receive(Self.main)
        #expect(session.receive(line) == shown(line) + [.exit(.refused)])
        var inSentences = OneShotSession(.ask(.who), in: room("blue"), inSentences: true)
        _ = inSentences.begin() + inSentences.receiveInJSON(after: Self.main, [])
        let reason = "there is no room blue, auction-client rooms lists all"
        #expect(
            inSentences.receive(inJSON(line)) == [.say(Sentence(reason, .bad)), .exit(.refused)])
    }

    @Test("a user with lines sees the greeting of the room that a line of the input joins")
    func joinsByInput() {
        var session = OneShotSession(.play(as: Self.alice))
        _ = session.begin() + session.receive(Self.main) + session.receive("OK name alice t")
        #expect(session.send("join blue") == [.send("join blue")])
        let lines = [Self.blue, "LOT 1 Vase", "OK join blue", "JOINED alice"]
        #expect(printed(lines.flatMap { session.receive($0) }) == lines)
    }

    @Test("the rooms are a table on a terminal, and lines in a pipe")
    func lists() {
        let rows = [
            "ROOM main people=3 lot=12 format=english lot-12",
            "ROOM blue people=12 lot=3 format=vickrey Blue vase",
        ]
        func answer(inSentences: Bool) -> [ClientEffect] {
            var session = OneShotSession(.ask(.rooms), inSentences: inSentences)
            _ = session.begin()
            let lines = ["LOT 1 Clock"] + rows + ["OK rooms 2"]
            return inSentences
                ? session.receiveInJSON(after: Self.main, lines)
                : ([Self.main] + lines).flatMap { session.receive($0) }
        }
        #expect(printed(answer(inSentences: false)) == rows)
        let said = answer(inSentences: true).compactMap {
            if case .say(let sentence) = $0 { sentence.text } else { nil }
        }
        #expect(
            said == [
                "room  people  lot  format   title",
                "main       3   12  english  lot-12",
                "blue      12    3  vickrey  Blue vase",
                "2 rooms open",
            ])
    }

    @Test("opening prints the answer in a pipe, and on a terminal the key and how others join")
    func opens() throws {
        let options = try RoomOptions(line: "seconds=10 lots=5")
        let command = ClientCommand.open(room("blue"), options, invitation: ["others join"])
        let lines = [Self.main, Self.blue, "LOT 1 lot-1", "OK open blue 5ab3"]
        var session = OneShotSession(command)
        #expect(session.begin() == [.send("open blue seconds=10 lots=5")])
        #expect(
            lines.flatMap { session.receive($0) } == shown("OK open blue 5ab3") + [.exit(.done)])
        var inSentences = OneShotSession(command, inSentences: true)
        _ = inSentences.begin()
        #expect(
            inSentences.receiveInJSON(after: lines[0], Array(lines.dropFirst())) == [
                .send("open blue seconds=10 lots=5"),
                .say(Sentence("the room blue is open", .good)),
                .say(Sentence("the key of its auctioneer: 5ab3")), .say(Sentence("others join")),
                .exit(.done),
            ])
    }

    @Test("a bot joins its room before it takes a name, and knows nothing of the main room")
    func botJoins() {
        var table = Self.table()
        let lot = #"{"seq":9,"type":"lot","content":"Clock","lot":9,"start":1}"#
        table.receive(Self.main, "OK format json", lot)
        #expect(table.takeSent() == ["format json", "join blue"])
        table.receive(Self.blueInJSON, #"{"type":"ok","content":"join blue"}"#)
        #expect(table.takeSent() == ["status", "name truthful-1"])
        table.receive(
            #"{"seq":3,"snapshot":true,"type":"lot","content":"Vase","lot":1,"start":4}"#,
            #"{"seq":3,"snapshot":true,"type":"state","content":"","state":{"lot":1,"#
                + #""stage":"open","minimum":4,"maximum":99}}"#,
            #"{"type":"ok","content":"status"}"#, #"{"type":"ok","content":"name truthful-1 t"}"#,
            #"{"type":"you","content":"","you":{"worth":80}}"#)
        #expect(table.takeSent() == ["bid 4"])
    }

    @Test("a bot that lost its connection resumes in its room, with the numbers of the room")
    func botResumes() {
        var table = Self.table()
        let join = #"{"type":"ok","content":"join blue"}"#
        table.receive(Self.main, "OK format json", Self.blueInJSON, join)
        table.receive(
            #"{"seq":3,"snapshot":true,"type":"lot","content":"Vase","lot":1,"start":4}"#,
            #"{"type":"ok","content":"status"}"#, #"{"type":"ok","content":"name truthful-1 t"}"#)
        table.lose()
        table.wait(.milliseconds(300))
        table.connect()
        _ = table.takeSent()
        let news = #"{"seq":80,"snapshot":true,"type":"lot","content":"Vase","lot":9}"#
        table.receive(Self.main, "OK format json", news, Self.blueInJSON, join)
        #expect(table.takeSent() == ["join blue", "resume 3", "name truthful-1 t"])
    }

    @Test("a bot whose room is not open ends with a message")
    func botRefused() {
        var table = Self.table()
        table.receive(
            Self.main, "OK format json",
            #"{"type":"error","code":"no-room","content":"type rooms"}"#)
        #expect(
            table.effects.suffix(3) == [
                .complain("there is no room blue, auction-client rooms lists all"),
                .disconnect, .exit(.refused),
            ])
    }

    private static func table() -> BotTable {
        var table = BotTable(.truthful, in: room("blue"))
        table.connect()
        return table
    }

    private func sent(_ effects: [ClientEffect]) -> [String] {
        effects.compactMap { if case .send(let line) = $0 { line } else { nil } }
    }

    private func shown(_ line: String) -> [ClientEffect] {
        [.show(ReceivedLine(line, format: line.hasPrefix("{") ? .json : .text))]
    }
}
