import Addresses
import AuctionRules
import Lobby
import Sale
import Testing
import Wire

@Suite struct RoomsTests {
    /// Two rooms; `al` has opened blue and is in it, `bo` is in main.
    private static func twoRooms(_ options: String = "", limits: Limits = .none) -> TestClients {
        var clients = TestClients(limits: limits)
        clients.connectNamed("al")
        clients.connectNamed("bo")
        clients.send("al", "open blue seconds=3\(options)")
        _ = clients.received("bo")
        return clients
    }

    @Test("opening a room answers like a greeting there, and then with the key")
    func opening() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.connectNamed("bo")
        #expect(
            clients.send("al", "#1 open blue seconds=3 step=2 purse=100")
                == [
                    "JOINED bo",
                    "HELLO auction/1 seconds=3 step=2 game=k3v9 room=blue (type help)",
                    "LOT 1 lot-1", "OK #1 open blue \(token(3))", "PURSE 100", "JOINED al",
                ])
        #expect(clients.received("bo") == ["LEFT al"])
    }

    @Test("joining a room answers with its greeting and snapshot, and is announced in both rooms")
    func joining() {
        var clients = Self.twoRooms()
        clients.send("al", "5")
        #expect(
            clients.send("bo", "join blue")
                == [
                    "HELLO auction/1 seconds=3 step=1 game=k3v9 room=blue (type help)",
                    "LOT 1 lot-1", "PRICE 5 al 00:00.0 1", "COUNTDOWN 3", "OK join blue",
                    "JOINED bo",
                ])
        #expect(clients.received("al") == ["JOINED bo"])
        #expect(clients.send("bo", "join blue") == ["OK join blue"])
        #expect(clients.send("al", "join main").suffix(2) == ["OK join main", "JOINED al"])
        #expect(clients.received("bo") == ["LEFT al"])
    }

    @Test("news, numbers, countdowns and lists are those of the room")
    func separation() {
        var clients = Self.twoRooms()
        clients.send("al", "5")
        clients.pass(milliseconds: 1500)
        clients.send("bo", "7")
        #expect(clients.received("al").allSatisfy { !$0.contains("bo") })
        #expect(clients.send("al", "laps") == ["LAP 1 5 al 00:00.0", "OK laps 1"])
        #expect(clients.send("al", "who") == ["WHO al", "OK who 1"])
        clients.pass(milliseconds: 1500)
        #expect(clients.received("al").contains("WINNER al 5 00:03.0 lot-1"))
        #expect(!clients.received("bo").contains { $0.hasPrefix("WINNER") })
        clients.pass(milliseconds: 5500)
        #expect(clients.received("bo").contains { $0.hasPrefix("WINNER bo 7") })
    }

    @Test("rooms lists main first, then the others by name, with their people and lots")
    func list() {
        var clients = Self.twoRooms(" format=dutch start=100 step=10")
        clients.send("bo", "open amber lots=1")
        #expect(
            clients.send("al", "#r rooms")
                == [
                    "ROOM main people=0 lot=1 format=english lot-1",
                    "ROOM amber people=1 lot=1 format=english lot-1",
                    "ROOM blue people=1 lot=1 format=dutch lot-1", "OK #r rooms 3",
                ])
    }

    @Test(
        "a room that cannot be opened or joined is refused with what to do",
        arguments: [
            ("open blue", "ERROR room-taken "), ("open main", "ERROR room-taken "),
            ("open red format=dutch", "ERROR bad-option "),
            ("join red", "ERROR no-room "), ("open amber", "ERROR full "),
        ])
    func refusals(line: String, error: String) {
        var limits = Limits.none
        limits.rooms = line == "open amber" ? 2 : 10
        var clients = Self.twoRooms(limits: limits)
        let answer = clients.send("bo", line)
        #expect(answer.count == 1)
        #expect(answer.first?.hasPrefix(error) == true, "\(answer)")
        #expect(clients.send("bo", "who").last == "OK who 1")
    }

    @Test("an address has a number of rooms, and a room that has ended counts no more")
    func roomsOfAddress() {
        var limits = Limits.none
        (limits.roomsPerAddress, limits.roomIdle) = (1, .seconds(10))
        var clients = TestClients(limits: limits)
        clients.connect("al")
        clients.send("al", "open blue")
        clients.send("al", "join main")
        #expect(clients.send("al", "open red")[0].hasPrefix("ERROR full "))
        clients.pass(milliseconds: 10_000)
        #expect(clients.send("al", "open red").last?.hasPrefix("OK open red ") == true)
    }

    // Names

    @Test("a name belongs to one connection in all rooms, and its token moves it")
    func names() {
        var clients = Self.twoRooms()
        clients.connect("eve")
        #expect(clients.send("eve", "name al")[0].hasPrefix("ERROR name-taken "))
        #expect(
            clients.send("eve", "name al \(token(1))") == ["OK name al \(token(1))", "JOINED al"])
        #expect(clients.received("al") == ["LEFT al", "BYE replaced"])
        #expect(clients.send("eve", "join blue").last == "JOINED al")
    }

    @Test("a name with a bid in one room stays owned when its owner leaves from another")
    func namesWithBids() {
        var clients = Self.twoRooms()
        clients.send("al", "5")
        clients.send("al", "join main")
        clients.lose("al")
        clients.connect("eve")
        #expect(clients.send("eve", "name al")[0].hasPrefix("ERROR name-taken "))
        clients.lose("bo")
        #expect(clients.received("eve") == ["LEFT bo"])
        #expect(clients.send("eve", "name bo")[0].hasPrefix("OK name bo "))
    }

    @Test("a name may be known in all rooms together as often as the limit says")
    func nameLimit() {
        var limits = Limits.none
        limits.names = 2
        var clients = Self.twoRooms(limits: limits)
        #expect(clients.send("bo", "join blue").last == "JOINED bo")
        clients.send("bo", "9")
        #expect(clients.send("bo", "join main")[0].hasPrefix("ERROR full "))
        #expect(clients.send("bo", "open red")[0].hasPrefix("ERROR full "))
        #expect(clients.send("bo", "who").last == "OK who 2")
    }

    @Test("a name may change rooms at the rate of its openings")
    func wandering() {
        var limits = Limits.none
        limits.openings = TokenBucket.Rate(2, per: .seconds(60), burst: 2)
        var clients = Self.twoRooms(limits: limits)
        clients.send("bo", "join blue")
        clients.send("bo", "join main")
        #expect(clients.send("bo", "join blue")[0].hasPrefix("ERROR slow-down seconds="))
        #expect(clients.send("al", "join main").contains("OK join main"))
        clients.pass(milliseconds: 60_000)
        #expect(clients.send("bo", "join blue").contains("OK join blue"))
    }

    // The auctioneer

    @Test("the key makes an auctioneer of the room alone, until the connection leaves it")
    func key() {
        var clients = Self.twoRooms()
        #expect(clients.send("al", "pause")[0].hasPrefix("ERROR not-auctioneer "))
        #expect(clients.send("al", "auctioneer \(token(3))") == ["OK auctioneer"])
        #expect(clients.send("al", "pause") == ["OK pause", "PAUSED"])
        #expect(clients.send("al", "stop")[0].hasPrefix("ERROR not-auctioneer "))
        clients.send("al", "join main")
        #expect(clients.send("al", "pause")[0].hasPrefix("ERROR not-auctioneer "))
        #expect(clients.send("al", "auctioneer \(token(3))")[0].hasPrefix("ERROR wrong-token "))
        clients.send("al", "join blue")
        #expect(clients.send("al", "pause")[0].hasPrefix("ERROR not-auctioneer "))
    }

    @Test("a kicked name stays out of the room, and may be in others")
    func kick() {
        var limits = Limits.none
        limits.kick = .seconds(60)
        var clients = Self.twoRooms(limits: limits)
        clients.send("bo", "join blue")
        clients.send("bo", "9")
        clients.send("al", "auctioneer \(token(3))")
        clients.send("al", "kick bo rude")
        #expect(clients.received("bo").last == "BYE kicked")
        clients.connect("eve")
        #expect(clients.send("eve", "name bo \(token(2))")[0].hasPrefix("OK name bo "))
        #expect(clients.send("eve", "join blue")[0].hasPrefix("ERROR kicked "))
        #expect(clients.send("eve", "who") == ["WHO bo", "OK who 1"])
    }

    // The end of a room

    @Test("a room ends when nobody was in it for a while, but not during a countdown")
    func idle() {
        var limits = Limits.none
        limits.roomIdle = .seconds(2)
        var clients = Self.twoRooms(limits: limits)
        clients.send("al", "5")
        clients.send("al", "join main")
        clients.pass(milliseconds: 2900)
        #expect(clients.send("bo", "rooms").last == "OK rooms 2")
        clients.pass(milliseconds: 4000)
        #expect(clients.send("bo", "rooms").last == "OK rooms 1")
        #expect(clients.send("bo", "join blue")[0].hasPrefix("ERROR no-room "))
        #expect(clients.roomNames.isEmpty)
    }

    @Test("a room with somebody in it does not end")
    func inhabited() {
        var limits = Limits.none
        limits.roomIdle = .seconds(2)
        var clients = Self.twoRooms(limits: limits)
        clients.pass(milliseconds: 1900)
        clients.send("bo", "join blue")
        clients.send("al", "join main")
        clients.pass(milliseconds: 60_000)
        #expect(clients.send("bo", "rooms").last == "OK rooms 2")
    }

    @Test("a name that had bid only in a room is free when the room has ended")
    func namesOfEndedRoom() {
        var limits = Limits.none
        limits.roomIdle = .seconds(2)
        var clients = Self.twoRooms(limits: limits)
        clients.send("al", "5")
        clients.lose("al")
        clients.pass(milliseconds: 10_000)
        #expect(clients.send("bo", "rooms").last == "OK rooms 1")
        clients.connect("eve")
        #expect(clients.send("eve", "name al")[0].hasPrefix("OK name al "))
    }

    // The log

    @Test("after a restart every room is where it was", arguments: [false, true])
    func recovery(fromState: Bool) {
        var before = Self.twoRooms(" lots=3 purse=50")
        before.send("al", "5")
        before.pass(milliseconds: 3000)
        before.send("bo", "7")
        before.send("bo", "join blue")
        before.send("bo", "8")
        let recovered =
            fromState
            ? replay(before.lobby.state, after: 1000, isState: true)
            : replay(before.timedJournal)
        var after = TestClients(limits: .none, resuming: recovered, tokens: 10)
        after.connect("eve")
        #expect(after.send("eve", "laps") == ["LAP 1 7 bo 00:03.0", "OK laps 1"])
        let blue = after.send("eve", "join blue")
        #expect(blue.contains("HELLO auction/1 seconds=3 step=1 game=k3v9 room=blue (type help)"))
        #expect(after.send("eve", "results") == ["RESULT 1 al 5 00:03.0 lot-1", "OK results 1"])
        #expect(after.send("eve", "auctioneer \(token(3))") == ["OK auctioneer"])
        #expect(after.send("eve", "name bo")[0].hasPrefix("ERROR name-taken "))
        #expect(after.send("eve", "name al \(token(1))")[0].hasPrefix("OK name al "))
        #expect(after.received("eve").isEmpty)
        #expect(after.send("eve", "status").contains("PURSE 45"))
    }

    @Test("the log names the room of what follows, and only when it changes")
    func log() {
        var clients = Self.twoRooms()
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
        var clients = Self.twoRooms()
        clients.send("al", "5")
        _ = clients.lobby.beginSegment()
        let before = clients.timedJournal.count
        clients.send("al", "say hello")
        #expect(clients.timedJournal[before].record.text == "ROOM blue")
    }

    /// What a server recovers from lines of its log.
    private func replay(
        _ lines: [(record: Record, number: Int?)], after first: Int = 1, isState: Bool = false
    ) -> ServerReplay {
        var replay = ServerReplay()
        let isBegun = replay.beginSegment(first: first, state: isState ? lines.count : 0)
        #expect(isBegun)
        for (record, number) in lines {
            let isTaken = replay.replay(record, number: number)
            #expect(isTaken, "\(record.text)")
        }
        return replay
    }
}

extension TestClients {
    /// Connects a client that has received its greeting.
    fileprivate mutating func connect(_ client: String) {
        join(client)
        _ = received(client)
    }
}
