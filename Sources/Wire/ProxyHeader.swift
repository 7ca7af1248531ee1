import Addresses

/// What a proxy says before anything else: whose connection it passes on.
///
/// Source: "The PROXY protocol", versions 1 and 2, sections 2.1 and 2.2.
public struct ProxyHeader: Equatable, Sendable {
    /// The bytes that it takes at the beginning of the connection.
    public let length: Int
    /// Where the connection comes from; nil where the proxy speaks for itself, or does not say.
    public let source: PeerAddress?

    /// Makes a header of so many bytes.
    public init(length: Int, source: PeerAddress?) {
        self.length = length
        self.source = source
    }

    /// What the first bytes of a connection are.
    public enum Reading: Equatable, Sendable {
        /// The beginning of a header.
        case needsMore
        /// A whole header, and perhaps more.
        case header(ProxyHeader)
        /// No header.
        case invalid
    }

    /// The most bytes that a header of version 1 can have.
    static let longestVersion1 = 107
    /// The most bytes that are taken behind the fixed part of version 2.
    static let longestVersion2 = 4096
    /// The most bytes that need ever be kept of a header that is not whole.
    public static let longest = Version2.fixedBytes + longestVersion2

    /// Reads the first bytes of a connection, all that have come.
    public static func read(_ bytes: some RandomAccessCollection<UInt8>) -> Reading {
        let bytes = Array(bytes.prefix(longest))
        if begins(bytes, Version2.signature) { return Version2.read(bytes) }
        if begins(bytes, Version1.signature) { return Version1.read(bytes) }
        return .invalid
    }

    /// Whether the bytes and the signature are the same as far as both go.
    private static func begins(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
        zip(bytes, signature).allSatisfy { $0 == $1 }
    }
}
