import Auction
import Basics

/// Something that only one process of all nodes can get.
public enum Claim: Hashable, Sendable {
    /// The ownership of a room.
    case room(RoomName)
    /// A bidder's name, also one that was claimed before.
    case name(Bidder)
}

/// Whether this process got what it claimed.
public struct ClaimResult: Equatable, Sendable {
    /// The number that `claim` returned.
    public let number: Int
    /// What was claimed.
    public let claim: Claim
    /// Whether this process got it, rather than another.
    public let isWon: Bool
}

/// The journal of a node among several: a stream of NATS JetStream that all nodes append to.
///
/// Each room has a log of its own in the stream, and an owner that alone appends to it. A message
/// is stored only if the last one of its log is the one that its sender knows. So a process that has
/// been replaced as owner makes nothing durable any more: its log fails, and the node begins again
/// from the stream with a new log.
///
/// A process here is one run of a node, a `NodeInstance`.
///
/// It has neither socket nor clock. The caller passes what the server sends, calls `expire(at:)` at
/// the beginning of each turn, and sends what `takeCommands()` returns at its end.
public final class ReplicatedLog: EventLog {
    /// The limits after which a segment is full, counted over the own rooms.
    private static let (segmentEntries, segmentBytes) = (20_000, 4 * 1024 * 1024)
    /// The least payload that the server must accept, and how much of it is for headers.
    private static let (leastPayload, headerBytes) = (64 * 1024, 1024)
    /// The beginning of the entry that ends a room.
    private static let end = Array("SHUT ".utf8)

    /// Entries of one room that are appended as one message.
    private struct Part {
        let kind: StreamHeaders.Kind
        var body: [UInt8] = []
        /// The numbers of the batches that have entries in it, in order.
        var batches: [Int] = []
        /// When the first of them was appended.
        let since: Instant
        /// Whether it begins a state.
        var isStateStart = false
        /// Whether its last entry is the end of the room.
        var isEnd = false
    }

    /// What a message is for.
    private enum Purpose {
        case append(Part)
        case claim(Claim)
    }

    private typealias Messages = OutstandingMessages<Purpose>

    private struct Amount {
        var (entries, bytes) = (0, 0)
    }

    private struct RoomLog {
        /// The sequence of the last message that is known, and of the last one that was delivered.
        var (last, delivered) = (0, 0)
        /// The sender of the last message that is known.
        var owner: NodeInstance?
        /// Whether this process owns it and lets others claim it; all but a state is then durable.
        var isReleased = false
        var waiting = Queue<Part>()
        /// The part that is filled; sent after those that wait.
        var filling: Part?
        /// The number of the message that appends a part.
        var inFlight: Int?
        /// Whether the last entry that was delivered is the end of the room.
        var hasEnded = false
        /// What was appended since the last state began, by whatever node.
        var sinceState = Amount()
        /// The sequence of the first message of the own state that is being appended.
        var stateStart = 0
        /// The messages of a state of which the last has not been delivered.
        var state: StreamBatch?

        /// Notes that a part of this process is durable; it may be the end of the room.
        mutating func finish(_ part: Part) {
            inFlight = nil
            let isReopened = filling != nil || waiting.contains { $0.kind == .events }
            if part.isEnd, !isReopened { isReleased = true }
        }

        /// Drops the state of a released room; returns the number of the message that appends it.
        mutating func dropState() -> Int? {
            guard isReleased else { return nil }
            waiting = Queue()
            return inFlight.take()
        }

        /// Counts what was appended since the last state began.
        mutating func count(_ batch: StreamBatch) {
            if batch.kind == .state {
                sinceState = Amount()
            } else {
                sinceState.entries += batch.entries.count
                sinceState.bytes += batch.text.count
            }
        }
    }

    private let own: NodeInstance
    /// The beginning of the subjects of answers.
    private let inbox: String
    private let firstSubscription: Int
    private var now: Instant
    private var follower: StreamFollower
    private var isConnected = false
    private var maximumPayload = 1024 * 1024
    private var commands: [NATSCommand] = []

