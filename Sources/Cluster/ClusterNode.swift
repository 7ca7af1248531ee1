import Auction
import Basics
import House
import Wire

/// One node of several that share rooms: what it receives from the others and sends to them.
///
/// It stands between the connection to NATS, which is the caller's, and the house. It takes over
/// the rooms of nodes that are gone, passes on what the log of all nodes has, and exchanges the
/// requests and the answers of connections. It has no sockets and no clock.
public final class ClusterNode {
    /// The numbers of the subscriptions that are not the log's.
    private enum Subscription {
        static let heartbeats = 1
        static let packets = 2
        static let firstOfLog = 3
    }

    /// How often the node looks for rooms whose owner is gone.
    private static let searchInterval = Duration.milliseconds(500)
    /// How long an append may wait until requests are refused.
    private static let longestAppend = Duration.seconds(1)
    /// The most bytes of messages to a node that are sent together.
    private static let packetBytes = 32 * 1024

    private static let advice = "run the same version of auction-server on all nodes"

    /// The log of all rooms.
    public let log: ReplicatedLog
    /// Where the node serves clients, such as `10.0.0.1:7777`.
    public var address = "-"
    private let own: NodeInstance
    private var membership: Membership
    /// The other nodes from which something was received, with the packets to and from each.
    private var others: [NodeName: RemoteNode] = [:]
    /// The packets that wait until the log is applied up to their position, in order of arrival.
    private var packets: [Packet] = []
    /// The claims of the house that are not decided.
    private var claims: [Int: NodeClaim] = [:]
    /// The rooms to be claimed once their end is durable, after which any node can claim them.
    private var ending: [RoomName] = []
    /// The rooms whose taking over is not decided.
    private var wanted: [Int: RoomName] = [:]
    /// The rooms that were won, until all that were wanted with them are decided.
    private var won: [RoomName] = []
    private var commands: [NATSCommand] = []
    /// Since when NATS is connected; nil while it is not.
    private var connectedAt: Instant?
    /// When the node last received its own heartbeat; without it, those of others may be lost too.
    private var heardItselfAt = Instant.distantPast
    /// Whether NATS was connected since the last turn.
    private var isNewConnection = false
    private var nextSearch: Instant
    private var nextHeartbeat: Instant
    private var hasHeartbeats = false
    private var now: Instant

    /// Another node, and the numbers of the packets to it and from it.
    private struct RemoteNode {
        let instance: NodeInstance
        /// Whether the house knows that it can be reached.
        var isAnnounced = false
        var sent = 0
        var received = 0
        var output: [UInt8] = []
        /// What follows the output once a batch of the log is durable, in order.
        var waiting: [(batch: Int, output: [UInt8])] = []

        /// Appends a message that is sent after a batch of the log is durable.
        mutating func append(_ message: NodeMessage, after batch: Int) {
            let isFull = waiting.last.map { $0.output.count > ClusterNode.packetBytes } ?? false
            if batch > waiting.last?.batch ?? 0 || isFull {
                waiting.append((max(batch, waiting.last?.batch ?? 0), []))
            }
            if waiting.isEmpty {
                message.append(to: &output)
            } else {
                message.append(to: &waiting[waiting.count - 1].output)
            }
        }

        /// Adds to the output the next part that need not wait any longer; false if there is none.
        mutating func release(upTo durable: Int) -> Bool {
            guard let first = waiting.first, first.batch <= durable else { return false }
            output += first.output
            waiting.removeFirst()
            return true
        }
    }

    private struct Packet {
        let sender: NodeInstance
        let position: Int
        let messages: [NodeMessage]
    }

    /// Creates a node that is not connected; `number` is random, and another after each start.
    public init(_ name: NodeName, number: UInt32, at now: Instant) {
        own = NodeInstance(name, number: number)
        log = ReplicatedLog(own, firstSubscription: Subscription.firstOfLog, at: now)
        membership = Membership(own, at: now)
        (self.now, nextSearch, nextHeartbeat) = (now, now, now)
    }

    // NATS

    /// Begins to follow the log over a new connection to a server.
    public func connected(_ server: NATSSession.ServerInfo, at now: Instant) {
        (connectedAt, isNewConnection) = (now, true)
        commands.append(.subscribe(Membership.subject, number: Subscription.heartbeats))
        commands.append(.subscribe(Membership.subject(of: own.name), number: Subscription.packets))
        log.connected(
            maximumPayload: server.maxPayload, replicas: server.cluster == nil ? 1 : 3, at: now)
        (nextHeartbeat, nextSearch) = (now, now.advanced(by: Membership.interval * 1.2))
    }

