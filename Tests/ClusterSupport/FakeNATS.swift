import Basics
import Cluster
import TestSupport
import Wire

/// A NATS server with JetStream and one stream, without network and clock, and what can go wrong.
///
/// All that happens follows from the seed. It answers as NATS 2.15 does.
public final class FakeNATS {
    /// How often something goes wrong, in percent, and how slow the network is.
    public struct Faults: Sendable {
        /// The shortest and the longest delay on a connection, in milliseconds.
        public var delay: ClosedRange<Int64> = 0...0
        /// Messages that are stored without an answer.
        public var lostAcknowledgements = 0
        /// Messages that are stored, and answered by an error.
        public var errorsAfterStoring = 0
        /// Messages that are answered by an error, and not stored.
        public var errorsBeforeStoring = 0
        /// Requests to the API that are not answered.
        public var lostRequests = 0
        /// Deliveries of a consumer that do not arrive.
        public var lostDeliveries = 0
        /// Deliveries of a consumer that arrive twice.
        public var repeatedDeliveries = 0
        /// Messages that are stored although they expect another one before them.
        ///
        /// NATS never does this. It shows that a test sees what follows.
        public var ignoredComparisons = 0

        /// Creates faults of which none occurs.
        public init() {}
    }

    /// A message that a connection receives.
    public struct Received: Equatable, Sendable {
        /// The connection.
        public let connection: Int
        /// The number of its subscription.
        public let subscription: Int
        /// The message.
        public let message: NATSMessage
    }

    /// A message of the stream.
    public struct Stored: Equatable, Sendable {
        /// Its number, from 1.
        public let sequence: Int
        /// The message as it was published.
        public let message: NATSMessage
        /// When it was stored.
        public let time: Instant
    }

    private enum Event {
        /// A command arrives at the server.
        case arrival(NATSCommand, connection: Int)
        /// A message arrives at a connection.
        case delivery(Received)
        /// A consumer has been idle for a while.
        case heartbeat(consumer: String)
    }

    private struct Connection {
        var isOpen = true
        /// What was sent in either direction while the connection is held.
        var held: [Event]?
        var subscriptions: [Int: String] = [:]
        /// When the newest command arrives, and the newest message of each subscription, because
        /// none overtakes another.
        var (up, down) = (Instant.distantPast, [Int: Instant]())
    }

    private struct Consumer {
        let subject: String
        /// The sequence from which on messages have not been delivered.
        var next: Int
        var deliveries = 0
        /// The subject on which it waits for an answer.
        var waitsFor: String?
    }

    private static let (heartbeat, duplicateWindow) = (Duration.seconds(1), Duration.seconds(120))
    /// How many messages a consumer sends before it waits for its client.
    private static let flowControlled = 16

    private let isCluster: Bool
    private var random: SplitMix64
    private var now = Instant(nanoseconds: 0)
    private var events = TimerQueue<Event, Instant>()
    private var connections: [Int: Connection] = [:]
    private var connectionCount = 0
    private var consumers: [String: Consumer] = [:]
    private var consumerCount = 0
    private var configuration: JSONObject?
    private var leaderAt = Instant.distantPast
    private var sequences: [String: Int] = [:]
    private var identifiers: [String: (sequence: Int, time: Instant)] = [:]

    /// What goes wrong; can be changed at any time.
    public var faults: Faults
    /// The messages that are in the stream, in order.
    public private(set) var messages: [Stored] = []
    /// The messages that have ever been in the stream, in order.
    public private(set) var history: [Stored] = []

    /// Creates a server without a stream; `isCluster` says how it treats a repeated message.
    public init(seed: UInt64, faults: Faults = Faults(), isCluster: Bool = true) {
        random = SplitMix64(seed: seed)
        (self.faults, self.isCluster) = (faults, isCluster)
    }

    // MARK: Connections

    /// Opens a connection and returns its number.
    public func connect() -> Int {
        connectionCount += 1
        connections[connectionCount] = Connection()
        return connectionCount
    }

    /// Closes a connection; what it has sent may still arrive.
    public func disconnect(_ number: Int) {
        connections[number]?.isOpen = false
        connections[number]?.subscriptions = [:]
        let arrives = Bool.random(using: &random)
        if connections[number]?.held == nil, !arrives { connections[number] = nil }
    }

