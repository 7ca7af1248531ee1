import Auction
import Basics
import House
import Testing
import Wire

@Suite struct RoomsTests {
    @Test("opening a room answers like a greeting there, and then with the key")
    func opening() {
        var clients = TestClients()
        clients.connectNamed("al", "bo")
        #expect(
            clients.send("al", "#1 open blue seconds=3 step=2 purse=100")
                == [
                    "JOINED bo",
                    "HELLO auction/1 seconds=3 step=2 game=k3v9 room=blue sale=\(saleIdentity(3)) (type help)",
                    "GAME purse=100", "LOT 1 lot-1", "OK #1 open blue \(token(3))", "PURSE 100",
                    "JOINED al",
                ])
        #expect(clients.received("bo") == ["LEFT al"])
    }

    @Test("joining a room answers with its greeting and snapshot, and is announced in both rooms")
    func joining() {
        var clients = TestClients.twoRooms()
        clients.send("al", "5")
        #expect(
            clients.send("bo", "join blue")
                == [
                    "HELLO auction/1 seconds=3 step=1 game=k3v9 room=blue sale=\(saleIdentity(3)) (type help)",
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
        var clients = TestClients.twoRooms()
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
        var clients = TestClients.twoRooms(" format=dutch start=100 step=10")
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
        var clients = TestClients(
            limits: .with { ($0.answerLines, $0.roomIdle) = (2, .seconds(2)) })
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
        var clients = TestClients.twoRooms(
            limits: .with { $0.rooms = line == "open amber" ? 2 : 10 })
        let answer = clients.send("bo", line)
        #expect(answer.count == 1)
        #expect(answer.first?.hasPrefix(error) == true, "\(answer)")
        #expect(clients.send("bo", "who").last == "OK who 1")
    }

    @Test("an address has a number of rooms, and a room that has ended counts no more")
    func roomsOfAddress() {
        var clients = TestClients(
            limits: .with { ($0.roomsPerAddress, $0.roomIdle) = (1, .seconds(10)) })
        clients.connect("al")
        clients.send("al", "open blue")
        clients.send("al", "join main")
        #expect(clients.send("al", "open red")[0].hasPrefix("ERROR full "))
        clients.pass(milliseconds: 10_000)
        #expect(clients.send("al", "open red").last?.hasPrefix("OK open red ") == true)
    }

    @Test("the lots of a room that was opened open at least a second apart")
    func lotsInARow() {
        var clients = TestClients.twoRooms(" pause=0 buy=9")
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

    // The auctioneer

    @Test("the key makes an auctioneer of the room alone, until the connection leaves it")
    func key() {
        var clients = TestClients.twoRooms()
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

    // The end of a room

    @Test("a room ends when nobody was in it for a while, but not during a countdown")
    func idle() {
        var clients = TestClients.twoRooms(limits: .with { $0.roomIdle = .seconds(2) })
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
        var clients = TestClients.twoRooms(limits: .with { $0.roomIdle = .seconds(2) })
        clients.pass(milliseconds: 1900)
        clients.send("bo", "join blue")
        clients.send("al", "join main")
        clients.pass(milliseconds: 60_000)
        #expect(clients.send("bo", "rooms").last == "OK rooms 2")
    }

    @Test("what was published of a room that has ended does not count for the next in its place")
    func reusedPlace() {
        var clients = TestClients.twoRooms(limits: .with { $0.roomIdle = .seconds(2) })
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
        var clients = TestClients(
            Rules(seconds: 3600), limits: .with { $0.roomIdle = .seconds(86_400) })
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
}
