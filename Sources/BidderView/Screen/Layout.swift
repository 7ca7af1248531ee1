import Drawing

/// The areas of the view on a terminal of a given size.
///
/// From 60 columns and 20 rows on, the panels have frames with shared lines. From 72 columns on
/// the chart is beside the laps, and from 112 on the bidders and the news are beside both.
package struct Layout: Equatable {
    /// The parts that a view has beside those of a plain English auction.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The row with the value, the earnings and the purse.
        package static let money = Parts(rawValue: 1)
        /// The terms of the lot, which without frames need a row.
        package static let terms = Parts(rawValue: 2)
        /// A picture in place of the laps and the chart.
        package static let picture = Parts(rawValue: 4)
        /// The standings.
        package static let standings = Parts(rawValue: 8)
    }

    /// The smallest terminal on which the view fits.
    package static let smallest = Size(columns: 40, rows: 12)
    private static let framed = Size(columns: 60, rows: 20)
    private static let (twoColumns, threeColumns) = (72, 112)
    /// The rows from which a layout without frames has all areas.
    private static let roomyRows = 18
    /// The rows from which a layout without frames has a chart below the laps.
    private static let chartedRows = 5
    /// The minimum columns of the help beside the others, and of a framed countdown.
    private static let (helpColumns, countdownColumns) = (42, 24)

    package private(set) var head = Area()
    package private(set) var price = Panel()
    package private(set) var countdown = Panel()
    /// The row of the bar of the countdown, and of announcements.
    package private(set) var bar = Area()
    /// The row with the value, the earnings and the purse.
    package private(set) var money = Area()
    /// The row with the terms of the lot; with frames they are in the title of the price.
    package private(set) var terms = Area()
    package private(set) var laps = Panel()
    package private(set) var chart = Panel()
    /// The picture in place of the laps and the chart.
    package private(set) var picture = Panel()
    package private(set) var standings = Panel()
    package private(set) var bidders = Panel()
    package private(set) var news = Panel()
    package private(set) var input = Panel()
    package private(set) var hints = Panel()
    package private(set) var help = Panel()
    /// The frames of the panels.
    package private(set) var lines: LineCanvas
    private let isPlaying: Bool
    private let parts: Parts

    /// The number of laps that fit.
    package var lapRows: Int { max(0, laps.body.rows) }

    /// The number of pages of the help.
    var helpPages: Int {
        Help(isPlaying: isPlaying, width: help.body.columns).pages(of: help.body.rows).count
    }

    /// The panels whose content may be out of date without a connection.
    var sale: [Panel] {
        [price, laps, chart, picture, standings, bidders, Panel(body: money), Panel(body: terms)]
    }

    /// Divides a terminal that is at least as large as the smallest.
    package init(size: Size, isPlaying: Bool, isHelping: Bool = false, parts: Parts = []) {
        lines = LineCanvas(columns: size.columns, rows: size.rows)
        self.isPlaying = isPlaying
        self.parts = parts
        var rest = Area(rows: size.rows, columns: size.columns)
        head = rest.takeTop(1)
        if size.columns >= Self.framed.columns, size.rows >= Self.framed.rows {
            divideFramed(rest, isHelping: isHelping)
        } else {
            divideCompact(&rest, isHelping: isHelping)
        }
    }
}

// MARK: - With frames

extension Layout {
    /// Divides into boxes; boxes side by side have the line between them in common.
    private mutating func divideFramed(_ rest: Area, isHelping: Bool) {
        var rest = rest
        divideTop(rest.shareTop(LargeDigits.rows + 3 + (parts.contains(.money) ? 1 : 0)))
        if isPlaying { input = box(rest.shareBottom(3)) }
        hints = Panel(
            title: lastLine(of: Area(rows: lines.rows, columns: lines.columns)), titleGap: 1)
        divideMiddle(rest, isHelping: isHelping)
    }

    private mutating func divideTop(_ area: Area) {
        var left = box(area)
        if parts.contains(.money) { money = left.body.takeBottom(1) }
        bar = left.body.takeBottom(1)
        let wide = area.columns >= Self.threeColumns ? sideColumns(area.columns) : 0
        let right = left.body.takeRight(max(Self.countdownColumns, wide - 4))
        countdown = Panel(title: left.title.last(right.columns + 2), body: right, titleGap: 1)
        price = left
        price.body.columns -= 3
        price.title.columns -= right.columns + 3
        lines.vertical(column: right.column - 2, from: area.row, through: bar.row - 1)
    }

