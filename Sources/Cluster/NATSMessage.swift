/// A message of NATS, as it is published and as it is received.
///
/// Source: the client protocol of NATS, `PUB`, `HPUB`, `MSG` and `HMSG`.
public struct NATSMessage: Equatable, Sendable {
    /// The subject, of which no token has a space, `*` or `>`.
    public var subject: String
    /// The subject to which answers go; nil if none is expected.
    public var reply: String?
    /// The headers, in order.
    public var headers: [Header]
    /// The status of a message that the server itself made, such as 503 for no responders; nil for
    /// any other.
    public var status: Int?
    /// The bytes after the headers.
    public var payload: [UInt8]

    /// One header; neither part has a line feed or a carriage return.
    public struct Header: Equatable, Sendable {
        /// The name, which is compared with its case.
        public var name: String
        /// The value, without white space around it.
        public var value: String

        /// Creates a header.
        public init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    /// Creates a message.
    public init(
        _ subject: String, reply: String? = nil, headers: [Header] = [], payload: [UInt8] = []
    ) {
        (self.subject, self.reply, self.headers, self.payload) = (subject, reply, headers, payload)
    }

    /// The value of a header; the first, if there are several.
    public subscript(header name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// What a client asks a NATS server to do.
public enum NATSCommand: Equatable, Sendable {
    /// Publish a message.
    case publish(NATSMessage)
    /// Send the messages of a subject, which may have wildcards; the number is unique.
    case subscribe(String, number: Int)
    /// End the subscription of this number.
    case unsubscribe(number: Int)
}
