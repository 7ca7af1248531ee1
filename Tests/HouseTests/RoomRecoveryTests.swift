import Auction
import Basics
import House
import Testing
import Wire

@Suite struct RoomRecoveryTests {
    @Test("sealed bids are decided before a room ends to which nobody returns after a restart")
    func idleWithSealedBids() {
        let limits = Limits.with { $0.roomIdle = .seconds(5) }
        var before = TestClients.twoRooms(" format=sealed lots=1", limits: limits)
        before.send("al", "20")
        var after = TestClients(limits: limits, resuming: replay(before.timedJournal), tokens: 10)
        after.pass(milliseconds: 20_000)
        let lines = after.timedJournal.map { $0.record.text }
        #expect(lines.contains { $0.hasPrefix("WINNER al 20 ") })
        #expect(lines.contains("SHUT blue"))
    }

    // The journal

    @Test("after a restart every room is where it was", arguments: [false, true])
    func recovery(fromState: Bool) {
        var before = TestClients.twoRooms(" lots=3 purse=50")
        before.send("al", "5")
        before.pass(milliseconds: 3000)
        before.send("bo", "7")
        before.send("bo", "join blue")
        before.send("bo", "8")
        let recovered =
            fromState
            ? replay(before.lobby.state.flatMap(\.records), after: 1000, isState: true)
            : replay(before.timedJournal)
        var after = TestClients(limits: .none, resuming: recovered, tokens: 10)
        after.connect("eve")
        #expect(after.send("eve", "laps") == ["LAP 1 7 bo 00:03.0", "OK laps 1"])
        let blue = after.send("eve", "join blue")
        #expect(
            blue.contains(
                "HELLO auction/1 seconds=3 step=1 game=k3v9 room=blue sale=\(saleIdentity(3)) (type help)"
            ))
        #expect(after.send("eve", "results") == ["RESULT 1 al 5 00:03.0 lot-1", "OK results 1"])
        #expect(after.send("eve", "auctioneer \(token(3))") == ["OK auctioneer"])
        #expect(after.send("eve", "name bo")[0].hasPrefix("ERROR name-taken "))
        #expect(after.send("eve", "name al \(token(1))")[0].hasPrefix("OK name al "))
        #expect(after.received("eve").isEmpty)
        #expect(after.send("eve", "status").contains("PURSE 45"))
    }

    @Test("neither the journal nor a state has the token of a name or the key of a room")
    func hashes() {
        var clients = TestClients.twoRooms()
        clients.send("al", "5")
        let records = clients.journal + clients.lobby.state.flatMap(\.records)
        let text = records.map(\.record.text).joined(separator: "\n")
        for number in 1...3 { #expect(!text.contains(token(number))) }
        #expect(text.contains(nameLine("al", 1)) && text.contains(nameLine("bo", 2)))
    }

    @Test("a connection is told the token of its name again in every room")
    func repeatedToken() {
        var clients = TestClients.twoRooms()
        for room in ["main", "blue"] {
            clients.send("bo", "join \(room)")
            #expect(clients.send("bo", "name bo").contains("OK name bo \(token(2))"))
        }
    }

    @Test("after a restart with other flags a room has its options, and raises are as in main")
    func otherFlags() {
        var before = TestClients(Rules(seconds: 7, start: price(10), step: price(2)))
        before.connectNamed("al")
        before.send("al", "open blue")
        before.send("al", "10")
        let rules = Rules(
            seconds: 9, start: price(50), step: price(5), allowsSelfRaise: true,
            mostRaise: price(20))
        var after = TestClients(rules, resuming: replay(before.timedJournal), tokens: 10)
        after.connect("al")
        let greeting = after.send("al", "join blue")
        #expect(greeting[0].hasPrefix("HELLO auction/1 seconds=7 step=2 game=k3v9 room=blue "))
        after.send("al", "name al \(token(1))")
        #expect(after.send("al", "31") == ["ERROR too-high maximum=30 bid at most 30"])
        #expect(after.send("al", "12").contains("OK bid 12"))
    }

    @Test(
        "a room keeps the results of its newest 1,000 lots, main those of ten times as many",
        arguments: [("main", 1, 2001), ("blue", 1001, 1000)])
    func results(room: String, oldest: Int, logged: Int) {
        var clients = TestClients.presided(Catalogue(pause: .zero))
        if room != "main" { clients.send("boss", "open \(room) pause=0") }
        for _ in 0..<2001 {
            clients.send("boss", "close")
            clients.pass(milliseconds: 1000)
        }
        _ = clients.received("boss")
        #expect(clients.send("boss", "results \(oldest) 1").count == 2)
        #expect(clients.send("boss", "results \(oldest - 1) 1").count == 1)
        let state = clients.lobby.state.flatMap(\.records)
        #expect(state.count { if case .result = $0.record { true } else { false } } == logged)
        let recovered = replay(state, after: 10_000, isState: true)
        #expect((recovered.rooms.last?.sale ?? recovered.main).results.count == logged)
    }

    @Test("the journal names the room of what follows, and only when it changes")
    func log() {
        var clients = TestClients.twoRooms()
        clients.send("al", "5")
        clients.send("bo", "6")
        clients.send("bo", "7")
        let lines = clients.timedJournal.map { $0.record.text }
        let names = lines.filter { $0.hasPrefix("ROOM ") || $0.hasPrefix("OPEN ") }
        #expect(names.map { $0.prefix(9) } == ["OPEN blue", "ROOM main", "ROOM blue", "ROOM main"])
        #expect(
            clients.timedJournal.compactMap(\.number)
                == Array(1...clients.timedJournal.compactMap(\.number).count))
    }

    @Test("a segment that begins while another room is logged continues in main")
    func segment() {
        var clients = TestClients.twoRooms()
        clients.send("al", "5")
        _ = clients.lobby.beginSegment()
        let before = clients.timedJournal.count
        clients.send("al", "say hello")
        #expect(clients.timedJournal[before].record.text == "ROOM blue")
    }

    @Test("a state stays that of its moment, whatever happens in the rooms after it")
    func stateOfTheMoment() {
        var clients = TestClients.twoRooms()
        clients.send("al", "5")
        let state = clients.lobby.state
        let before = state.flatMap(\.records).map { $0.record.text }
        clients.send("bo", "6")
        clients.send("al", "say hello")
        clients.connectNamed("eve")
        clients.pass(milliseconds: 20_000)
        #expect(state.flatMap(\.records).map { $0.record.text } == before)
        #expect(clients.lobby.state.flatMap(\.records).map { $0.record.text } != before)
    }

    /// What a server recovers from lines of its journal.
    private func replay(
        _ lines: [(record: Record, number: Int?)], after first: Int = 1, isState: Bool = false
    ) -> ServerReplay {
        var replay = ServerReplay()
        replay.beginSegment(first: first, state: isState ? lines.count : 0)
        for (record, number) in lines {
            let isTaken = replay.replay(record, number: number)
            #expect(isTaken, "\(record.text)")
        }
        return replay
    }
}
