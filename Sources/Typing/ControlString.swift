/// What a terminal says of itself after `ESC ]`, `ESC P` and their like, up to `ESC \` or BEL.
///
/// Nothing of it is kept. Source: ECMA-48, section 5.6; xterm, "XTerm Control Sequences".
struct ControlString {
    /// What a byte makes of the string.
    enum Progress {
        case goesOn
        case ends
        /// The byte is no part of a string, and is to be read anew.
        case brokenOff
    }

    /// The most bytes that a string may have; after them it is given up.
    static let limit = 4096

    private var length = 0
    /// Whether an escape has come that ends the string, one way or the other.
    private(set) var isAfterEscape = false

    /// Takes the next byte.
    mutating func receive(_ byte: UInt8) -> Progress {
        if isAfterEscape { return byte == UInt8(ascii: "\\") ? .ends : .brokenOff }
        switch byte {
        case KeyReader.escape: isAfterEscape = true
        case 0x07: return .ends
        case 0x20... where length < Self.limit: length += 1
        default: return .brokenOff
        }
        return .goesOn
    }
}
