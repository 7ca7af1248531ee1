#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Tells lines of a server by their first two letters, however they are split.
///
/// It keeps no more of a line under way: two bytes for each of ten thousand connections.
public struct LineSkimmer: Sendable {
    /// The kinds of lines that matter to the load.
    public struct Lines: OptionSet, Sendable {
        /// One bit for each kind.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `LOT`.
        public static let opened = Lines(rawValue: 1)
        /// `PRICE`.
        public static let price = Lines(rawValue: 2)
        /// `WINNER`.
        public static let sold = Lines(rawValue: 4)
        /// `OVER`: there will be no other lot.
        public static let over = Lines(rawValue: 8)

        fileprivate init(_ first: UInt8, _ second: UInt8) {
            switch (first, second) {
            case (UInt8(ascii: "L"), UInt8(ascii: "O")): self = .opened
            case (UInt8(ascii: "P"), UInt8(ascii: "R")): self = .price
            case (UInt8(ascii: "W"), UInt8(ascii: "I")): self = .sold
            case (UInt8(ascii: "O"), UInt8(ascii: "V")): self = .over
            default: self = []
            }
        }
    }

    private static let lineFeed: UInt8 = 10

    /// How many bytes of the line under way were seen; 2 stands for any more.
    private var column: UInt8 = 0
    private var first: UInt8 = 0

    /// Creates a skimmer at the start of a line.
    public init() {}

    /// Reads bytes, and returns which kinds of lines they show to have begun.
    public mutating func receive(_ bytes: Span<UInt8>) -> Lines {
        bytes.withUnsafeBytes { bytes in
            var (lines, index) = (Lines(), 0)
            while index < bytes.count {
                if column == 2 {
                    index = skipLine(bytes, from: index)
                } else {
                    lines.formUnion(look(at: bytes[index]))
                    index += 1
                }
            }
            return lines
        }
    }

    private mutating func look(at byte: UInt8) -> Lines {
        if byte == Self.lineFeed {
            column = 0
            return []
        }
        column += 1
        if column == 2 { return Lines(first, byte) }
        first = byte
        return []
    }

    /// Returns where the next line begins, if it does.
    private mutating func skipLine(_ bytes: UnsafeRawBufferPointer, from index: Int) -> Int {
        guard let base = bytes.baseAddress,
            let found = memchr(base + index, Int32(Self.lineFeed), bytes.count - index)
        else { return bytes.count }
        column = 0
        return UnsafeRawPointer(found) - base + 1
    }
}
