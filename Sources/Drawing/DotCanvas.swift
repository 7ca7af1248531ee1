/// Dots in a grid finer than that of the cells: two a column and four a row, in braille.
public struct DotCanvas: Equatable, Sendable {
    /// Cells from left to right; there are twice as many dots.
    public let columns: Int
    /// Cells from top to bottom; there are four times as many dots.
    public let rows: Int

    /// The raised dots of each cell, row by row, as Unicode numbers them.
    private var patterns: [UInt8]

    /// Makes a canvas of so many cells, without a dot; a negative extent counts as none.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        patterns = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// Sets a dot, counted from 0 at the bottom left; one outside of the canvas is left out.
    public mutating func set(x: Int, y: Int) {
        guard (0..<columns * 2).contains(x), (0..<rows * 4).contains(y) else { return }
        let fromTop = rows * 4 - 1 - y
        patterns[fromTop / 4 * columns + x / 2] |= Self.dots[x % 2][fromTop % 4]
    }

    /// What to write in a cell, counted from 0 at the top left; a space where there is no dot.
    public func character(row: Int, column: Int) -> Character {
        precondition(
            (0..<rows).contains(row) && (0..<columns).contains(column),
            "a cell is inside its canvas")
        let pattern = patterns[row * columns + column]
        guard pattern != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(pattern)) else {
            return " "
        }
        return Character(scalar)
    }

    /// The dots of the left and of the right column, from the top.
    ///
    /// Source: Unicode, Braille Patterns (U+2800).
    private static let dots: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
}
