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
    /// Nil for anything else, and for a block whose address has bits behind its prefix, which is
    /// probably a slip.
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

    /// The private and link-local networks, whose addresses no peer on the internet can have.
    ///
    /// Source: RFC 1918, section 3; RFC 4193, section 3.1; RFC 4291, section 2.5.6.
    public static let privateNetworks = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fe80::/10",
    ].compactMap { AddressBlock($0) }

    private init(_ first: PeerAddress, bits: Int, _ text: String) {
        description = text
        self.first = first
        high = Self.mask(min(bits, 64))
        low = Self.mask(max(bits - 64, 0))
    }

    /// Whether an address is one of these; a block of IPv6 has none of IPv4 and none local.
    public func contains(_ address: PeerAddress) -> Bool {
        guard address != .local else { return first == .local }
        guard address.isVersion4 == first.isVersion4 else { return false }
        return address.high & high == first.high && address.low & low == first.low
    }

    /// A word whose first `bits` bits are ones.
    private static func mask(_ bits: Int) -> UInt64 {
        bits == 0 ? 0 : ~0 << UInt64(64 - bits)
    }
}

/// A network whose addresses share one set of limits.
public struct Network: Hashable, Sendable {
    /// How wide a network is, from the narrowest on.
    public enum Width: Int, CaseIterable, Sendable {
        /// One IPv4 address, or an IPv6 network of 64 bits, which is one customer's.
        case address
        /// An IPv4 network of 24 bits, or an IPv6 network of 48 bits.
        case site
        /// An IPv6 network of 32 bits.
        case provider

        /// The limits of a network of this width, as a multiple of those of one address.
        fileprivate var factor: Int {
            switch self {
            case .address: 1
            case .site: 8
            case .provider: 64
            }
        }
    }

    /// The first address.
    public let first: PeerAddress
    /// How wide it is.
    public let width: Width
    /// Whether it has the addresses in trusted networks, or all others.
    ///
    /// They are counted apart, so that neither uses up what the other may use.
    public let isTrusted: Bool

    /// The limits of the network, as a multiple of those of one address that is not trusted.
    public var factor: Int { width.factor * (isTrusted ? 10 : 1) }
}

extension PeerAddress {
    /// The network of this width around the address; nil if that width has no limits.
    ///
    /// Peers of Unix sockets count as one address without wider networks.
    fileprivate func network(_ width: Network.Width, isTrusted: Bool) -> Network? {
        if self == .local {
            return width == .address
                ? Network(first: self, width: width, isTrusted: isTrusted) : nil
        }
        let first: PeerAddress? =
            switch width {
            case .address: network
            case .site:
                isVersion4
                    ? PeerAddress(high: high, low: low & ~0xFF)
                    : PeerAddress(high: high & ~0xFFFF, low: 0)
            case .provider: isVersion4 ? nil : PeerAddress(high: high & ~0xFFFF_FFFF, low: 0)
            }
        return first.map { Network(first: $0, width: width, isTrusted: isTrusted) }
    }
}

/// The networks that the operator knows, whose addresses may use more than others.
public struct TrustedNetworks: Equatable, Sendable {
    private let blocks: [AddressBlock]

    /// Trusts the addresses of these blocks.
    public init(_ blocks: [AddressBlock]) {
        self.blocks = blocks
    }

    /// The network of this width around an address; nil if that width has no limits.
    public func network(_ width: Network.Width, around address: PeerAddress) -> Network? {
        address.network(width, isTrusted: blocks.contains { $0.contains(address) })
    }
}
