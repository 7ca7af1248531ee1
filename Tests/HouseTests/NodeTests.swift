import Auction
import Basics
import House
import Testing
import Wire

/// What the house of a node of several does for its connections.
@Suite struct NodeTests {
    private static let alice = SessionID(connection: 1, loop: 0)
    private static let now = Instant(nanoseconds: 1_000_000_000)
    private static let bob = SessionID(connection: 2, loop: 0)

    private let driver = Driver(node: "one", names: 1)
    private let art: RoomName

    init() throws {
        art = try #require(RoomName("art"))
        driver.house.lobby.takeOver([.main], at: Instant(nanoseconds: 0))
        driver.house.lobby.add(node: "two", at: Instant(nanoseconds: 0))
        for id in [Self.alice, Self.bob] { driver.join(id) }
        driver.run(at: 0)
        // The greetings.
        driver.run(at: 1_000)
        driver.clear()
    }

    private func execute(_ text: String, by id: SessionID = alice) {
        driver.receive(text, from: id)
        driver.run(at: 1_000)
    }

    private func decide(_ claim: NodeClaim, isOwn: Bool) {
        driver.house.lobby.decide(claim, isOwn: isOwn, at: Self.now)
        driver.run(at: 1_000)
    }

    @Test("a name that is over the limit is not claimed")
    func namesOverTheLimit() throws {
        let name = try #require(Bidder("alice"))
        execute("name alice\n")
        #expect(driver.claims == [.name(name)])
        decide(.name(name), isOwn: true)
        execute("name bob\nname carl\n", by: Self.bob)
        #expect(driver.claims == [.name(name)])
        #expect(driver.lines.filter { $0.hasPrefix("ERROR slow-down") }.count == 2)
    }

    @Test(
        "a room whose options are refused is not claimed",
        arguments: ["buy=1 start=100", "purse=auto"])
    func refusedOptions(options: String) {
        execute("open art \(options)\n")
        #expect(driver.claims.isEmpty)
        #expect(driver.lines.map { $0.prefix(16) } == ["ERROR bad-option"])
    }

