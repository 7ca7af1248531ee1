import Drawing

/// Where everything has its place on a terminal of some size.
///
/// From 40 by 12 upward everything is there but the list of bidders and the hints, for which there
/// must be 18 rows; with 72 columns the chart stands beside the laps, else below them.
package struct Layout: Equatable {
    /// The smallest terminal that the view fits on.
    package static let smallest = Size(columns: 40, rows: 12)
    /// From so many rows on there is room for what is good to have.
    private static let roomyRows = 18
    private static let wideColumns = 72
    private static let gap = 2
    /// What the table of laps needs beside a chart, and what shows the longest name and price.
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

    /// How many laps have a place.
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
