/// Splits a client's stream of bytes into WebSocket messages, in whatever parts the bytes arrive.
///
/// Pings and the close are answered, text is checked as it arrives, and a client that breaks a rule
/// gets the close code for it. Extensions are not supported.
///
/// Source: RFC 6455, sections 5 to 8.
public struct WebSocketCodec: Sendable {
    /// The maximum bytes of a message; a longer one ends the connection.
    public static let longestMessage = 65536

    /// The maximum bytes of a frame's header.
    private static let longestHeader: UInt32 = 14

    /// What the codec finds in the stream.
    public enum Event: ~Escapable {
        /// A text message without the LF or CRLF at its end.
        case message(Span<UInt8>)
        /// The beginning of a message over the limit; the message is skipped.
        case tooLong
        /// A ping, and the frame to answer it with.
        case control(answer: [UInt8])
        /// A pong, or as many bytes without an event as the longest frame has; charged as a line.
        case filler
        /// The client closed or broke a rule; the close frame is to be sent last.
        case end(closing: [UInt8])
    }

    /// The part of a frame that the next byte belongs to.
    private enum Part: UInt8 {
        case opcode
        case length
        case length16
        case length64
        case mask
        case payload
        /// None, because the input has ended.
        case nothing
    }

    /// What is done with the message whose last frame has not ended.
    private enum Message: UInt8 {
        case none
        case stored
        /// The message is too long, so its rest is skipped.
        case skipped
    }

    /// The stored bytes of the message, followed by those of a control frame's payload.
    private var pending: [UInt8] = []
    /// The bytes of the frame's payload that have not arrived, or its length as far as it is read.
    ///
    /// A length that does not fit is stored as the greatest number, which is too long as well.
    private var remaining: UInt32 = 0
    /// The key that the payload is masked with; its next byte is the highest.
    private var mask: UInt32 = 0
    /// The length of the current message as far as its frames' headers have arrived.
    private var messageLength: UInt32 = 0
    private let limit: UInt32
    /// The number of bytes since the last event.
    private var bytesSinceEvent: UInt32 = 0
    /// The number of messages that have ended, including those that were too long; it wraps around.
    public private(set) var messageCount: UInt16 = 0
    private var part = Part.opcode
    /// The number of bytes of this part that have not arrived; not for the payload.
    private var partRemaining: UInt8 = 0
    private var opcode = WebSocketOpcode.continuation
    private var isFinal = false
    private var message = Message.none
    /// The UTF-8 state at the end of what has arrived of the current message.
    private var text = UTF8Validator()
    /// Whether this step produced an event.
    private var hasEvent = false

    /// Whether a message has begun whose last frame has not ended.
    private var isInMessage: Bool { message != .none }

    /// Whether the current message is too long, so that its rest is skipped.
    public var isSkippingMessage: Bool { message == .skipped }

    /// Whether a frame or a message is incomplete.
    public var isUnfinished: Bool { part != .nothing && (part != .opcode || isInMessage) }

    /// Creates a codec for messages of at most `limit` bytes, from 125 to 65,536.
    public init(limit: Int) {
        precondition((125...Self.longestMessage).contains(limit), "the limit is from 125 to 65,536")
        self.limit = UInt32(limit)
    }

    /// Calls `body` with each event that the bytes complete, in order; returns how many were used.
    ///
    /// All bytes are used, unless `isWanted`, which is called before each event, returns false. The
    /// caller passes the rest again later. After `end` all bytes are dropped.
    public mutating func receive(
        _ bytes: Span<UInt8>, while isWanted: () -> Bool, _ body: (borrowing Event) -> Void
    ) -> Int {
        var index = 0
        while index < bytes.count, part != .nothing, isWanted() {
            let start = index
            do throws(WebSocketCloseCode) {
                index = try receive(bytes, from: index, body)
            } catch {
                end(closing: WebSocketFrame.closing(error), body)
            }
            count(index - start, body)
        }
        return part == .nothing ? bytes.count : index
    }

    private var fillerLength: UInt32 { limit + Self.longestHeader }

    /// Counts the bytes of a step, and reports those that produce no event.
    private mutating func count(_ count: Int, _ body: (borrowing Event) -> Void) {
        bytesSinceEvent = hasEvent ? 0 : bytesSinceEvent + UInt32(count)
        hasEvent = false
        guard bytesSinceEvent >= fillerLength else { return }
        bytesSinceEvent -= fillerLength
        body(.filler)
    }

    private mutating func end(closing frame: [UInt8], _ body: (borrowing Event) -> Void) {
        part = .nothing
        pending = []
        message = .none
        hasEvent = true
        body(.end(closing: frame))
    }

    /// Uses one byte of a header, or bytes of one payload; returns where to continue.
    private mutating func receive(
        _ bytes: Span<UInt8>, from start: Int, _ body: (borrowing Event) -> Void
    ) throws(WebSocketCloseCode) -> Int {
        var index = start
        if part == .payload {
            let room = min(bytes.count - start, Int(fillerLength - bytesSinceEvent))
            index += min(room, Int(remaining))
            try receivePayload(bytes.extracting(start..<index))
        } else {
            index += 1
            try receiveHeader(bytes[start], body)
        }
        if part == .payload, remaining == 0 { try endFrame(body) }
        return index
    }

    private mutating func receiveHeader(
        _ byte: UInt8, _ body: (borrowing Event) -> Void
    ) throws(WebSocketCloseCode) {
        switch part {
        case .opcode: try receiveOpcode(byte)
        case .length: try receiveLength(byte, body)
        case .length16, .length64: try receiveLongLength(byte, body)
        case .mask:
            mask = mask << 8 | UInt32(byte)
            partRemaining -= 1
            if partRemaining == 0 { part = .payload }
        case .payload, .nothing: preconditionFailure("the byte is not of a header")
        }
    }

