#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A reply to a command.
public enum Reply: Sendable {
    /// The bid, or another command, was accepted.
    case accepted
    /// The bid was refused as too low.
    case tooLow
    /// The bid was refused because its bidder leads.
    case leading
    /// The name belongs to another bidder, or to an open room.
    case nameTaken
    /// Refused for any other reason.
    case refused
}

/// What a message of a server means to the load generator.
public enum MessageKind: Equatable, Sendable {
    /// The answer to the oldest command without one.
    case reply(Reply)
    /// A bid that is broadcast to all observers.
    case delivery
    /// A lot opens.
    case lot
    /// A lot was sold.
    case winner
    /// The server asks for a pong.
    case ping
    /// Any other message of the protocol.
    case other
    /// Bytes that the protocol does not allow.
    case invalid
}

/// Splits bytes into messages, and recognizes each by its first bytes.
///
/// A message is a line, a frame of fixed size, or a WebSocket frame. It looks at no more than the
/// first bytes, so that reading costs the load generator little.
public struct MessageFormat: Sendable {
    private struct Rule {
        var prefix: UInt128 = 0
        var mask: UInt128 = 0
        /// The size of a frame; nil for a line.
        let size: Int?
        let kind: MessageKind

        init(_ prefix: String, size: Int? = nil, _ kind: MessageKind) {
            precondition(prefix.utf8.count <= 16, "a prefix has at most 16 bytes")
            self.size = size
            self.kind = kind
            for (index, byte) in prefix.utf8.enumerated() {
                self.prefix |= UInt128(byte) << (8 * index)
                mask |= UInt128(0xFF) << (8 * index)
            }
        }
    }

    /// Where one message with a JSON object ends and the next begins.
    enum ObjectFraming {
        /// An object on each line.
        case lines
        /// An object in each WebSocket text frame.
        case webSocketFrames
    }

    private let rules: [Rule]
    /// How JSON objects are framed; nil for messages of another kind.
    private let objects: ObjectFraming?

    /// Creates a format of lines, recognized by their beginnings; the first that fits counts.
    init(lines: KeyValuePairs<String, MessageKind>) {
        rules = lines.map { Rule($0, $1) } + [Rule("", .other)]
        objects = nil
    }

    /// Creates a format of frames, recognized by their first bytes; anything else is invalid.
    init(frames: KeyValuePairs<String, (size: Int, kind: MessageKind)>) {
        rules = frames.map { Rule($0, size: $1.size, $1.kind) }
        objects = nil
    }

    /// Creates a format of JSON objects, recognized by the beginning of the value of `type`.
    ///
    /// An object without `type` in the first place, or after `seq`, counts as any other message.
    init(objects: KeyValuePairs<String, MessageKind>, in framing: ObjectFraming) {
        rules = objects.map { Rule($0, $1) } + [Rule("", .other)]
        self.objects = framing
    }

    /// Calls `body` with each complete message, in order, and returns their total length.
    ///
    /// The first byte must begin a message. The caller keeps the rest, and puts it before the bytes
    /// that arrive next. Everything from an invalid byte on is one message.
    public func scan(
        _ bytes: Span<UInt8>, _ body: (MessageKind, Span<UInt8>) -> Void
    ) -> Int {
        if let objects { return scan(bytes, objects, body) }
        var index = 0
        while index < bytes.count {
            let word = bytes.firstBytes(at: index)
            guard let rule = rules.first(where: { word & $0.mask == $0.prefix }) else {
                body(.invalid, bytes.extracting(index...))
                return bytes.count
            }
            guard let end = rule.size.map({ index + $0 }) ?? bytes.endOfLine(from: index),
                end <= bytes.count
            else { return index }
            body(rule.kind, bytes.extracting(index..<end))
            index = end
        }
        return index
    }

    private func scan(
        _ bytes: Span<UInt8>, _ framing: ObjectFraming, _ body: (MessageKind, Span<UInt8>) -> Void
    ) -> Int {
        var index = 0
        while index < bytes.count {
            let message: (object: Int, end: Int)?
            switch framing {
            case .lines: message = bytes.endOfLine(from: index).map { (index, $0) }
            case .webSocketFrames:
                guard bytes[index] == 0x81 else {
                    body(.invalid, bytes.extracting(index...))
                    return bytes.count
                }
                message = bytes.endOfFrame(from: index)
            }
            guard let message, message.end <= bytes.count else { return index }
            body(
                kind(ofObject: bytes.extracting(message.object..<message.end)),
                bytes.extracting(index..<message.end))
            index = message.end
        }
        return index
    }

    /// Finds the type of a JSON object that begins with `{"type":"`, or with `{"seq":` before it.
    private func kind(ofObject object: Span<UInt8>) -> MessageKind {
        var start = #"{"type":""#.utf8.count
        if object.count > start, object[2] == UInt8(ascii: "s") {
            var index = #"{"seq":"#.utf8.count
            while index < object.count, object[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
            start = index + #","type":""#.utf8.count
        }
        guard object.count > start, object[start - 1] == UInt8(ascii: "\""),
            object[start - 2] == UInt8(ascii: ":")
        else { return .other }
        let word = object.firstBytes(at: start)
        return rules.first { word & $0.mask == $0.prefix }?.kind ?? .other
    }
}

extension Span<UInt8> {
    /// The start of the object in an unmasked frame, and the end of the frame.
    ///
    /// Nil if the header of the frame is incomplete.
    fileprivate func endOfFrame(from index: Int) -> (object: Int, end: Int)? {
        guard index + 1 < count else { return nil }
        let short = Int(self[index + 1])
        let lengthBytes = short < 126 ? 0 : short == 126 ? 2 : 8
        let payload = index + 2 + lengthBytes
        guard payload <= count else { return nil }
        guard lengthBytes > 0 else { return (payload, payload + short) }
        let length = (index + 2..<payload).reduce(0) { $0 << 8 | Int(self[$1]) }
        return (payload, payload + length)
    }

    /// Up to 16 bytes from an index on, the first in the lowest place; zeros after the end.
    fileprivate func firstBytes(at index: Int) -> UInt128 {
        withUnsafeBytes { bytes in
            if index + 16 <= bytes.count {
                return UInt128(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt128.self))
            }
            return bytes[index...].reversed().reduce(0) { $0 << 8 | UInt128($1) }
        }
    }

    /// The index after the next LF; nil if there is none.
    fileprivate func endOfLine(from index: Int) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = memchr(base + index, 10, bytes.count - index)
            else { return nil }
            return UnsafeRawPointer(found) - base + 1
        }
    }
}
