import Addresses
import AuctionRules
import Lobby
import Sale
import Testing
import Wire

@Suite struct RoomsTests {
    /// The identity of the sale in the room that got the token with this number as its key.
    private static func sale(_ number: Int) -> String {
        Token(token(number)).map { Identity(ofSaleWithKey: $0).description } ?? "none"
    }

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
                    "HELLO auction/1 seconds=3 step=2 game=k3v9 room=blue sale=\(Self.sale(3)) (type help)",
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
                    "HELLO auction/1 seconds=3 step=1 game=k3v9 room=blue sale=\(Self.sale(3)) (type help)",
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

    @Test("`rooms` lists main first, then the others by name, with their people and lots")
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

    @Test("a long list of rooms goes on by name, whichever rooms open and end meanwhile")
    func listInParts() {
        var limits = Limits.none
        (limits.answerLines, limits.roomIdle) = (2, .seconds(2))
        var clients = TestClients(limits: limits)
        for name in ["amber", "blue", "red"] {
            clients.connect(name)
            clients.send(name, "open \(name)")
        }
        clients.connect("eve")
        #expect(clients.take("eve", Array("rooms\n".utf8)) == 6)
        clients.send("blue", "join main")
        clients.pass(milliseconds: 2000)
        clients.send("blue", "open aaa")
        clients.connect("grey")
        clients.send("grey", "open grey")
        for _ in 0..<2 { _ = clients.take("eve", [], isConfirmed: true) }
        let lines = clients.received("eve")
        #expect(
            lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
                == ["ROOM main", "ROOM amber", "ROOM grey", "ROOM red", "OK rooms"])
        #expect(lines.last == "OK rooms 4")
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

    @Test("the lots of a room that was opened open at least a second apart")
    func lotsInARow() {
        var clients = Self.twoRooms(" pause=0 buy=9")
        clients.send("al", "buy")
        clients.pass(milliseconds: 999)
        #expect(clients.received("al").isEmpty)
        clients.pass(milliseconds: 1)
        #expect(clients.received("al").first == "LOT 2 lot-2")
        clients.pass(milliseconds: 5000)
        clients.send("al", "buy")
        clients.pass(milliseconds: 0)
        #expect(clients.received("al").first == "LOT 3 lot-3")
    }

    @Test("a lot that is added to a sale that is over opens a second after the last one")
    func lotAfterTheEnd() {
        var clients = TestClients.presided()
        clients.send("boss", "open blue lots=1 pause=0")
        clients.send("boss", "close")
        #expect(clients.send("boss", "add Lamp") == ["OK add"])
        clients.pass(milliseconds: 999)
        #expect(!clients.received("boss").contains { $0.hasPrefix("LOT") })
        clients.pass(milliseconds: 1)
        #expect(clients.received("boss").first?.hasPrefix("LOT 2 Lamp") == true)
    }

    // Names

    @Test("a name that has just left another room needs a place in an opened one too")
    func placesForLeftNames() {
        var limits = Limits.none
        (limits.names, limits.absence) = (10_000, .seconds(3))
        var clients = TestClients(limits: limits)
        clients.join("al")
        _ = clients.received("al")
        clients.send("al", "open blue seconds=60")
        for number in 1...1000 {
            clients.join("v\(number)")
            _ = clients.received("v\(number)")
            clients.send("v\(number)", "join blue")
            clients.send("v\(number)", "name v\(number)")
            clients.send("v\(number)", "\(number)")
            clients.lose("v\(number)")
            _ = clients.received("al")
        }
        #expect(clients.send("al", "name bo")[0].hasPrefix("ERROR full "))
        clients.connectNamed("zoe")
        clients.lose("zoe")
        _ = clients.received("al")
        let answer = clients.send("al", "name zoe").first { !$0.hasPrefix("LEFT") }
        #expect(answer?.hasPrefix("ERROR full ") == true, "\(answer ?? "")")
    }

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

    @Test("the limit of names counts the names in all rooms together")
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

    @Test(
        "an opened room has places for 1,000 names whatever the limit, and main for more",
        arguments: [10_000, nil])
    func namesOfOpenedRoom(names: Int?) {
        var limits = Limits.none
        limits.names = names
        var clients = TestClients(limits: limits)
        clients.connect("al")
        clients.send("al", "open blue seconds=60")
        for number in 1...1000 {
            clients.connect("v\(number)")
            clients.send("v\(number)", "join blue")
            clients.send("v\(number)", "name v\(number)")
            clients.send("v\(number)", "\(number)")
            clients.lose("v\(number)")
            _ = clients.received("al")
        }
        #expect(clients.send("al", "name al")[0].hasPrefix("ERROR full "))
        clients.connectNamed("zoe")
        #expect(clients.send("zoe", "join blue")[0].hasPrefix("ERROR full "))
        clients.pass(milliseconds: 700_000)
        #expect(clients.send("zoe", "join blue").last == "JOINED zoe")
    }

