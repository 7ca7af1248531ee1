/// How many columns and rows of cells there are.
public struct Size: Equatable, Hashable, Sendable {
    /// Cells from left to right.
    public var columns: Int
    /// Cells from top to bottom.
    public var rows: Int

    /// Makes a size.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// The place of a cell, counted from 0 at the top left.
public struct Position: Equatable, Sendable {
    /// Cells above it.
    public var row: Int
    /// Cells to the left of it.
    public var column: Int

    /// Makes a position.
    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}