    /// Notes that the connection to the server was lost.
    public func disconnected(at now: Instant) {
        connectedAt = nil
        log.disconnected(at: now)
    }

    /// Takes a message that the server has sent.
    public func receive(_ message: NATSMessage, subscription: Int, at now: Instant) {
        switch subscription {
        case Subscription.heartbeats:
            guard let heartbeat = Heartbeat(message.payload) else { return }
            if heartbeat.instance == own { heardItselfAt = now }
            membership.receive(heartbeat, at: now)
            hasHeartbeats = true
        case Subscription.packets: receivePacket(message.payload)
        default: log.receive(message, subscription: subscription, at: now)
        }
    }

    /// Removes and returns what is to be sent to the server.
    public func takeCommands() -> [NATSCommand] {
        defer { commands = [] }
        return commands + log.takeCommands()
    }

    // What the caller asks

    /// When `deliver` is next due without a message.
    public var deadline: Instant? {
        // A heartbeat needs a connection; a search for rooms also needs the log.
        let own =
            connectedAt == nil
            ? nil : log.isCaughtUp ? min(nextHeartbeat, nextSearch) : nextHeartbeat
        return Instant.earliest(Instant.earliest(own, log.deadline), membership.deadline)
    }

    /// Whether the node can serve: it follows the log, and what it appends becomes durable.
    public var isServing: Bool {
        guard connectedAt != nil, log.isCaughtUp, log.progress.failure == nil else { return false }
        return log.waitingSince.map { $0.advanced(by: Self.longestAppend) > now } ?? true
    }

    /// Whether the state of all rooms is known, and a live node owns the first of them.
    public var isReady: Bool {
        log.isCaughtUp && won.isEmpty && wanted.isEmpty
            && log.owner(ofRoom: .main).map { membership.isLive($0) || $0 == own } == true
    }

    /// Why the node cannot go on; nil while it can.
    public var problem: String? { log.progress.failure?.description ?? conflict }

    /// Why this node must stop: an older process has its name; nil if none has.
    public var conflict: String? {
        guard let conflict = membership.conflict, conflict.isOtherOlder else { return nil }
        return "another node has the name \(own.name): choose another --node NAME"
    }

    // Turns

    /// Gives the house what the other nodes have done, and takes over rooms of those that are gone.
    ///
    /// - Throws: `ClusterError` if the log has what this node cannot apply.
    public func deliver(to house: inout House, at now: Instant) throws(ClusterError) {
        self.now = now
        log.expire(at: now)
        membership.expire(at: now)
        // What other nodes have claimed they may use only when something is stored again.
        if isNewConnection || house.isUnavailable && isServing {
            house.lobby.renewClaims(at: now)
        }
        isNewConnection = false
        for batch in log.takeFollowed() { try follow(batch, in: &house) }
        for result in log.takeClaims() { decide(result, in: &house) }
        let ended = ending.filter { !log.owns($0) }
        ending.removeAll { !log.owns($0) }
        for room in ended { claimEnded(room, in: &house) }
        if wanted.isEmpty, !won.isEmpty {
            house.lobby.takeOver(won, at: now)
            won = []
        }
        forgetNodes(in: &house)
        if hasHeartbeats { house.lobby.setFollowersElsewhere(membership.followers) }
        hasHeartbeats = false
        deliverPackets(to: &house)
        house.isUnavailable = !isServing
        if isReady { house.lobby.beginServing() }
        search(in: house)
    }

    /// Takes what the house has for the other nodes.
    public func take(_ outputs: borrowing StepOutputs) {
        for (node, message) in outputs.messages {
            send(message, to: node, after: message.isDependent ? log.batchCount : 0)
        }
        for claim in outputs.claims {
            switch claim {
            case .name(let bidder): claims[log.claim(.name(bidder))] = claim
            case .room(let room) where log.owns(room): ending.append(room)
            case .room(let room): claims[log.claim(.room(room))] = claim
            }
        }
    }

    /// Sends a node a message about a connection, once `finish` is called.
    public func send(_ message: NodeMessage, to node: String) {
        send(message, to: node, after: 0)
    }

    private func send(_ message: NodeMessage, to node: String, after batch: Int) {
        guard let name = NodeName(node), others[name] != nil else { return }
        let isDurable = batch <= log.progress.durable
        others[name]?.append(message, after: isDurable ? 0 : batch)
        if let other = others[name], other.output.count > Self.packetBytes { sendPacket(to: name) }
    }

