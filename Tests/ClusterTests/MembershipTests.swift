import Auction
import Basics
import Cluster
import Testing

@Suite struct MembershipTests {
    private static func instance(_ name: String, _ number: UInt32 = 1) throws -> NodeInstance {
        NodeInstance(try #require(NodeName(name)), number: number)
    }

    private static func seconds(_ seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(seconds * 1e9))
    }

    private var membership: Membership

    init() throws {
        membership = Membership(try Self.instance("one"), at: Self.seconds(0))
    }

    @Test(arguments: [
        ("one", true), ("a-1", true), ("-", true), (String(repeating: "a", count: 24), true),
        ("", false), ("One", false), ("a.b", false), ("a b", false), ("ä", false),
        (String(repeating: "a", count: 25), false),
    ])
    func aNameOfANodeHasFewCharacters(text: String, isName: Bool) {
        #expect((NodeName(text) != nil) == isName)
    }

    @Test func aHeartbeatIsReadAsItWasWritten() throws {
        var heartbeat = Heartbeat(of: try Self.instance("one", 0x1A))
        (heartbeat.connections, heartbeat.applied) = (17, 4711)
        heartbeat.address = "10.0.0.1:7777"
        heartbeat.age = .milliseconds(12_345)
        heartbeat.followers = [.main: 3, try #require(RoomName("art")): 1]
        let text = String(decoding: heartbeat.payload, as: UTF8.self)
        #expect(text == "one 0000001a live 12345 17 4711 10.0.0.1:7777\nart 1\nmain 3\n")
        #expect(Heartbeat(heartbeat.payload) == heartbeat)
        heartbeat.isLeaving = true
        #expect(Heartbeat(heartbeat.payload) == heartbeat)
    }

    @Test(arguments: [
        "", "one", "one 0000001a live 1 17 4711", "one 1a live 1 17 4711 -",
        "One 0000001a live 1 17 4711 -", "one 0000001a dead 1 17 4711 -",
        "one 0000001a live -1 17 4711 -", "one 0000001a live 1 17 4711 -\nmain",
        "one 0000001a live 1 17 4711 -\nMain 1", "one 0000001a live 1 17 9999999999999999 -",
        "one +000001a live 1 17 4711 -",
    ])
    func aMalformedHeartbeatIsRefused(text: String) {
        #expect(Heartbeat(Array(text.utf8)) == nil)
    }

    @Test mutating func aNodeIsLiveUntilItIsSilentForThreeSeconds() throws {
        let two = Heartbeat(of: try Self.instance("two"))
        membership.receive(two, at: Self.seconds(1))
        #expect(membership.live.map(\.description) == ["one", "two"])
        #expect(membership.deadline == Self.seconds(4))
        membership.expire(at: Self.seconds(3.9))
        #expect(membership.isLive(two.instance))
        membership.expire(at: Self.seconds(4))
        #expect(!membership.isLive(two.instance))
        #expect(membership.live.map(\.description) == ["one"])
        #expect(membership.deadline == nil)
    }

    @Test func theProgramOfTheStatusSeesANodeOfAnyName() throws {
        var membership = Membership(NodeInstance(.statusReader, number: 1), at: Self.seconds(0))
        for name in ["one", "status", "observer"] {
            membership.receive(Heartbeat(of: try Self.instance(name)), at: Self.seconds(1))
        }
        #expect(
            membership.nodes.map(\.instance.name.description) == ["observer", "one", "status"])
        #expect(membership.conflict == nil)
        #expect(NodeName("\(NodeName.statusReader)") == nil)
    }

    @Test mutating func aNodeThatLeavesIsGoneAtOnce() throws {
        var two = Heartbeat(of: try Self.instance("two"))
        membership.receive(two, at: Self.seconds(1))
        two.isLeaving = true
        membership.receive(two, at: Self.seconds(2))
        #expect(membership.live.map(\.description) == ["one"])
    }

    @Test mutating func whatAnOlderRunTellsDoesNotCount() throws {
        var new = Heartbeat(of: try Self.instance("two", 2))
        var old = Heartbeat(of: try Self.instance("two", 1))
        (new.age, old.age) = (.seconds(1), .seconds(60))
        membership.receive(old, at: Self.seconds(1))
        // While the older run is heard it may still be up, and keeps its rooms.
        membership.receive(new, at: Self.seconds(2.9))
        #expect(!membership.isLive(new.instance) && membership.isLive(old.instance))
        membership.receive(new, at: Self.seconds(3))
        old.isLeaving = true
        membership.receive(old, at: Self.seconds(3))
        #expect(membership.isLive(new.instance))
        #expect(!membership.isLive(old.instance))
    }

