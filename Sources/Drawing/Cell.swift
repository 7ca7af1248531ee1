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
    static let blank = Cell(character: " ", style: .plain)

    /// The character; nil in the right half of a wide character.
    public internal(set) var character: Character?
    /// The style of the character.
    public internal(set) var style: Style

    /// Whether this is the right half of the wide character to its left.
    public var isContinuation: Bool { character == nil }
}
