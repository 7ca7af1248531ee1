import Basics
import Wire

/// A request to the API of JetStream.
///
/// Source: ADR-1 of NATS, and the types of its JSON in the server's source.
public enum JetStreamRequest: Equatable, Sendable {
    /// Tell the state of a stream; the answer is a `StreamInfo`.
    case streamInfo(stream: String)
    /// Create a stream; the answer is a `StreamInfo`, also if it exists with this configuration.
    case createStream(StreamConfiguration)
    /// Deliver the messages of a stream.
    case createConsumer(OrderedConsumer)
    /// Send the last message of a subject; the answer is a `StoredMessage`.
    case lastMessage(subject: String, stream: String)
    /// Remove the messages of a subject before a sequence.
    case purge(subject: String, stream: String, before: Int)

    /// The message that makes the request.
    public func message(reply: String) -> NATSMessage {
        let (name, body) = parts
        let payload = body.map { Array($0.text.utf8) } ?? []
        return NATSMessage("$JS.API.\(name)", reply: reply, payload: payload)
    }

    private var parts: (name: String, body: JSONObject?) {
        switch self {
        case .streamInfo(let stream): ("STREAM.INFO.\(stream)", nil)
        case .createStream(let stream): ("STREAM.CREATE.\(stream.name)", stream.json)
        case .createConsumer(let consumer): ("CONSUMER.CREATE.\(consumer.stream)", consumer.json)
        case .lastMessage(let subject, let stream):
            ("STREAM.MSG.GET.\(stream)", ["last_by_subj": .text(subject)])
        case .purge(let subject, let stream, let sequence):
            (
                "STREAM.PURGE.\(stream)",
                ["filter": .text(subject), "seq": .number(Int64(sequence))]
            )
        }
    }
}

/// The configuration of a stream on disk that keeps each message until it is purged.
public struct StreamConfiguration: Equatable, Sendable {
    /// The time in nanoseconds in which a message with the same `Nats-Msg-Id` is a duplicate.
    private static let duplicateWindow: Int64 = 120_000_000_000

    /// The name.
    public let name: String
    /// The subjects whose messages it stores; they may have wildcards.
    public let subjects: [String]
    /// The number of servers that store it.
    public let replicas: Int

    /// Creates a configuration.
    public init(name: String, subjects: [String], replicas: Int) {
        (self.name, self.subjects, self.replicas) = (name, subjects, replicas)
    }

    fileprivate init?(_ json: JSONObject) {
        guard let name = json.text("name"), let replicas = json.number("num_replicas") else {
            return nil
        }
        if case .texts(let subjects)? = json["subjects"] {
            self.init(name: name, subjects: subjects, replicas: replicas)
        } else {
            self.init(name: name, subjects: [], replicas: replicas)
        }
    }

    fileprivate var json: JSONObject {
        [
            "name": .text(name), "subjects": .texts(subjects),
            "num_replicas": .number(Int64(replicas)), "storage": .text("file"),
            "retention": .text("limits"), "discard": .text("new"), "max_age": .number(0),
            "allow_direct": .boolean(true), "duplicate_window": .number(Self.duplicateWindow),
        ]
    }
}

/// A consumer that delivers every message of a stream, in order and without acknowledgements.
///
/// The server removes it when its client has been away for some seconds. The first messages may
/// come before the answer to the request.
public struct OrderedConsumer: Equatable, Sendable {
    private static let heartbeat: Int64 = 1_000_000_000
    private static let inactiveThreshold: Int64 = 10_000_000_000

    /// The name of the stream.
    public let stream: String
    /// The subject to which messages and statuses are sent.
    public let deliverSubject: String
    /// The sequence of the first message that is delivered, at least 1.
    public let firstSequence: Int

    /// Creates a consumer.
    public init(stream: String, deliverSubject: String, firstSequence: Int) {
        (self.stream, self.deliverSubject) = (stream, deliverSubject)
        self.firstSequence = max(1, firstSequence)
    }

    fileprivate var json: JSONObject {
        let configuration: JSONObject = [
            "deliver_policy": .text("by_start_sequence"),
            "opt_start_seq": .number(Int64(firstSequence)),
            "deliver_subject": .text(deliverSubject), "ack_policy": .text("none"),
            "max_deliver": .number(1), "replay_policy": .text("instant"),
            "flow_control": .boolean(true), "idle_heartbeat": .number(Self.heartbeat),
            "inactive_threshold": .number(Self.inactiveThreshold),
            "mem_storage": .boolean(true), "num_replicas": .number(1),
        ]
        return ["stream_name": .text(stream), "config": .object(configuration.text)]
    }
}

