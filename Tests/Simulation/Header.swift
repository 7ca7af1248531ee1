import Basics
import TestSupport

/// The PROXY header with which a connection of a proxy begins.
struct Header {
    /// The address of every proxy, which is the only one that the server trusts.
    static let proxy = PeerAddress(version4: 0xC000_0201)

    let bytes: [UInt8]
    /// The number of bytes after which the server knows what it is.
    let decisiveCount: Int
    /// The address that it names; nil if it is invalid.
    let source: PeerAddress?

    private init(_ bytes: [UInt8], decisiveCount: Int? = nil, source: PeerAddress?) {
        self.bytes = bytes
        self.decisiveCount = decisiveCount ?? bytes.count
        self.source = source
    }

    /// Draws a header for the connection of a client with this address.
    init(for address: PeerAddress, using dice: inout SplitMix64) {
        switch Int.random(in: 0..<12, using: &dice) {
        case 0..<4:
            let text = "PROXY TCP6 \(address) 2001:db8::1 40000 7777\r\n"
            self.init(Array(text.utf8), source: address)
        case 4..<8:
            let more = [UInt8](repeating: 0x0A, count: .random(in: 0...90, using: &dice))
            self.init(Self.version2(0x21, 0x21, Self.addresses(address) + more), source: address)
        case 8: self.init(Array("PROXY UNKNOWN\r\n".utf8), source: Self.proxy)
        case 9: self.init(Self.version2(0x20, 0, []), source: Self.proxy)
        case 10: self.init(Array("PROXY TCP5 ::1 ::1 1 2\r\n".utf8), source: nil)
        default:
            self =
                dice.chance(in: 2)
                ? Header(Array("hello\n".utf8), decisiveCount: 1, source: nil)
                : Header(Self.version2(0x21, 0x13, []), decisiveCount: 14, source: nil)
        }
    }

    private static func version2(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
            + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)] + rest
    }

    /// Two addresses of 16 bytes, and two ports.
    private static func addresses(_ address: PeerAddress) -> [UInt8] {
        let source = [address.high, address.low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
        }
        return source + [UInt8](repeating: 1, count: 20)
    }
}
