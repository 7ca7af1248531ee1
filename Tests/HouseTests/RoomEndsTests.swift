import Auction
import Basics
import House
import Testing
import Wire

/// Rooms that make room for others, and rooms that the auctioneer ends.
@Suite struct RoomEndsTests {
    // Rooms that give way

    /// A server with a limit of rooms; al, bo and cy are in main, and boss is the auctioneer.
    private func clients(rooms: Int, perAddress: Int? = nil) -> TestClients {
        var clients = TestClients(
            limits: .with { ($0.rooms, $0.roomsPerAddress) = (rooms, perAddress) })
        clients.preside()
        clients.connectNamed("al", "bo", "cy")
        clients.forget("al", "bo", "boss")
        return clients
    }

    private func rooms(_ clients: inout TestClients) -> [String] {
        _ = clients.received("cy")
        return clients.send("cy", "rooms").dropLast().map { String($0.split(separator: " ")[1]) }
            .filter { $0 != "main" }
    }

    @Test("with all rooms taken, the one that was left longest without a bid ends for a new one")
    func givesWay() {
        var clients = clients(rooms: 4)
        for room in ["blue", "amber", "red"] { clients.send("al", "open \(room)") }
        clients.send("al", "join blue")
        clients.send("al", "join main")
        #expect(clients.send("bo", "open green").contains { $0.hasPrefix("OK open green ") })
        #expect(rooms(&clients) == ["blue", "green", "red"])
        clients.send("al", "open x")
        #expect(rooms(&clients) == ["blue", "green", "x"])
        #expect(clients.send("cy", "open y").contains { $0.hasPrefix("OK open y ") })
        #expect(clients.send("cy", "rooms").last == "OK rooms 4")
        #expect(clients.lobby.deadline == nil)
    }

    @Test(
        "a room in which somebody is or was accepted as a bidder does not give way",
        arguments: [
            ("", [], true), (" worth=50..150", [], true), (" format=sealed", [], true),
            ("", ["bid 5"], false), (" format=sealed", ["bid 5"], false),
            ("", ["max 5"], false), (" lots=1", ["bid 5", "PASS", "rooms"], false),
            ("", ["max 5", "max 0"], false),
        ])
    func keepsBids(options: String, lines: [String], givesWay: Bool) {
        var clients = clients(rooms: 2)
        clients.send("al", "open blue seconds=1\(options)")
        for line in lines {
            if line == "PASS" { clients.pass(milliseconds: 5000) } else { clients.send("al", line) }
        }
        #expect(clients.send("bo", "open red").last == .roomsFull)
        clients.send("al", "join main")
        let answer = clients.send("bo", "open red")
        #expect(answer.contains { $0.hasPrefix("OK open red ") } == givesWay, "\(answer)")
    }

    @Test("a room gives way whose sale was over and goes on, if nobody has bid in it")
    func goesOn() {
        var clients = clients(rooms: 2)
        clients.send("al", "open blue seconds=1 lots=1")
        clients.send("cy", "join blue")
        clients.send("boss", "join blue")
        clients.send("boss", "close")
        clients.send("cy", "join main")
        #expect(clients.send("boss", "add Vase").last == "OK add")
        clients.pass(milliseconds: 1000)
        #expect(clients.received("al").last == "LOT 2 Vase")
        clients.send("al", "join main")
        clients.send("boss", "join main")
        #expect(clients.send("bo", "open red").contains { $0.hasPrefix("OK open red ") })
    }

    @Test("a bidder whose connection was lost is in the room until LEFT")
    func absence() {
        var clients = TestClients.twoRooms(
            limits: .with { ($0.rooms, $0.absence) = (2, .seconds(3)) })
        clients.lose("al")
        clients.pass(milliseconds: 2999)
        #expect(clients.send("bo", "open red").last == .roomsFull)
        clients.pass(milliseconds: 1)
        #expect(clients.send("bo", "open red").contains { $0.hasPrefix("OK open red ") })
    }

    @Test("a refused opening ends no room")
    func refusedOpening() {
        var clients = clients(rooms: 2)
        clients.send("al", "open blue")
        clients.send("al", "join main")
        _ = clients.received("bo")
        #expect(clients.send("bo", "open red format=dutch")[0].hasPrefix("ERROR bad-option "))
        #expect(clients.send("bo", "open main")[0].hasPrefix("ERROR room-taken "))
        #expect(rooms(&clients) == ["blue"])
    }

    @Test("rooms that were left again and again are noted once")
    func manyDepartures() {
        var clients = clients(rooms: 3)
        clients.send("al", "open blue")
        clients.send("bo", "open red")
        clients.send("bo", "join main")
        for _ in 0..<300 {
            clients.pass(milliseconds: 1)
            clients.send("al", "join main")
            clients.send("al", "join blue")
        }
        clients.send("al", "join main")
        clients.send("cy", "open green")
        #expect(clients.roomNames.values.map(\.description).sorted() == ["blue", "green"])
    }

