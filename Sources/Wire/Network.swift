/// The addresses around one address that are counted together.
public struct Network: Hashable, Sendable {
    /// How wide a network is, from the narrowest on.
    public enum Width: Int, CaseIterable, Sendable {
        /// One IPv4 address, or an IPv6 network of 64 bits, which is one customer's.
        case address
        /// An IPv4 network of 24 bits, or an IPv6 network of 48 bits.
        case site
        /// An IPv6 network of 32 bits.
        case provider

        /// How many times as much as one address a network of this width may do.
        public var factor: Int {
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
}

extension PeerAddress {
    /// The network of this width around the address; nil where none is counted.
    ///
    /// The peers of local sockets are one address, and have no wider network.
    public func network(_ width: Network.Width) -> Network? {
        if self == .local { return width == .address ? Network(first: self, width: width) : nil }
        let first: PeerAddress? =
            switch width {
            case .address: network
            case .site:
                isVersion4
                    ? PeerAddress(high: high, low: low & ~0xFF)
                    : PeerAddress(high: high & ~0xFFFF, low: 0)
            case .provider: isVersion4 ? nil : PeerAddress(high: high & ~0xFFFF_FFFF, low: 0)
            }
        return first.map { Network(first: $0, width: width) }
    }
}
