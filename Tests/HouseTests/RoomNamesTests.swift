import Auction
import Basics
import House
import Testing
import Wire

@Suite struct RoomNamesTests {
    // Names

    @Test("a name that has just left another room needs a place in an opened one too")
    func placesForLeftNames() {
        var clients = TestClients.withFullRoom(
            limits: .with { ($0.names, $0.absence) = (10_000, .seconds(3)) })
        #expect(clients.send("al", "name bo")[0].hasPrefix("ERROR full "))
        clients.connectNamed("zoe")
        clients.lose("zoe")
        clients.pass(milliseconds: 3000)
        _ = clients.received("al")
        let answer = clients.send("al", "name zoe").first { !$0.hasPrefix("LEFT") }
        #expect(answer?.hasPrefix("ERROR full ") == true, "\(answer ?? "")")
    }

    @Test("a name belongs to one connection in all rooms, and its token moves it")
    func names() {
        var clients = TestClients.twoRooms()
        clients.connect("eve")
        #expect(clients.send("eve", "name al")[0].hasPrefix("ERROR name-taken "))
        #expect(
            clients.send("eve", "name al \(token(1))") == ["OK name al \(token(1))", "JOINED al"])
        #expect(clients.received("al") == ["LEFT al", "BYE replaced"])
        #expect(clients.send("eve", "join blue").last == "JOINED al")
    }

    @Test("a name with a bid in one room stays owned when its owner leaves from another")
    func namesWithBids() {
        var clients = TestClients.twoRooms()
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
        var clients = TestClients.twoRooms(limits: .with { $0.names = 2 })
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
        var clients = TestClients.withFullRoom(limits: .with { $0.names = names })
        #expect(clients.send("al", "name al")[0].hasPrefix("ERROR full "))
        clients.connectNamed("zoe")
        #expect(clients.send("zoe", "join blue")[0].hasPrefix("ERROR full "))
        clients.pass(milliseconds: 700_000)
        #expect(clients.send("zoe", "join blue").last == "JOINED zoe")
    }

    @Test("a name without a bid moves by its token, too, when all names are owned")
    func movingByToken() {
        var clients = TestClients.twoRooms(limits: .with { $0.names = 2 })
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
        var clients = TestClients.twoRooms(limits: .with { $0.nameAge = .seconds(60) })
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
    func moves() {
        var clients = TestClients.twoRooms(limits: .with { $0.openings = .perMinute(2) })
        clients.send("bo", "join blue")
        clients.send("bo", "join main")
        #expect(clients.send("bo", "join blue")[0].hasPrefix("ERROR slow-down seconds="))
        #expect(clients.send("al", "join main").contains("OK join main"))
        clients.pass(milliseconds: 60_000)
        #expect(clients.send("bo", "join blue").contains("OK join blue"))
    }

    @Test("a name that is opened in another room keeps its openings")
    func opensElsewhere() {
        var clients = TestClients.twoRooms(limits: .with { $0.openings = .perMinute(2) })
        for (client, room) in [("eve", "main"), ("sam", "blue"), ("zoe", "main")] {
            clients.connect(client)
            clients.send(client, "join \(room)")
        }
        let answers = ["eve", "sam", "zoe"].map { client in
            clients.send(client, "name al \(token(1))").contains { $0.hasPrefix("OK name al ") }
        }
        #expect(answers == [true, true, false])
    }

    @Test("names that change rooms again within a minute share the rate of their address")
    func movesTogether() {
        var clients = TestClients.twoRooms(limits: .with { $0.openings = .perMinute(2) })
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

    @Test("a kicked name stays out of the room, and may be in others")
    func kick() {
        var clients = TestClients.twoRooms(limits: .with { $0.kick = .seconds(60) })
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

    @Test("a name that had bid only in a room is free when the room has ended")
    func namesOfEndedRoom() {
        var clients = TestClients.twoRooms(limits: .with { $0.roomIdle = .seconds(2) })
        clients.send("al", "5")
        clients.lose("al")
        clients.pass(milliseconds: 10_000)
        #expect(clients.send("bo", "rooms").last == "OK rooms 1")
        clients.connect("eve")
        #expect(clients.send("eve", "name al")[0].hasPrefix("OK name al "))
    }
}

extension TestClients {
    /// `al` is in blue without a name; 1,000 others have bid there under their names and are gone.
    fileprivate static func withFullRoom(limits: Limits) -> TestClients {
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
        return clients
    }
}
