/// A grid of lines between the middles of cells, which join where they meet.
public struct LineCanvas: Equatable, Sendable {
    /// The width in cells.
    public let columns: Int
    /// The height in cells.
    public let rows: Int

    /// The arms of each cell, row by row.
    private var arms: [Arms]

    /// Makes an empty canvas; a negative extent counts as 0.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        arms = Array(repeating: [], count: self.columns * self.rows)
    }

    /// Draws a horizontal line between two columns of a row; clipped at the canvas.
    public mutating func horizontal(row: Int, from first: Int, through last: Int) {
        guard first < last else { return }
        for column in first...last {
            if column > first { join(row: row, column: column, .left) }
            if column < last { join(row: row, column: column, .right) }
        }
    }

    /// Draws a vertical line between two rows of a column; clipped at the canvas.
    public mutating func vertical(column: Int, from first: Int, through last: Int) {
        guard first < last else { return }
        for row in first...last {
            if row > first { join(row: row, column: column, .up) }
            if row < last { join(row: row, column: column, .down) }
        }
    }

    /// The character of a cell, with rounded corners; nil if no line crosses it.
    public func character(row: Int, column: Int) -> Character? {
        precondition(
            (0..<rows).contains(row) && (0..<columns).contains(column),
            "a cell is inside its canvas")
        let arms = arms[row * columns + column]
        return arms.isEmpty ? nil : Self.shapes[Int(arms.rawValue)]
    }

    private mutating func join(row: Int, column: Int, _ arm: Arms) {
        guard (0..<rows).contains(row), (0..<columns).contains(column) else { return }
        arms[row * columns + column].insert(arm)
    }

    /// The directions in which a line leaves the middle of a cell.
    private struct Arms: OptionSet {
        let rawValue: UInt8

        static let up = Arms(rawValue: 1)
        static let down = Arms(rawValue: 2)
        static let left = Arms(rawValue: 4)
        static let right = Arms(rawValue: 8)
    }

    /// The characters by their arms; a single arm is a whole line.
    ///
    /// Source: Unicode, Box Drawing (U+2500).
    private static let shapes: [Character] = Array(" │││─╯╮┤─╰╭├─┴┬┼")
}