/// The state of a stream.
public struct StreamInfo: Equatable, Sendable {
    /// The configuration.
    public let configuration: StreamConfiguration
    /// The sequence of the last message; 0 if there has been none.
    public let lastSequence: Int

    /// Reads an answer.
    public init(_ answer: NATSMessage) throws(JetStreamError) {
        let json = try answer.json
        guard let configuration = json.member("config").flatMap(StreamConfiguration.init),
            let last = json.member("state")?.number("last_seq")
        else { throw answer.malformed }
        (self.configuration, lastSequence) = (configuration, last)
    }
}

/// A consumer that was created.
public struct ConsumerInfo: Equatable, Sendable {
    /// The name that the server gave to it.
    public let name: String
    /// The number of messages that it had not delivered.
    public let pending: Int

    /// Reads an answer.
    public init(_ answer: NATSMessage) throws(JetStreamError) {
        let json = try answer.json
        guard let name = json.text("name"), let pending = json.number("num_pending") else {
            throw answer.malformed
        }
        (self.name, self.pending) = (name, pending)
    }
}

/// The acknowledgement of a message that a stream has stored.
public struct PublishAck: Equatable, Sendable {
    /// The name of the stream.
    public let stream: String
    /// The sequence of the message; of the first, if this is a duplicate.
    public let sequence: Int

    /// Reads an answer.
    public init(_ answer: NATSMessage) throws(JetStreamError) {
        let json = try answer.json
        guard let stream = json.text("stream"), let sequence = json.number("seq") else {
            throw answer.malformed
        }
        (self.stream, self.sequence) = (stream, sequence)
    }
}

/// A message of a stream.
public struct StoredMessage: Equatable, Sendable {
    /// The message as it was published, without a reply subject.
    public let message: NATSMessage
    /// Its sequence in the stream.
    public let sequence: Int

    /// Reads an answer.
    public init(_ answer: NATSMessage) throws(JetStreamError) {
        guard let json = try answer.json.member("message"), let subject = json.text("subject"),
            let sequence = json.number("seq"),
            let payload = [UInt8](base64: json.text("data") ?? ""),
            let headers = [UInt8](base64: json.text("hdrs") ?? "")
        else { throw answer.malformed }
        var message = NATSMessage(subject, payload: payload)
        do {
            if !headers.isEmpty { try message.read(headers: headers) }
        } catch { throw .malformed(error.description) }
        (self.message, self.sequence) = (message, sequence)
    }
}

/// Why a request to JetStream, or a message for a stream, was not executed.
public enum JetStreamError: Error, Equatable, CustomStringConvertible {
    /// Nobody listens: there is no such stream, it has no leader, or JetStream is not available.
    case noResponders
    /// JetStream refused it; `code` is that of HTTP, `number` is exact.
    case refused(code: Int, number: Int, description: String)
    /// The answer cannot be read.
    case malformed(String)

    /// The number of the refusal; nil if it is no refusal.
    public var number: Int? {
        if case .refused(_, let number, _) = self { number } else { nil }
    }

    /// Whether a message was refused for `Nats-Expected-Last-Subject-Sequence`.
    ///
    /// Another message of the subject is stored (10071) or is being stored (10164). The error does
    /// not say which message; the last stored one of the subject may still be the expected one.
    public var isWrongLastSequence: Bool { number == 10_071 || number == 10_164 }

    /// Whether there is no stream of this name.
    public var isStreamNotFound: Bool { number == 10_059 }

    /// Whether there is no message of the subject.
    public var isNoMessageFound: Bool { number == 10_037 }

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .noResponders: "JetStream does not answer: check that two of three NATS servers run"
        case .refused(_, let number, let description):
            "JetStream refused a request: \(description) (\(number)); see the logs of NATS"
        case .malformed(let sentence): sentence
        }
    }
}

/// The place of a message that a consumer delivers.
public struct Delivery: Equatable, Sendable {
    /// The name of the stream.
    public let stream: String
    /// The name of the consumer.
    public let consumer: String
    /// The sequence of the message in the stream.
    public let streamSequence: Int
    /// The number of the delivery, from 1; one is missing if a message was lost on the way.
    public let consumerSequence: Int
    /// When the message was stored, by the clock of the server that led the stream.
    public let storedAt: Instant
    /// The number of messages that the consumer has not delivered yet.
    public let pending: Int

