/// Detection of TLS clients that connect by mistake, and the response to them.
///
/// The bytes of a handshake can contain complete lines, which must not act as commands. So a TLS
/// record header at the beginning closes the connection.
///
/// Source: RFC 8446, section 5.1.
public enum TLSRefusal {
    /// What the first bytes of a connection are.
    public enum Opening: Equatable, Sendable {
        /// No byte has arrived yet.
        case empty
        /// The first byte is that of a handshake record; the second one decides.
        case handshakeByte
        /// The connection begins with something else.
        case other
        /// The connection begins with a TLS handshake.
        case handshake

        /// Updates the result with more bytes; a final result does not change.
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

    /// The first byte of a record with a part of a handshake.
    public static let handshakeType: UInt8 = 0x16
    private static let majorVersion: UInt8 = 0x03

    /// The whole response, a fatal alert `protocol_version`; the connection is closed after it.
    public static let alert: [UInt8] = [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46]
}
