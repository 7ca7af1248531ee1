import Auction
import Basics
import Web
import Wire

/// A request for a report of the server, as an HTTP response.
public struct ReportRequest: Equatable, Sendable {
    /// What is asked for.
    public let report: Site.Report
    /// Whether the response has no body.
    public let isHead: Bool
    /// Whether the connection stays open after the response.
    public let keepsAlive: Bool
}

/// The input side of a connection: bytes become requests of the protocol.
///
/// The first bytes decide whether the client speaks lines or HTTP; an HTTP request may switch to
/// WebSocket. The lobby handles the requests of all of them in the same way.
enum ClientCodec: Sendable {
    /// The first bytes, too few to decide; most connections never have such bytes.
    case opening([UInt8])
    case lines(LineCodec)
    case http(HTTPCodec)
    case webSocket(WebSocketCodec)
    /// The connection is closing, and further input is ignored.
    case ended

    /// What a codec depends on besides what it was sent.
    struct Options: Sendable {
        /// The origins of pages that may connect, besides the server's own.
        var origins: [String] = []
        /// Which machines may open the page.
        var reach = Site.Reach.thisMachine
        /// Whether requests can become durable; if not, `/health` answers 503.
        var isServing = true
        /// Where the connection comes from.
        var address = PeerAddress.local
    }

    /// What a client sent.
    enum Input {
        /// A line of the protocol, or a message with one.
        case line(LineCodec.Input)
        /// An HTTP request, and the bytes that answer it; after the last one the connection closes.
        case http(response: [UInt8], isLast: Bool)
        /// An HTTP request for a resource of a room, if there is one of this name.
        case room(HTTPRequest, Site.RoomResource, of: RoomName)
        /// An HTTP request for a report of the server.
        case report(HTTPRequest, Site.Report)
        /// An HTTP request to switch to WebSocket in a room, and the bytes that accept it.
        ///
        /// If there is such a room, `expectMessages` follows. The codec takes no more bytes before.
        case upgrade(HTTPRequest, room: RoomName, response: [UInt8])
        /// The client closed its WebSocket or broke its rules; the frame answers that.
        case webSocketEnd(closing: [UInt8])
    }

    /// How long an HTTP connection stays open between two requests.
    private static let idleTime = Duration.seconds(5)

    /// Creates the codec of a new connection.
    init() {
        self = .opening([])
    }

    /// Whether the greeting may be sent: the client speaks no HTTP, as far as is known.
    var allowsGreeting: Bool {
        switch self {
        case .opening(let bytes): bytes.isEmpty
        case .lines, .webSocket: true
        case .http, .ended: false
        }
    }

    /// Whether the client has sent nothing.
    var isEmpty: Bool {
        if case .opening(let bytes) = self { bytes.isEmpty } else { false }
    }

    /// Treats a client that has not shown what it speaks as one that speaks lines.
    mutating func expectLines() {
        guard case .opening(let bytes) = self else { return }
        var codec = LineCodec()
        _ = codec.receive(bytes.span, while: { true }) { _ in }
        self = .lines(codec)
    }

    /// Treats a client that speaks HTTP as one that speaks WebSocket from now on.
    mutating func expectMessages() {
        self = .webSocket(WebSocketCodec(limit: LineFramer.protocolLimit))
    }

    /// Whether the client is known to speak HTTP, and has not switched to WebSocket.
    var isHTTP: Bool {
        if case .http = self { true } else { false }
    }

    /// Whether a line, a message or a request is incomplete.
    ///
    /// Always true for HTTP, so that a connection without further requests closes.
    var isUnfinished: Bool {
        switch self {
        case .opening(let bytes): !bytes.isEmpty
        case .lines(let codec): codec.isUnfinished
        case .http: true
        case .webSocket(let codec): codec.isUnfinished
        case .ended: false
        }
    }

    /// Whether the current line or message is too long, so that its rest is skipped.
    var isSkippingLine: Bool {
        switch self {
        case .lines(let codec): codec.isSkippingLine
        case .webSocket(let codec): codec.isSkippingMessage
        case .opening, .http, .ended: false
        }
    }

    /// The number of lines or messages that have ended; it wraps around.
    var lineCount: UInt32 {
        switch self {
        case .lines(let codec): codec.lineCount
        case .webSocket(let codec): UInt32(codec.messageCount)
        case .opening, .http, .ended: 0
        }
    }

    /// How long the input may stay incomplete, where `lineTime` is the limit for a line.
    ///
    /// Less between two requests of HTTP: a browser opens several connections for a page, and keeps
    /// them.
    func incompleteTime(_ lineTime: Duration) -> Duration {
        if case .http(let codec) = self, !codec.isUnfinished {
            return min(lineTime, Self.idleTime)
        }
        return lineTime
    }

    /// How soon incomplete input is first checked; for HTTP after the shorter idle time.
    func firstCheck(_ lineTime: Duration) -> Duration {
        isHTTP ? min(lineTime, Self.idleTime) : lineTime
    }

    /// What a client that speaks HTTP is sent in place of `BYE`; nil for other clients.
    ///
    /// Empty between two requests.
    func lastResponse(_ reason: ServerMessage.CloseReason) -> [UInt8]? {
        guard case .http(let codec) = self else { return nil }
        guard codec.isUnfinished else { return [] }
        let response: HTTPResponse =
            switch reason {
            case .idle: .requestTimeout
            case .end: .incomplete
            case .full: .full
            default: .ending
            }
        return response.bytes(isHead: codec.isOfHead, keepsAlive: false)
    }

    // Input