    /// Lets nothing through a connection in either direction, while it stays open.
    public func hold(_ number: Int) {
        if connections[number]?.held == nil { connections[number]?.held = [] }
    }

    /// Lets through what was sent since `hold`, also if the connection was closed meanwhile.
    public func release(_ number: Int) {
        guard let held = connections[number]?.held else { return }
        connections[number]?.held = nil
        for event in held { events.insert(event, due: now) }
    }

    /// Sends commands on a connection.
    public func send(_ commands: [NATSCommand], on number: Int, at time: Instant) {
        now = max(now, time)
        for command in commands {
            guard let connection = connections[number], connection.isOpen else { return }
            let due = max(connection.up, now.advanced(by: delay()))
            connections[number]?.up = due
            events.insert(.arrival(command, connection: number), due: due)
        }
    }

    /// When `advance(to:)` next has something to do.
    public var deadline: Instant? { events.deadline }

    /// Does what is due, and returns what arrives at connections, in order.
    public func advance(to time: Instant) -> [Received] {
        var received: [Received] = []
        while let due = events.deadline, due <= time, let (event, _) = events.popFirst() {
            now = max(now, due)
            perform(event, &received)
        }
        now = max(now, time)
        return received
    }

    /// Leaves the stream without a leader for some time; consumers may be lost.
    public func stopLeader(until time: Instant) {
        leaderAt = time
        for name in consumers.keys.sorted() where Bool.random(using: &random) {
            consumers[name] = nil
        }
    }

    private func perform(_ event: Event, _ received: inout [Received]) {
        switch event {
        case .arrival(let command, let number):
            guard connections[number] != nil else { return }
            if connections[number]?.held != nil {
                connections[number]?.held?.append(event)
            } else {
                execute(command, on: number)
            }
        case .delivery(let delivery):
            guard let connection = connections[delivery.connection], connection.isOpen else {
                return
            }
            if connection.held != nil {
                connections[delivery.connection]?.held?.append(event)
            } else {
                received.append(delivery)
            }
        case .heartbeat(let name): sendHeartbeat(of: name)
        }
    }

    private func execute(_ command: NATSCommand, on number: Int) {
        switch command {
        case .publish(let message): publish(message)
        case .subscribe(let subject, let subscription):
            guard connections[number]?.isOpen == true else { return }
            connections[number]?.subscriptions[subscription] = subject
        case .unsubscribe(let subscription):
            connections[number]?.subscriptions[subscription] = nil
        }
    }

    private func publish(_ message: NATSMessage) {
        let words = message.subject.split(separator: ".").map(String.init)
        if words.starts(with: ["$JS", "API"]) {
            answer(message, words[2...].joined(separator: "."))
        } else if words.starts(with: ["$JS", "FC"]) {
            resume(words[2], by: message.subject)
        } else if ["auction.log.", "auction.name."].contains(where: message.subject.hasPrefix) {
            store(message)
        } else if !route(message, to: message.subject) {
            refuse(message)
        }
    }

    /// Sends a message to all that have subscribed to a subject; false if nobody has.
    @discardableResult
    private func route(_ message: NATSMessage, to subject: String) -> Bool {
        var isRouted = false
        for (number, connection) in connections.sorted(by: { $0.key < $1.key }) {
            for (subscription, pattern) in connection.subscriptions.sorted(by: { $0.key < $1.key })
            where Self.matches(subject, pattern) {
                isRouted = true
                let due = max(connection.down[subscription] ?? now, now.advanced(by: delay()))
                connections[number]?.down[subscription] = due
                let received = Received(
                    connection: number, subscription: subscription, message: message)
                events.insert(.delivery(received), due: due)
            }
        }
        return isRouted
    }

    private static func matches(_ subject: String, _ pattern: String) -> Bool {
        let (words, patterns) = (subject.split(separator: "."), pattern.split(separator: "."))
        for (index, pattern) in patterns.enumerated() {
            if pattern == ">" { return index < words.count }
            guard index < words.count, pattern == "*" || pattern == words[index] else {
                return false
            }
        }
        return words.count == patterns.count
    }

    private func delay() -> Duration {
        .milliseconds(Int64.random(in: faults.delay, using: &random))
    }

    private func occurs(_ percent: Int) -> Bool {
        percent > 0 && Int.random(in: 0..<100, using: &random) < percent
    }

    // MARK: The stream

