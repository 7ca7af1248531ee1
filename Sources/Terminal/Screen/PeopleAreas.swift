import Auction
import Bidder
import Wire

extension Frame {
    /// Draws the connected bidders.
    mutating func drawBidders(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        let count = model.bidders?.count ?? 0
        let heading = count == 0 ? "nobody here" : "\(Int64(count).grouped) here"
        let end = writeTitle(model.bidders == nil ? "here" : heading, in: panel)
        writeLoad(.bidders, model, in: panel, after: end)
        drawCrowd(model, in: panel.body)
    }

    /// Draws the connected bidders in columns, as people call them, and `+N` for the others.
    ///
    /// Returns the rows that they take.
    @discardableResult
    mutating func drawCrowd(_ model: Model, in area: Area) -> Int {
        let bidders = model.bidders ?? []
        let names = bidders.map(model.name)
        let widest = names.map(\.columns).max() ?? 0
        // Long names are cut if more bidders fit then.
        let cells = [min(widest, max(24, area.columns / 4)) + 4, (area.columns + 2) / 2, 13]
        let cell = max(
            4, cells.first { (area.columns + 2) / max(4, $0) * area.rows >= names.count } ?? 13)
        let columns = max(1, (area.columns + 2) / cell)
        let capacity = columns * area.rows
        let shown = names.count > capacity ? max(0, capacity - 1) : names.count
        for (index, (bidder, name)) in zip(bidders, names).prefix(shown).enumerated() {
            let face = Face(initial: name, of: bidder)
            write(
                "\(face.initial) \(name.elided(to: cell - 4))", index / columns, in: area,
                from: index % columns * cell, style: model.isOwn(bidder) ? .you : .plain)
            draw(face, index / columns, in: area, from: index % columns * cell)
        }
        if shown < names.count, capacity > 0 {
            write(
                "+\(Int64(names.count - shown).grouped)", shown / columns, in: area,
                from: shown % columns * cell)
        }
        return min(area.rows, (names.count + columns - 1) / columns)
    }

    /// Draws the newest events, newest first; in a single row the newest news of any kind.
    mutating func drawNews(_ model: Model, in panel: Panel) {
        guard !panel.title.isEmpty else {
            guard !model.log.ticker.isEmpty, !panel.body.isEmpty else { return }
            write("»", in: panel.body, style: .faint)
            write(model.log.ticker.fitted(to: panel.body.columns - 2), in: panel.body, from: 2)
            return
        }
        writeTitle("news", in: panel)
        var rest = panel.body
        for entry in model.log.entries.reversed() where !rest.isEmpty {
            drawEntry(entry, in: &rest)
        }
    }

    private mutating func drawEntry(_ entry: NewsLog.Entry, in area: inout Area) {
        let time = entry.elapsed.map { "\($0.minutes) " } ?? ""
        let indent = time.columns + 2
        let text = entry.bidder.map { "\(Face(of: $0).initial) \(entry.text)" } ?? entry.text
        let lines = text.wrapped(to: area.columns - indent, lines: area.rows)
        let (sign, style) = entry.subject.look
        write(time, in: area, style: .faint)
        write(sign, in: area, from: time.columns, style: style)
        for (row, line) in lines.enumerated() {
            write(line, row, in: area, from: indent, style: style)
        }
        if let bidder = entry.bidder { draw(Face(of: bidder), in: area, from: indent) }
        _ = area.take(lines.count, from: .top)
    }
}

extension Model {
    /// How people call a bidder, with the name if it is another word.
    func name(of bidder: Bidder) -> String {
        let name = "\(bidder)"
        let display = displayNames[bidder] ?? name
        let isNamed = display.lowercased().contains(name.lowercased())
        return display + (isNamed ? "" : " (\(name))") + (isOwn(bidder) ? " (you)" : "")
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
        case .loss, .disconnection: ("~", .danger)
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

extension Frame {
    /// Draws who is here before the start of a sale, how others join, and what the user can type.
    mutating func drawWaiting(_ model: Model, in panel: Panel) {
        writeTitle("here", in: panel)
        var area = panel.body
        // Beside the names if there is room for two columns, else below them.
        if area.columns >= 140 {
            drawCrowd(model, in: area.take(area.columns / 2, from: .left))
        } else {
            let names = area.last(max(1, area.rows - 3), at: .top)
            _ = area.take(drawCrowd(model, in: names) + (area.rows > 3 ? 1 : 0), from: .top)
        }
        let invitation = model.server.invitation(to: model.room ?? .main)
        for line in invitation.flatMap({ $0.wrapped(to: area.columns, lines: 2) }) {
            guard !area.isEmpty else { return }
            write(line, in: area.take(1, from: .top), style: .heading)
        }
        _ = area.take(1, from: .top)
        let orders = model.bidder == nil ? [] : model.isHost ? Self.hostOrders : Self.orders
        for (row, order) in orders.prefix(max(0, area.rows)).enumerated() {
            write(order.key, row, in: area, style: .you)
            write(order.meaning, row, in: area, from: 16, style: .faint)
        }
    }

    private static let orders = [
        (key: "say hello", meaning: "to everybody"),
        (key: "react 👏", meaning: "or another sign"),
        (key: "display Zoë", meaning: "how people call you"),
        (key: "auctioneer KEY", meaning: "be the host, who starts the sale"),
    ]

    private static let hostOrders = [
        (key: "start", meaning: "open the first lot"),
        (key: "title 1 Vase", meaning: "name a lot to come"),
        (key: "set seconds=9", meaning: "or other options of the sale"),
    ]
}

extension Model {
    /// The purse, the values and the lots of the game, in words.
    var gameTerms: String {
        let values = lot.game?.values.map { values in
            "values \(values.range.lowerBound.grouped) to \(values.range.upperBound.grouped)"
        }
        let lots = lot.lots.map { "\(Int64($0 - lot.firstLot + 1).grouped) lots" }
        return [lots, lot.game?.purse.map { "purse \($0.grouped)" }, values].compactMap { $0 }
            .joined(separator: ", ")
    }
}
