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

    /// The unit of the limits by address: an IPv4 address, or an IPv6 network of 64 bits.
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

extension PeerAddress {
    /// Reads an address as it is written, `192.0.2.1` or `2001:db8::1`; nil if it is none.
    ///
    /// An address of IPv4 has four numbers without zeros before them. No zone, no brackets.
    ///
    /// Source: RFC 4291, section 2.2; RFC 6943, section 3.1.1.
    public init?(_ text: some StringProtocol) {
        if let bits = Self.version4(text) {
            self.init(version4: bits)
        } else if let groups = Self.groups(text) {
            self.init(high: Self.word(groups[..<4]), low: Self.word(groups[4...]))
            if self == .local { return nil }
        } else {
            return nil
        }
    }

    /// The 32 bits of an address of IPv4.
    static func version4(_ text: some StringProtocol) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.count == 1 || part.first != "0",
                let number = UInt8(decimal: part)
            else { return nil }
            bits = bits << 8 | UInt32(number)
        }
        return bits
    }

    /// The eight groups of 16 bits of an address of IPv6.
    private static func groups(_ text: some StringProtocol) -> [UInt16]? {
        let bytes = Array(text.utf8)
        guard let gap = gap(in: bytes) else {
            let groups = groups(bytes[...], isEnd: true)
            return groups?.count == 8 ? groups : nil
        }
        guard let before = groups(bytes[..<gap], isEnd: false),
            let after = groups(bytes[(gap + 2)...], isEnd: true),
            before.count + after.count < 8
        else { return nil }
        return before + Array(repeating: 0, count: 8 - before.count - after.count) + after
    }

    /// Where the first `::` stands.
    private static func gap(in bytes: [UInt8]) -> Int? {
        let colon = UInt8(ascii: ":")
        return bytes.indices.dropLast().first { bytes[$0] == colon && bytes[$0 + 1] == colon }
    }

    /// Groups with a colon between each two; the last two of all may be an address of IPv4.
    private static func groups(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> [UInt16]? {
        guard !bytes.isEmpty else { return [] }
        let parts = bytes.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if let group = group(part) {
                groups.append(group)
            } else if isEnd, index == parts.count - 1,
                let bits = version4(String(decoding: part, as: UTF8.self))
            {
                groups += [UInt16(bits >> 16), UInt16(bits & 0xFFFF)]
            } else {
                return nil
            }
        }
        return groups
    }

    private static func group(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(digits.count),
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func word(_ groups: ArraySlice<UInt16>) -> UInt64 {
        groups.reduce(0) { $0 << 16 | UInt64($1) }
    }
}

extension UInt8 {
    /// Reads decimal digits alone; nil for anything else, and for more than 255.
    init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        self.init(text, radix: 10)
    }
}
