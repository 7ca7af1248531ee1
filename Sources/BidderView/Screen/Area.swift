/// A titled part of the view.
package struct Panel: Equatable {
    /// The row of the title; empty if there is none.
    package var title = Area()
    package var body = Area()
    /// The blank columns on both sides of a title, which separate it from the line of a frame.
    package var titleGap = 0

    init(title: Area = Area(), body: Area = Area(), titleGap: Int = 0) {
        (self.title, self.body, self.titleGap) = (title, body, titleGap)
    }

    /// A panel without a frame, whose title is the first row.
    init(_ area: Area) {
        body = area
        title = body.takeTop(1)
    }
}

/// A rectangle of a frame; one without rows or columns is not shown.
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

    /// Takes columns off the left.
    mutating func takeLeft(_ count: Int) -> Area {
        let taken = Area(row: row, column: column, rows: rows, columns: min(count, columns))
        column += taken.columns
        columns -= taken.columns
        return taken
    }

    /// Takes columns off the right.
    mutating func takeRight(_ count: Int) -> Area {
        let taken = min(count, columns)
        columns -= taken
        return Area(row: row, column: column + columns, rows: rows, columns: taken)
    }

    /// Takes rows off the top; the last of them remains too.
    mutating func shareTop(_ count: Int) -> Area {
        let taken = takeTop(count)
        (row, rows) = (row - 1, rows + 1)
        return taken
    }

    /// Takes rows off the bottom; the first of them remains too.
    mutating func shareBottom(_ count: Int) -> Area {
        let taken = takeBottom(count)
        rows += 1
        return taken
    }

    /// Takes columns off the right; the first of them remains too.
    mutating func shareRight(_ count: Int) -> Area {
        let taken = takeRight(count)
        columns += 1
        return taken
    }

    /// The last columns.
    func last(_ count: Int) -> Area {
        var area = self
        return area.takeRight(count)
    }

    /// The area without columns at both sides.
    func inset(_ count: Int) -> Area {
        Area(row: row, column: column + count, rows: rows, columns: max(0, columns - 2 * count))
    }
}
