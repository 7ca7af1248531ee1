/// Bytes of UTF-8 to scalars, one byte at a time.
///
/// Each longest part of a scalar that is not whole counts as one fault, as it does for `String`.
/// Source: The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
struct ScalarReader {
    static let replacement: Unicode.Scalar = "\u{FFFD}"

    private var value: UInt32 = 0
    private var missing = 0
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether a scalar is under way.
    var isHolding: Bool { missing > 0 }

    /// Gives up the scalar under way if the byte cannot go on with it, and returns whether it did.
    mutating func isCutOff(by byte: UInt8) -> Bool {
        guard isHolding, !allowed.contains(byte) else { return false }
        self = ScalarReader()
        return true
    }

    /// Takes a byte that cuts nothing off, and returns the scalar of which it is the last.
    mutating func receive(_ byte: UInt8) -> Unicode.Scalar? {
        guard isHolding else { return begin(with: byte) }
        value = value << 6 | UInt32(byte & 0x3F)
        missing -= 1
        allowed = 0x80...0xBF
        return isHolding ? nil : Unicode.Scalar(value) ?? Self.replacement
    }

    private mutating func begin(with byte: UInt8) -> Unicode.Scalar? {
        switch byte {
        case ..<0x80: return Unicode.Scalar(byte)
        case 0xC2...0xDF: expect(1, after: byte & 0x1F)
        case 0xE0: expect(2, after: 0, from: 0xA0)
        case 0xED: expect(2, after: byte & 0x0F, through: 0x9F)
        case 0xE1...0xEF: expect(2, after: byte & 0x0F)
        case 0xF0: expect(3, after: 0, from: 0x90)
        case 0xF4: expect(3, after: byte & 0x07, through: 0x8F)
        case 0xF1...0xF3: expect(3, after: byte & 0x07)
        default: return Self.replacement
        }
        return nil
    }

    private mutating func expect(
        _ count: Int, after bits: UInt8, from first: UInt8 = 0x80, through last: UInt8 = 0xBF
    ) {
        (value, missing, allowed) = (UInt32(bits), count, first...last)
    }
}
