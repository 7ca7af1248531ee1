#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where a connection comes from: the 128 bits of an IPv6 address, or of the one that an IPv4
/// address is mapped to.
///
/// Source: ip(7), ipv6(7), RFC 4291 section 2.5.5.2.
public struct SourceAddress: Equatable, Sendable {
    /// The first 64 bits, as a number.
    public let high: UInt64
    /// The last 64 bits, as a number.
    public let low: UInt64

    /// Reads what the kernel wrote; nil for a socket that is of no network.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        let family = Int32(storage.ss_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        (high, low) = withUnsafeBytes(of: &storage) { bytes in
            guard family == AF_INET6 else {
                let address = bytes.load(as: sockaddr_in.self).sin_addr.s_addr
                return (0, 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: address)))
            }
            var address = bytes.load(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: &address) { words in
                (
                    UInt64(bigEndian: words.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: words.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
        }
    }
}