    /// Ends a turn: sends what waits for the other nodes.
    public func finish(_ house: borrowing House) {
        let durable = log.progress.durable
        for name in Array(others.keys) where others[name]?.waiting.isEmpty == false {
            while others[name]?.release(upTo: durable) == true {
                if let other = others[name], other.output.count > Self.packetBytes {
                    sendPacket(to: name)
                }
            }
        }
        let isHeartbeatDue = connectedAt != nil && nextHeartbeat <= now
        // A packet with each heartbeat shows the receiver whether an earlier one was lost. The
        // first is sent at once: the receiver may expect a number from before it was forgotten.
        for (name, other) in others.sorted(by: { $0.key < $1.key })
        where !other.output.isEmpty || isHeartbeatDue || other.sent == 0 {
            sendPacket(to: name)
        }
        guard isHeartbeatDue else { return }
        nextHeartbeat = now.advanced(by: Membership.interval)
        sendHeartbeat(of: house, isLeaving: false)
    }

    /// Tells the other nodes that this one leaves, so that they take its rooms over at once.
    public func leave(_ house: borrowing House) {
        sendHeartbeat(of: house, isLeaving: true)
    }

    private func sendHeartbeat(of house: borrowing House, isLeaving: Bool) {
        var heartbeat = Heartbeat(of: own)
        heartbeat.age = membership.age(at: now)
        heartbeat.isLeaving = isLeaving
        heartbeat.address = address
        heartbeat.followers = house.lobby.followersHere
        heartbeat.connections = house.loops.connectionCount
        heartbeat.applied = log.appliedSequence
        commands.append(
            .publish(NATSMessage(Membership.subject, payload: heartbeat.payload)))
    }

    // The log

    private func follow(_ batch: StreamBatch, in house: inout House) throws(ClusterError) {
        house.lobby.advance(streamTime: batch.storedAt)
        switch (batch.subject, batch.kind) {
        case (.name(let bidder), _): house.lobby.note(claimOf: bidder, isOwn: batch.isOwn, at: now)
        case (.room(let room), .owner):
            if !batch.isOwn { house.lobby.follow(owner: "\(batch.sender.name)", of: room, at: now) }
        case (.room(let room), _):
            if batch.isOwn { return try noteOwn(batch, in: &house) }
            guard batch.isContinuous || !house.lobby.knowsState(of: room) else {
                throw ClusterError(
                    "the log of the room \(room) was purged before this node read it, so the node "
                        + "starts again: if that recurs, give it a faster connection to NATS",
                    isLate: true)
            }
            let followed = FollowedEntries(
                room: room, node: "\(batch.sender.name)", entries: try entries(of: batch),
                isState: batch.kind == .state)
            guard house.follow(followed, at: now) else {
                throw ClusterError(
                    "message \(batch.sequence) of the stream cannot be applied to \(room): "
                        + Self.advice)
            }
        }
    }

    /// Notes the names of this node's own rooms, once they are read back from the stream.
    private func noteOwn(_ batch: StreamBatch, in house: inout House) throws(ClusterError) {
        guard batch.kind == .events else { return }
        for entry in batch.entries {
            let line = batch.text[entry.line]
            guard
                line.starts(with: "JOINED ".utf8) || line.starts(with: "LEFT ".utf8)
                    || line.starts(with: "NAME ".utf8),
                case .event(let event)? = record(of: entry, in: batch)
            else { continue }
            house.lobby.note(event)
        }
    }

    private func entries(of batch: StreamBatch) throws(ClusterError) -> [LogEntry] {
        var entries: [LogEntry] = []
        entries.reserveCapacity(batch.entries.count)
        for entry in batch.entries {
            guard let record = record(of: entry, in: batch) else {
                throw ClusterError(
                    "message \(batch.sequence) of the stream has an unknown entry: \(Self.advice)")
            }
            var restated: Int?
            if case .restated(let number) = entry.kind { restated = number }
            entries.append(LogEntry(record, restated: restated))
        }
        return entries
    }

    private func record(of entry: StreamBatch.Entry, in batch: StreamBatch) -> Record? {
        Record(line: batch.text.span.extracting(entry.line), elapsedMilliseconds: entry.metadata)
    }

    private func decide(_ result: ClaimResult, in house: inout House) {
        if let room = wanted.removeValue(forKey: result.number) {
            if result.isWon { won.append(room) }
        } else if let claim = claims.removeValue(forKey: result.number) {
            house.lobby.decide(claim, isOwn: result.isWon, at: now)
            guard case .room(let room) = claim, result.isWon, !house.lobby.hasRoom(room) else {
                return
            }
            log.release(room)
        }
    }