    @Test("after a restart the rooms count as left at the start, in the order of their opening")
    func restart() {
        let limits = Limits.with { $0.rooms = 4 }
        var before = TestClients.twoRooms(limits: limits)
        before.send("al", "open amber")
        before.send("al", "open red")
        before.send("al", "bid 5")
        before.send("al", "join blue")
        var after = TestClients(limits: limits, resuming: replay(before.timedJournal), tokens: 10)
        after.connectNamed("cy")
        #expect(after.send("cy", "open x").contains { $0.hasPrefix("OK open x ") })
        after.connectNamed("eve")
        #expect(after.send("eve", "open y").contains { $0.hasPrefix("OK open y ") })
        after.connectNamed("fay")
        #expect(after.send("fay", "open z") == [.roomsFull])
        #expect(after.roomNames.values.map(\.description).sorted() == ["red", "x", "y"])
    }

    // The place of the operator

    @Test("the auctioneer of the server finds a place in every case, and the Unix socket too")
    func reservedPlace() {
        var clients = clients(rooms: 2, perAddress: 1)
        clients.send("al", "open blue")
        #expect(clients.send("bo", "open red").last == .roomsFull)
        #expect(clients.send("boss", "open red").contains { $0.hasPrefix("OK open red ") })
        #expect(clients.send("boss", "open green").last == .roomsFull)
        #expect(clients.send("boss", "end blue").first == "OK end")
        #expect(clients.closed == ["al"])
        #expect(clients.send("boss", "open green").contains { $0.hasPrefix("OK open green ") })
        clients.join("root", from: .local)
        _ = clients.received("root")
        clients.send("boss", "end red")
        #expect(clients.send("root", "open x").contains { $0.hasPrefix("OK open x ") })
        #expect(clients.send("root", "open y") == [.roomsFull])
    }

    @Test("with one room, nobody can open another, not even the auctioneer")
    func oneRoom() {
        var clients = clients(rooms: 1)
        #expect(clients.send("boss", "open blue") == [.roomsFull])
    }

    // Rooms that the auctioneer ends

    @Test("everybody in a room that is ended is told so and closed, and its open lot is unsold")
    func end() {
        var clients = TestClients.presided()
        clients.send("al", "open blue seconds=3")
        clients.send("bo", "join blue")
        clients.send("al", "bid 5")
        clients.forget("al", "bo", "boss")
        #expect(clients.send("boss", "#e end blue") == ["OK #e end"])
        #expect(
            clients.received("al") == [
                "PASSED 1 closed lot-1", "NEXT 3 lot-2", "LEFT al", "BYE room-ended",
            ])
        #expect(clients.received("bo").last == "BYE room-ended")
        #expect(clients.closed == ["al", "bo"])
        #expect(clients.send("boss", "rooms").last == "OK rooms 1")
        let lines = clients.journal.map(\.record.text)
        #expect(lines.last == "SHUT blue")
        #expect(lines.contains("LEFT al") && lines.contains("LEFT bo"))
        #expect(replay(clients.timedJournal).roomCount == 0)
        #expect(clients.lobby.deadline == nil)
        clients.pass(milliseconds: 60_000)
        clients.connectNamed("al")
        #expect(clients.send("al", "open blue").contains { $0.hasPrefix("OK open blue ") })
    }

    @Test("nothing is due in a room that has just ended")
    func deadline() {
        var clients = TestClients.presided()
        clients.send("al", "open blue")
        _ = clients.lobby.receive(
            Array("end blue\n".utf8).span, from: clients.id("boss"), at: clients.now)
        #expect(clients.lobby.deadline == nil)
    }

    @Test("an auctioneer in the room that it ends has the answer before BYE")
    func ownRoom() {
        var clients = TestClients.twoRooms()
        clients.send("al", "auctioneer \(token(3))")
        #expect(clients.send("al", "end red")[0].hasPrefix("ERROR not-auctioneer "))
        let lines = clients.send("al", "end blue\nping")
        #expect(
            lines == [
                "OK end", "PASSED 1 closed lot-1", "NEXT 3 lot-2", "LEFT al", "BYE room-ended",
            ])
        #expect(clients.roomNames.isEmpty)
    }

    @Test(
        "what cannot be ended is refused with the reason",
        arguments: [
            ("boss", "end main", "ERROR bad-arguments "), ("boss", "end", "ERROR bad-arguments "),
            ("boss", "end blue", "ERROR no-room "), ("al", "end blue", "ERROR not-auctioneer "),
        ])
    func refusals(client: String, line: String, error: String) {
        var clients = TestClients.presided()
        _ = clients.received(client)
        let answer = clients.send(client, line)
        #expect(answer.count == 1 && answer[0].hasPrefix(error), "\(answer)")
    }

    private func replay(_ lines: [(record: Record, number: Int?)]) -> ServerReplay {
        var replay = ServerReplay()
        replay.beginSegment(first: 1, state: 0)
        for (record, number) in lines {
            let isTaken = replay.replay(record, number: number)
            #expect(isTaken, "\(record.text)")
        }
        return replay
    }
}

extension String {
    /// The refusal of a room when there are too many.
    fileprivate static let roomsFull =
        "ERROR full the server has as many rooms as it allows, type rooms for a list and join one"
}