    private var rooms: [RoomName: RoomLog] = [:]
    /// The room that entries without a section belong to.
    private var currentRoom: RoomName? = .main
    private var outstanding: Messages

    /// The number of the newest batch.
    public private(set) var batchCount = 0
    /// The number of parts of each batch that are not durable.
    private var unfinished: [Int: Int] = [:]
    private var durable = 0
    private var failure: LogFailure?
    /// What was appended to the own rooms since the last segment began.
    private var segment = Amount()
    /// Whether no segment ever ends, so that the stream keeps all that has happened.
    public var keepsAll = false
    /// The sequence of the newest own message that is known to be in the stream.
    public private(set) var durableSequence = 0

    private var followed: [StreamBatch] = []
    /// The results of claims, each with the sequence up to which the caller must have followed.
    private var results: [(result: ClaimResult, sequence: Int)] = []

    /// The sequence of the last claim of each name that was seen.
    ///
    /// The last claim of a name stays in the stream, also when nobody has the name any more. After
    /// a removal NATS would refuse any expected sequence but 0, so each node would have to find out
    /// that the subject is empty before it can claim the name. The stream has at most one claim for
    /// each name that was ever claimed, and the limit of claims of an address bounds their number.
    private var names: [Bidder: Int] = [:]
    /// The sequence of the stream up to which the caller has taken its messages.
    public private(set) var appliedSequence = 0

    /// Creates the log of a run of a node, whose number must be new for each log.
    ///
    /// Of the connection's subscription numbers it uses all from `firstSubscription` on. None of
    /// them may have been used by another log on the same connection.
    public init(_ own: NodeInstance, firstSubscription: Int, at now: Instant) {
        (self.own, self.firstSubscription, self.now) = (own, firstSubscription, now)
        let subject = "_INBOX.auction.\(own.name).\(own.digits)"
        inbox = "\(subject).answer"
        outstanding = Messages(of: own, inbox: inbox)
        follower = StreamFollower(
            inbox: inbox, feed: "\(subject).feed", after: firstSubscription)
    }

    // MARK: The connection

    /// Uses a new connection; the stream must have at least `replicas` replicas.
    ///
    /// With nil for `replicas` the stream is only read: the log fails if there is none.
    public func connected(maximumPayload: Int, replicas: Int?, at now: Instant) {
        self.now = now
        guard failure == nil else { return }
        guard maximumPayload >= Self.leastPayload else {
            return fail(
                "max_payload of NATS is \(maximumPayload): set it to \(Self.leastPayload) or more "
                    + "on each NATS server")
        }
        self.maximumPayload = maximumPayload
        isConnected = true
        commands.append(.subscribe("\(inbox).*.*", number: firstSubscription))
        follower.connected(replicas: replicas, at: now)
        outstanding.connected(at: now)
    }

    /// Keeps what is not acknowledged for the next connection.
    public func disconnected(at now: Instant) {
        self.now = now
        isConnected = false
        commands = []
        outstanding.disconnected()
        follower.disconnected()
    }

    /// Reads a message of the connection; those of other subscriptions are ignored.
    public func receive(_ message: NATSMessage, subscription: Int, at now: Instant) {
        self.now = now
        guard failure == nil, isConnected else { return }
        if subscription == firstSubscription {
            receive(answer: message)
        } else if let sequence = follower.receive(message, subscription: subscription, at: now) {
            follow(message, sequence)
        }
        checkFollower()
    }

    /// Repeats what was not answered in time.
    public func expire(at now: Instant) {
        self.now = now
        guard failure == nil else { return }
        outstanding.expire(at: now)
        follower.expire(at: now)
        checkFollower()
    }

    /// When `expire(at:)` is next due.
    public var deadline: Instant? { Instant.earliest(outstanding.deadline, follower.deadline) }

    /// Removes and returns what the server is asked.
    public func takeCommands() -> [NATSCommand] {
        defer { commands = [] }
        return commands + outstanding.takeCommands() + follower.takeCommands()
    }

    /// What is wrong with the stream while the log keeps trying; nil if nothing is.
    public var problem: String? { outstanding.problem ?? follower.problem }

