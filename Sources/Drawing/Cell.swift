/// A size in columns and rows of cells.
public struct Size: Equatable, Hashable, Sendable {
    /// The number of columns.
    public var columns: Int
    /// The number of rows.
    public var rows: Int

    /// Makes a size.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// The position of a cell, counted from 0 at the top left.
public struct Position: Equatable, Sendable {
    /// The row, from the top.
    public var row: Int
    /// The column, from the left.
    public var column: Int

    /// Makes a position.
    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// The content of one cell of a frame.
public struct Cell: Equatable, Sendable {
    /// The character; nil in the right half of a wide character.
    public let character: Character?
    /// The style of the character.
    public let style: Style

    /// Whether this is the right half of the wide character to its left.
    public var isContinuation: Bool { character == nil }
}

/// A cell as a frame stores it, in eight bytes.
struct StoredCell: Equatable, Sendable {
    static let blank = StoredCell(glyph: .space, style: .plain)

    var glyph: Glyph
    var style: Style
}

/// The character of a cell as a number: its first scalar, and flags for wide and for a cluster.
///
/// A cluster has more than one scalar; the frame stores its characters beside the cells.
struct Glyph: Equatable, Sendable {
    private static let wide: UInt32 = 1 << 30
    private static let cluster: UInt32 = 1 << 31

    static let space = Glyph(bits: 0x20)
    /// The right half of a wide character: U+0000 never reaches a frame.
    static let continuation = Glyph(bits: 0)

    private let bits: UInt32

    private init(bits: UInt32) {
        self.bits = bits
    }

    /// Makes the glyph of a character that takes one or two columns.
    init(_ character: Character, columns: Int) {
        let scalars = character.unicodeScalars
        let isCluster = scalars.index(after: scalars.startIndex) != scalars.endIndex
        bits =
            scalars[scalars.startIndex].value | (columns == 2 ? Self.wide : 0)
            | (isCluster ? Self.cluster : 0)
    }

    /// Makes the glyph of a printable ASCII character.
    init(ascii: UInt8) {
        bits = UInt32(ascii)
    }

    var isContinuation: Bool { bits == 0 }
    var isWide: Bool { bits & Self.wide != 0 }
    var isCluster: Bool { bits & Self.cluster != 0 }

    /// Whether every terminal advances its cursor by exactly one column for it.
    var isCertain: Bool { bits & (Self.wide | Self.cluster) == 0 && !isContinuation }

    var scalar: Unicode.Scalar {
        Unicode.Scalar(bits & ~(Self.wide | Self.cluster)) ?? "\u{FFFD}"
    }
}
