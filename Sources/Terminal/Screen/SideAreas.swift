import Auction
import Bidder
import Wire

extension Frame {
    /// Draws the connected bidders, and `+N` for those that do not fit.
    mutating func drawBidders(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        let bidders = model.isKnown ? model.bidders ?? [] : []
        let count = bidders.isEmpty ? "nobody here" : "\(Int64(bidders.count).grouped) here"
        let end = writeTitle(model.isKnown && model.bidders != nil ? count : "here", in: panel)
        writeLoad(model.biddersLoad, model, in: panel, after: end)
        var list = NameList(panel.body, total: bidders.count)
        for bidder in bidders {
            let isOwn = bidder == model.bidder
            let name = bidder.labelled + (isOwn ? " (you)" : "")
            guard let place = list.place(name) else { break }
            write(
                place.text, row: place.row, column: place.column, style: isOwn ? .you : .plain)
            if place.text.hasPrefix("+") { break }
            draw(Face(of: bidder), row: place.row, column: place.column)
        }
    }

    /// Draws the newest events, newest first; in a single row the newest news of any kind.
    mutating func drawNews(_ model: Model, in panel: Panel) {
        guard !panel.title.isEmpty else {
            guard !model.ticker.isEmpty, !panel.body.isEmpty else { return }
            let area = panel.body
            write("»", row: area.row, column: area.column, style: .faint)
            write(
                model.ticker.fitted(to: area.columns - 2), row: area.row, column: area.column + 2)
            return
        }
        writeTitle("news", in: panel)
        var rest = panel.body
        for entry in model.log.entries.reversed() {
            guard !rest.isEmpty else { break }
            drawEntry(entry, in: &rest)
        }
    }

    private mutating func drawEntry(_ entry: NewsLog.Entry, in area: inout Area) {
        let time = entry.elapsed.map { "\($0.minutes) " } ?? ""
        let indent = time.columns + 2
        let text = entry.bidder.map { "\(Face(of: $0).initial) \(entry.text)" } ?? entry.text
        let first = area
        let lines = text.wrapped(to: area.columns - indent, lines: area.rows)
        write(time, row: area.row, column: area.column, style: .faint)
        let (sign, style) = entry.subject.look
        write(sign, row: area.row, column: area.column + time.columns, style: style)
        for line in lines {
            write(line, row: area.row, column: area.column + indent, style: style)
            _ = area.take(1, from: .top)
        }
        if let bidder = entry.bidder {
            draw(Face(of: bidder), row: first.row, column: first.column + indent)
        }
    }
}

/// Places for names in rows, of which the last ends in the number of names that do not fit.
private struct NameList {
    private let area: Area
    private var left: Int
    private var row = 0
    private var column = 0

    init(_ area: Area, total: Int) {
        (self.area, left) = (area, total)
    }

    /// The place of the next name; nil after the place of `+N` was given.
    mutating func place(_ name: String) -> (text: String, row: Int, column: Int)? {
        guard left > 0 else { return nil }
        left -= 1
        let name = name.elided(to: area.columns) + (left > 0 ? "," : "")
        if column > 0, column + name.columns > area.columns, row + 1 < area.rows {
            (row, column) = (row + 1, 0)
        }
        let isLast = row + 1 == area.rows
        let rest = left > 0 && isLast ? " +\(Int64(left).grouped)".columns : 0
        guard column + name.columns + rest <= area.columns else {
            let more = "+\(Int64(left + 1).grouped)"
            left = 0
            return (more, area.row + row, area.column + column)
        }
        defer { column += name.columns + 1 }
        return (name, area.row + row, area.column + column)
    }
}

extension NewsLog.Entry.Subject {
    /// The sign before an event, and its style.
    fileprivate var look: (sign: String, style: Style) {
        switch self {
        case .opening: ("o", .heading)
        case .ending: ("=", .leader)
        case .disclosure: ("*", .heading)
        case .chat: ("\"", .plain)
        case .auctioneer: ("!", Style(color: .red))
        case .arrival: ("+", .plain)
        case .departure: ("-", .plain)
        case .loss: ("~", .danger)
        case .reconnection: ("~", .you)
        case .room: ("*", .you)
        }
    }
}

extension Duration {
    /// Minutes and seconds, as in `1:05`; hours and minutes from an hour on, as in `2h05`.
    var minutes: String {
        let seconds = components.seconds
        let (large, small, mark) =
            seconds < 3_600
            ? (seconds / 60, seconds % 60, ":") : (seconds / 3_600, seconds / 60 % 60, "h")
        return "\(Int64(large).grouped)\(mark)" + (small < 10 ? "0" : "") + "\(small)"
    }
}