    @Test mutating func followersAtOtherNodesAreAdded() throws {
        for (name, count) in [("two", 3), ("three", 4)] {
            var heartbeat = Heartbeat(of: try Self.instance(name))
            heartbeat.followers = [.main: count]
            membership.receive(heartbeat, at: Self.seconds(1))
        }
        #expect(membership.followers == [.main: 7])
        #expect(membership.nodes.map(\.instance.name.description) == ["three", "two"])
    }

    @Test(arguments: [(10, true), (0, false)])
    mutating func aSecondProcessOfTheSameNameIsAConflict(age: Int, isOlder: Bool) throws {
        var other = Heartbeat(of: try Self.instance("one", 2))
        other.age = .seconds(age)
        for second in [5, 6.1] {
            membership.receive(other, at: Self.seconds(second))
            #expect(membership.conflict == nil)
        }
        membership.receive(other, at: Self.seconds(6.9))
        #expect(membership.conflict?.other == other.instance)
        #expect(membership.conflict?.isOtherOlder == isOlder)
        // Its rooms keep their owner until it is silent.
        #expect(membership.isLive(other.instance))
        #expect(membership.deadline == Self.seconds(9.9))
        membership.expire(at: Self.seconds(9.9))
        #expect(!membership.isLive(other.instance) && membership.conflict == nil)
    }

    @Test(arguments: [(10, true), (1, false)])
    mutating func ofThreeProcessesOfOneNameTheOldestStays(age: Int, isOlder: Bool) throws {
        var (first, second) = try (
            Heartbeat(of: Self.instance("one", 2)), Heartbeat(of: Self.instance("one", 3))
        )
        for time in 2...4 {
            (first.age, second.age) = (.seconds(time + age - 2), .seconds(time - 1))
            for heartbeat in [first, second] {
                membership.receive(heartbeat, at: Self.seconds(Double(time)))
            }
        }
        #expect(membership.conflict?.isOtherOlder == isOlder)
        #expect(membership.isLive(first.instance) && membership.isLive(second.instance))
    }

    @Test(arguments: [(0, true), (2, false)])
    mutating func ofTwoProcessesOfTheSameAgeOneStays(number: UInt32, isOlder: Bool) throws {
        var other = Heartbeat(of: try Self.instance("one", number))
        for time in 1...3 {
            other.age = .milliseconds(time * 1_000 - 20)
            membership.receive(other, at: Self.seconds(Double(time)))
        }
        #expect(membership.conflict?.isOtherOlder == isOlder)
    }

    @Test mutating func lateHeartbeatsOfAnEarlierRunAreNoConflict() throws {
        var earlier = Heartbeat(of: try Self.instance("one", 2))
        for age in 30...60 {
            earlier.age = .seconds(age)
            membership.receive(earlier, at: Self.seconds(5))
        }
        membership.receive(earlier, at: Self.seconds(6.4))
        #expect(membership.conflict == nil)
    }

    @Test mutating func ownHeartbeatsAreNoConflict() throws {
        let own = Heartbeat(of: try Self.instance("one"))
        for second in 1...3 { membership.receive(own, at: Self.seconds(Double(second))) }
        #expect(membership.conflict == nil)
        #expect(membership.live.count == 1)
    }

    @Test(arguments: [
        ("main", "main"), ("class", "class"), ("class-1", "class"), ("class-12", "class"),
        ("class-x", "class-x"), ("classic", "classic"),
    ])
    func roomsOfAClassBelongTogether(room: String, key: String) throws {
        #expect(Membership.groupKey(of: try #require(RoomName(room))) == key)
    }

    @Test func onlyTheKeysOfANodeThatIsGoneChangeHands() throws {
        let nodes = try ["one", "two", "three", "four"].map { try #require(NodeName($0)) }
        var counts: [NodeName: Int] = [:]
        for number in 0..<400 {
            let key = "room-\(number)"
            let first = try #require(Membership.first(for: key, among: nodes))
            #expect(Membership.first(for: key, among: nodes.reversed()) == first)
            counts[first, default: 0] += 1
            guard first != nodes[3] else { continue }
            #expect(Membership.first(for: key, among: Array(nodes[..<3])) == first)
        }
        #expect(nodes.allSatisfy { 60...140 ~= counts[$0] ?? 0 })
        #expect(Membership.first(for: "main", among: []) == nil)
        // The same on all machines, and in all versions that may run together.
        #expect(Membership.first(for: "main", among: nodes)?.description == "three")
    }
}