    /// Claims a room that has ended at this node, unless another node has claimed it before.
    private func claimEnded(_ room: RoomName, in house: inout House) {
        if log.owner(ofRoom: room) == own {
            claims[log.claim(.room(room))] = .room(room)
        } else {
            house.lobby.decide(.room(room), isOwn: false, at: now)
        }
    }

    // Rooms of nodes that are gone

    /// Claims the rooms whose owner is gone, and which this node is the first to take over.
    private func search(in house: borrowing House) {
        guard nextSearch <= now, log.isCaughtUp, let connectedAt else { return }
        nextSearch = now.advanced(by: Self.searchInterval)
        let live = membership.live
        func isFirst(for room: RoomName) -> Bool {
            Membership.first(for: Membership.groupKey(of: room), among: live) == own.name
        }
        let owners = log.owners
        if owners[.main] == nil, wanted.isEmpty, won.isEmpty, isFirst(for: .main) {
            wanted[log.claim(.room(.main))] = .main
        }
        // After a pause the node first needs a heartbeat of each live node.
        guard connectedAt.advanced(by: Membership.patience) <= now,
            heardItselfAt.advanced(by: Membership.interval * 2) > now
        else { return }
        let gone = owners.filter { $0.value != own && !membership.isLive($0.value) }
        for (room, _) in gone.sorted(by: { $0.key < $1.key })
        where house.lobby.hasRoom(room) && !wanted.values.contains(room) && !won.contains(room)
            && isFirst(for: room)
        {
            wanted[log.claim(.room(room))] = room
        }
    }

    // Other nodes

    private func forgetNodes(in house: inout House) {
        for (name, other) in others.sorted(by: { $0.key < $1.key })
        where !membership.isLive(other.instance) {
            others[name] = nil
            packets.removeAll { $0.sender == other.instance }
            house.lobby.remove(node: "\(name)", at: now)
        }
        guard hasHeartbeats else { return }
        for instance in membership.nodes.map(\.instance)
        where others[instance.name]?.isAnnounced != true {
            others[instance.name, default: RemoteNode(instance: instance)].isAnnounced = true
            house.lobby.add(node: "\(instance.name)", at: now)
        }
    }

    // Packets: messages to one node, with numbers that show whether one was lost

    private func sendPacket(to name: NodeName) {
        guard var other = others[name] else { return }
        other.sent += 1
        let position = max(log.appliedSequence, log.durableSequence)
        var payload = Array(
            "\(other.instance.digits) \(own.name) \(own.digits) \(other.sent) \(position)\n".utf8)
        payload += other.output
        other.output = []
        others[name] = other
        commands.append(.publish(NATSMessage(Membership.subject(of: name), payload: payload)))
    }

    private func receivePacket(_ payload: [UInt8]) {
        guard let end = payload.firstIndex(of: UInt8(ascii: "\n")) else { return }
        let words = String(decoding: payload[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 5, words[0] == own.digits, let name = NodeName(words[1]),
            let digits = UInt32(words[2], radix: 16), let number = Int(words[3]),
            let position = Int(words[4])
        else { return }
        let sender = NodeInstance(name, number: digits)
        if others[name] == nil { others[name] = RemoteNode(instance: sender) }
        guard var other = others[name], other.instance == sender else { return }
        // After a loss the connections that it concerns connect again.
        let messages =
            number == other.received + 1
            ? NodeMessage.messages(Array(payload[(end + 1)...])) : nil
        other.received = number
        others[name] = other
        packets.append(Packet(sender: sender, position: position, messages: messages ?? [.reset]))
        if messages == nil { send(.reset, to: "\(name)") }
    }

    private func deliverPackets(to house: inout House) {
        var waiting: [Packet] = []
        for packet in packets {
            // Packets of one node stay in order.
            let mustWait = waiting.contains { $0.sender == packet.sender }
            guard packet.position <= log.appliedSequence, !mustWait else {
                waiting.append(packet)
                continue
            }
            for message in packet.messages {
                house.lobby.receive(message, from: "\(packet.sender.name)", at: now)
            }
        }
        packets = waiting
    }
}

/// The stream has an entry that this node cannot apply; the node must begin again from the stream.
public struct ClusterError: Error, CustomStringConvertible {
    /// Why, as a sentence.
    public let description: String
    /// Whether the node is only late: what it had not read was purged.
    public let isLate: Bool

    init(_ reason: String, isLate: Bool = false) {
        (description, self.isLate) = (reason, isLate)
    }
}
