/// Addresses that begin with the same bits, such as `10.0.0.0/8`, or one alone.
///
/// Source: RFC 4632, section 3.1.
public struct AddressBlock: Equatable, Sendable, CustomStringConvertible {
    /// The address or the block as it was written.
    public let description: String
    private let first: PeerAddress
    private let high: UInt64
    private let low: UInt64

    /// Reads an address, a block of addresses, or `local` for the peers of local sockets.
    ///
    /// Nil for anything else, and for a block whose address has bits behind its prefix: somebody
    /// meant another one.
    public init?(_ text: String) {
        if text == "local" {
            self.init(.local, bits: 128, text)
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = PeerAddress(parts[0]) else { return nil }
        let longest: UInt8 = address.isVersion4 && !parts[0].contains(":") ? 32 : 128
        var bits = longest
        if parts.count == 2 {
            guard let length = UInt8(decimal: parts[1]), length <= longest else { return nil }
            bits = length
        }
        self.init(address, bits: 128 - Int(longest) + Int(bits), text)
        guard address.high & ~high == 0, address.low & ~low == 0 else { return nil }
    }

    private init(_ first: PeerAddress, bits: Int, _ text: String) {
        description = text
        self.first = first
        high = Self.mask(min(bits, 64))
        low = Self.mask(max(bits - 64, 0))
    }

    /// Whether an address is one of these; a block of IPv6 has none of IPv4, and nobody local.
    public func contains(_ address: PeerAddress) -> Bool {
        guard address != .local else { return first == .local }
        guard address.isVersion4 == first.isVersion4 else { return false }
        return address.high & high == first.high && address.low & low == first.low
    }

    /// A word that begins with so many ones.
    private static func mask(_ bits: Int) -> UInt64 {
        bits == 0 ? 0 : ~0 << UInt64(64 - bits)
    }
}
