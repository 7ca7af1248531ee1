import Drawing
import Wire

extension Frame {
    /// Draws a model on a terminal of a size; with `isASCII` in ASCII characters alone.
    package init(of model: Model, size: Size, isASCII: Bool = false) {
        self.init(size)
        draw(model, isASCII: isASCII)
        if isASCII { self = inASCII() }
    }

    private mutating func draw(_ model: Model, isASCII: Bool) {
        guard size.columns >= Layout.smallest.columns, size.rows >= Layout.smallest.rows else {
            return drawSmallness()
        }
        let layout = Layout(size: size, isPlaying: model.bidder != nil)
        drawHead(model, in: layout.head)
        guard !model.prompt.isHelpShown else {
            return drawHelp(isPlaying: model.bidder != nil)
        }
        drawPrice(model, in: layout.price, isASCII: isASCII)
        drawCountdown(model, in: layout.countdown)
        drawLaps(model, in: layout.laps)
        drawChart(model, in: layout.chart)
        drawBidders(model, in: layout.bidders)
        drawTicker(model, in: layout.ticker)
        drawInput(model, in: layout.input)
        drawHints(model, in: layout.hints)
    }

    /// Draws the lot, its title, and the time since it opened.
    private mutating func drawHead(_ model: Model, in area: Area) {
        fill(row: area.row, column: 0, columns: area.columns, style: .title)
        let clock = model.elapsed.map { " \($0.lotTime) " } ?? ""
        let room = area.columns - clock.columns - 1
        write(model.heading.fitted(to: room), row: area.row, column: 1, style: .title)
        write(clock, row: area.row, column: area.columns - clock.columns, style: .title)
    }

    /// Draws the size that the view needs, on a terminal that is too small.
    private mutating func drawSmallness() {
        let needed = Layout.smallest
        let (columns, rows) = ("\(needed.columns) columns", "\(needed.rows) rows")
        let full = ["too small: needs \(columns) by \(rows)"]
        let short = ["too small:", columns, "by \(rows)"]
        let lines = full[0].columns <= size.columns ? full : short
        for (row, line) in lines.enumerated() { write(line, row: row, column: 0) }
    }
}

extension Model {
    fileprivate var heading: String {
        guard let lot = sale.lot else { return "auction at \(server)" }
        return "Lot \(lot.number)" + (lot.isUntitled ? "" : ": \(lot.title)")
    }
}

extension Frame {
    /// Draws the keys and commands, in place of the view.
    private mutating func drawHelp(isPlaying: Bool) {
        let keys = isPlaying ? Self.playing : Self.watching
        // A blank row above and below, if they fit.
        let blank = size.rows >= keys.count + 4 ? 1 : 0
        for (index, line) in keys.enumerated() {
            write(line.key, row: 1 + blank + index, column: 1, style: .heading)
            write(line.meaning, row: 1 + blank + index, column: 15)
        }
        write("any key: back", row: 1 + keys.count + blank * 2, column: 1, style: .faint)
    }

    private static let playing = [
        (key: "120, bid 120", meaning: "bid this amount"),
        (key: "Up", meaning: "least bid, older lines"),
        (key: "Tab", meaning: "complete a command"),
        (key: "laps, who", meaning: "load these again"),
        (key: "status", meaning: "show the state"),
        (key: "ping", meaning: "is the server there?"),
        (key: "auctioneer", meaning: "its TOKEN, then pause ..."),
        (key: "quit, Ctrl-C", meaning: "leave"),
        (key: "Ctrl-L", meaning: "draw the screen anew"),
        (key: "Ctrl-Z", meaning: "pause, fg to go on"),
    ]

    private static let watching = [
        (key: "q, Ctrl-C", meaning: "leave"),
        (key: "Ctrl-L", meaning: "draw the screen anew"),
        (key: "Ctrl-Z", meaning: "pause, fg to go on"),
    ]
}

/// The styles that the areas share, readable on light and dark backgrounds.
extension Style {
    static let heading = Style(isBold: true)
    static let faint = Style(isDim: true)
    static let good = Style(color: .green, isBold: true)
    static let bad = Style(color: .red, isBold: true)
    static let title = Style(isBold: true, isReversed: true)
}

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
