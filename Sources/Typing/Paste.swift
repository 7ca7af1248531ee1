/// A text that the terminal brackets as pasted, while it comes.
///
/// Source: xterm, "Bracketed Paste Mode".
struct Paste {
    /// The most bytes that are kept; the rest is read past.
    static let limit = 4096

    private static let endMark = Array("\u{1B}[201~".utf8)

    private(set) var text = ""
    private var markLength = 0
    private var isFull = false
    private var isAfterReturn = false
    private var scalars = ScalarReader()

    /// Whether an escape has come that may be a key of its own.
    var endsInEscape: Bool { markLength == 1 }

    /// Takes a byte, and returns whether it was the last of the mark at the end.
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

    /// Ends the text, as its mark does.
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
        isFull = isFull || text.utf8.count + UTF8.width(scalar) > Self.limit
        if !isFull { text.unicodeScalars.append(scalar) }
    }
}
