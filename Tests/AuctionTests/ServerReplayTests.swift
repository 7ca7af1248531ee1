import Auction
import Testing
import Wire

@Suite struct ServerReplayTests {
    private static let options = "format=english seconds=10 start=1 step=1 pause=3"
    /// A journal with two rooms; `al` is in both, and `bo`, who has bid, has left the room blue.
    private static let log = [
        "- GAME k3v9", "1 LOT 1 Vase", "- NAME al 1", "2 JOINED al",
        "- OPEN blue KEY \(options)", "- GAME k3v9", "3 LOT 1 Clock", "- NAME al 1", "4 JOINED al",
        "- NAME bo 2", "5 JOINED bo", "6 PRICE 9 bo 00:02.0 1", "7 LEFT bo",
        "- ROOM main", "8 PRICE 5 al 00:03.0 1", "- ROOM blue", "9 LEFT al",
    ]
    private static let emptied = log + ["10 WINNER bo 9 00:12.0 Clock"]
    private static let ended = emptied + ["- SHUT blue"]

    private static let mainState = [
        "- STATE main 3 7", "- TIME 2026-11-21T18:28:26.994Z", "- GAME k3v9", "- NAME al 1 bid",
        "- WHO al", "=1 LOT 1 Vase", "- LAP 1 5 al 00:03.0", "=3 PRICE 5 al 00:03.0 1",
    ]
    private static let openBlue = "- OPEN blue KEY \(options)"
    private static let blueState = [
        openBlue, "- STATE blue 7 6", "- GAME k3v9", "- NAME bo 2 bid", "- LOT 1 Clock",
        "- LAP 1 9 bo 00:02.0", "=7 WINNER bo 9 00:12.0 Clock",
        "- RESULT 1 7 1970-01-01T00:00:00.000Z WINNER bo 9 00:12.0 Clock",
    ]
    private static let wholeState = mainState + blueState

    @Test("each room is recovered from the lines that belong to it")
    func rooms() throws {
        let recovered = try recover(Self.log)
        #expect(recovered.main.auction.lot == Lot(number: 1, title: "Vase"))
        #expect(recovered.main.auction.leading?.price == Price(5))
        #expect((recovered.main.eventNumber, recovered.eventNumber) == (3, 9))
        #expect(recovered.loggedRoom.description == "blue")
        let room = try #require(recovered.rooms.first)
        #expect(recovered.rooms.count == 1 && room.name.description == "blue")
        #expect(room.keyHash == TokenHash(hash(9)))
        #expect(room.options.lot.seconds == 10 && room.options.pause == .seconds(3))
        #expect(room.sale.auction.leading?.price == Price(9))
        #expect(room.sale.eventNumber == 6 && room.sale.serverID == recovered.main.serverID)
    }

    @Test("a room that has ended is kept for its results alone, and its name may be opened again")
    func endedRoom() throws {
        let again = Self.ended + [Self.openBlue, "- GAME k3v9", "11 LOT 1 Lamp"]
        let live = try recover(again)
        #expect(live.rooms.map(\.sale.auction.lot.title) == ["Lamp"])
        #expect(live.ended.isEmpty)
        let all = try recover(again + ["- SHUT blue"], into: ServerReplay(keepsHistory: true))
        #expect(all.ended.map(\.name.description) == ["blue", "blue"])
        #expect(all.ended.map(\.sale.results.count) == [1, 0])
        #expect(all.rooms.isEmpty && all.loggedRoom == .main)
    }

    @Test("rooms are listed in the order of their opening, also when one between them has ended")
    func order() throws {
        var recovered = try recover(["- GAME k3v9", "1 LOT 1 Vase"])
        for (index, name) in ["red", "blue", "green", "grey"].enumerated() {
            for line in [
                "- OPEN \(name) KEY \(Self.options)", "- GAME k3v9", "\(index + 2) LOT 1 Vase",
            ] {
                #expect(try take(line, into: &recovered))
            }
        }
        #expect(try take("- SHUT red", into: &recovered))
        #expect(recovered.loggedRoom == .main)
        #expect(recovered.rooms.map(\.name.description) == ["blue", "green", "grey"])
        #expect(try take("- ROOM grey", into: &recovered))
        #expect(try take("6 PAUSED", into: &recovered))
        #expect(recovered.rooms.map(\.sale.eventNumber) == [1, 1, 2])
    }

