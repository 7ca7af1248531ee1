/// A rectangle of a frame; one without rows has no place on the screen.
package struct Area: Equatable {
    package var row = 0
    package var column = 0
    package var rows = 0
    package var columns = 0

    package var isEmpty: Bool { rows <= 0 || columns <= 0 }

    /// Takes rows off the top.
    mutating func takeTop(_ count: Int) -> Area {
        let taken = Area(row: row, column: column, rows: min(count, rows), columns: columns)
        row += taken.rows
        rows -= taken.rows
        return taken
    }

    /// Takes rows off the bottom.
    mutating func takeBottom(_ count: Int) -> Area {
        let taken = min(count, rows)
        rows -= taken
        return Area(row: row + rows, column: column, rows: taken, columns: columns)
    }

    /// Takes columns off the left, and leaves out a gap behind them.
    mutating func takeLeft(_ count: Int, gap: Int) -> Area {
        let taken = Area(row: row, column: column, rows: rows, columns: min(count, columns))
        column += taken.columns + gap
        columns = max(0, columns - taken.columns - gap)
        return taken
    }
}
