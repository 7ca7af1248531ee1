/// The name of a bidder: 1 to 24 ASCII letters, digits, `_` and `-`.
///
/// Names that differ only in case are equal, and each is printed as it was first written. The bytes
/// are stored inline, so a bid is copied without reference counting.
public struct Bidder: Sendable {
    @usableFromInline let words: (UInt64, UInt64, UInt64)

    /// The most bytes a name can have.
    public static let longest = 24

    /// Creates a bidder from the bytes of a name; nil if they are not a name.
    public init?(_ name: Span<UInt8>) {
        guard (1...Self.longest).contains(name.count) else { return nil }
        var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
        for index in name.indices {
            let byte = name[index]
            guard Self.isAllowed(byte) else { return nil }
            let bits = UInt64(byte) << UInt64(index % 8 * 8)
            switch index / 8 {
            case 0: words.0 |= bits
            case 1: words.1 |= bits
            default: words.2 |= bits
            }
        }
        self.words = words
    }

    /// Creates a bidder from a name; nil if the text is not a name.
    public init?(_ name: String) {
        self.init(Array(name.utf8).span)
    }

    /// Calls `body` with each byte of the name, in order.
    @inlinable
    public func forEachByte(_ body: (UInt8) -> Void) {
        Self.forEachByte(of: words.0, body)
        Self.forEachByte(of: words.1, body)
        Self.forEachByte(of: words.2, body)
    }

    @inlinable
    static func forEachByte(of word: UInt64, _ body: (UInt8) -> Void) {
        var rest = word
        while rest != 0 {
            body(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Writes the name, followed by zeros up to `longest` bytes, and returns its length.
    package func write(to bytes: UnsafeMutablePointer<UInt8>) -> Int {
        let memory = UnsafeMutableRawPointer(bytes)
        memory.storeBytes(of: words.0.littleEndian, toByteOffset: 0, as: UInt64.self)
        memory.storeBytes(of: words.1.littleEndian, toByteOffset: 8, as: UInt64.self)
        memory.storeBytes(of: words.2.littleEndian, toByteOffset: 16, as: UInt64.self)
        let zeroBits =
            words.2 != 0
            ? words.2.leadingZeroBitCount
            : words.1 != 0 ? words.1.leadingZeroBitCount + 64 : words.0.leadingZeroBitCount + 128
        return Self.longest - zeroBits / 8
    }

    /// The bytes in lower case, eight in each word with the first in its lowest place, then zeros.
    package var foldedWords: (UInt64, UInt64, UInt64) {
        (Self.folded(words.0), Self.folded(words.1), Self.folded(words.2))
    }

    /// Whether the name comes before another by the bytes of its lower case.
    package func precedes(_ other: Bidder) -> Bool {
        let (own, others) = (foldedWords, other.foldedWords)
        return (own.0.byteSwapped, own.1.byteSwapped, own.2.byteSwapped)
            < (others.0.byteSwapped, others.1.byteSwapped, others.2.byteSwapped)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }

    /// The word with its upper-case letters converted to lower case, all eight bytes at once.
    ///
    /// Every byte is below 0x80, so an addition can set its top bit but never carries into the next
    /// byte.
    private static func folded(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let atLeastA = word &+ ones &* UInt64(0x80 - UInt8(ascii: "A"))
        let aboveZ = word &+ ones &* UInt64(0x80 - UInt8(ascii: "Z") - 1)
        return word | (atLeastA & ~aboveZ & (ones &* 0x80)) >> 2
    }
}

extension Bidder: Hashable {
    /// Compares names without the case of their letters.
    public static func == (one: Bidder, other: Bidder) -> Bool {
        if one.words == other.words { return true }
        return folded(one.words.0) == folded(other.words.0)
            && folded(one.words.1) == folded(other.words.1)
            && folded(one.words.2) == folded(other.words.2)
    }

    /// Hashes the name without the case of its letters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Self.folded(words.0))
        // Most names are short.
        guard words.1 != 0 else { return }
        hasher.combine(Self.folded(words.1))
        hasher.combine(Self.folded(words.2))
    }
}

extension Bidder: CustomStringConvertible {
    /// The name as it was written.
    public var description: String {
        var bytes: [UInt8] = []
        forEachByte { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A display name: how people see a bidder, in any script.
public enum DisplayName {
    /// The most characters.
    public static let longest = 24
    /// The most bytes of UTF-8.
    private static let mostBytes = 4 * longest

    /// Whether a text can be shown beside other people's names without deceiving them.
    ///
    /// It has letters of any script with their marks, digits, `-`, `_`, `'`, `.` and single spaces
    /// between them, and at least one letter or digit.
    public static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= mostBytes, (1...longest).contains(text.count),
            text.unicodeScalars.first?.isMark == false,
            text.unicodeScalars.contains(where: { $0.isLetterOrDigit })
        else { return false }
        let words = text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
        return words.allSatisfy { word in
            !word.isEmpty
                && word.allSatisfy { scalar in
                    scalar.isVisible
                        && (scalar.isLetterOrDigit || scalar.isMark
                            || ["-", "_", "'", "."].contains(scalar))
                }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        properties.isAlphabetic && !isMark || properties.generalCategory == .decimalNumber
    }

    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
    }
}