    /// Lines behind the header of the first segment: a lot with two bids, and how it ended.
    private static let open = [
        "- GAME k3v9", "1 LOT 1 Vase", "- NAME al 1", "2 JOINED al", "- NAME bo 2", "3 JOINED bo",
        "4 PRICE 5 al 00:01.0 1", "5 COUNTDOWN 7", "6 PRICE 9 bo 00:02.0 2",
    ]
    private static let sold = open + ["7 COUNTDOWN 0", "8 WINNER bo 9 00:09.0 Vase"]

    @Test(
        "a line that cannot be applied is not read",
        arguments: [
            (log, "- OPEN blue KEY \(options)"), (log, "- OPEN main KEY \(options)"),
            (log, "- OPEN red KEY seconds=10"), (log, "- SHUT main"), (log, "- SHUT red"),
            (ended, "- SHUT blue"), (log, "- ROOM red"), (ended, "- ROOM blue"),
            (log, "- STATE blue 6 5"), (log, "10 ROOM main"), (log, "10 SHUT blue"),
            (open, "- LOT 2 Clock"), (open, "7 NAME cy 3"), (open, "7 GAME k3v9"),
            (open, "- PRICE 10 al 00:03.0 3"), (open, "- LAP 3 10 al 00:03.0"),
            (open, "7 LAP 3 10 al 00:03.0"), (open, "- WHO al"), (open, "- NAME cy 3 bid"),
            (sold, "- RESULT 1 8 2026-11-21T18:28:26.994Z WINNER bo 9 00:09.0 Vase"),
            (open, "7 LOT 1 Clock"), (open, "- NAME al 3"),
            (open, "- PLAN format=dutch seconds=7 start=1 step=1"),
            (["- GAME k3v9"], "1 PRICE 5 al 00:01.0 1"),
            (["- GAME k3v9"], "1 PASSED 0 closed Vase"),
            (sold, "9 PRICE 10 al 00:10.0 3"), (sold, "9 VOIDED 9 bo 2 5 al 00:01.0 1"),
            (sold, "9 WINNER bo 9 00:09.0 Vase"), (sold, "9 PASSED 1 closed Vase"),
            (open, "- DRAWN -5"), (open, "- DRAWN 9223372036854775807"), (open, "7 VALUE -5"),
            (open, "- WORTH al -9223372036854775808"), (open, "- WORTH al 9223372036854775807"),
        ])
    func refused(lines: [String], line: String) throws {
        #expect(try !accepts(line, after: lines))
    }

    @Test("a state as a server writes it is read, at the beginning and behind the segment before")
    func state() throws {
        for former in [[], Self.emptied] {
            let recovered = try #require(try read(Self.wholeState, after: former))
            #expect(recovered.eventNumber == 10 && recovered.loggedRoom == .main)
            #expect(recovered.main.eventNumber == 3)
            #expect(recovered.main.auction.leading?.price == Price(5))
            #expect(recovered.rooms.map(\.name.description) == ["blue"])
            #expect(recovered.rooms.map(\.sale.eventNumber) == [7])
            #expect(recovered.rooms.first?.sale.results.map(\.lot.title) == ["Clock"])
            #expect(recovered.rooms.first?.keyHash == TokenHash(hash(9)))
        }
    }

    @Test("a sealed bid that is gone after it was revealed is shown no more")
    func revealedAndGone() throws {
        let terms = "format=sealed seconds=20 start=1 step=1"
        let recovered = try recover([
            "- GAME k3v9", "- PLAN \(terms)", "1 LOT 1 Vase", "2 TERMS \(terms)", "- BID al 5\t10",
            "3 SEALED 1", "4 REVEALED 5 al\t10", "- MAX al 0",
        ])
        #expect(recovered.main.auction.lastRevealed == nil)
    }

