import Bidder

/// The areas of the view on a terminal of a given size.
///
/// The lot is at the top, the command line at the bottom, and the rest is the middle. From 60
/// columns and 20 rows on, the panels have frames with shared lines; a smaller terminal has no
/// lines. From 72 columns on the chart is beside the laps, and from 112 on the bidders and the news
/// are beside both.
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
        /// The lots that have ended, and those to come, where there is room.
        package static let lots = Parts(rawValue: 16)
    }

    /// The smallest terminal on which the view fits.
    package static let smallest = Size(columns: 40, rows: 12)
    private static let framed = Size(columns: 60, rows: 20)
    private static let (twoColumns, threeColumns) = (72, 112)
    /// The rows from which a terminal without frames has hints below the command line.
    private static let hintedRows = 18
    /// The rows of the middle from which it has lists of the bidders and the news.
    private static let listedRows = 11
    /// The rows of the middle, beside any strip, from which it has the list of lots.
    private static let lotsRows = 14
    /// The minimum columns of the help beside the others, and of a framed countdown.
    private static let (helpColumns, countdownColumns) = (42, 24)

    package private(set) var head = Area()
    package private(set) var price = Panel()
    /// The panel of the countdown; without frames it is in the row of the bar.
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
    package private(set) var lots = Panel()
    package private(set) var bidders = Panel()
    /// The news; a single row without a title has only the newest.
    package private(set) var news = Panel()
    package private(set) var input = Panel()
    package private(set) var hints = Panel()
    package private(set) var help = Panel()
    /// The frames of the panels, of which one of a single column is a line.
    package private(set) var boxes: [Area] = []
    private let size: Size
    private let isPlaying: Bool
    private let parts: Parts

    /// Whether the panels have frames.
    private var isFramed: Bool {
        size.columns >= Self.framed.columns && size.rows >= Self.framed.rows
    }

    /// Whether the digits of the price have twice the size.
    private var isHigh: Bool { isFramed && size.rows >= 36 && size.columns >= 100 }

    /// The number of laps that fit.
    package var lapRows: Int { max(0, laps.body.rows) }

    /// The number of pages of the help.
    var helpPages: Int {
        Help(isPlaying: isPlaying, width: help.body.columns).pages(of: help.body.rows).count
    }

    /// Divides a terminal that is at least as large as the smallest.
    package init(size: Size, isPlaying: Bool, isHelping: Bool = false, parts: Parts = []) {
        (self.size, self.isPlaying, self.parts) = (size, isPlaying, parts)
        var rest = Area(rows: size.rows, columns: size.columns)
        head = rest.take(1, from: .top)
        if isFramed {
            // On the line below the last panel.
            hints = Panel(title: rest.last(1, at: .bottom).inset(1), titleGap: 1)
        } else if !isPlaying || size.rows >= Self.hintedRows {
            hints = Panel(title: rest.take(1, from: .bottom).inset(1))
        }
        divideTop(&rest)
        if isPlaying { input = panel(cut(isFramed ? 2 : 1, .bottom, off: &rest)) }
        if isHelping, size.columns < Self.threeColumns {
            help = panel(rest)
        } else {
            divideMiddle(rest, isHelping: isHelping)
        }
    }

    /// Divides the price, the countdown, and the rows below them.
    private mutating func divideTop(_ rest: inout Area) {
        // A picture has the terms in its title.
        let hasTerms = parts.contains(.terms) && !parts.contains(.picture) && !isFramed
        let rows =
            LargeDigits.rows * (isHigh ? 2 : 1) + 1
            + [parts.contains(.money), hasTerms, isFramed].count(where: \.self)
        let area = cut(rows, .top, off: &rest)
        price = isFramed ? panel(area) : Panel(body: area.inset(1))
        if hasTerms { terms = price.body.take(1, from: .bottom) }
        if parts.contains(.money) { money = price.body.take(1, from: .bottom) }
        bar = price.body.take(1, from: .bottom)
        guard isFramed else { return }
        let side = size.columns >= Self.threeColumns ? sideColumns - 4 : 0
        let right = price.body.take(max(Self.countdownColumns, side), from: .right)
        countdown = Panel(
            title: price.title.last(right.columns + 2, at: .right), body: right, titleGap: 1)
        price.body.columns -= 3
        price.title.columns -= right.columns + 3
        boxes.append(
            Area(
                row: area.row, column: right.column - 2, rows: bar.row - area.row, columns: 1))
    }

    /// Divides the lists, and then the laps and the chart, or the picture.
    private mutating func divideMiddle(_ area: Area, isHelping: Bool) {
        var area = area
        if area.rows < Self.listedRows {
            news = panel(cut(1, .bottom, off: &area))
        } else if size.columns >= Self.threeColumns {
            let columns = isHelping ? max(Self.helpColumns, sideColumns) : sideColumns
            divideSide(cut(columns - 1, .right, off: &area), isHelping: isHelping)
        } else if size.columns >= Self.twoColumns {
            // A picture needs fewer rows than laps, and the standings as many as there are bidders.
            let share = parts.isSuperset(of: [.picture, .standings]) ? 3 : 2
            var strip = cut(area.rows * share / 5 - 1, .bottom, off: &area)
            news = panel(cut(chartColumns(area), .right, off: &strip))
            if parts.contains(.standings) {
                standings = panel(strip)
            } else {
                bidders = panel(strip)
            }
        } else {
            news = panel(cut(max(3, area.rows / 5 - 1), .bottom, off: &area))
            if area.rows > Self.listedRows { bidders = panel(cut(3, .bottom, off: &area)) }
        }
        let hasLots = parts.contains(.lots) && isFramed && area.rows >= Self.lotsRows
        if parts.contains(.picture) {
            if hasLots { lots = panel(cut(area.rows * 2 / 5, .bottom, off: &area)) }
            picture = panel(area)
            return
        }
        if size.columns >= Self.twoColumns {
            chart = panel(cut(chartColumns(area), .right, off: &area))
        } else if area.rows > 4 {
            chart = panel(cut(max(2, area.rows * 2 / 5 - 1), .bottom, off: &area))
        }
        if hasLots, size.columns >= Self.twoColumns {
            lots = panel(cut(area.rows * 2 / 5, .bottom, off: &area))
        }
        laps = panel(area)
    }

    /// Divides the column beside the laps and the chart.
    private mutating func divideSide(_ area: Area, isHelping: Bool) {
        var area = area
        guard !isHelping else {
            help = panel(area)
            return
        }
        bidders = panel(cut(max(4, area.rows / 4 - 1), .top, off: &area))
        if parts.contains(.standings) {
            standings = panel(cut(max(4, area.rows / 2 - 1), .top, off: &area))
        }
        news = panel(area)
    }

    /// The columns of the bidders and the news, beside the others.
    private var sideColumns: Int { min(52, 32 + (size.columns - 112) / 4) }

    /// The columns of the chart, beside the laps.
    private func chartColumns(_ area: Area) -> Int {
        area.columns - min(max(48, area.columns - 34), 66)
    }

    /// Cuts rows or columns off an edge; with borders one more, which is a border of both parts.
    private func cut(_ count: Int, _ edge: Edge, off area: inout Area) -> Area {
        isFramed ? area.share(count + 1, from: edge) : area.take(count, from: edge)
    }

    /// The panel in an area, with its frame; without frames a low panel has no title.
    private mutating func panel(_ area: Area) -> Panel {
        guard isFramed else {
            var body = area.inset(1)
            let title = body.rows > 2 ? body.take(1, from: .top) : Area()
            return Panel(title: title, body: body)
        }
        boxes.append(area)
        var (title, body) = (area.inset(1), area.inset(2))
        (title.rows, body.row, body.rows) = (1, body.row + 1, body.rows - 2)
        return Panel(title: title, body: body, titleGap: 1)
    }
}