    private var hasLeader: Bool { leaderAt <= now }

    /// Answers that nobody has read a message.
    private func refuse(_ message: NATSMessage) {
        guard let reply = message.reply else { return }
        var answer = NATSMessage(reply)
        answer.status = 503
        route(answer, to: reply)
    }

    private func answer(_ message: NATSMessage, with json: JSONObject) {
        guard let reply = message.reply else { return }
        route(NATSMessage(reply, payload: Array(json.text.utf8)), to: reply)
    }

    private func answer(_ message: NATSMessage, withError number: Int64, _ description: String) {
        let error: JSONObject = [
            "code": .number(number == 10_071 ? 400 : number == 10_059 ? 404 : 503),
            "err_code": .number(number), "description": .text(description),
        ]
        answer(
            message,
            with: [
                "error": .object(error.text), "stream": .text("auction"), "seq": .number(0),
            ])
    }

    private func acknowledge(_ message: NATSMessage, _ sequence: Int, isDuplicate: Bool = false) {
        guard !occurs(faults.lostAcknowledgements) else { return }
        var json: JSONObject = ["stream": .text("auction"), "seq": .number(Int64(sequence))]
        if isDuplicate { json.append("duplicate", .boolean(true)) }
        answer(message, with: json)
    }

    private func store(_ message: NATSMessage) {
        guard configuration != nil else { return refuse(message) }
        guard hasLeader else {
            if Bool.random(using: &random) { refuse(message) }
            return
        }
        guard !occurs(faults.errorsBeforeStoring) else {
            return answer(message, withError: 10_008, "JetStream system temporarily unavailable")
        }
        let id = message[header: "Nats-Msg-Id"]
        let earlier = id.flatMap { identifiers[$0] }
            .flatMap { $0.time.duration(to: now) < Self.duplicateWindow ? $0.sequence : nil }
        if isCluster, let earlier { return acknowledge(message, earlier, isDuplicate: true) }
        let last = sequences[message.subject] ?? 0
        let expected = message[header: "Nats-Expected-Last-Subject-Sequence"].flatMap { Int($0) }
        if let expected, expected != last, !occurs(faults.ignoredComparisons) {
            return answer(message, withError: 10_071, "wrong last sequence: \(last)")
        }
        if let earlier { return acknowledge(message, earlier, isDuplicate: true) }
        var published = message
        published.reply = nil
        let stored = Stored(
            sequence: (history.last?.sequence ?? 0) + 1, message: published, time: now)
        history.append(stored)
        messages.append(stored)
        sequences[message.subject] = stored.sequence
        if let id { identifiers[id] = (stored.sequence, now) }
        if occurs(faults.errorsAfterStoring) {
            answer(message, withError: 10_008, "JetStream system temporarily unavailable")
        } else {
            acknowledge(message, stored.sequence)
        }
        for name in consumers.keys.sorted() { deliver(to: name) }
    }

    private func answer(_ message: NATSMessage, _ name: String) {
        guard !occurs(faults.lostRequests) else { return }
        let body = JSONObject(String(decoding: message.payload, as: UTF8.self)) ?? JSONObject()
        if name == "STREAM.CREATE.auction" {
            configuration = configuration ?? body
            return answerInfo(message)
        }
        guard configuration != nil else {
            return answer(message, withError: 10_059, "stream not found")
        }
        guard hasLeader || name == "STREAM.INFO.auction" else { return }
        switch name {
        case "STREAM.INFO.auction": answerInfo(message)
        case "CONSUMER.CREATE.auction": createConsumer(message, body)
        case "STREAM.MSG.GET.auction": answerLast(message, of: body.text("last_by_subj"))
        case "STREAM.PURGE.auction":
            let before = body.number("seq")
            let count = messages.count
            let subject = body.text("filter")
            messages.removeAll { $0.message.subject == subject && $0.sequence < before }
            answer(message, with: ["purged": .number(Int64(count - messages.count))])
        default: refuse(message)
        }
    }

    private func answerInfo(_ message: NATSMessage) {
        let state: JSONObject = [
            "messages": .number(Int64(messages.count)),
            "first_seq": .number(Int64(messages.first?.sequence ?? 0)),
            "last_seq": .number(Int64(history.last?.sequence ?? 0)),
        ]
        answer(
            message,
            with: [
                "config": .object(configuration?.text ?? "{}"), "state": .object(state.text),
            ])
    }