    private func checkFollower() {
        if let failure = follower.failure { fail(failure.description) }
    }

    private func fail(_ reason: String) {
        guard failure == nil else { return }
        failure = LogFailure(reason)
        outstanding.removeAll()
        for name in Array(rooms.keys) {
            rooms[name]?.waiting = Queue()
            rooms[name]?.filling = nil
            rooms[name]?.inFlight = nil
        }
        end()
    }

    private func end() {
        guard isConnected else { return }
        commands.append(.unsubscribe(number: firstSubscription))
        outstanding.close()
        follower.close()
        isConnected = false
    }

    // MARK: What is appended

    /// How far the log has come.
    ///
    /// The state that begins a segment counts as durable with the batch before it, because nothing
    /// waits for a state.
    public var progress: LogProgress {
        let isFull =
            !keepsAll
            && (segment.entries >= Self.segmentEntries || segment.bytes >= Self.segmentBytes)
        var progress = LogProgress(durable: durable, isSegmentFull: isFull)
        progress.failure = failure
        return progress
    }

    /// Since when the oldest append or claim waits whose outcome is not known; nil if none does.
    public var waitingSince: Instant? { outstanding.waitingSince }

    /// Appends each room's entries to its log; no other process may own the rooms.
    ///
    /// A room that this process does not own becomes its own before its entries are appended, or
    /// the log fails. It is released once its end is durable, unless entries follow. Entries of no
    /// room are dropped.
    public func append(_ batch: LogBatch) -> Int {
        batchCount += 1
        guard failure == nil else { return batchCount }
        var touched: [RoomName] = []
        forEachSection(of: batch) { name, entries, text in
            if !owns(name) { own(name) }
            fill(name, with: batch.entries[entries], batch.text[text])
            if touched.last != name { touched.append(name) }
        }
        for name in touched { sendNext(of: name) }
        advanceDurable()
        return batchCount
    }

    /// Appends the states of the own rooms that have changed since their last state.
    ///
    /// `state` is called at once, unless the log has failed.
    public func beginSegment(state: @escaping @Sendable () -> LogBatch) -> Int {
        batchCount += 1
        guard failure == nil else { return batchCount }
        let batch = state()
        var states: [RoomName: [Part]] = [:]
        for (name, room) in rooms where room.owner == own && room.sinceState.entries > 0 {
            states[name] = [Part(kind: .state, since: now)]
        }
        currentRoom = .main
        forEachSection(of: batch) { name, entries, text in
            guard states[name] != nil else { return }
            append(batch.entries[entries], batch.text[text], to: &states[name, default: []])
        }
        currentRoom = .main
        segment = Amount()
        for (name, parts) in states.sorted(by: { $0.key < $1.key }) {
            // The state lacks rooms that have ended, whose states are empty. It also lacks a room
            // that was won and is not taken over, which must keep its log.
            let isEmpty = parts.count == 1 && parts[0].body.isEmpty
            if !isEmpty || rooms[name]?.hasEnded == true { appendState(parts, of: name) }
        }
        advanceDurable()
        return batchCount
    }

    /// Ends the subscriptions, and waits for nothing.
    public func close() {
        end()
    }

    private func forEachSection(
        of batch: LogBatch, _ body: (RoomName, Range<Int>, Range<Int>) -> Void
    ) {
        var (first, textStart) = (0, 0)
        func take(until end: Int) {
            guard end > first else { return }
            let length = batch.entries[first..<end].reduce(0) { $0 + $1.length + 1 }
            if let currentRoom { body(currentRoom, first..<end, textStart..<textStart + length) }
            (first, textStart) = (end, textStart + length)
        }
        for section in batch.sections {
            take(until: section.first)
            currentRoom = section.room.map { name in
                guard let room = RoomName(name) else { preconditionFailure("\(name) is no room") }
                return room
            }
        }
        take(until: batch.entries.count)
    }

    /// Makes this process the owner of a room, with a message before its next entries.
    private func own(_ name: RoomName) {
        var part = Part(kind: .owner, since: now)
        part.batches = [batchCount]
        unfinished[batchCount, default: 0] += 1
        rooms[name, default: RoomLog()].waiting.append(part)
        own(name, from: 0)
    }

