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

    /// The bytes of an incomplete scalar.
    private var bytes: [UInt8] = []

    /// Whether a scalar is incomplete.
    var isHolding: Bool { !bytes.isEmpty }

    /// Drops the incomplete scalar if the byte cannot continue it, and returns whether it did.
    mutating func isCutOff(by byte: UInt8) -> Bool {
        guard isHolding, case .error(let length) = Self.parse(bytes + [byte]),
            length <= bytes.count
        else { return false }
        bytes = []
        return true
    }

    /// Takes a byte, and returns the scalar that it completes; call `isCutOff(by:)` before.
    mutating func receive(_ byte: UInt8) -> Unicode.Scalar? {
        bytes.append(byte)
        if case .valid(let scalar) = Self.parse(bytes) {
            bytes = []
            return UTF8.decode(scalar)
        }
        // Of what is no scalar yet, only these bytes begin one.
        guard !(0xC2...0xF4).contains(bytes[0]) else { return nil }
        bytes = []
        return Self.replacement
    }

    private static func parse(_ bytes: [UInt8]) -> Unicode.ParseResult<UTF8.EncodedScalar> {
        var (parser, iterator) = (UTF8.ForwardParser(), bytes.makeIterator())
        return parser.parseScalar(from: &iterator)
    }
}