/// A titled part of the view.
package struct Panel: Equatable {
    /// The row of the title; empty if there is none.
    package var title = Area()
    package var body = Area()
    /// The blank columns on both sides of a title, which separate it from the line of the border.
    package var titleGap = 0
}

/// An edge of an area.
enum Edge {
    case top, bottom, left, right
}

/// A rectangle of the screen; one without rows or columns is not shown.
package struct Area: Equatable {
    package var row = 0
    package var column = 0
    package var rows = 0
    package var columns = 0

    package var isEmpty: Bool { rows <= 0 || columns <= 0 }

    /// Takes rows, or columns, off an edge, as many as there are.
    mutating func take(_ count: Int, from edge: Edge) -> Area {
        let taken = last(count, at: edge)
        switch edge {
        case .top: (row, rows) = (row + taken.rows, rows - taken.rows)
        case .bottom: rows -= taken.rows
        case .left: (column, columns) = (column + taken.columns, columns - taken.columns)
        case .right: columns -= taken.columns
        }
        return taken
    }

    /// Takes rows, or columns, off an edge; the innermost of them stays in both areas.
    mutating func share(_ count: Int, from edge: Edge) -> Area {
        defer { _ = take(count - 1, from: edge) }
        return last(count, at: edge)
    }

    /// The rows, or columns, at an edge.
    func last(_ count: Int, at edge: Edge) -> Area {
        var area = self
        switch edge {
        case .top: area.rows = min(count, rows)
        case .bottom: (area.row, area.rows) = (row + max(0, rows - count), min(count, rows))
        case .left: area.columns = min(count, columns)
        case .right:
            (area.column, area.columns) = (column + max(0, columns - count), min(count, columns))
        }
        return area
    }

    /// The area without columns at both sides.
    func inset(_ count: Int) -> Area {
        Area(row: row, column: column + count, rows: rows, columns: max(0, columns - 2 * count))
    }
}