    private mutating func receiveOpcode(_ byte: UInt8) throws(WebSocketCloseCode) {
        guard byte & 0x70 == 0, let opcode = WebSocketOpcode(rawValue: byte & 0x0F) else {
            throw .protocolError
        }
        self.opcode = opcode
        isFinal = byte & 0x80 != 0
        part = .length
        guard !opcode.isControl else {
            guard isFinal else { throw .protocolError }
            return
        }
        guard isInMessage == (opcode == .continuation) else { throw .protocolError }
        guard opcode != .binary else { throw .unsupportedData }
        guard !isInMessage else { return }
        message = .stored
        messageLength = 0
        text = UTF8Validator()
    }

    /// Uses the byte with the mask bit and the length of seven bits.
    private mutating func receiveLength(
        _ byte: UInt8, _ body: (borrowing Event) -> Void
    ) throws(WebSocketCloseCode) {
        let length = byte & 0x7F
        guard byte & 0x80 != 0, !opcode.isControl || length <= 125 else { throw .protocolError }
        remaining = 0
        switch length {
        case 126: (part, partRemaining) = (.length16, 2)
        case 127: (part, partRemaining) = (.length64, 8)
        default: try endLength(UInt32(length), body)
        }
    }

    private mutating func receiveLongLength(
        _ byte: UInt8, _ body: (borrowing Event) -> Void
    ) throws(WebSocketCloseCode) {
        guard part == .length16 || partRemaining < 8 || byte < 0x80 else { throw .protocolError }
        remaining = remaining >> 24 == 0 ? remaining << 8 | UInt32(byte) : .max
        partRemaining -= 1
        guard partRemaining == 0 else { return }
        guard remaining >= (part == .length16 ? 126 : 65536) else { throw .protocolError }
        try endLength(remaining, body)
    }

    /// Checks the length of a frame before its payload arrives.
    private mutating func endLength(
        _ length: UInt32, _ body: (borrowing Event) -> Void
    ) throws(WebSocketCloseCode) {
        remaining = length
        (part, partRemaining) = (.mask, 4)
        guard !opcode.isControl else { return }
        guard length <= UInt32(Self.longestMessage) - messageLength else { throw .messageTooBig }
        messageLength += length
        guard messageLength > limit, !isSkippingMessage else { return }
        message = .skipped
        pending = []
        hasEvent = true
        body(.tooLong)
    }

    private mutating func receivePayload(_ payload: Span<UInt8>) throws(WebSocketCloseCode) {
        let isStored = opcode.isControl || !isSkippingMessage
        if isStored, pending.isEmpty { pending.reserveCapacity(payload.count) }
        for index in payload.indices {
            let byte = payload[index] ^ UInt8(truncatingIfNeeded: mask >> 24)
            mask = mask << 8 | mask >> 24
            guard opcode.isControl || text.receive(byte) else { throw .invalidText }
            if isStored { pending.append(byte) }
        }
        remaining -= UInt32(payload.count)
    }

    private mutating func endFrame(
        _ body: (borrowing Event) -> Void
    ) throws(WebSocketCloseCode) {
        part = .opcode
        switch opcode {
        case .text, .continuation, .binary:
            if isFinal { try endMessage(body) }
        case .close:
            end(closing: try Self.answer(toClose: controlPayload), body)
        case .ping:
            let answer = WebSocketFrame.control(.pong, controlPayload.span)
            dropControlPayload()
            hasEvent = true
            body(.control(answer: answer))
        case .pong:
            dropControlPayload()
            hasEvent = true
            body(.filler)
        }
    }

    private mutating func endMessage(
        _ body: (borrowing Event) -> Void
    ) throws(WebSocketCloseCode) {
        guard text.isComplete else { throw .invalidText }
        messageCount &+= 1
        let wasSkipped = isSkippingMessage
        message = .none
        guard !wasSkipped else { return }
        hasEvent = true
        let length = Self.lengthWithoutLineEnd(pending.span)
        body(.message(pending.span.extracting(first: length)))
        pending = []
    }

    /// The number of stored bytes of a message that a control frame interrupts.
    private var storedCount: Int { message == .stored ? Int(messageLength) : 0 }

    private var controlPayload: ArraySlice<UInt8> { pending[storedCount...] }

    private mutating func dropControlPayload() {
        let count = storedCount
        if count == 0 { pending = [] } else { pending.removeSubrange(count...) }
    }

    /// The answer to a close frame: its code, if it has one.
    private static func answer(
        toClose payload: ArraySlice<UInt8>
    ) throws(WebSocketCloseCode) -> [UInt8] {
        guard !payload.isEmpty else { return WebSocketFrame.control(.close, payload.span) }
        guard payload.count >= 2 else { throw .protocolError }
        let code = payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        guard WebSocketCloseCode.isAllowed(code) else { throw .protocolError }
        guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
            throw .invalidText
        }
        return WebSocketFrame.closing(code: code)
    }

    /// The length of a message without the LF or CRLF at its end.
    private static func lengthWithoutLineEnd(_ message: Span<UInt8>) -> Int {
        let count = message.count
        guard count > 0, message[count - 1] == UInt8(ascii: "\n") else { return count }
        return count > 1 && message[count - 2] == UInt8(ascii: "\r") ? count - 2 : count - 1
    }
}