    @Test("an address has twice as many claims as new names, also those for which nobody waits")
    func claimsOverTheLimit() {
        for number in 1...3 {
            let id = SessionID(connection: UInt64(10 + number), loop: 0)
            driver.join(id)
            execute("open room-\(number)\n", by: id)
            driver.reports[0].events.append(.lost(id))
            driver.run(at: 1_000)
        }
        #expect(driver.claims.count == 2)
        #expect(
            driver.lines.last?.hasPrefix("ERROR slow-down seconds=30 too many new names and")
                == true)
    }

    @Test("a room that another node has claimed is not claimed")
    func roomsOfOthers() {
        driver.house.lobby.follow(owner: "two", of: art, at: Instant(nanoseconds: 0))
        execute("open art\n")
        #expect(driver.claims.isEmpty)
        #expect(driver.lines.map { $0.prefix(16) } == ["ERROR room-taken"])
    }

    @Test(
        "a claim of another node counts for a minute of the stream, however late it is read",
        arguments: [(59, false), (60, true)])
    func oldClaims(age: Int64, isFree: Bool) throws {
        let name = try #require(Bidder("alice"))
        let stored = Instant(nanoseconds: 1_795_794_895_637_126_569)
        driver.house.lobby.advance(streamTime: stored)
        driver.house.lobby.note(claimOf: name, isOwn: false, at: Self.now)
        driver.house.lobby.follow(owner: "two", of: art, at: Self.now)
        driver.house.lobby.advance(streamTime: stored.advanced(by: .seconds(age)))
        execute("name alice\nopen art\n")
        #expect(driver.claims == (isFree ? [.name(name)] : []))
        #expect(driver.lines.contains { $0.hasPrefix("ERROR name-taken") } != isFree)
        guard isFree else { return }
        decide(.name(name), isOwn: true)
        #expect(driver.claims == [.name(name), .room(art)])
    }

    @Test("a claim of a room is made once, and used once")
    func claimsOfRooms() {
        execute("open art\n")
        decide(.room(art), isOwn: true)
        #expect(driver.claims == [.room(art)])
        #expect(driver.lines.contains { $0.hasPrefix("OK open art ") })
    }

    @Test("requests for a node that is gone are refused, and connections with earlier ones end")
    func goneNodes() throws {
        try followArt(of: "two")
        execute("end art\nping\n")
        #expect(driver.messages.map(\.node) == ["two"])
        #expect(driver.lines.isEmpty)
        driver.house.lobby.remove(node: "two", at: Self.now)
        execute("end art\n", by: Self.bob)
        #expect(driver.closed == [Self.alice])
        #expect(driver.lines.last?.hasPrefix("ERROR unavailable") == true)
        #expect(driver.messages.filter { $0.message.isRequest }.count == 1)
    }

    @Test(
        "whether a node that is gone has stopped the server is seen in the log",
        arguments: [true, false])
    func stopOfGoneNode(isStopped: Bool) {
        driver.house.lobby.beginServing()
        execute("open art\n")
        decide(.room(art), isOwn: true)
        driver.house.lobby.follow(owner: "two", of: .main, at: Self.now)
        execute("stop\n")
        driver.house.lobby.remove(node: "two", at: Self.now)
        driver.run(at: 1_000)
        #expect(driver.closed.isEmpty)
        if isStopped {
            let entries = FollowedEntries(
                room: .main, node: "two", entries: [LogEntry(.event(.stopped))], isState: false)
            let isFollowed = driver.house.follow(entries, at: Self.now)
            #expect(isFollowed)
        } else {
            driver.house.lobby.follow(owner: "three", of: .main, at: Self.now)
        }
        driver.run(at: 1_000)
        #expect(driver.closed.first == Self.alice)
        #expect(driver.lines.contains("OK stop") == isStopped)
    }

    /// Lets the house follow the room `art`, which a node has opened.
    private func followArt(of node: String) throws {
        let token = try #require(Token(String(repeating: "a", count: 32)))
        let opened = Record.roomOpened(art, keyHash: TokenHash(of: token), RoomOptions())
        let entries = FollowedEntries(
            room: art, node: node, entries: [LogEntry(opened)], isState: false)
        let isFollowed = driver.house.follow(entries, at: Self.now)
        #expect(isFollowed)
    }

    @Test("a request waits while another node executes earlier ones of its connection")
    func oneNodeAtATime() throws {
        let (bidder, token) = try (
            #require(Bidder("alice")), #require(Token(String(repeating: "a", count: 32)))
        )
        driver.house.lobby.follow(owner: "two", of: .main, at: Self.now)
        driver.house.lobby.add(node: "three", at: Self.now)
        try followArt(of: "three")
        execute("say one\n")
        driver.house.lobby.receive(.named(Self.alice, bidder, token), from: "two", at: Self.now)
        execute("say two\njoin art\nping\n")
        #expect(driver.messages.map(\.node) == ["two", "two"])
        for _ in 1...2 {
            driver.house.lobby.receive(
                .lines(Self.alice, [], outcome: .done), from: "two", at: Self.now)
            driver.run(at: 1_000)
        }
        #expect(driver.messages.map(\.node) == ["two", "two", "three"])
        #expect(driver.lines.isEmpty)
    }

    @Test("a name that another node has freed opens no room here")
    func freedNames() throws {
        let (bidder, token) = try (
            #require(Bidder("alice")), #require(Token(String(repeating: "a", count: 32)))
        )
        driver.house.lobby.follow(owner: "two", of: .main, at: Self.now)
        execute("say one\n")
        driver.house.lobby.receive(.named(Self.alice, bidder, token), from: "two", at: Self.now)
        driver.house.lobby.receive(
            .lines(Self.alice, [], outcome: .done), from: "two", at: Self.now)
        execute("open art\n")
        decide(.room(art), isOwn: true)
        let hasRoom = driver.house.lobby.hasRoom(art)
        #expect(!hasRoom && driver.lines.last?.hasPrefix("ERROR unavailable") == true)
    }

    @Test("the empty state of a room that has ended can be followed")
    func stateOfEndedRoom() {
        let state = FollowedEntries(room: art, node: "two", entries: [], isState: true)
        let isFollowed = driver.house.follow(state, at: Self.now)
        #expect(isFollowed && !driver.house.lobby.hasRoom(art))
    }

    @Test("an auctioneer at another node has the rights that each request states")
    func revokedRights() throws {
        try receive("9 0 0 text auctioneer main - -", "pause")
        try receive("9 0 0 text - main - -", "resume")
        driver.run(at: 1_000)
        #expect(driver.lines.map { $0.prefix(12) } == ["OK pause", "PAUSED", "ERROR not-au"])
    }

    @Test("a connection of another node that takes a name there bids with it here")
    func namedElsewhere() throws {
        execute("open art\n")
        decide(.room(art), isOwn: true)
        driver.house.lobby.follow(owner: "two", of: .main, at: Self.now)
        let (host, token) = try (
            #require(Bidder("host")), #require(Token(String(repeating: "a", count: 32)))
        )
        let taken = Record.event(.nameTaken(host, TokenHash(of: token)))
        let entries = FollowedEntries(
            room: .main, node: "two", entries: [LogEntry(taken)], isState: false)
        let isFollowed = driver.house.follow(entries, at: Self.now)
        #expect(isFollowed)
        try receive("9 0 0 text - art - -", "say hello")
        try receive("9 0 0 text - main \(host) \(token)", "join art")
        try receive("9 0 0 text - art \(host) \(token)", "bid 5")
        driver.run(at: 1_000)
        #expect(driver.lines.contains("OK bid 5"))
    }

    @Test("requests after a token wait until another node has accepted it")
    func rightsInDoubt() throws {
        driver.house.lobby.follow(owner: "two", of: .main, at: Self.now)
        execute("auctioneer \(String(repeating: "a", count: 32))\npause\n")
        #expect(driver.messages.count == 1)
        driver.house.lobby.receive(
            .lines(Self.alice, [], outcome: .done), from: "two", at: Self.now)
        driver.run(at: 1_000)
        var bytes: [UInt8] = []
        try #require(driver.messages.count == 2)
        driver.messages[1].message.append(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self).contains(" auctioneer main - - 5\npause"))
    }

    @Test("the answer to the teacher at another node is whole, however few lines fit a step")
    func longAnswer() throws {
        var plan = ClassPlan()
        plan.parts = [ClassPlan.Part(1, .english)]
        let driver = Driver(unsentEffects: 8, node: "one", classPlan: plan)
        driver.house.lobby.takeOver([.main], at: Self.now)
        driver.house.lobby.add(node: "two", at: Self.now)
        driver.run(at: 1_000)
        let students = ["al", "bo", "cy", "di"]
        for (index, name) in students.enumerated() {
            try receive("\(index) 0 0 text - class - -", "name \(name)", by: driver)
            let name = try #require(Bidder(name))
            driver.house.lobby.decide(.name(name), isOwn: true, at: Self.now)
            driver.run(at: 1_000)
        }
        driver.clear()
        try receive("9 0 0 text auctioneer class - -", "class", by: driver)
        driver.run(at: 1_000)
        #expect(driver.lines.map { $0.prefix(3) } == ["CLA", "STU", "STU", "STU", "STU", "OK "])
    }

    @Test("a node that does not lead the class opens no room for a client under its names")
    func reservedNames() throws {
        let driver = try follower()
        driver.receive("open class-1\n", from: Self.bob)
        driver.run(at: 1_000)
        #expect(driver.claims.isEmpty)
        #expect(driver.lines.last?.hasPrefix("ERROR room-taken") == true)
    }

    @Test("a node that takes over a class that gathers leaves everybody in its room")
    func gatheringClass() throws {
        let driver = try follower()
        driver.receive("join class\n", from: Self.bob)
        driver.run(at: 1_000)
        driver.house.lobby.takeOver([.main, .classroom], at: Self.now)
        driver.run(at: 1_000)
        #expect(driver.house.lobby.followersHere == [.classroom: 1])
        #expect(driver.closed.isEmpty)
    }

    /// A node that follows `two`, which leads a class; `bob` is connected.
    private func follower() throws -> Driver {
        var plan = ClassPlan()
        plan.parts = [ClassPlan.Part(1, .english)]
        let (leader, follower) = (
            Driver(node: "two", classPlan: plan), Driver(node: "one", classPlan: plan)
        )
        leader.house.lobby.takeOver([.main], at: Self.now)
        leader.run(at: 1_000)
        for (name, state) in zip([RoomName.main, .classroom], leader.house.lobby.state) {
            let entries = FollowedEntries(
                room: name, node: "two",
                entries: state.records.map { LogEntry($0.record, restated: $0.number) },
                isState: true)
            let isFollowed = follower.house.follow(entries, at: Self.now)
            #expect(isFollowed)
        }
        follower.house.lobby.beginServing()
        follower.join(Self.bob)
        follower.run(at: 1_000)
        return follower
    }

    /// Gives the house a request of a connection of node `two`, which these words describe.
    private func receive(_ words: String, _ request: String, by driver: Driver? = nil) throws {
        let bytes = Array("request \(words) \(request.utf8.count)\n\(request)".utf8)
        for message in try #require(NodeMessage.messages(bytes)) {
            (driver ?? self.driver).house.lobby.receive(message, from: "two", at: Self.now)
        }
    }

    @Test("requests are refused while nothing becomes durable, also those for other nodes")
    func unavailable() {
        driver.house.lobby.follow(owner: "two", of: .main, at: Instant(nanoseconds: 0))
        driver.house.isUnavailable = true
        execute("say hello\n")
        #expect(driver.messages.isEmpty)
        #expect(driver.lines.last?.hasPrefix("ERROR unavailable") == true)
    }

    @Test("requests that wait for a claim are refused when nothing becomes durable any more")
    func unavailableClaims() throws {
        let name = try #require(Bidder("alice"))
        execute("name alice\nping\n")
        driver.house.isUnavailable = true
        driver.run(at: 1_000)
        #expect(driver.lines.map { $0.prefix(17) } == ["ERROR unavailable", "OK ping"])
        driver.house.isUnavailable = false
        execute("name alice\n")
        // The claim is still made, once.
        #expect(driver.claims == [.name(name)])
        decide(.name(name), isOwn: true)
        #expect(driver.lines.contains { $0.hasPrefix("OK name alice ") })
    }
}

extension NodeMessage {
    fileprivate var isRequest: Bool {
        if case .request = self { true } else { false }
    }
}
