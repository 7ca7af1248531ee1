/// The address of the machine that a connection comes from: 128 bits, or none for a local socket.
///
/// An IPv4 address is the IPv6 address it is mapped to, so that one machine has one address on
/// either kind of socket. Source: RFC 4291 section 2.5.5.2.
public struct PeerAddress: Hashable, Sendable {
    /// The first 64 bits, as a number.
    public let high: UInt64
    /// The last 64 bits, as a number.
    public let low: UInt64

    private static let mapped: UInt64 = 0xFFFF_0000_0000

    /// Makes an address of its 128 bits.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes an address of IPv4 of its 32 bits, as a number.
    public init(version4 bits: UInt32) {
        self.init(high: 0, low: Self.mapped | UInt64(bits))
    }

    /// The peer of a local socket, which has no address; no machine has these bits.
    public static let local = PeerAddress(high: .max, low: .max)

    /// This machine, as IPv4 has it.
    public static let loopback = PeerAddress(version4: 0x7F00_0001)

    /// Whether the peer is on this machine.
    public var isOfThisMachine: Bool {
        if self == .local { return true }
        if isVersion4 { return low >> 24 & 0xFF == 127 }
        return high == 0 && low == 1
    }

    /// Whether it is an address of IPv4.
    public var isVersion4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// What is counted as one address: an IPv6 network of 64 bits is one customer's.
    public var network: PeerAddress {
        isVersion4 || self == .local ? self : PeerAddress(high: high, low: 0)
    }
}

extension PeerAddress: CustomStringConvertible {
    /// The address as `192.0.2.1` or `2001:db8:0:0:0:0:0:1`, or `local`.
    public var description: String {
        if self == .local { return "local" }
        return isVersion4
            ? Self.fields(low & 0xFFFF_FFFF, count: 4, bits: 8, radix: 10, separator: ".")
            : Self.fields(high, count: 4, bits: 16, radix: 16, separator: ":") + ":"
                + Self.fields(low, count: 4, bits: 16, radix: 16, separator: ":")
    }

    private static func fields(
        _ word: UInt64, count: Int, bits: Int, radix: Int, separator: String
    ) -> String {
        (0..<count)
            .map { String(word >> UInt64((count - 1 - $0) * bits) & (1 << bits - 1), radix: radix) }
            .joined(separator: separator)
    }
}
