import Bidder

/// A pasted text, read from its start mark to its end mark.
///
/// Source: xterm, "Bracketed Paste Mode".
struct Paste {
    /// The maximum length in bytes; the rest is discarded.
    static let maximumBytes = 4096

    private static let endMark = Array("\u{1B}[201~".utf8)

    private(set) var text = ""
    private var markLength = 0
    private var isFull = false
    private var isAfterReturn = false
    private var scalars = ScalarReader()

    /// Whether the last byte was an escape, which may be a key of its own.
    var endsInEscape: Bool { markLength == 1 }

    /// Takes a byte, and returns whether it completed the end mark.
    mutating func receive(_ byte: UInt8) -> Bool {
        if byte == Self.endMark[markLength] {
            markLength += 1
            guard markLength == Self.endMark.count else { return false }
            finish()
            return true
        }
        for index in 0..<markLength { keep(Self.endMark[index]) }
        markLength = byte == Self.endMark[0] ? 1 : 0
        if markLength == 0 { keep(byte) }
        return false
    }

    /// Ends the text, as the end mark does.
    mutating func finish() {
        if scalars.isHolding { append(ScalarReader.replacement) }
        scalars = ScalarReader()
    }

    private mutating func keep(_ byte: UInt8) {
        if scalars.isCutOff(by: byte) { append(ScalarReader.replacement) }
        guard let scalar = scalars.receive(byte) else { return }
        switch scalar {
        case "\n" where isAfterReturn:
            isAfterReturn = false
        case "\r":
            append(" ")
            isAfterReturn = true
        case "\n", "\t", "\u{85}", "\u{2028}", "\u{2029}":
            append(" ")
        default:
            if !scalar.isControl { append(scalar) }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        isAfterReturn = false
        isFull = isFull || text.utf8.count + UTF8.width(scalar) > Self.maximumBytes
        if !isFull { text.unicodeScalars.append(scalar) }
    }
}

/// A UTF-8 decoder that takes one byte at a time.
///
/// Each maximal part of an invalid scalar is one error, as in `String(decoding:as:)`.
///
/// Source: The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
struct ScalarReader {
    static let replacement: Unicode.Scalar = "\u{FFFD}"

    private var value: UInt32 = 0
    private var missing = 0
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether a scalar is incomplete.
    var isHolding: Bool { missing > 0 }

    /// Drops the incomplete scalar if the byte cannot continue it, and returns whether it did.
    mutating func isCutOff(by byte: UInt8) -> Bool {
        guard isHolding, !allowed.contains(byte) else { return false }
        self = ScalarReader()
        return true
    }

    /// Takes a byte, and returns the scalar that it completes; call `isCutOff(by:)` before.
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