    /// Calls `body` with what the bytes mean, in order; returns how many were used.
    ///
    /// All bytes are used, unless `isWanted`, which is called before each input, returns false. The
    /// caller passes the rest again later.
    mutating func receive(
        _ bytes: Span<UInt8>, _ options: borrowing Options, while isWanted: () -> Bool,
        _ body: (Input) -> Void
    ) -> Int {
        var used = 0
        if case .opening(let earlier) = self {
            used = open(earlier, bytes)
        }
        if case .http = self {
            used += receiveHTTP(
                bytes.extracting(droppingFirst: used), options, while: isWanted, body)
        }
        let rest = bytes.extracting(droppingFirst: used)
        switch self {
        case .opening, .http: return used
        case .ended: return bytes.count
        case .lines(var codec):
            self = .ended
            used += codec.receive(rest, while: isWanted) { body(.line($0)) }
            self = .lines(codec)
        case .webSocket(var codec):
            self = .ended
            var isClosed = false
            used += codec.receive(rest, while: { !isClosed && isWanted() }) { event in
                if case .end = event { isClosed = true }
                body(Input(event))
            }
            if isClosed { return bytes.count }
            self = .webSocket(codec)
        }
        return used
    }

    /// Ends the input: calls `body` with the last line, if it has no end.
    mutating func finish(_ body: (Input) -> Void) {
        expectLines()
        guard case .lines(var codec) = self else { return }
        codec.finish { body(.line($0)) }
        self = .lines(codec)
    }

    /// Chooses the codec by the first bytes; returns how many of the new ones were used.
    ///
    /// The chosen codec is given the earlier bytes, which are the beginning of a method: no input
    /// is complete in them.
    private mutating func open(_ earlier: [UInt8], _ bytes: Span<UInt8>) -> Int {
        var first = earlier
        for index in 0..<min(bytes.count, HTTPOpening.mostBytes) { first.append(bytes[index]) }
        switch HTTPOpening.of(first.span) {
        case .undecided:
            self = .opening(first)
            return bytes.count
        case .http:
            var codec = HTTPCodec()
            _ = codec.receive(earlier.span)
            self = .http(codec)
        case .other: expectLines()
        }
        return 0
    }

    // HTTP

    /// Answers HTTP requests until one switches to WebSocket; returns how many bytes were used.
    private mutating func receiveHTTP(
        _ bytes: Span<UInt8>, _ options: borrowing Options, while isWanted: () -> Bool,
        _ body: (Input) -> Void
    ) -> Int {
        var used = 0
        while case .http(var codec) = self, used < bytes.count, isWanted() {
            self = .ended
            let bytesBefore = codec.headBytes
            let (count, result) = codec.receive(bytes.extracting(droppingFirst: used))
            used += count
            self = .http(codec)
            // A long head costs as much as the lines that would fill it.
            let limit = LineFramer.protocolLimit
            let lines = (bytesBefore + count) / limit - bytesBefore / limit
            for _ in 0..<lines { body(.line(.filler)) }
            switch result {
            case nil: break
            case .success(let request)?:
                if answer(request, options, body) { return used }
            case .failure(let error)?:
                self = .ended
                let response = error.response.bytes(isHead: codec.isOfHead, keepsAlive: false)
                body(.http(response: response, isLast: true))
            }
        }
        return used
    }

    /// Answers a request, and returns whether it is one to switch to WebSocket.
    private mutating func answer(
        _ request: HTTPRequest, _ options: borrowing Options, _ body: (Input) -> Void
    ) -> Bool {
        switch Site.reply(to: request) {
        case .response where request.path == "/health" && !options.isServing:
            respond(.unavailable, to: request, body)
        case .response(let response): respond(response, to: request, body)
        case .room(let resource, let room):
            guard let room = Self.roomName(room) else {
                respond(Site.notFound, to: request, body)
                break
            }
            if !request.keepsAlive { self = .ended }
            body(.room(request, resource, of: room))
        case .address:
            // Other machines have an address already, and need not know more of the network.
            let isOfThisMachine = options.address.isOfThisMachine
            respond(
                isOfThisMachine ? Site.address(options.reach) : Site.notFound, to: request, body)
        case .report(let report):
            if !request.keepsAlive { self = .ended }
            body(.report(request, report))
        case .upgrade(let room):
            let address = options.address
            let result = WebSocketHandshake.response(
                to: request, allowing: options.origins,
                needsNumericHost: address.isOfThisMachine && address != .local)
            switch result {
            case .success(let response):
                guard let room = Self.roomName(room) else {
                    respond(Site.noRoom, to: request, body)
                    break
                }
                body(.upgrade(request, room: room, response: response))
                return true
            case .failure(let refusal): respond(refusal.response, to: request, body)
            }
        }
        return false
    }

    /// The room of a path, which is main if it names none; nil if no room can have this name.
    private static func roomName(_ text: String?) -> RoomName? {
        guard let text else { return .main }
        return RoomName(text)
    }

    private mutating func respond(
        _ response: HTTPResponse, to request: HTTPRequest, _ body: (Input) -> Void
    ) {
        if !request.keepsAlive { self = .ended }
        let bytes = response.bytes(
            isHead: request.method == .head, keepsAlive: request.keepsAlive)
        body(.http(response: bytes, isLast: !request.keepsAlive))
    }
}

extension ClientCodec.Input {
    fileprivate init(_ event: borrowing WebSocketCodec.Event) {
        switch event {
        case .message(let text):
            do throws(ParseError) {
                self = .line(.request(try Request(line: text)))
            } catch {
                self = .line(.invalid(error))
            }
        case .tooLong: self = .line(.tooLong)
        case .control(let answer): self = .line(.negotiation(answer: answer))
        case .filler: self = .line(.filler)
        case .end(let closing): self = .webSocketEnd(closing: closing)
        }
    }
}