    /// Adds entries to the part that is filled.
    private func fill(
        _ name: RoomName, with entries: ArraySlice<LogBatch.Entry>, _ text: ArraySlice<UInt8>
    ) {
        var room = rooms.removeValue(forKey: name) ?? RoomLog()
        defer { rooms[name] = room }
        room.sinceState.entries += entries.count
        room.sinceState.bytes += text.count
        segment.entries += entries.count
        segment.bytes += text.count
        var start = text.startIndex
        for entry in entries {
            let end = start + entry.length + 1
            let isFull = (room.filling?.body.count ?? 0) + entry.length >= maximumPayload / 2
            if isFull, let part = room.filling.take() { room.waiting.append(part) }
            var part = room.filling.take() ?? Part(kind: .events, since: now)
            StreamBatch.Entry.append(entry, text: text[start..<end], to: &part.body)
            part.isEnd = text[start..<end].starts(with: Self.end)
            if part.batches.last != batchCount {
                part.batches.append(batchCount)
                unfinished[batchCount, default: 0] += 1
            }
            room.filling = part
            start = end
        }
    }

    /// Adds entries to the last part of a state, or to more of them.
    private func append(
        _ entries: ArraySlice<LogBatch.Entry>, _ text: ArraySlice<UInt8>, to parts: inout [Part]
    ) {
        var start = text.startIndex
        for entry in entries {
            let end = start + entry.length + 1
            var line: [UInt8] = []
            StreamBatch.Entry.append(entry, text: text[start..<end], to: &line)
            let size = (parts.last?.body.count ?? 0) + line.count
            if size > maximumPayload - Self.headerBytes {
                parts.append(Part(kind: .state, since: now))
            }
            parts[parts.count - 1].body += line
            start = end
        }
    }

