/// The line protocol on one connection, as the server reads it: bytes become requests.
///
/// It recognizes clients of other protocols that connect by mistake, before any of their bytes acts
/// as a command.
public struct LineCodec: Sendable {
    /// What bytes of a client mean.
    public enum Input {
        /// A request; nil for an empty line.
        case request(Request?)
        /// A line that is no request.
        case invalid(ParseError)
        /// A line that is longer than the limit; its rest is skipped.
        case tooLong
        /// A telnet command, and the bytes that answer it.
        case negotiation(answer: [UInt8])
        /// Bytes that mean nothing, but count as a line.
        case filler
        /// Another protocol: the connection is to be closed after the response.
        case foreign(ForeignProtocol)
    }

    /// A protocol that is not expected on this connection.
    public enum ForeignProtocol: Sendable {
        /// An HTTP request where a line is expected.
        case http
        /// A TLS handshake.
        case tls

        /// The whole response to such a client.
        public var response: [UInt8] {
            switch self {
            case .http: HTTPRefusal.response
            case .tls: TLSRefusal.alert
            }
        }
    }

    // First, because its array is where the other codecs of a connection have one.
    private var framer: LineFramer
    private var opening = TLSRefusal.Opening.empty

    /// Creates the codec of a new connection, for lines of at most `limit` bytes with their ends.
    public init(limit: Int = LineFramer.protocolLimit) {
        framer = LineFramer(limit: limit)
    }

    /// Whether a line or a telnet command is incomplete.
    public var isUnfinished: Bool { framer.isUnfinished }

    /// Whether the current line is too long, so that its rest is skipped.
    public var isSkippingLine: Bool { framer.isSkippingLine }

    /// The number of lines that have ended, including those that were too long; it wraps around.
    public var lineCount: UInt32 { framer.lineCount }

    /// Calls `body` with what the bytes mean, in order; returns how many were used.
    ///
    /// All bytes are used, unless `isWanted`, which is called before each input, returns false. The
    /// caller passes the rest again later. After `foreign` the codec must not be used.
    public mutating func receive(
        _ bytes: Span<UInt8>, while isWanted: () -> Bool, _ body: (Input) -> Void
    ) -> Int {
        guard opening == .other || bytes.isEmpty || begins(with: bytes, body) else {
            return bytes.count
        }
        return framer.receive(bytes, while: isWanted) { Self.parse($0, body) }
    }

    /// Ends the input: calls `body` with the last line, if it has no end.
    public mutating func finish(_ body: (Input) -> Void) {
        releaseFirstByte()
        framer.finish { Self.parse($0, body) }
    }

    /// Looks at the first bytes of the connection; false if they are not to be read as lines yet.
    ///
    /// A first byte that could begin a TLS handshake is withheld until the second one arrives.
    private mutating func begins(with bytes: Span<UInt8>, _ body: (Input) -> Void) -> Bool {
        let next = opening.hearing(bytes)
        if next == .other { releaseFirstByte() }
        opening = next
        if next == .handshake { body(.foreign(.tls)) }
        return next == .other
    }

    /// Gives the withheld first byte to the framer; alone it completes no line.
    private mutating func releaseFirstByte() {
        guard opening == .handshakeByte else { return }
        opening = .other
        framer.receive([TLSRefusal.handshakeType].span) { _ in }
    }

    private static func parse(_ frame: borrowing LineFramer.Frame, _ body: (Input) -> Void) {
        switch frame {
        case .negotiation(let answer): body(.negotiation(answer: answer))
        case .tooLong(let beginning):
            body(HTTPRefusal.isDue(toLineBeginning: beginning) ? .foreign(.http) : .tooLong)
        case .line(let line): body(input(line))
        case .filler: body(.filler)
        }
    }

    private static func input(_ line: Span<UInt8>) -> Input {
        do throws(ParseError) {
            return .request(try Request(line: line))
        } catch {
            return error.reason == .http ? .foreign(.http) : .invalid(error)
        }
    }
}
