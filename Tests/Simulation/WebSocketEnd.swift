import TestSupport
import Wire

/// The client's end of one WebSocket: it writes requests and frames, and reads what comes back.
struct WebSocketEnd {
    /// What it receives.
    enum Item {
        /// The payload of a text frame.
        case message(String)
        /// An HTTP response that it waited for.
        case response(status: Int)
        /// An HTTP response in place of that, after which the server closes.
        case refusal(status: Int)
        case pong
        /// A close frame with the code that was due.
        case closing(code: Int)
        /// Something that does not begin like an HTTP response.
        case lines
        /// Something that should not have come.
        case wrong(String)
    }

    private enum Phase {
        case http
        case open
        case closed
        /// Nothing is read any more.
        case ignored
    }

    private var phase = Phase.http
    private var unread: [UInt8] = []
    private var dice: SplitMix64
    /// The statuses of the responses that it waits for.
    private var statuses: [Int] = []
    /// Whether the handshake names a room, so that the answer may be that there is none.
    private var namesRoom = false
    /// The payloads of the pings that were not answered.
    private var pings: [[UInt8]] = []
    /// The code of the close frame that is due; nil if none is.
    private var dueCode: Int?
    /// Whether it has sent its last frame, or cannot send one: the server has to close.
    private(set) var isOver = false

    init(seed: UInt64) {
        dice = SplitMix64(seed: seed)
    }

    /// What it still waits for; nil if that is nothing.
    var complaint: String? {
        if isOver || phase != .open { return "its connection is not closed" }
        return pings.isEmpty ? nil : "\(pings.count) pings were not answered"
    }

    // Writing

    /// The handshake, sometimes after other requests; it leads to a room, if it names one that is
    /// there.
    mutating func handshake(to room: String? = nil) -> [UInt8] {
        var text = ""
        if dice.chance(in: 4) {
            text += "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            statuses.append(200)
        }
        if dice.chance(in: 8) {
            text += Self.request(version: 12)
            statuses.append(426)
        }
        statuses.append(101)
        namesRoom = room != nil
        let path = room.map { "/rooms/\($0)/ws" } ?? "/ws"
        return Array((text + Self.request(version: 13, path)).utf8)
    }

