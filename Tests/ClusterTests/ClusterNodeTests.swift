import Auction
import Basics
import Cluster
import ClusterSupport
import House
import Testing
import Wire

/// One run of a node with clients, which does in a turn what a server does.
private final class NodeProcess {
    private static let greeting =
        #"INFO {"server_name":"s","version":"2.12.0","max_payload":65536,"headers":true,"#
        + #""jetstream":true}"# + "\r\nPONG\r\n"

    let node: ClusterNode
    let connection: Int
    var isFrozen = false
    /// What came since the last turn.
    var inbox: [FakeNATS.Received] = []
    /// The replies to the clients of this node.
    private(set) var replies: [String] = []
    private var house: House
    private var reports = [LoopReport()]
    private var isServing = false

    init(_ name: String, number: UInt32, on nats: FakeNATS, at now: Instant) throws {
        node = ClusterNode(try #require(NodeName(name)), number: number, at: now)
        var options = Lobby.Options(rules: Rules(seconds: 600), limits: .none)
        options.node = name
        house = House(Lobby(options, at: now), CommitQueue(node.log), House.Options())
        connection = nats.connect()
        var session = NATSSession(nil, name: name, version: "1", messageLimit: 1 << 20)
        try session.receive(Array(Self.greeting.utf8).span)
        guard case .connected(let server)? = session.nextEvent() else {
            preconditionFailure("the greeting is complete")
        }
        node.connected(server, at: now)
    }

    func join(_ client: UInt64) {
        reports[0].events.append(.joined(SessionID(connection: client, loop: 0), .loopback))
    }

    func send(_ text: String, from client: UInt64) {
        reports[0].events.append(
            Array("\(text)\n".utf8)[...], from: SessionID(connection: client, loop: 0))
    }

    func turn(on nats: FakeNATS, at now: Instant) throws {
        for item in inbox { node.receive(item.message, subscription: item.subscription, at: now) }
        inbox = []
        try node.deliver(to: &house, at: now)
        if isServing { step(at: now) }
        isServing = isServing || node.isReady
        node.finish(house)
        nats.send(node.takeCommands(), on: connection, at: now)
    }

    private func step(at now: Instant) {
        var canContinue = true
        while canContinue {
            reports[0].readUntil = now
            let outputs = house.step(&reports, at: now, timeOfDay: 0)
            for batch in outputs.durable {
                for effect in batch.effects { perform(effect) }
                house.published(batch, at: now)
            }
            for effect in outputs.effects { perform(effect) }
            node.take(outputs)
            canContinue = outputs.canContinue || !reports[0].events.isEmpty
        }
    }

    private func perform(_ effect: Effect) {
        if effect.session?.isRemote == true {
            guard let (name, messages) = house.lobby.messages(of: effect, time: 0) else { return }
            for message in messages { node.send(message, to: name) }
        } else if case .reply(let message, _) = effect {
            replies.append(message.text)
        } else if case .confirm(let id, let number) = effect {
            reports[0].events.confirm(id, number: number)
        }
    }
}

@Suite final class ClusterNodeTests {
    private static let (alice, bob): (UInt64, UInt64) = (1, 2)

    private let nats = FakeNATS(seed: 1, isCluster: false)
    private let (one, two): (NodeProcess, NodeProcess)
    private let art: RoomName
    private var now = Instant(nanoseconds: 0)

    /// Starts two nodes; at the first, alice has opened a room and is its auctioneer.
    init() throws {
        art = try #require(RoomName("art"))
        one = try NodeProcess("one", number: 1, on: nats, at: now)
        two = try NodeProcess("two", number: 2, on: nats, at: now)
        try run(for: 5000)
        for (process, name) in [(one, "o"), (two, "t")] {
            for client in [Self.alice, Self.bob] {
                process.join(client)
                process.send("name \(name)\(client)", from: client)
            }
        }
        try run(for: 100)
        one.send("open art", from: Self.alice)
        try run(for: 100)
        let opened = try #require(one.replies.first { $0.hasPrefix("OK open art ") })
        one.send("auctioneer \(opened.split(separator: " ")[3])", from: Self.alice)
        try run(for: 100)
    }

    private func run(for milliseconds: Int) throws {
        for _ in 0..<milliseconds / 5 {
            now = now.advanced(by: .milliseconds(5))
            for item in nats.advance(to: now) {
                (item.connection == one.connection ? one : two).inbox.append(item)
            }
            for process in [one, two] where !process.isFrozen {
                try process.turn(on: nats, at: now)
            }
        }
    }

    @Test func aRoomCanBeOpenedAgainWhereItEnded() throws {
        one.send("end art", from: Self.alice)
        one.send("open art", from: Self.bob)
        try run(for: 200)
        #expect(one.replies.count { $0.hasPrefix("OK open art ") } == 2)
        #expect(one.node.log.owns(art))
    }

    @Test func anotherNodeThatHasReadTheEndCanBeTheFirstToOpenARoomAgain() throws {
        one.send("end art", from: Self.alice)
        one.send("open art", from: Self.bob)
        try run(for: 5)
        one.isFrozen = true
        try run(for: 50)
        two.send("open art", from: Self.bob)
        try run(for: 100)
        one.isFrozen = false
        try run(for: 200)
        #expect(one.node.problem == nil && two.node.problem == nil)
        #expect(two.node.log.owns(art) && !one.node.log.owns(art))
        #expect(two.replies.contains { $0.hasPrefix("OK open art ") })
        #expect(one.replies.contains { $0.hasPrefix("ERROR room-taken ") })
    }
}