    /// Reads the reply subject of a delivered message; nil for any other.
    public init?(_ message: NATSMessage) {
        let words = (message.reply ?? "").split(separator: ".", omittingEmptySubsequences: false)
        // A server may put its domain and a hash of the account before the stream.
        let start = words.count == 9 ? 2 : 4
        guard words.count == 9 || words.count >= 11, words[0] == "$JS", words[1] == "ACK",
            let streamSequence = Int64(digits: words[start + 3]),
            let consumerSequence = Int64(digits: words[start + 4]),
            let nanoseconds = Int64(digits: words[start + 5]),
            let pending = Int64(digits: words[start + 6])
        else { return nil }
        (stream, consumer) = (String(words[start]), String(words[start + 1]))
        (self.streamSequence, self.consumerSequence) = (Int(streamSequence), Int(consumerSequence))
        storedAt = Instant(nanoseconds: nanoseconds)
        self.pending = Int(pending)
    }
}

/// What a consumer says beside the messages.
public enum ConsumerStatus: Equatable, Sendable {
    /// The consumer exists, and has delivered up to these sequences.
    ///
    /// `stalled` is the subject on which it waits for the client, if it does.
    case heartbeat(consumerSequence: Int, streamSequence: Int, stalled: String?)
    /// The consumer waits for an answer on this subject.
    case flowControl(reply: String)

    /// Reads a message; nil if it has no such status.
    public init?(_ message: NATSMessage) {
        guard message.status == 100 else { return nil }
        if let consumer = message[header: "Nats-Last-Consumer"].flatMap(Int64.init(digits:)),
            let stream = message[header: "Nats-Last-Stream"].flatMap(Int64.init(digits:))
        {
            self = .heartbeat(
                consumerSequence: Int(consumer), streamSequence: Int(stream),
                stalled: message[header: "Nats-Consumer-Stalled"].flatMap {
                    $0.isNATSWord ? $0 : nil
                }
            )
        } else if let reply = message.reply {
            self = .flowControl(reply: reply)
        } else {
            return nil
        }
    }

    /// The message that lets the consumer continue; nil if it does not wait.
    public var answer: NATSMessage? {
        switch self {
        case .heartbeat(_, _, let stalled): stalled.map { NATSMessage($0) }
        case .flowControl(let reply): NATSMessage(reply)
        }
    }
}

extension NATSMessage {
    /// The object of an answer that is no error.
    fileprivate var json: JSONObject {
        get throws(JetStreamError) {
            if status == 503 { throw .noResponders }
            guard let json = JSONObject(String(decoding: payload, as: UTF8.self)) else {
                throw malformed
            }
            guard let error = json.member("error") else { return json }
            throw .refused(
                code: error.number("code") ?? 0, number: error.number("err_code") ?? 0,
                description: error.text("description") ?? "")
        }
    }

    fileprivate var malformed: JetStreamError {
        let beginning = String(decoding: payload.prefix(200), as: UTF8.self)
        return .malformed("an answer of JetStream is malformed: '\(beginning)'")
    }
}

extension JSONObject {
    /// The string of this name.
    func text(_ name: String) -> String? {
        if case .text(let text)? = self[name] { text } else { nil }
    }

    /// The whole number of this name.
    func number(_ name: String) -> Int? {
        if case .number(let number)? = self[name] { Int(number) } else { nil }
    }

    /// Whether the member of this name is true.
    func isTrue(_ name: String) -> Bool { self[name] == .boolean(true) }

    /// The object of this name.
    fileprivate func member(_ name: String) -> JSONObject? {
        object(name).flatMap { JSONObject($0) }
    }
}

extension [UInt8] {
    /// Decodes Base64 with padding; nil if there is anything else.
    ///
    /// Source: RFC 4648, section 4.
    fileprivate init?(base64 text: String) {
        var digits = Array(text.utf8)[...]
        guard digits.count % 4 == 0 else { return nil }
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        self = []
        reserveCapacity(digits.count / 4 * 3 + 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for digit in digits {
            guard let value = Self.value(ofBase64: digit) else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            guard count >= 8 else { continue }
            count -= 8
            append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
    }

    private static func value(ofBase64 digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
