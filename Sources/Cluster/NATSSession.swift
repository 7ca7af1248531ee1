import Basics
import Wire

/// A connection to a NATS server, without its socket: bytes in, events and bytes out.
///
/// It announces the client, answers each `PING`, and keeps what it is told to send until the server
/// has said what it is.
///
/// Source: the client protocol of NATS.
public struct NATSSession {
    /// What a server reports.
    public enum Event: Equatable, Sendable {
        /// The server has accepted the client; it is the first event.
        case connected(ServerInfo)
        /// A message for a subscription.
        case message(NATSMessage, subscription: Int)
        /// The answer to `ping()`; the server has executed what was sent before it.
        case pong
        /// The server has refused a command, and keeps the connection.
        case refused(String)
    }

    /// What a server says about itself.
    public struct ServerInfo: Equatable, Sendable {
        /// Its name.
        public let name: String
        /// Its version, such as `2.12.1`.
        public let version: String
        /// The most bytes of a message with its headers.
        public let maxPayload: Int
        /// The name of its cluster; nil if it is alone.
        public let cluster: String?
    }

    private enum Stage {
        /// Nothing is known of the server.
        case opening
        /// The answer to the announcement of the client is awaited.
        case connecting(ServerInfo)
        case connected
        case failed(NATSProblem)
    }

    /// Errors after which the server keeps the connection, in lower case.
    private static let harmlessErrors = [
        "permissions violation", "invalid subject", "maximum subscriptions exceeded",
    ]

    /// The oldest version of NATS whose streams have what the log needs.
    private static let oldest = (major: 2, minor: 12)

    private let credentials: NATSURL.Credentials?
    private let name: String
    private let version: String
    private var parser: NATSParser
    private var stage = Stage.opening
    private var events = Queue<Event>()
    private var output: [UInt8] = []

    /// Creates a session of a client with this name and version.
    ///
    /// Messages of more than `messageLimit` bytes with their headers end it.
    public init(
        _ credentials: NATSURL.Credentials?, name: String, version: String, messageLimit: Int
    ) {
        precondition((1...64 << 20).contains(messageLimit), "messages have at most 64 MiB")
        (self.credentials, self.name, self.version) = (credentials, name, version)
        parser = NATSParser(messageLimit: messageLimit)
    }

    /// Uses the bytes that the server sent next.
    ///
    /// - Throws: the reason for which the connection must be closed, then again for each call; the
    ///   events before it remain.
    public mutating func receive(_ bytes: Span<UInt8>) throws(NATSProblem) {
        if case .failed(let problem) = stage { throw problem }
        do {
            var index = 0
            while let operation = try parser.next(in: bytes, from: &index) {
                try execute(operation)
            }
        } catch {
            stage = .failed(error)
            throw error
        }
    }

    /// Removes and returns the oldest event; nil if there is none.
    public mutating func nextEvent() -> Event? { events.popFirst() }

    /// Adds a command to the output.
    public mutating func send(_ command: NATSCommand) {
        switch command {
        case .publish(let message): publish(message)
        case .subscribe(let subject, let number):
            precondition(subject.isNATSWord, "a subject has no white space")
            output.append("SUB \(subject) \(number)\r\n")
        case .unsubscribe(let number): output.append("UNSUB \(number)\r\n")
        }
    }

    /// Sends a `PING`; the answer is the event `pong`.
    public mutating func ping() { output.append("PING\r\n") }

    /// Removes and returns the bytes to send; none before the server has said what it is.
    public mutating func takeOutput() -> [UInt8] {
        if case .opening = stage { return [] }
        defer { output = [] }
        return output
    }

    private mutating func publish(_ message: NATSMessage) {
        precondition(
            message.subject.isNATSWord && message.reply?.isNATSWord != false,
            "a subject has no white space")
        let target = "\(message.subject) " + (message.reply.map { "\($0) " } ?? "")
        if message.headers.isEmpty {
            output.append("PUB \(target)\(message.payload.count)\r\n")
        } else {
            let block = message.headerBlock
            let total = block.count + message.payload.count
            output.append("HPUB \(target)\(block.count) \(total)\r\n")
            output += block
        }
        output += message.payload
        output.append("\r\n")
    }

