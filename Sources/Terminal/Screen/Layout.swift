import Bidder

/// The areas of the view on a terminal of a given size.
///
/// The lot is at the top, the command line at the bottom, and the rest is the middle. From 60
/// columns and 20 rows on, the panels have frames with shared lines; a smaller terminal has no
/// lines. From 72 columns on the chart is beside the laps. From 112 on the bidders, the standings
/// and the news have a column at the right, and from 160 on the lots have one at the left.
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
        /// A picture that has the bidders, so that they have no list.
        package static let crowd = Parts(rawValue: 32)
    }

    /// The smallest terminal on which the view fits.
    package static let smallest = Size(columns: 40, rows: 12)
    private static let framed = Size(columns: 60, rows: 20)
    private static let (twoColumns, threeColumns, fourColumns) = (72, 112, 160)
    /// The rows from which a terminal without frames has hints below the command line.
    private static let hintedRows = 18
    /// The rows of the middle from which it has lists of the bidders and the news.
    private static let listedRows = 11
    /// The rows of the middle, beside any strip, from which it has the list of lots.
    private static let lotsRows = 14
    /// The columns of the help beside the others, of a framed countdown, and of the lots.
    private static let (helpColumns, countdownColumns, lotsColumns) = (42, 24, 44)

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
        if isPlaying { input = panel(cut(isFramed ? 2 : 1, .bottom, off: &rest)) }
        if size.columns >= Self.threeColumns, size.rows >= Self.hintedRows {
            divideSides(&rest, isHelping: isHelping)
        }
        divideTop(&rest)
        if isHelping, help.body.isEmpty { help = panel(rest) } else { divideMiddle(rest) }
    }

    /// Divides the columns at the right and the left.
    private mutating func divideSides(_ rest: inout Area, isHelping: Bool) {
        let columns = min(52, 32 + (size.columns - Self.threeColumns) / 4)
        if isHelping {
            help = panel(cut(max(Self.helpColumns, columns) - 1, .right, off: &rest))
        } else {
            var side = cut(columns - 1, .right, off: &rest)
            if !parts.contains(.crowd) {
                bidders = panel(cut(max(4, side.rows / 5 - 1), .top, off: &side))
            }
            if parts.contains(.standings) {
                standings = panel(cut(max(4, side.rows / 2 - 1), .top, off: &side))
            }
            news = panel(side)
        }
        if size.columns >= Self.fourColumns, parts.contains(.lots) {
            lots = panel(cut(Self.lotsColumns - 1, .left, off: &rest))
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
        let right = price.body.take(max(Self.countdownColumns, area.columns / 4), from: .right)
        countdown = Panel(
            title: price.title.last(right.columns + 2, at: .right), body: right, titleGap: 1)
        price.body.columns -= 3
        price.title.columns -= right.columns + 3
        boxes.append(
            Area(
                row: area.row, column: right.column - 2, rows: bar.row - area.row, columns: 1))
    }

    /// Divides the lists that have no place yet, and then the laps and the chart, or the picture.
    private mutating func divideMiddle(_ area: Area) {
        var area = area
        if !news.body.isEmpty || !help.body.isEmpty {
            // They are beside the others.
        } else if area.rows < Self.listedRows {
            news = panel(cut(1, .bottom, off: &area))
        } else if size.columns >= Self.twoColumns {
            divideStrip(off: &area)
        } else {
            news = panel(cut(max(3, area.rows / 5 - 1), .bottom, off: &area))
            if area.rows > Self.listedRows, !parts.contains(.crowd) {
                bidders = panel(cut(3, .bottom, off: &area))
            }
        }
        let hasLots =
            parts.contains(.lots) && lots.body.isEmpty && isFramed && area.rows >= Self.lotsRows
        if parts.contains(.picture) {
            if hasLots { lots = panel(cut(area.rows * 2 / 5, .bottom, off: &area)) }
            picture = panel(area)
            return
        }
        if area.columns >= Self.twoColumns {
            chart = panel(cut(chartColumns(area), .right, off: &area))
        } else if area.rows > 4 {
            chart = panel(cut(max(2, area.rows * 2 / 5 - 1), .bottom, off: &area))
        }
        if hasLots, size.columns >= Self.twoColumns {
            lots = panel(cut(area.rows * 2 / 5, .bottom, off: &area))
        }
        laps = panel(area)
    }

    /// Divides a strip at the bottom: the news, and beside it the standings, bidders or lots.
    private mutating func divideStrip(off area: inout Area) {
        // A picture needs fewer rows than laps, and the standings as many as there are bidders.
        let share = parts.isSuperset(of: [.picture, .standings]) ? 3 : 2
        var strip = cut(area.rows * share / 5 - 1, .bottom, off: &area)
        news = panel(cut(chartColumns(area), .right, off: &strip))
        if parts.contains(.standings) {
            standings = panel(strip)
        } else if parts.contains(.crowd) {
            lots = panel(strip)
        } else {
            bidders = panel(strip)
        }
    }

    /// The columns of the chart, beside the laps.
    private func chartColumns(_ area: Area) -> Int {
        area.columns - min(max(48, area.columns / 2), 66)
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