    private func answerLast(_ message: NATSMessage, of subject: String) {
        guard let last = messages.last(where: { $0.message.subject == subject }) else {
            return answer(message, withError: 10_037, "no message found")
        }
        let lines = last.message.headers.map { "\($0.name): \($0.value)\r\n" }
        let headers = "NATS/1.0\r\n" + lines.joined() + "\r\n"
        let stored: JSONObject = [
            "subject": .text(subject), "seq": .number(Int64(last.sequence)),
            "hdrs": .text(base64(Array(headers.utf8))), "data": .text(base64(last.message.payload)),
        ]
        answer(message, with: ["message": .object(stored.text)])
    }

    // MARK: Consumers

    private func createConsumer(_ message: NATSMessage, _ body: JSONObject) {
        let json = body.object("config").flatMap { JSONObject($0) } ?? JSONObject()
        consumerCount += 1
        let name = "c\(consumerCount)"
        let first = json.number("opt_start_seq")
        consumers[name] = Consumer(subject: json.text("deliver_subject"), next: first)
        let pending = messages.count { $0.sequence >= first }
        answer(message, with: ["name": .text(name), "num_pending": .number(Int64(pending))])
        events.insert(.heartbeat(consumer: name), due: now.advanced(by: Self.heartbeat))
        deliver(to: name)
    }

    private func deliver(to name: String) {
        while hasLeader, let consumer = consumers[name], consumer.waitsFor == nil {
            let index = firstIndex(from: consumer.next)
            guard index < messages.count else { return }
            let number = consumer.deliveries + 1
            consumers[name]?.deliveries = number
            consumers[name]?.next = messages[index].sequence + 1
            var message = messages[index].message
            let (sequence, time) = (messages[index].sequence, messages[index].time.nanoseconds)
            let pending = messages.count - index - 1
            message.reply = "$JS.ACK.auction.\(name).1.\(sequence).\(number).\(time).\(pending)"
            if !occurs(faults.lostDeliveries), !route(message, to: consumer.subject) {
                consumers[name] = nil
            }
            if occurs(faults.repeatedDeliveries) { route(message, to: consumer.subject) }
            if number.isMultiple(of: Self.flowControlled) {
                let reply = "$JS.FC.\(name).\(number)"
                consumers[name]?.waitsFor = reply
                var request = NATSMessage(consumer.subject, reply: reply)
                request.status = 100
                route(request, to: consumer.subject)
            }
        }
    }

    private func resume(_ name: String, by subject: String) {
        guard consumers[name]?.waitsFor == subject else { return }
        consumers[name]?.waitsFor = nil
        deliver(to: name)
    }

    private func sendHeartbeat(of name: String) {
        guard let consumer = consumers[name] else { return }
        events.insert(.heartbeat(consumer: name), due: now.advanced(by: Self.heartbeat))
        guard hasLeader else { return }
        deliver(to: name)
        var message = NATSMessage(
            consumer.subject,
            headers: [
                .init("Nats-Last-Consumer", String(consumers[name]?.deliveries ?? 0)),
                .init("Nats-Last-Stream", String((consumers[name]?.next ?? 1) - 1)),
            ])
        message.status = 100
        if let subject = consumers[name]?.waitsFor {
            message.headers.append(.init("Nats-Consumer-Stalled", subject))
        }
        if !route(message, to: consumer.subject) { consumers[name] = nil }
    }

    /// The index of the first message from a sequence on.
    private func firstIndex(from sequence: Int) -> Int {
        var (low, high) = (0, messages.count)
        while low < high {
            let middle = (low + high) / 2
            if messages[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String {
        guard case .text(let text)? = self[name] else {
            preconditionFailure("the request has no text \(name)")
        }
        return text
    }

    fileprivate func number(_ name: String) -> Int {
        guard case .number(let number)? = self[name] else {
            preconditionFailure("the request has no number \(name)")
        }
        return Int(number)
    }
}

/// Encodes bytes in Base64.
///
/// Source: RFC 4648, section 4.
private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = (0..<3).reduce(0) { bits, offset in
            bits << 8 | (offset < group.count ? Int(group[start + offset]) : 0)
        }
        for place in 0..<4 {
            text.append(
                place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
        }
    }
    return String(decoding: text, as: UTF8.self)
}