    @Test("the results of earlier segments stay, if the history is kept, and none is there twice")
    func results() throws {
        let state = [
            "- GAME k3v9", "- NAME al 1 bid", "- LOT 2 Clock", "- LAP 1 5 al 00:01.0",
            "=9 WINNER al 5 00:08.0 Clock", "=10 OVER 2",
            "- RESULT 2 9 2026-11-21T18:28:26.994Z WINNER al 5 00:08.0 Clock",
        ]
        for (keepsHistory, numbers) in [(true, [8, 9]), (false, [9])] {
            let empty = ServerReplay(keepsHistory: keepsHistory)
            let recovered = try #require(try read(state, after: Self.sold, into: empty))
            #expect(recovered.main.results.map(\.number) == numbers)
            #expect(recovered.main.results.last?.time == 1_795_285_706_994)
            #expect(recovered.main.isOver)
        }
    }

    @Test(
        "a line of a state that cannot be applied is not read",
        arguments: [
            ("- WHO al", "- NAME AL 2 bid"), ("- LOT 1 Clock", "- LOT 0 Clock"),
            ("- NAME bo 2 bid", "- ROOM main"), ("- NAME bo 2 bid", "- SHUT blue"),
            ("- STATE blue 7 6", "- STATE red 7 6"), (openBlue, "- ROOM blue"),
            (openBlue, "- OPEN main KEY \(options)"), ("- LOT 1 Clock", "- LAP 0 9 bo"),
        ])
    func refusedState(line: String, other: String) throws {
        let lines = Self.wholeState.map { $0 == line ? other : $0 }
        #expect(lines != Self.wholeState)
        #expect(try read(lines, after: []) == nil)
    }

    // Reading

    /// What is recovered from lines behind the header of the first segment.
    private func recover(
        _ lines: [String], into empty: ServerReplay = ServerReplay()
    ) throws -> ServerReplay {
        var recovered = empty
        for line in lines {
            let isRead = try take(line, into: &recovered)
            try #require(isRead, "\(line)")
        }
        return recovered
    }

    private func accepts(_ line: String, after lines: [String]) throws -> Bool {
        var recovered = try recover(lines)
        return try take(line, into: &recovered)
    }

    /// What is recovered from the state of a segment whose first event is 11; nil if it is refused.
    private func read(
        _ state: [String], after lines: [String], into empty: ServerReplay = ServerReplay()
    ) throws -> ServerReplay? {
        var recovered = try recover(lines, into: empty)
        recovered.beginSegment(first: 11, state: state.count)
        for line in state where try !take(line, into: &recovered) { return nil }
        return recovered
    }

    /// Takes in a line such as `- NAME al 1`, `4 JOINED al` or `=3 LOT 1 Vase`.
    private func take(_ line: String, into recovered: inout ServerReplay) throws -> Bool {
        let parts = line.split(separator: " ", maxSplits: 1)
        var words = String(parts[1]).replacing("KEY", with: hash(9))
        if words.hasPrefix("NAME ") {
            var fields = words.split(separator: " ").map(String.init)
            fields[2] = hash(Int(fields[2]) ?? 0)
            words = fields.joined(separator: " ")
        }
        // A sealed bid has its time behind a tab.
        let columns = words.split(separator: "\t")
        let read = Record(
            line: Array(columns[0].utf8).span,
            elapsedMilliseconds: columns.count > 1 ? Int64(columns[1]) : nil)
        // Words that are no line are refused, too.
        guard let record = read else { return false }
        let number = Int(parts[0].hasPrefix("=") ? parts[0].dropFirst() : parts[0])
        return recovered.replay(record, number: number)
    }
}

/// The n-th hash of a token, spelled out.
private func hash(_ number: Int) -> String {
    String(repeating: String(repeating: "0", count: 15) + String(number, radix: 16), count: 4)
}
