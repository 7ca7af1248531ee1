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
        (key: "status", meaning: "hear how it stands"),
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
