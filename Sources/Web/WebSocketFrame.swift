/// The frames that the server sends: unmasked, and each a whole message.
///
/// Source: RFC 6455, section 5.2.
public enum WebSocketFrame {
    /// Appends a text frame with this payload, which must be UTF-8.
    public static func appendText(_ payload: some Collection<UInt8>, to bytes: inout [UInt8]) {
        appendHeader(.text, count: payload.count, to: &bytes)
        bytes.append(contentsOf: payload)
    }

    /// A close frame; the reason must be at most 123 bytes.
    public static func closing(code: UInt16, reason: String = "") -> [UInt8] {
        let payload = [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8)
        return control(.close, payload.span)
    }

    static func closing(_ code: WebSocketCloseCode) -> [UInt8] { closing(code: code.rawValue) }

    static func control(_ opcode: WebSocketOpcode, _ payload: Span<UInt8>) -> [UInt8] {
        precondition(payload.count <= 125, "a control frame has at most 125 bytes")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 2)
        appendHeader(opcode, count: payload.count, to: &bytes)
        payload.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        return bytes
    }

    private static func appendHeader(
        _ opcode: WebSocketOpcode, count: Int, to bytes: inout [UInt8]
    ) {
        bytes.append(0x80 | opcode.rawValue)
        guard count > 125 else {
            bytes.append(UInt8(count))
            return
        }
        let isShort = count < 0x1_0000
        bytes.append(isShort ? 126 : 127)
        for place in (0..<(isShort ? 2 : 8)).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: count >> (8 * place)))
        }
    }
}

/// The kind of a frame.
enum WebSocketOpcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// The close codes that the server sends to a client that broke a rule.
///
/// Source: RFC 6455, section 7.4.1.
enum WebSocketCloseCode: UInt16, Error {
    case protocolError = 1002
    case unsupportedData = 1003
    case invalidText = 1007
    case messageTooBig = 1009

    /// Whether a client may send the code; 1012 to 1014 were registered after the RFC.
    static func isAllowed(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
