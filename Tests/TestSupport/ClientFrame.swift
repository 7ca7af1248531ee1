/// A WebSocket frame as a client sends it, right or wrong.
///
/// Source: RFC 6455, section 5.2.
public struct ClientFrame: Sendable {
    /// How the length of the payload is written.
    public enum LengthForm: Sendable {
        /// In as few bytes as possible.
        case shortest
        case sixteenBits
        case sixtyFourBits
    }

    /// The final bit, the reserved bits and the opcode.
    public var first: UInt8
    /// The content, before it is masked.
    public var payload: [UInt8]
    /// The key; nil for a frame without a mask, as servers send.
    public var mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]
    /// How the length is written.
    public var lengthForm = LengthForm.shortest
    /// The length that the header claims; nil for the right one.
    public var claimedLength: UInt64?

    /// Creates a frame from its first byte and its payload.
    public init(_ first: UInt8, _ payload: [UInt8] = []) {
        self.first = first
        self.payload = payload
    }

    /// Creates a text frame that is a whole message.
    public init(text: String) {
        self.init(0x81, Array(text.utf8))
    }

    /// The frame as it is sent.
    public var bytes: [UInt8] {
        let key = mask ?? [0, 0, 0, 0]
        let masked = payload.enumerated().map { $1 ^ key[$0 % 4] }
        return [first] + lengthBytes + (mask ?? []) + masked
    }

    private var lengthBytes: [UInt8] {
        let length = claimedLength ?? UInt64(payload.count)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        switch lengthForm {
        case .shortest where length < 126: return [maskBit | bytes[7]]
        case .shortest where length < 65536, .sixteenBits: return [maskBit | 126] + bytes[6...]
        case .shortest, .sixtyFourBits: return [maskBit | 127] + bytes
        }
    }
}
