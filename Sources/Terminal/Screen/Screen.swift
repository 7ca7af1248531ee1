import Auction
import Bidder
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
        let isHelping = model.prompt.helpPage != nil
        let layout = Layout(of: model, size: size, isHelping: isHelping)
        for box in layout.boxes {
            drawBox(
                at: Position(row: box.row, column: box.column),
                size: Size(columns: box.columns, rows: box.rows), style: .faint)
        }
        drawPrice(model, in: layout.price, isASCII: isASCII)
        drawLaps(model, in: layout.laps)
        drawChart(model, in: layout.chart)
        drawPicture(model, in: layout.picture)
        drawStandings(model, in: layout.standings)
        drawLots(model, in: layout.lots)
        drawBidders(model, in: layout.bidders)
        drawMoney(model, in: layout.money)
        write(model.terms(columns: layout.terms.columns), in: layout.terms)
        // What follows is true without a connection too.
        if model.isStale { fade() }
        drawHead(model, in: layout.head)
        drawCountdown(model, in: layout, isASCII: isASCII)
        drawNews(model, in: layout.news)
        drawHelp(model.prompt.helpPage, isPlaying: model.bidder != nil, in: layout.help)
        drawInput(model, in: layout.input)
        drawHints(model, in: layout)
    }

    /// Draws the lot, its title, and the time since it opened.
    private mutating func drawHead(_ model: Model, in area: Area) {
        fill(area, style: .head)
        let elapsed = model.standing == .none ? nil : model.elapsed
        let clock = elapsed.map { " \($0.lotTime) " } ?? ""
        let room = model.roomLabel(columns: area.columns)
        let space = area.columns - clock.columns - 1
        let heading = room.isEmpty ? model.heading : "\(room) ─ \(model.heading)"
        write(heading.fitted(to: space), in: area, from: 1, style: .head)
        write(clock, in: area, from: area.columns - clock.columns, style: .head)
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

extension Frame {
    /// Writes the title of a panel, and returns the column after it.
    @discardableResult
    mutating func writeTitle(_ text: String, in panel: Panel) -> Int {
        let title = panel.title
        let text = text.fitted(to: title.columns - 2 * panel.titleGap)
        guard !title.isEmpty, !text.isEmpty else { return title.column }
        let taken = write(
            panel.gap + text + panel.gap, row: title.row, column: title.column, style: .heading)
        return title.column + taken
    }

    /// Writes a text at the right end of the title, if it fits after a column.
    mutating func writeTitleEnd(
        _ text: String, in panel: Panel, after column: Int, style: Style = .faint
    ) {
        let framed = panel.gap + text + panel.gap
        let start = panel.title.column + panel.title.columns - framed.columns
        guard start >= column, !text.isEmpty, !panel.title.isEmpty else { return }
        write(framed, row: panel.title.row, column: start, style: style)
    }

    /// Writes the spinner or the error of a load after a title, and returns the column after it.
    @discardableResult
    mutating func writeLoad(
        _ list: List, _ model: Model, in panel: Panel, after end: Int
    ) -> Int {
        guard let load = model.loads[list] else { return end }
        let text =
            (load.isLoading ? " \(model.spinnerPicture)" : "")
            + (load.lastError.map { " ✗ not loaded: \($0)" } ?? "")
        guard !text.isEmpty else { return end }
        let start = end - panel.titleGap
        let room = panel.title.column + panel.title.columns - start - panel.titleGap
        let style = load.lastError == nil ? Style.plain : .danger
        return start
            + write(
                text.fitted(to: room) + panel.gap, row: panel.title.row, column: start,
                style: style)
    }
}

extension Panel {
    /// The space between a title and the line of the frame.
    var gap: String { String(repeating: " ", count: titleGap) }
}

/// A short text in forms from long to short.
struct Note {
    /// A word before the text, on a background.
    var sign = ""
    /// The bidder whose face and name begin the text.
    var bidder: Bidder?
    /// A text before the form, which is cut if even the shortest form does not fit.
    var name = ""
    var forms = [""]
    var style = Style.plain

    /// The name with the longest form that fits, else with the shortest.
    func text(columns: Int) -> String {
        let name = (bidder?.labelled ?? "") + name
        let form = forms.first { (name + $0).columns <= columns } ?? forms.last ?? ""
        return name.elided(to: max(0, columns - form.columns)) + form
    }
}

extension Frame {
    /// Writes a note into the first row of an area.
    mutating func write(_ note: Note, in area: Area) {
        var rest = area
        if !note.sign.isEmpty {
            let taken = write(" \(note.sign) ", in: area, style: note.style.sign)
            _ = rest.take(taken + 1, from: .left)
        }
        write(note.text(columns: rest.columns), in: rest, style: note.style)
        if let bidder = note.bidder { draw(Face(of: bidder), in: rest) }
    }
}

extension Model {
    /// The name of the room, shortened on a narrow screen; empty in the main room.
    fileprivate func roomLabel(columns: Int) -> String {
        guard let room, room != .main else { return "" }
        return "\(room)".elided(to: columns / 3)
    }

    fileprivate var heading: String {
        guard standing != .none, let lot = sale.lot else { return "auction at \(server)" }
        return "Lot \(lot.number)" + (lot.isUntitled ? "" : ": \(lot.title)")
    }

    private static let pictures: [Character] = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    /// The picture of the spinner; a space while nothing loads.
    var spinnerPicture: Character {
        spinner.map { Self.pictures[$0 % Self.pictures.count] } ?? " "
    }
}

/// The styles that the areas share: one colour for each meaning.
extension Style {
    static let heading = Style(isBold: true)
    static let faint = Style(isDim: true)
    static let head = Style(isBold: true, isReversed: true)
    /// The user's own bids, and what succeeded.
    static let you = Style(color: .green, isBold: true)
    /// The bidder who leads.
    static let leader = Style(color: .magenta, isBold: true)
    /// What needs the user's attention, and what failed.
    static let danger = Style(color: .red, isBold: true)
    /// The line of the price.
    static let price = Style(color: .magenta)
    /// The rate of bids.
    static let pace = Style(color: .blue)
    /// The time that is left.
    static let time = Style(color: .cyan)
    /// A countdown that ends soon.
    static let caution = Style(color: .yellow)

    /// The style with the colour as the background.
    var sign: Style { Style(color: color, isReversed: true) }
}

/// What a view shows in place of the laps and the chart.
package enum Picture: Equatable, Sendable {
    /// Who is here before the sale begins.
    case waiting
    /// The asking prices of a Dutch lot over time.
    case asks
    /// The sealed bids on a lot: envelopes, and after the end the bids.
    case sealedBids
    /// A list: the standings at the end of the sale, or what the user asked for.
    case list(List)
}

extension Model {
    /// Whether the sale is a game, in which bidders have purses or lots have values.
    package var isGame: Bool { lot.game != nil }

    /// Whether all lots have ended.
    var isOver: Bool { lot.stage == .over }

    /// Whether the user may give the commands of the auctioneer.
    var isHost: Bool { prompt.isAuctioneer }

    /// Whether the champions are shown; the winner of the only lot of a sale is no news.
    var isCrowned: Bool {
        !sale.champions.isEmpty && (isGame || lot.lot > 1)
    }

    /// The picture in place of the laps and the chart; nil in an English auction.
    package var picture: Picture? {
        if askedList == .rooms, !rooms.isEmpty { return .list(.rooms) }
        if askedList == .results, hasLots { return .list(.results) }
        if !standings.isEmpty, askedList == .standings || isGame && isOver {
            return .list(.standings)
        }
        if isWaiting { return .waiting }
        if lot.isFalling { return .asks }
        return lot.format.isSealed ? .sealedBids : nil
    }

    /// The parts of the view.
    package var parts: Layout.Parts {
        var parts: Layout.Parts = []
        let isRanked = picture != .waiting || standings.contains { $0.points != nil }
        if hasMoney { parts.insert(.money) }
        if hasTerms { parts.insert(.terms) }
        if picture != nil { parts.insert(.picture) }
        if picture == .waiting { parts.insert(.crowd) }
        if isGame, !standings.isEmpty, picture != .list(.standings), isRanked {
            parts.insert(.standings)
        }
        if hasLots, picture != .list(.results) { parts.insert(.lots) }
        return parts
    }
}

extension Layout {
    /// Divides a terminal of a size for a model.
    init(of model: Model, size: Size, isHelping: Bool) {
        self.init(
            size: size, isPlaying: model.bidder != nil, isHelping: isHelping, parts: model.parts)
    }
}

extension Frame {
    mutating func drawPicture(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        switch model.picture {
        case .waiting: drawWaiting(model, in: panel)
        case .asks: drawChart(model, in: panel)
        case .sealedBids: drawSealedBids(model, in: panel)
        case .list(.standings): drawStandings(model, in: panel)
        case .list(.results): drawLots(model, in: panel)
        case .list(.rooms): drawRooms(model, in: panel)
        case .list(.laps), .list(.bidders), nil: break
        }
    }
}