    private static func request(version: Int, _ path: String = "/ws") -> String {
        let lines = [
            "GET \(path) HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: \(version)", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        return (lines + ["", ""]).joined(separator: "\r\n")
    }

    /// The frames of a message, which may be split, with pings between.
    mutating func message(_ text: [UInt8], isSplit: Bool) -> [UInt8] {
        guard isSplit else { return masked(ClientFrame(0x81, text)) }
        var bytes: [UInt8] = []
        var rest = text[...]
        for number in 0..<Int.random(in: 1...3, using: &dice) {
            let piece = rest.prefix(.random(in: 0...rest.count, using: &dice))
            rest = rest.dropFirst(piece.count)
            bytes += masked(ClientFrame(number == 0 ? 0x01 : 0x00, Array(piece)))
            if dice.chance(in: 3) { bytes += ping() }
        }
        return bytes + masked(ClientFrame(0x80, Array(rest)))
    }

    mutating func ping() -> [UInt8] {
        let payload = (0..<dice.pick([0, 4, 125])).map { _ in UInt8(truncatingIfNeeded: dice.next())
        }
        pings.append(payload)
        return masked(ClientFrame(0x89, payload))
    }

    /// Pongs that no ping asked for, which count as lines.
    mutating func pong() -> [UInt8] { masked(ClientFrame(0x8A, [1, 2, 3])) }

    /// A close frame, and a frame that must not be read any more.
    mutating func close() -> [UInt8] {
        let code = dice.pick([1000, 1001, 3000, nil])
        let payload = code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []
        return end(ClientFrame(0x88, payload), code: code ?? 1005)
    }

    /// A frame that breaks a rule, and a frame that must not be read any more.
    mutating func fault() -> [UInt8] {
        switch dice.pick([1002, 1003, 1007, 1009]) {
        case 1002: return protocolError()
        case 1003: return end(ClientFrame(0x82, [0x61]), code: 1003)
        case 1007:
            let text = dice.pick([[0x70, 0xC3, 0x28], [0x70, 0xF0, 0x9F], [0xFF]] as [[UInt8]])
            return end(ClientFrame(0x81, text), code: 1007)
        default:
            var frame = ClientFrame(0x81)
            (frame.lengthForm, frame.claimedLength) = (.sixtyFourBits, 65537)
            return end(frame, code: 1009)
        }
    }

    private mutating func protocolError() -> [UInt8] {
        switch Int.random(in: 0..<6, using: &dice) {
        case 0:
            var frame = ClientFrame(text: "ping")
            frame.mask = nil
            return end(frame, code: 1002)
        case 1: return end(ClientFrame(0xC1, [0x61]), code: 1002)
        case 2: return end(ClientFrame(0x83), code: 1002)
        case 3: return end(ClientFrame(0x80, [0x61]), code: 1002)
        case 4: return end(ClientFrame(0x88, [0x03, 0xED]), code: 1002)
        default:
            let start = masked(ClientFrame(0x01, [0x61]))
            return start + end(ClientFrame(text: "ping"), code: 1002)
        }
    }

    private mutating func end(_ frame: ClientFrame, code: Int) -> [UInt8] {
        (isOver, dueCode) = (true, code)
        return (frame.mask == nil ? frame.bytes : masked(frame))
            + masked(ClientFrame(text: "name zoe"))
    }

    private mutating func masked(_ frame: ClientFrame) -> [UInt8] {
        var frame = frame
        frame.mask = (0..<4).map { UInt8(truncatingIfNeeded: dice.next() >> (8 * $0)) }
        return frame.bytes
    }

    // Reading

    /// Stores received bytes; `next` returns the items that they complete.
    mutating func receive(_ bytes: [UInt8]) {
        unread += bytes
    }

    /// Notes that the server gives a reason for its close frame, which follows.
    mutating func expectClosing(_ reason: ServerMessage.CloseReason) {
        switch reason {
        case .quit, .end: dueCode = 1000
        case .shutdown, .journal: dueCode = 1001
        case .moved: dueCode = 1012
        case .full: dueCode = 1013
        default: dueCode = 1008
        }
    }

    /// Returns and removes what it received next; nil if that is incomplete.
    mutating func next() -> Item? {
        switch phase {
        case .http: return nextResponse()
        case .open: return nextFrame()
        case .closed:
            defer { unread = [] }
            return unread.isEmpty ? nil : .wrong("\(unread) after the close frame")
        case .ignored:
            unread = []
            return nil
        }
    }

    private mutating func nextResponse() -> Item? {
        let begin = Array("HTTP/1.1 ".utf8)
        guard zip(unread, begin).allSatisfy(==) else {
            (phase, isOver) = (.ignored, true)
            return .lines
        }
        let lines = String(decoding: unread, as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        guard let empty = lines.firstIndex(of: ""), empty < lines.count - 1,
            let status = Int(lines[0].dropFirst(begin.count).prefix(3))
        else { return nil }
        let head = lines[..<empty]
        let field = "Content-Length: "
        let length = head.first { $0.hasPrefix(field) }.flatMap { Int($0.dropFirst(field.count)) }
        let count = head.reduce(2) { $0 + $1.utf8.count + 2 } + (length ?? 0)
        guard unread.count >= count else { return nil }
        unread.removeFirst(count)
        return take(status, head)
    }

    private mutating func take(_ status: Int, _ head: ArraySlice<Substring>) -> Item {
        guard status == statuses.first else {
            (phase, isOver) = (.ignored, true)
            let isOfRoom = status == 404 && namesRoom && statuses == [101]
            let isRefusal = [400, 408, 503].contains(status) || isOfRoom
            return isRefusal ? .refusal(status: status) : .wrong("the status \(status)")
        }
        statuses.removeFirst()
        guard status == 101 else { return .response(status: status) }
        phase = .open
        let accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        return head.contains(accept[...]) ? .response(status: 101) : .wrong("\(head)")
    }

    private mutating func nextFrame() -> Item? {
        guard unread.count >= 2 else { return nil }
        let (first, short) = (unread[0], Int(unread[1]))
        let lengthBytes = short < 126 ? 0 : short == 126 ? 2 : 8
        guard short < 128, unread.count >= 2 + lengthBytes else {
            return short < 128 ? nil : .wrong("a masked frame")
        }
        let long = unread[2..<2 + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
        let (start, count) = (2 + lengthBytes, lengthBytes == 0 ? short : long)
        guard unread.count >= start + count else { return nil }
        let payload = Array(unread[start..<start + count])
        unread.removeFirst(start + count)
        let shortest = [0: 0, 2: 126, 8: 65536][lengthBytes] ?? 0
        guard count >= shortest else { return .wrong("a length in too many bytes") }
        switch first {
        case 0x81: return .message(String(decoding: payload, as: UTF8.self))
        case 0x8A: return takePong(payload)
        case 0x88: return takeClosing(payload)
        default: return .wrong("a frame that begins with \(first)")
        }
    }

    private mutating func takePong(_ payload: [UInt8]) -> Item {
        guard pings.first == payload else { return .wrong("a pong \(payload)") }
        pings.removeFirst()
        return .pong
    }

    private mutating func takeClosing(_ payload: [UInt8]) -> Item {
        (phase, isOver) = (.closed, true)
        let code = payload.isEmpty ? 1005 : payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        let due = dueCode.map { "\($0)" } ?? "none"
        return code == dueCode ? .closing(code: code) : .wrong("the code \(code), due was \(due)")
    }
}
