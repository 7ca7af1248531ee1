/// What stands in one cell of a frame.
public struct Cell: Equatable, Sendable {
    /// What is written there; nil in the right half of a wide character.
    public let character: Character?
    /// How it looks.
    public let style: Style

    /// Tells whether this is the right half of the wide character to its left.
    public var isContinuation: Bool { character == nil }
}

/// A cell as a frame keeps it: eight bytes, compared as numbers.
struct StoredCell: Equatable, Sendable {
    static let blank = StoredCell(glyph: .space, style: .plain)

    var glyph: Glyph
    var style: Style
}
