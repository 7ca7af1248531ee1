import Auction
import Basics
import Cluster
import ClusterSupport
import TestSupport

/// A node of the tests: a log, and what it has learned from it.
final class LogNode {
    let name: NodeName
    private(set) var log: ReplicatedLog
    private(set) var instance: NodeInstance
    /// The connection; nil while there is none.
    private(set) var connection: Int?
    /// What came while the node was frozen.
    private var unread: [FakeNATS.Received] = []
    var isFrozen = false
    /// The texts of each room's entries, in order.
    private(set) var replicas: [RoomName: [String]] = [:]
    /// The messages that were followed, in order.
    private(set) var followed: [StreamBatch] = []
    private(set) var results: [ClaimResult] = []
    /// The texts of each batch of this log that is not durable.
    private(set) var waiting: [Int: [String]] = [:]
    /// The texts that this log has appended to each room, in order.
    private(set) var appended: [RoomName: [String]] = [:]
    private var events = 0
    private var batches = 0

    /// Creates a node; the numbers of its runs begin with `number`, and differ between nodes.
    init(_ name: String, number: UInt32, at now: Instant) {
        guard let name = NodeName(name) else { preconditionFailure("\(name) is no name") }
        self.name = name
        instance = NodeInstance(name, number: number)
        log = ReplicatedLog(instance, firstSubscription: 10, at: now)
    }

    func connect(to nats: FakeNATS, replicas: Int? = 3, at now: Instant) {
        guard connection == nil else { return }
        connection = nats.connect()
        log.connected(maximumPayload: LogWorld.maximumPayload, replicas: replicas, at: now)
    }

    func disconnect(from nats: FakeNATS, at now: Instant) {
        guard let connection else { return }
        nats.disconnect(connection)
        self.connection = nil
        unread = []
        log.disconnected(at: now)
    }

    /// Begins again as after a crash, with nothing but its name.
    func restart(on nats: FakeNATS, at now: Instant) {
        disconnect(from: nats, at: now)
        instance = NodeInstance(name, number: instance.number + 1)
        log = ReplicatedLog(instance, firstSubscription: 10, at: now)
        (replicas, followed, results, waiting, appended) = ([:], [], [], [:], [:])
        (events, isFrozen, batches) = (0, false, 0)
        connect(to: nats, at: now)
    }

    func receive(_ message: FakeNATS.Received) { unread.append(message) }

    /// Reads, follows and answers; returns the numbers of the batches that became durable.
    func turn(on nats: FakeNATS, at now: Instant) -> [[String]] {
        log.expire(at: now)
        for received in unread {
            log.receive(received.message, subscription: received.subscription, at: now)
        }
        unread = []
        for batch in log.takeFollowed() { follow(batch) }
        results += log.takeClaims()
        let durable = waiting.keys.filter { $0 <= log.progress.durable }.sorted()
        defer { for number in durable { waiting[number] = nil } }
        sendCommands(on: nats, at: now)
        return durable.compactMap { waiting[$0] }
    }

    func sendCommands(on nats: FakeNATS, at now: Instant) {
        let commands = log.takeCommands()
        if let connection { nats.send(commands, on: connection, at: now) }
    }

    private func follow(_ batch: StreamBatch) {
        followed.append(batch)
        guard case .room(let room) = batch.subject else { return }
        let texts = batch.entries.map { String(decoding: batch.text[$0.line], as: UTF8.self) }
        switch batch.kind {
        case .owner, .name: break
        case .events: if !batch.isOwn { replicas[room, default: []] += texts }
        case .state: if !batch.isContinuous { replicas[room] = texts }
        }
    }

    var ownRooms: [RoomName] {
        log.owners.filter { $0.value == instance }.map(\.key).sorted()
    }

    /// Appends texts to rooms as one batch.
    func append(_ texts: [(room: RoomName, text: String)]) {
        var batch = LogBatch()
        for (room, text) in texts {
            batch.beginSection(of: room.description)
            events += 1
            batch.append(.event(events), text)
            replicas[room, default: []].append(text)
            appended[room, default: []].append(text)
        }
        batches = log.append(batch)
        waiting[batches] = texts.map(\.text)
    }

    func beginSegment(without left: RoomName? = nil) {
        let replicas = replicas.filter { $0.key != left }
        batches = log.beginSegment {
            var batch = LogBatch()
            for (room, texts) in replicas.sorted(by: { $0.key < $1.key }) {
                batch.beginSection(of: room.description)
                for (index, text) in texts.enumerated() { batch.append(.restated(index + 1), text) }
            }
            return batch
        }
    }

