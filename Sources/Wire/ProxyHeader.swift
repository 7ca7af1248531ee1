import Basics

/// The header that a proxy sends first: the address of the client whose connection it forwards.
///
/// Source: "The PROXY protocol", versions 1 and 2, sections 2.1 and 2.2.
public struct ProxyHeader: Equatable, Sendable {
    /// The length of the header in bytes.
    public let length: Int
    /// The address of the client; nil if the connection is the proxy's own, or unknown.
    public let source: PeerAddress?

    /// Creates a header of a length.
    public init(length: Int, source: PeerAddress?) {
        self.length = length
        self.source = source
    }

    /// The result of reading the first bytes of a connection.
    public enum Reading: Equatable, Sendable {
        /// The beginning of a header.
        case needsMore
        /// A complete header, perhaps with more bytes after it.
        case header(ProxyHeader)
        /// The bytes are not a header.
        case invalid
    }

    /// The most bytes of a header of version 1.
    static let longestVersion1 = 107
    /// The most bytes that are accepted after the fixed part of version 2.
    static let longestVersion2 = 4096
    /// The most bytes of an incomplete header.
    public static let longest = Version2.fixedBytes + longestVersion2

    /// Reads the first bytes of a connection, as many as have arrived.
    public static func read(_ bytes: some RandomAccessCollection<UInt8>) -> Reading {
        let bytes = Array(bytes.prefix(longest))
        if begins(bytes, Version2.signature) { return Version2.read(bytes) }
        if begins(bytes, Version1.signature) { return Version1.read(bytes) }
        return .invalid
    }

    /// Whether one of the bytes and the signature is a prefix of the other.
    private static func begins(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
        zip(bytes, signature).allSatisfy { $0 == $1 }
    }
}

extension ProxyHeader {
    /// A line of text such as `PROXY TCP4 192.0.2.1 198.51.100.1 56324 443`.
    enum Version1 {
        static let signature = Array("PROXY ".utf8)
        private static let lineFeed = UInt8(ascii: "\n")
        private static let carriageReturn = UInt8(ascii: "\r")

        static func read(_ bytes: [UInt8]) -> Reading {
            let head = bytes.prefix(longestVersion1)
            guard let end = head.firstIndex(of: lineFeed) else {
                return head.count < longestVersion1 ? .needsMore : .invalid
            }
            let line = bytes[..<max(end - 1, 0)]
            guard end > 0, bytes[end - 1] == carriageReturn,
                line.allSatisfy({ (0x20..<0x7F).contains($0) })
            else { return .invalid }
            let words = String(decoding: line, as: UTF8.self)
                .split(separator: " ", omittingEmptySubsequences: false)
            switch words[1] {
            case "UNKNOWN": return .header(ProxyHeader(length: end + 1, source: nil))
            case "TCP4", "TCP6": break
            default: return .invalid
            }
            guard let source = source(words, isVersion4: words[1] == "TCP4") else {
                return .invalid
            }
            return .header(ProxyHeader(length: end + 1, source: source))
        }

        /// The first of two addresses of the same kind, before two ports.
        private static func source(_ words: [Substring], isVersion4: Bool) -> PeerAddress? {
            guard words.count == 6, isPort(words[4]), isPort(words[5]),
                let source = address(words[2], isVersion4),
                address(words[3], isVersion4) != nil
            else { return nil }
            return source
        }

        private static func address(_ word: Substring, _ isVersion4: Bool) -> PeerAddress? {
            word.contains(":") == isVersion4 ? nil : PeerAddress(word)
        }

        private static func isPort(_ word: Substring) -> Bool {
            guard word.utf8.count == 1 || word.first != "0", word.utf8.count <= 5 else {
                return false
            }
            return Int64(digits: word).map { $0 <= 65535 } ?? false
        }
    }
}

extension ProxyHeader {
    /// The binary header of version 2.
    ///
    /// A signature, the kind of connection, the length of the rest, two addresses, and more fields,
    /// which are skipped.
    enum Version2 {
        static let signature: [UInt8] = [
            0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
        ]
        static let fixedBytes = 16

        static func read(_ bytes: [UInt8]) -> Reading {
            // Each byte is checked as soon as it arrives, without waiting for the rest.
            guard bytes.count > 12 else { return .needsMore }
            guard bytes[12] == 0x20 || bytes[12] == 0x21 else { return .invalid }
            let isLocal = bytes[12] == 0x20
            guard bytes.count > 13 else { return .needsMore }
            guard let addresses = Addresses(bytes[13]) else {
                return isLocal ? rest(bytes, nil) : .invalid
            }
            return rest(bytes, isLocal ? nil : addresses)
        }

        /// Reads the length, and the bytes after it.
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

    /// The addresses of a header of version 2.
    private enum Addresses {
        /// No addresses, or a kind that is skipped.
        case none(count: Int)
        case version4, version6

        /// Reads the family and the transport; nil for unknown ones.
        ///
        /// Addresses of datagrams are skipped, because the connection is a stream.
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

        /// The bytes of both addresses and both ports.
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