    @Test("a name without a bid moves by its token, too, when all names are owned")
    func movingByToken() {
        var limits = Limits.none
        limits.names = 2
        var clients = Self.twoRooms(limits: limits)
        clients.connect("eve")
        #expect(
            clients.send("eve", "name al \(token(1))") == ["OK name al \(token(1))", "JOINED al"])
        clients.send("eve", "9")
        clients.connect("zoe")
        clients.send("zoe", "join blue")
        #expect(clients.send("zoe", "name al \(token(1))")[0].hasPrefix("ERROR full "))
    }

    @Test("an unused name becomes free although nothing is due in its room")
    func namesOfQuietRoom() {
        var limits = Limits.none
        limits.nameAge = .seconds(60)
        var clients = Self.twoRooms(limits: limits)
        clients.send("al", "5")
        clients.pass(milliseconds: 10_000)
        clients.lose("al")
        clients.pass(milliseconds: 61_000)
        clients.send("bo", "5")
        clients.pass(milliseconds: 10_000)
        clients.connect("eve")
        #expect(clients.send("eve", "name al") == ["OK name al \(token(4))", "JOINED al"])
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

    @Test("names that change rooms again within a minute share the rate of their address")
    func wanderingTogether() {
        var limits = Limits.none
        limits.openings = TokenBucket.Rate(2, per: .seconds(60), burst: 2)
        var clients = Self.twoRooms(limits: limits)
        let names = (0..<60).map { "v\($0)" }
        func move(to room: String, _ clients: inout TestClients) -> Int {
            names.count { clients.send($0, "join \(room)").contains("OK join \(room)") }
        }
        for name in names { clients.connectNamed(name) }
        #expect(move(to: "blue", &clients) == 60)
        clients.pass(milliseconds: 31_000)
        #expect(move(to: "main", &clients) == 0)
        clients.pass(milliseconds: 29_000)
        #expect(move(to: "main", &clients) == 60)
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

    @Test("what was published of a room that has ended does not count for the next in its place")
    func reusedPlace() {
        var limits = Limits.none
        limits.roomIdle = .seconds(2)
        var clients = Self.twoRooms(limits: limits)
        clients.send("al", "join main")
        clients.pass(milliseconds: 2000)
        clients.send("al", "open red")
        #expect(clients.roomNames.keys.first == RoomID(slot: 1, generation: 1))
        clients.publishesAtOnce = false
        clients.send("al", "5")
        clients.lobby.published(
            in: RoomID(slot: 1, generation: 0), upTo: 100, at: clients.now)
        #expect(clients.lobby.deadline == nil)
        clients.publish()
        #expect(clients.lobby.deadline == clients.now.advanced(by: .seconds(1)))
    }

    @Test("the timers of a room are few, however often it is left and entered")
    func timers() {
        var limits = Limits.none
        limits.roomIdle = .seconds(86_400)
        var clients = TestClients(Rules(seconds: 3600), limits: limits)
        clients.connectNamed("al")
        // A timer of main comes before those of the room.
        clients.send("al", "bid 5")
        clients.send("al", "open blue seconds=1 pause=0")
        for _ in 0..<300 {
            clients.send("al", "bid 5")
            clients.pass(milliseconds: 1000)
            clients.send("al", "join main")
            clients.send("al", "join blue")
        }
        #expect(clients.lobby.roomTimerCount <= 70)
    }

    @Test("sealed bids are decided before a room ends to which nobody returns after a restart")
    func idleWithSealedBids() {
        var limits = Limits.none
        limits.roomIdle = .seconds(5)
        var before = Self.twoRooms(" format=sealed lots=1", limits: limits)
        before.send("al", "20")
        var after = TestClients(
            limits: limits, resuming: replay(before.timedJournal), tokens: 10)
        after.pass(milliseconds: 20_000)
        let lines = after.timedJournal.map { $0.record.text }
        #expect(lines.contains { $0.hasPrefix("WINNER al 20 ") })
        #expect(lines.contains("SHUT blue"))
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
        #expect(
            blue.contains(
                "HELLO auction/1 seconds=3 step=1 game=k3v9 room=blue sale=\(Self.sale(3)) (type help)"
            ))
        #expect(after.send("eve", "results") == ["RESULT 1 al 5 00:03.0 lot-1", "OK results 1"])
        #expect(after.send("eve", "auctioneer \(token(3))") == ["OK auctioneer"])
        #expect(after.send("eve", "name bo")[0].hasPrefix("ERROR name-taken "))
        #expect(after.send("eve", "name al \(token(1))")[0].hasPrefix("OK name al "))
        #expect(after.received("eve").isEmpty)
        #expect(after.send("eve", "status").contains("PURSE 45"))
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
        let state = clients.lobby.state
        #expect(state.count { if case .result = $0.record { true } else { false } } == logged)
        let recovered = replay(state, after: 10_000, isState: true)
        #expect((recovered.rooms.last?.sale ?? recovered.main).results.count == logged)
    }

    @Test("at most 1,000 lots can be added to a room")
    func addedLots() {
        var clients = TestClients.presided()
        clients.send("boss", "open blue")
        for _ in 0..<1000 { clients.send("boss", "add Lamp") }
        #expect(
            clients.send("boss", "add Lamp")
                == ["ERROR bad-option at most 1000 lots can be added to a sale"])
        clients.send("boss", "join main")
        #expect(clients.send("boss", "add Lamp") == ["OK add"])
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
