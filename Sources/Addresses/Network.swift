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
    /// The network of this width around the address; nil if that width has no limits.
    ///
    /// Peers of Unix sockets count as one address without wider networks.
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