    /// The number of batches and states of this log.
    var batchCount: Int { batches }
}

extension LogBatch {
    /// Appends a line.
    mutating func append(_ kind: EntryKind, _ text: String, metadata: Int64? = nil) {
        _ = append(kind, metadata: metadata) { $0 += Array("\(text)\n".utf8) }
    }
}

/// Several nodes on one NATS, and what they promise.
final class LogWorld {
    static let maximumPayload = 65_536

    let nats: FakeNATS
    let nodes: [LogNode]
    private(set) var now = Instant(nanoseconds: 0)
    /// What was promised and not kept.
    private(set) var violations: [String] = []
    private(set) var durableCount = 0
    /// All texts in the stream's history; the messages up to `checked` are counted.
    private var stored: Set<String> = []
    private var checked = 0
    private var storedOrder: [RoomName: [String]] = [:]
    private var owners: [RoomName: NodeInstance] = [:]
    private var lastSequences: [String: Int] = [:]

    init(_ nats: FakeNATS, nodes names: [String] = ["one", "two", "three"]) {
        self.nats = nats
        nodes = names.enumerated().map { index, name in
            LogNode(name, number: UInt32(index + 1) << 16, at: Instant(nanoseconds: 0))
        }
    }

    func connectAll() {
        for node in nodes { node.connect(to: nats, at: now) }
    }

    /// Sends what the nodes were told, and lets time pass.
    func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        turn()
        while now < end {
            let deadlines =
                nodes.filter { !$0.isFrozen }.map(\.log.deadline) + [nats.deadline, end]
            // A turn takes a millisecond, so that what is due now is done once.
            let next = deadlines.compactMap(\.self).min() ?? end
            now = min(end, max(next, now.advanced(by: .milliseconds(1))))
            turn()
        }
    }

    /// Lets each node that is not frozen do what is due.
    func turn() {
        for received in nats.advance(to: now) {
            nodes.first { $0.connection == received.connection }?.receive(received)
        }
        for node in nodes where !node.isFrozen {
            let durable = node.turn(on: nats, at: now)
            checkHistory()
            for texts in durable {
                durableCount += 1
                for text in texts where !stored.contains(text) {
                    violations.append(
                        "\(text.prefix(20)) counts as durable, but is not in the stream")
                }
            }
            checkFailure(of: node)
        }
    }

    private func checkFailure(of node: LogNode) {
        guard let failure = node.log.progress.failure else { return }
        let prefix = "another node owns the room "
        let room = RoomName(failure.description.dropFirst(prefix.count))
        guard failure.description.hasPrefix(prefix), let room else {
            violations.append("\(node.instance): \(failure)")
            return node.restart(on: nats, at: now)
        }
        if owners[room] == node.instance {
            violations.append("\(node.instance) still owns the room \(room)")
        }
        node.log.close()
        node.sendCommands(on: nats, at: now)
        node.restart(on: nats, at: now)
    }

    /// Checks what was added to the stream.
    private func checkHistory() {
        for stored in nats.history.dropFirst(checked) { check(stored) }
        checked = nats.history.count
    }

    private func check(_ message: FakeNATS.Stored) {
        let subject = message.message.subject
        let previous = message.message[header: "Nats-Expected-Last-Subject-Sequence"]
        if previous != String(lastSequences[subject] ?? 0) {
            violations.append("\(message.sequence) does not follow the message before")
        }
        lastSequences[subject] = message.sequence
        guard let room = RoomName(subject.dropFirst("auction.log.".count)),
            let sender = sender(of: message.message)
        else { return }
        let kind = message.message[header: "Auction-Kind"]
        if kind == "owner" {
            owners[room] = sender
        } else if owners[room] != sender {
            violations.append("\(sender) does not own the room \(room) at \(message.sequence)")
        }
        guard kind == "events" else { return }
        for line in String(decoding: message.message.payload, as: UTF8.self).split(separator: "\n")
        {
            // Malformed lines are for the logs to find.
            guard let word = line.split(separator: " ").dropFirst(2).first else { continue }
            let text = String(word)
            if !stored.insert(text).inserted { violations.append("\(text) is in the stream twice") }
            storedOrder[room, default: []].append(text)
        }
    }

    private func sender(of message: NATSMessage) -> NodeInstance? {
        guard let name = message[header: "Auction-Node"].flatMap({ NodeName($0) }),
            let number = message[header: "Auction-Instance"].flatMap({ UInt32($0, radix: 16) })
        else { return nil }
        return NodeInstance(name, number: number)
    }

    /// Checks that what the logs have appended is in the stream in its order, up to some end.
    func checkOrder() {
        for node in nodes {
            for (room, texts) in node.appended {
                let own = (storedOrder[room] ?? []).filter(Set(texts).contains)
                if !texts.starts(with: own) {
                    violations.append("\(node.instance) has another order in the room \(room)")
                }
            }
        }
    }

    /// Checks that every node has everything, once it is quiet.
    func checkAgreement() {
        checkOrder()
        for node in nodes {
            if !node.log.isCaughtUp { violations.append("\(node.instance) is not caught up") }
            if node.log.waitingSince != nil { violations.append("\(node.instance) waits") }
            if !node.waiting.isEmpty { violations.append("\(node.instance) has batches left") }
            for (room, texts) in storedOrder where node.replicas[room] ?? [] != texts {
                violations.append("\(node.instance) has other entries of the room \(room)")
            }
            if node.log.owners != owners { violations.append("\(node.instance) has other owners") }
            let sequences = node.followed.map(\.sequence)
            if sequences != Set(sequences).sorted() {
                violations.append("\(node.instance) has followed messages twice")
            }
        }
    }
}