    private mutating func divideMiddle(_ area: Area, isHelping: Bool) {
        var area = area
        switch area.columns {
        case Self.threeColumns...:
            let columns = sideColumns(area.columns)
            var side = area.shareRight(isHelping ? max(Self.helpColumns, columns) : columns)
            divideMain(area)
            if isHelping {
                help = box(side)
            } else {
                bidders = box(side.shareTop(max(5, side.rows / 4)))
                if parts.contains(.standings) {
                    standings = box(side.shareTop(max(5, side.rows / 2)))
                }
                news = box(side)
            }
        case _ where isHelping: help = box(area)
        case Self.twoColumns...:
            // A picture needs fewer rows than laps, and the standings as many as there are bidders.
            let share = parts.isSuperset(of: [.picture, .standings]) ? 3 : 2
            var strip = area.shareBottom(max(4, area.rows * share / 5))
            news = box(strip.shareRight(chartColumns(area.columns)))
            if parts.contains(.standings) { standings = box(strip) } else { bidders = box(strip) }
            divideMain(area)
        default:
            news = box(area.shareBottom(max(4, area.rows / 5)))
            guard !parts.contains(.picture) else { return picture = box(area) }
            chart = box(area.shareBottom(area.rows * 2 / 5), inset: 1)
            laps = box(area)
        }
    }

    private mutating func divideMain(_ area: Area) {
        guard !parts.contains(.picture) else { return picture = box(area) }
        var area = area
        chart = box(area.shareRight(chartColumns(area.columns)), inset: 1)
        laps = box(area)
    }

    /// The columns of the box of the chart, beside the laps.
    private func chartColumns(_ columns: Int) -> Int {
        columns + 1 - min(max(48, columns - 34), 66)
    }

    /// The columns of the box of the bidders and the news, beside the others.
    private func sideColumns(_ columns: Int) -> Int { min(52, 32 + (columns - 112) / 4) }

    /// Draws a box, and returns its content, which begins `inset` columns beside the line.
    private mutating func box(_ area: Area, inset: Int = 2) -> Panel {
        let (right, bottom) = (area.column + area.columns - 1, area.row + area.rows - 1)
        for row in [area.row, bottom] {
            lines.horizontal(row: row, from: area.column, through: right)
        }
        for column in [area.column, right] {
            lines.vertical(column: column, from: area.row, through: bottom)
        }
        var (title, body) = (area.inset(1), area.inset(inset))
        (title.rows, body.row, body.rows) = (1, body.row + 1, body.rows - 2)
        return Panel(title: title, body: body, titleGap: 1)
    }

    private func lastLine(of area: Area) -> Area {
        var line = area.inset(1)
        return line.takeBottom(1)
    }
}

// MARK: - Without frames

extension Layout {
    private mutating func divideCompact(_ rest: inout Area, isHelping: Bool) {
        let isRoomy = rest.rows >= Self.roomyRows - 1
        let blank = isRoomy ? 1 : 0
        _ = rest.takeTop(blank)
        price = Panel(body: rest.takeTop(LargeDigits.rows).inset(1))
        _ = rest.takeTop(blank)
        bar = rest.takeTop(1).inset(1)
        if parts.contains(.money) { money = rest.takeTop(1).inset(1) }
        // A picture has the terms in its title.
        if parts.contains(.terms), !parts.contains(.picture) {
            terms = rest.takeTop(1).inset(1)
        }
        _ = rest.takeTop(blank)
        if isRoomy || !isPlaying { hints = Panel(title: rest.takeBottom(1).inset(1)) }
        if isPlaying { input = Panel(body: rest.takeBottom(1).inset(1)) }
        if isHelping {
            help = Panel(body: rest.inset(1))
            return
        }
        news = Panel(body: rest.takeBottom(1).inset(1))
        if isRoomy { bidders = Panel(rest.takeBottom(2).inset(1)) }
        if parts.contains(.picture) {
            picture = Panel(rest.inset(1))
            return
        }
        // The value and the terms are worth more than a chart of two rows.
        if rest.columns < Self.twoColumns, rest.rows < Self.chartedRows {
            laps = Panel(rest.inset(1))
            return
        }
        if rest.columns >= Self.twoColumns {
            chart = Panel(rest.takeRight(rest.columns - 48))
        } else {
            let rows = max(2, rest.rows / 3)
            let area = rest.takeBottom(rows)
            chart = rows > 4 ? Panel(area) : Panel(body: area)
        }
        laps = Panel(rest.inset(1))
    }
}
