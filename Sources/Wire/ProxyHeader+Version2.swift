import Addresses

extension ProxyHeader {
    /// A signature, what is passed on, the length of the rest, two addresses, and more fields, which
    /// are read past.
    enum Version2 {
        static let signature: [UInt8] = [
            0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
        ]
        static let fixedBytes = 16

        static func read(_ bytes: [UInt8]) -> Reading {
            // What is wrong is seen as soon as it has come: nobody waits for the rest of it.
            guard bytes.count > 12 else { return .needsMore }
            guard bytes[12] == 0x20 || bytes[12] == 0x21 else { return .invalid }
            let isLocal = bytes[12] == 0x20
            guard bytes.count > 13 else { return .needsMore }
            guard let addresses = Addresses(bytes[13]) else {
                return isLocal ? rest(bytes, nil) : .invalid
            }
            return rest(bytes, isLocal ? nil : addresses)
        }

        /// Reads the length, and what is behind it.
        private static func rest(_ bytes: [UInt8], _ addresses: Addresses?) -> Reading {
            guard bytes.count >= fixedBytes else { return .needsMore }
            let count = Int(bytes[14]) << 8 | Int(bytes[15])
            guard count <= longestVersion2, count >= addresses?.count ?? 0 else { return .invalid }
            let length = fixedBytes + count
            guard bytes.count >= length else { return .needsMore }
            let source = addresses?.source(bytes[fixedBytes...])
            guard source != .local else { return .invalid }
            return .header(ProxyHeader(length: length, source: source))
        }
    }

    /// What addresses a header of version 2 has.
    private enum Addresses {
        /// None, or such as are passed over.
        case none(count: Int)
        case version4, version6

        /// Reads family and transport; nil for those that there are not.
        ///
        /// Whoever listens on a stream has no use for a datagram's.
        init?(_ byte: UInt8) {
            switch byte {
            case 0x00: self = .none(count: 0)
            case 0x11: self = .version4
            case 0x12: self = .none(count: 12)
            case 0x21: self = .version6
            case 0x22: self = .none(count: 36)
            case 0x31, 0x32: self = .none(count: 216)
            default: return nil
            }
        }

        /// How many bytes they take, both ports with them.
        var count: Int {
            switch self {
            case .none(let count): count
            case .version4: 12
            case .version6: 36
            }
        }

        func source(_ bytes: ArraySlice<UInt8>) -> PeerAddress? {
            switch self {
            case .none: nil
            case .version4: PeerAddress(version4: UInt32(truncatingIfNeeded: word(bytes.prefix(4))))
            case .version6:
                PeerAddress(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8).prefix(8)))
            }
        }

        private func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
