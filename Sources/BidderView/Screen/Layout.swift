import Drawing

/// The areas of the view on a terminal of a given size.
///
/// The bidders and the hints need 18 rows. With 72 columns the chart is beside the laps, else below
/// them.
package struct Layout: Equatable {
    /// The smallest terminal on which the view fits.
    package static let smallest = Size(columns: 40, rows: 12)
    /// The rows from which optional areas are shown.
    private static let roomyRows = 18
    private static let wideColumns = 72
    private static let gap = 2
    /// The minimum width of the laps beside a chart, and the width of the longest name and price.
    private static let (lapColumns, fullLapColumns) = (46, 72)

    package private(set) var head = Area()
    package private(set) var price = Area()
    package private(set) var countdown = Area()
    package private(set) var laps = Area()
    package private(set) var chart = Area()
    package private(set) var bidders = Area()
    package private(set) var ticker = Area()
    package private(set) var input = Area()
    package private(set) var hints = Area()

    /// The number of laps that fit.
    package var lapRows: Int { max(0, laps.rows - 1) }

    /// Divides a terminal that is at least as large as the smallest.
    package init(size: Size, isPlaying: Bool) {
        let isRoomy = size.rows >= Self.roomyRows
        let blank = isRoomy ? 1 : 0
        var rest = Area(rows: size.rows, columns: size.columns)
        head = rest.takeTop(1)
        _ = rest.takeTop(blank)
        price = rest.takeTop(LargeDigits.rows)
        _ = rest.takeTop(blank)
        countdown = rest.takeTop(1)
        _ = rest.takeTop(blank)
        if isRoomy || !isPlaying { hints = rest.takeBottom(1) }
        if isPlaying { input = rest.takeBottom(1) }
        ticker = rest.takeBottom(1)
        if isRoomy { bidders = rest.takeBottom(1) }
        _ = rest.takeBottom(blank)
        divide(&rest)
    }

    private mutating func divide(_ rest: inout Area) {
        if rest.columns >= Self.wideColumns {
            let columns = min(max(Self.lapColumns, rest.columns * 5 / 9), Self.fullLapColumns)
            laps = rest.takeLeft(columns, gap: Self.gap)
            chart = rest
        } else {
            chart = rest.takeBottom(max(2, rest.rows / 3))
            laps = rest
        }
    }
}

/// A rectangle of a frame; one without rows is not shown.
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

    /// Takes columns off the left, and skips a gap after them.
    mutating func takeLeft(_ count: Int, gap: Int) -> Area {
        let taken = Area(row: row, column: column, rows: rows, columns: min(count, columns))
        column += taken.columns + gap
        columns = max(0, columns - taken.columns - gap)
        return taken
    }
}