    private func appendState(_ parts: [Part], of name: RoomName) {
        if let part = rooms[name]?.filling.take() { rooms[name]?.waiting.append(part) }
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            var sent = Part(kind: isLast ? .stateEnd : .state, since: now)
            sent.body = part.body
            sent.isStateStart = index == 0
            rooms[name]?.waiting.append(sent)
        }
        rooms[name]?.sinceState = Amount()
        sendNext(of: name)
    }

    /// Sends the next part of a room, if none is in flight.
    private func sendNext(of name: RoomName) {
        guard failure == nil, let room = rooms[name], room.inFlight == nil,
            let part = rooms[name]?.waiting.popFirst() ?? rooms[name]?.filling.take()
        else { return }
        let draft = Messages.Draft(
            subject: .room(name), kind: part.kind, body: part.body, previous: room.last,
            since: part.since)
        rooms[name]?.inFlight = outstanding.begin(draft, for: .append(part), at: now)
    }

    private func advanceDurable() {
        while durable < batchCount, unfinished[durable + 1] == nil { durable += 1 }
    }

    // MARK: Claims

    /// Claims a room or a name, and returns the number of the claim.
    ///
    /// It is won only if the stream has no message of the room or name that this node had not yet
    /// received at this call.
    public func claim(_ claim: Claim) -> Int {
        let subject: StreamBatch.Subject
        let (kind, previous): (StreamHeaders.Kind, Int)
        switch claim {
        case .room(let name):
            precondition(!owns(name), "the owner does not claim its room")
            (subject, kind, previous) = (.room(name), .owner, rooms[name]?.last ?? 0)
        case .name(let name):
            (subject, kind, previous) = (.name(name), .name, names[name] ?? 0)
        }
        let draft = Messages.Draft(
            subject: subject, kind: kind, body: [], previous: previous, since: now)
        return outstanding.begin(draft, for: .claim(claim), at: now)
    }

    /// Whether this process owns a room that it has not released.
    public func owns(_ name: RoomName) -> Bool {
        rooms[name].map { $0.owner == own && !$0.isReleased } ?? false
    }

    /// Lets any process claim a room that this one has won, and to which it has appended nothing.
    public func release(_ name: RoomName) {
        if owns(name) { rooms[name]?.isReleased = true }
    }

    /// Removes and returns the results of claims; to be called after `takeFollowed()`.
    ///
    /// A won claim is returned once the caller has taken all earlier messages of the room or name,
    /// and a lost one once it has taken the message of the winner.
    public func takeClaims() -> [ClaimResult] {
        let ready = results.filter { $0.sequence <= appliedSequence }.map(\.result)
        results.removeAll { $0.sequence <= appliedSequence }
        return ready
    }

    // MARK: Outcomes of messages

    private func receive(answer: NATSMessage) {
        let words = answer.subject.split(separator: ".")
        guard answer.subject.hasPrefix(inbox + "."), words.count > 1,
            let number = words.last.flatMap({ Int($0) })
        else { return }
        switch words[words.count - 2] {
        case "api": follower.receive(answer, toRequest: number, at: now)
        case "ack":
            let settled = outstanding.receive(acknowledgement: answer, of: number, at: now)
            if let settled { succeed(settled) }
        case "get":
            let settled = outstanding.receive(lastMessage: answer, for: number, at: now)
            if let settled { succeed(settled) }
        default: break
        }
    }

    private func succeed(_ message: Messages.Settled) {
        let sequence = message.sequence
        durableSequence = max(durableSequence, sequence)
        switch (message.purpose, message.subject) {
        case (.append(let part), .room(let name)):
            // A later message would have refused this one, so it is the last.
            rooms[name]?.last = sequence
            rooms[name]?.finish(part)
            finish(part)
            if part.isStateStart { rooms[name]?.stateStart = sequence }
            if part.kind == .stateEnd {
                purge(message.subject, before: rooms[name]?.stateStart ?? 0)
            }
            sendNext(of: name)
        case (.claim(let claim), let subject):
            if case .room(let name) = subject {
                if let state = rooms[name]?.dropState() { outstanding.remove(state) }
                own(name, from: sequence)
            }
            if case .name(let name) = subject {
                store(name, sequence)
                if message.previous > 0 { purge(subject, before: sequence) }
            }
            results.append(
                (
                    ClaimResult(number: message.number, claim: claim, isWon: true),
                    message.previous
                ))
        case (.append, .name): preconditionFailure("only rooms are appended to")
        }
    }

    private func lose(_ message: Messages.Settled) {
        switch (message.purpose, message.subject) {
        case (.append, .room(let name)):
            // If a claim of this process has won the room, this state was dropped before.
            guard rooms[name]?.inFlight == message.number else { return }
            guard rooms[name]?.isReleased == true else { return failAsReplaced(in: name) }
            // It was the state of a room that has ended, which another process has opened again.
            _ = rooms[name]?.dropState()
        case (.claim(let claim), _):
            results.append(
                (
                    ClaimResult(number: message.number, claim: claim, isWon: false),
                    message.sequence
                ))
        case (.append, .name): preconditionFailure("only rooms are appended to")
        }
    }

    private func failAsReplaced(in name: RoomName) {
        fail("another node owns the room \(name)")
    }

    private func finish(_ part: Part) {
        for number in part.batches {
            guard let count = unfinished[number] else { continue }
            unfinished[number] = count > 1 ? count - 1 : nil
        }
        advanceDurable()
    }

    private func own(_ name: RoomName, from sequence: Int) {
        var room = rooms[name] ?? RoomLog()
        // What this process has appended itself is counted already.
        if room.owner != own {
            segment.entries += room.sinceState.entries
            segment.bytes += room.sinceState.bytes
        }
        (room.last, room.owner) = (max(room.last, sequence), own)
        room.isReleased = false
        rooms[name] = room
    }

    private func store(_ name: Bidder, _ sequence: Int) {
        names[name] = max(names[name] ?? 0, sequence)
    }

    /// Removes what a state or a claim replaces; if that fails, the next purge removes it too.
    private func purge(_ subject: StreamBatch.Subject, before sequence: Int) {
        let request = JetStreamRequest.purge(
            subject: subject.text, stream: StreamFollower.stream, before: sequence)
        commands.append(.publish(request.message(reply: "\(inbox).purge.0")))
    }

    // MARK: What is followed

    /// Removes and returns what was appended to the stream, by this process too, in its order.
    public func takeFollowed() -> [StreamBatch] {
        defer { followed = [] }
        appliedSequence = follower.lastSequence
        return followed
    }

    /// Whether the caller has taken everything that was in the stream when the consumer was made.
    public var isCaughtUp: Bool {
        follower.caughtUp.map { $0 <= appliedSequence } ?? false
    }

    /// The process that owns a room, as far as this node has seen; nil if none has owned it.
    public func owner(ofRoom name: RoomName) -> NodeInstance? { rooms[name]?.owner }

    /// The owners of the rooms that have one and have not ended.
    public var owners: [RoomName: NodeInstance] {
        rooms.compactMapValues { $0.hasEnded ? nil : $0.owner }
    }

    private func follow(_ message: NATSMessage, _ sequence: Int) {
        guard let subject = StreamBatch.Subject(message.subject),
            let headers = StreamHeaders(message)
        else { return failAsMalformed(sequence) }
        for settled in outstanding.follow(subject, headers, at: sequence) {
            if settled.isStored { succeed(settled) } else { lose(settled) }
            guard failure == nil else { return }
        }
        switch (subject, headers.kind) {
        case (.room(let name), .owner), (.room(let name), .events), (.room(let name), .state),
            (.room(let name), .stateEnd):
            follow(message, of: name, headers, sequence)
        case (.name(let name), .name):
            store(name, sequence)
            followed.append(
                StreamBatch(
                    subject: subject, sequence: sequence, storedAt: follower.lastTime,
                    sender: headers.sender, kind: .name, isOwn: headers.sender == own,
                    isContinuous: true, text: [], entries: []))
        case (.room, .name), (.name, .owner), (.name, .events), (.name, .state), (.name, .stateEnd):
            failAsMalformed(sequence)
        }
    }

    private func follow(
        _ message: NATSMessage, of name: RoomName, _ headers: StreamHeaders, _ sequence: Int
    ) {
        let isOwn = headers.sender == own
        guard isOwn || !owns(name) else { return failAsReplaced(in: name) }
        var room = rooms[name] ?? RoomLog()
        if !isOwn { room.isReleased = false }
        let isState = headers.kind == .state || headers.kind == .stateEnd
        // The owner has what it has appended, even if it was purged before it was delivered.
        let isContinuous = isOwn || headers.previous == room.delivered
        guard isContinuous || isState else {
            return fail(
                "messages of the room \(name) are missing before message \(sequence) of the stream "
                    + "\(StreamFollower.stream), which only nodes may change: restore a backup")
        }
        guard
            let entries = StreamBatch.Entry.parse(message.payload, isState: isState),
            headers.kind != .owner || entries.isEmpty
        else { return failAsMalformed(sequence) }
        room.delivered = sequence
        if sequence > room.last { (room.last, room.owner) = (sequence, headers.sender) }
        var batch = StreamBatch(
            subject: .room(name), sequence: sequence, storedAt: follower.lastTime,
            sender: headers.sender,
            kind: isState ? .state : headers.kind == .owner ? .owner : .events, isOwn: isOwn,
            isContinuous: isContinuous, text: message.payload, entries: entries)
        // Own entries are counted when they are appended.
        if !isOwn { room.count(batch) }
        if isState, isContinuous, let before = room.state { batch = before.joined(with: batch) }
        room.state = headers.kind == .state ? batch : nil
        if let last = batch.entries.last {
            room.hasEnded = batch.text[last.line].starts(with: Self.end)
        } else if headers.kind == .stateEnd {
            room.hasEnded = true
        }
        rooms[name] = room
        if headers.kind != .state { followed.append(batch) }
    }

    private func failAsMalformed(_ sequence: Int) {
        let stream = StreamFollower.stream
        fail(
            "message \(sequence) of the stream \(stream) is malformed: run the same version of "
                + "auction-server on all nodes; if no node has sent it, as `nats stream get "
                + "\(stream) \(sequence)` shows, remove it with `nats stream rmm \(stream) "
                + "\(sequence)`")
    }
}
