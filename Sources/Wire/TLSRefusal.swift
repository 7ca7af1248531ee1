/// How a TLS client is known, and what it is told that came to the port by mistake.
///
/// The bytes of a handshake can contain whole lines. None of them may be a command, so the header
/// of a TLS record at the very beginning of a connection ends it.
///
/// Source: RFC 8446, section 5.1.
public enum TLSRefusal {
    /// What the bytes show with which a connection opens.
    public enum Opening: Equatable, Sendable {
        /// Nothing has come yet.
        case empty
        /// The first byte is that of a handshake record; the next one decides.
        case handshakeByte
        /// The connection opens with something else.
        case other
        /// The connection opens with a TLS handshake.
        case handshake

        /// What more bytes show; once it is decided they change nothing.
        public func hearing(_ bytes: Span<UInt8>) -> Opening {
            guard let first = bytes.isEmpty ? nil : bytes[0] else { return self }
            switch self {
            case .empty where first == TLSRefusal.handshakeType:
                return Opening.handshakeByte.hearing(bytes.extracting(droppingFirst: 1))
            case .empty: return .other
            case .handshakeByte: return first == TLSRefusal.majorVersion ? .handshake : .other
            case .other, .handshake: return self
            }
        }
    }

    /// The first byte of a record that holds a part of a handshake.
    public static let handshakeType: UInt8 = 0x16
    private static let majorVersion: UInt8 = 0x03

    /// The whole response, a fatal alert `protocol_version`; the connection is closed after it.
    public static let alert: [UInt8] = [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46]
}