    private mutating func execute(_ operation: NATSParser.Operation) throws(NATSProblem) {
        switch (operation, stage) {
        case (.info(let text), .opening): try announce(to: text)
        case (.error(let text), _): try report(text)
        case (_, .opening), (_, .failed):
            throw .malformed(
                "the server did not begin as a NATS server does: check the address and the port")
        case (.info, _), (.acknowledgement, _): break
        case (.ping, _): output.append("PONG\r\n")
        case (.pong, .connecting(let info)):
            stage = .connected
            events.append(.connected(info))
        case (.pong, .connected): events.append(.pong)
        case (.message(let message, let subscription), _):
            events.append(.message(message, subscription: subscription))
        }
    }

    private mutating func announce(to text: String) throws(NATSProblem) {
        guard let object = JSONObject(text), let info = ServerInfo(object) else {
            throw .malformed("the server's information is malformed: \(text.prefix(200))")
        }
        try check(info, object)
        output = Array("CONNECT \(announcement.text)\r\nPING\r\n".utf8) + output
        stage = .connecting(info)
    }

    private func check(_ info: ServerInfo, _ object: JSONObject) throws(NATSProblem) {
        let server = "the NATS server \(info.name)"
        guard !object.isTrue("tls_required") else {
            throw .unsupported(
                "\(server) requires TLS, which is not supported: remove `tls` from its "
                    + "configuration, run a TLS proxy such as stunnel on both sides, and give "
                    + "--cluster the address of the proxy on this machine: nats://127.0.0.1:PORT")
        }
        let numbers = info.version.split(separator: ".").prefix(2).compactMap { Int($0) }
        guard numbers.count == 2, (numbers[0], numbers[1]) >= Self.oldest else {
            throw .unsupported(
                "\(server) has version \(info.version), and 2.12 or newer is needed: update it")
        }
        guard object.isTrue("headers") else {
            throw .unsupported(
                "\(server) does not support headers: remove `no_header_support` from its "
                    + "configuration")
        }
        guard object.isTrue("jetstream") else {
            throw .unsupported(
                "\(server) has no JetStream: add `jetstream { store_dir: ..., sync_interval: "
                    + "always }` to its configuration")
        }
    }

    private var announcement: JSONObject {
        var object: JSONObject = [
            "verbose": .boolean(false), "pedantic": .boolean(false), "headers": .boolean(true),
            "no_responders": .boolean(true), "echo": .boolean(true),
            "lang": .text("swift"),
            "version": .text(version), "name": .text(name),
        ]
        switch credentials {
        case .user(let user, let password)?:
            object.append("user", .text(user))
            object.append("pass", .text(password))
        case .token(let token)?: object.append("auth_token", .text(token))
        case nil: break
        }
        return object
    }

    private mutating func report(_ text: String) throws(NATSProblem) {
        let lowercase = text.lowercased()
        if Self.harmlessErrors.contains(where: lowercase.hasPrefix) {
            events.append(.refused(text))
        } else if credentials == nil, lowercase.hasPrefix("authorization") {
            throw .refused(
                "\(text); write nats://USER:PASSWORD@HOST:PORT or nats://TOKEN@HOST:PORT")
        } else {
            throw .refused(text)
        }
    }
}

extension NATSSession.ServerInfo {
    fileprivate init?(_ object: JSONObject) {
        guard let name = object.text("server_name"), let version = object.text("version"),
            let maxPayload = object.number("max_payload"), maxPayload > 0
        else { return nil }
        (self.name, self.version, self.maxPayload) = (name, version, maxPayload)
        cluster = object.text("cluster")
    }
}

extension String {
    /// Whether the text is a word of a command: not empty, without white space.
    var isNATSWord: Bool { !isEmpty && utf8.allSatisfy { $0 > 0x20 } }
}

/// Why a connection to a NATS server must be closed.
public enum NATSProblem: Error, Equatable, CustomStringConvertible {
    /// The server sent what the protocol does not allow; the text is a sentence.
    case malformed(String)
    /// The server ended the connection with this reason.
    case refused(String)
    /// The server or the client lacks what the other one needs; the text is a sentence.
    case unsupported(String)

    /// Whether it remains until somebody changes the server.
    public var isLasting: Bool {
        switch self {
        case .unsupported: true
        case .malformed, .refused: false
        }
    }

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .malformed(let sentence), .unsupported(let sentence): sentence
        case .refused(let reason): "the NATS server closed the connection: \(reason)"
        }
    }
}