/// Nodes that claim rooms, append, crash, freeze and lose connections, as a seed says.
struct LogStorm {
    private static let rooms = ["main", "art", "wine"].compactMap { RoomName($0) }

    private var random: SplitMix64
    private var textCount = 0
    let world: LogWorld

    init(seed: UInt64, isCluster: Bool) {
        random = SplitMix64(seed: seed)
        world = LogWorld(FakeNATS(seed: seed &* 7 &+ 1, isCluster: isCluster))
    }

    /// Runs with faults, then without until it is quiet, and checks; ends at a violation.
    mutating func run(_ faults: FakeNATS.Faults, actions: Int) {
        world.nats.faults = faults
        world.connectAll()
        for _ in 0..<actions {
            guard world.violations.isEmpty else { return }
            act()
            world.run(for: .milliseconds(Int64.random(in: 0...150, using: &random)))
        }
        world.nats.faults = FakeNATS.Faults()
        for node in world.nodes {
            node.isFrozen = false
            if let connection = node.connection { world.nats.release(connection) }
            node.connect(to: world.nats, at: world.now)
        }
        world.run(for: .seconds(20))
        world.checkAgreement()
    }

    private mutating func act() {
        let nats = world.nats
        guard let node = world.nodes.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: if !node.isFrozen { append(on: node) }
        case 60..<80: if !node.isFrozen { claim(on: node) }
        case 80..<84: if !node.isFrozen { node.beginSegment() }
        case 84..<85: node.isFrozen = true
        case 85..<91: node.isFrozen = false
        case 91..<92: if let connection = node.connection { nats.hold(connection) }
        case 92..<95: if let connection = node.connection { nats.release(connection) }
        case 95..<96: node.disconnect(from: nats, at: world.now)
        case 96..<98: if !node.isFrozen { node.connect(to: nats, at: world.now) }
        case 98..<99: nats.stopLeader(until: world.now.advanced(by: .seconds(2)))
        default: node.restart(on: nats, at: world.now)
        }
    }

    private mutating func append(on node: LogNode) {
        let isMainFree = node.log.isCaughtUp && node.log.owner(ofRoom: .main) == nil
        let rooms = node.ownRooms + (isMainFree ? [.main] : [])
        guard !rooms.isEmpty else { return }
        let texts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            textCount += 1
            let padding = String(repeating: "x", count: Int.random(in: 0...4000, using: &random))
            return (
                room: rooms[textCount % rooms.count],
                text: "\(node.instance).\(textCount)\(padding)"
            )
        }
        node.append(texts)
    }

    private mutating func claim(on node: LogNode) {
        guard let room = Self.rooms.randomElement(using: &random), node.log.isCaughtUp,
            node.log.owner(ofRoom: room) != node.instance
        else { return }
        let isFree = node.log.owner(ofRoom: room) == nil
        // It becomes somebody's own with its first entries.
        if isFree && room == .main { return }
        // Most rooms stay with their owners for a while.
        if isFree || Int.random(in: 0..<4, using: &random) == 0 { _ = node.log.claim(.room(room)) }
    }
}
