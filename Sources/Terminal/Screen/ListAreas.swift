import Auction
import Bidder
import Reactive
import Wire

extension Frame {
    /// Draws the standings, best first; the user's own row is always among them.
    ///
    /// At the end of the sale with the first three on steps, and with the awards.
    mutating func drawStandings(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        var panel = panel
        if model.isOver, model.picture == .list(.standings) {
            drawPodium(model.standings, in: &panel.body)
            let table = min(model.standings.count, Self.podiumTable)
            let awards = model.awards(rows: panel.body.rows - table - 1)
            var rest = panel.body
            panel.body = rest.take(
                min(model.standings.count, rest.rows - awards.count), from: .top)
            for (row, award) in awards.enumerated() { write(award, row, in: rest) }
        }
        let rows = fit(model.standings, in: panel) { $0.bidder == model.bidder }
        let heading = model.isOver ? "final standings" : "standings"
        let table = FittedTable(
            rows, before: [FittedTable.Column { "\($0.rank)" }], name: { $0.bidder.labelled },
            nameColumns: heading.columns, choices: Self.columns(of: rows),
            columns: panel.body.columns)
        // The heading has its place above the names.
        let inset = panel.title.column + 2 * panel.titleGap - panel.body.column
        let isShort = inset + heading.columns > table.nameEnd
        let end = writeTitle(isShort ? "standings" : heading, in: panel)
        let titled = writeTitles(of: table, in: panel, after: end)
        if model.lot.games > 1 {
            writeTitleEnd("game \(model.lot.games)", in: panel, after: titled)
        }
        for (index, row) in rows.enumerated() {
            let isChampion = model.sale.champions.contains { $0.bidder == row.bidder }
            let style: Style = model.isOwn(row.bidder) ? .you : isChampion ? .leader : .plain
            writeLine(table.line(row), index, style: style, in: panel.body)
            draw(Face(of: row.bidder), index, in: panel.body, from: table.nameStart)
            guard isChampion, panel.body.columns >= table.width + 2 + " CHAMPION ".count else {
                continue
            }
            write(" CHAMPION ", index, in: panel.body, from: table.width + 2, style: style.sign)
        }
    }

    /// The columns of the standings that have something to tell, with fewer and fewer of them.
    ///
    /// What is spent is dropped first, then what is left, and then the lots, unless they decide.
    private static func columns(
        of rows: [StandingsRow]
    ) -> [[FittedTable<StandingsRow>.Column]] {
        typealias Column = FittedTable<StandingsRow>.Column
        let lots = [Column(title: "lots") { "\($0.lots)" }]
        let spent = [Column(title: "spent") { $0.spent.grouped }]
        func told(_ title: String, _ text: @escaping (StandingsRow) -> String?) -> [Column] {
            let isTold = rows.contains { text($0) != nil }
            return isTold ? [Column(title: title) { text($0) ?? "" }] : []
        }
        let left = told("left") { $0.left?.grouped }
        let profit = told("profit") { $0.profit?.signed }
        let points = told("points") { row in row.points.map { "\($0)" } }
        let deciding = (profit.isEmpty ? lots : profit) + points
        let other = profit.isEmpty ? [] : lots
        return [
            other + spent + left + deciding, other + left + deciding, other + deciding, deciding,
        ]
    }
}

extension Frame {
    /// The rows of the podium, and the least rows of the table below it.
    private static let (podiumRows, podiumTable) = (7, 3)
    /// The columns of a step of the podium, with the space after it.
    private static let stepColumns = 18

    /// Draws the first three on steps, in the first rows of an area, if there is room.
    private mutating func drawPodium(_ standings: [StandingsRow], in area: inout Area) {
        guard standings.count >= 3, area.rows >= Self.podiumRows + Self.podiumTable,
            area.columns >= 3 * Self.stepColumns
        else { return }
        let podium = area.take(Self.podiumRows, from: .top)
        for (place, index) in [1, 0, 2].enumerated() {
            let (row, face) = (standings[index], Face(of: standings[index].bidder))
            let step = Area(
                row: podium.row + 1 + index, column: podium.column + place * Self.stepColumns,
                rows: podium.rows - 2 - index, columns: Self.stepColumns - 2)
            let name = row.bidder.labelled.elided(to: step.columns)
            let column = (step.columns - name.columns) / 2
            write(name, -1, in: step, from: column, style: .heading)
            draw(face, -1, in: step, from: column)
            let style = Style(color: .face(face.index), isReversed: true)
            fill(step, style: style)
            let texts = [
                "\(row.rank)", row.profit?.signed ?? "\(row.lots)",
                row.points.map { "\($0) point\($0 == 1 ? "" : "s")" } ?? "",
            ]
            for (line, text) in texts.enumerated() where line < step.rows {
                write(text, line, in: step, from: (step.columns - text.columns) / 2, style: style)
            }
        }
    }

    /// Draws the rooms of the server; the one that the user is in is always among them.
    mutating func drawRooms(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        let rows = fit(model.rooms, in: panel) { $0.name == model.room }
        let count = Int64(model.rooms.count)
        let end = writeTitle(count == 1 ? "1 room" : "\(count.grouped) rooms", in: panel)
        writeTitleEnd("join NAME or open NAME", in: panel, after: end)
        // The names have a third at most, so that the titles have a place too.
        let table = FittedTable(
            rows, before: [], name: { "\($0.name)".elided(to: max(panel.body.columns / 3, 1)) },
            nameColumns: 0,
            choices: [
                [
                    FittedTable.Column { " \(Int64($0.people).grouped) here" },
                    FittedTable.Column { " lot \($0.lot), \($0.format.rawValue)" },
                ]
            ], columns: panel.body.columns)
        for (index, row) in rows.enumerated() {
            let line = "\(table.line(row))  \(row.title)".fitted(to: panel.body.columns)
            writeLine(line, index, style: row.name == model.room ? .you : .plain, in: panel.body)
        }
    }
}

extension Frame {
    /// Draws the lots of the game that have ended, the open one, and the titles of those to come.
    ///
    /// Half of the rows are for what comes, if the others are needed for what was.
    mutating func drawLots(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        let lines = model.lotLines
        let past = lines.count(where: { $0.style != .faint })
        let end = writeTitle("lots", in: panel)
        writeTitleEnd(model.lotCount, in: panel, after: end)
        // The newest that have ended, and the next that come.
        let coming = min(lines.count - past, max(panel.body.rows / 2, panel.body.rows - past))
        let shown = Array(
            lines.prefix(past).suffix(max(0, panel.body.rows - coming))
                + lines.dropFirst(past).prefix(coming))
        let table = FittedTable(
            shown, before: [FittedTable.Column { "\($0.number)" }], name: \.title,
            nameColumns: panel.body.columns, choices: [[FittedTable.Column(text: \.end)], []],
            columns: panel.body.columns)
        for (index, line) in shown.enumerated() {
            write(table.line(line), index, in: panel.body, style: line.style)
            guard let winner = line.winner, table.width > table.nameEnd else { continue }
            draw(Face(of: winner), index, in: panel.body, from: table.width - line.end.columns)
        }
    }
}

/// A line of the list of lots.
private struct LotLine {
    let number: Int
    let title: String
    var winner: Bidder?
    var end = ""
    let style: Style
}

extension Model {
    /// Whether the sale has lots to list beside the one that is shown.
    var hasLots: Bool {
        !lot.next.isEmpty || pastLots.count > 1 || pastLots.contains { $0.lot.number != lot.lot }
    }

    /// The lots of the game, in its order.
    fileprivate var lotLines: [LotLine] {
        let first = lot.firstLot
        let past = pastLots.filter { $0.lot.number >= first }.map { past in
            LotLine(
                number: past.lot.number - first + 1, title: past.lot.title, winner: past.winner,
                end: past.winner.map { "\($0.labelled) \(past.price?.grouped ?? "")" } ?? "unsold",
                style: isOwn(past.winner) ? .you : .plain)
        }
        let number = max(lot.lot, first - 1) - first + 1
        let open = LotLine(number: number, title: lot.title, end: "now", style: .heading)
        let next = lot.next.enumerated().map { index, title in
            LotLine(number: number + 1 + index, title: title, style: .faint)
        }
        return past + (lot.isOpen ? [open] : []) + next
    }

    /// Which of the game's lots it is, as far as the server says how many there are.
    fileprivate var lotCount: String {
        guard let count = lot.lots, count > 0 else { return "" }
        let first = lot.firstLot - 1
        return "\(Int64(max(0, lot.lot - first)).grouped) of \(Int64(count - first).grouped)"
    }
}

extension Model {
    /// A blank row and the awards of the sale; empty if that needs more than `rows`.
    fileprivate func awards(rows: Int) -> [String] {
        let awards = sale.awards.compactMap { SaleEvent.awardGiven($0).sentence(to: bidder) }
        return awards.isEmpty || awards.count >= rows ? [] : [""] + awards
    }
}

private typealias LapTable = FittedTable<(bid: Bid, split: Duration?)>

extension Frame {
    /// Draws the accepted bids, newest first, below their number.
    mutating func drawLaps(_ model: Model, in panel: Panel) {
        guard model.isKnown, !panel.body.isEmpty else {
            writeTitle("laps", in: panel)
            return
        }
        let rows = model.laps.rows(panel.body.rows)
        // With frames it is where the countdown will be.
        if rows.isEmpty, panel.titleGap == 0, model.lot.isOpen {
            var panel = panel
            writeRule(model, in: &panel, after: panel.title.column, leaving: 0)
        }
        let heading = writeTitle(model.lapsHeading, in: panel)
        let end = writeLoad(.laps, model, in: panel, after: heading)
        guard !rows.isEmpty else { return }
        let table = model.lapTable(rows, columns: panel.body.columns)
        writeTitles(of: table, in: panel, after: end)
        for (index, row) in rows.enumerated() {
            writeLine(table.line(row), index, style: model.style(of: row.bid), in: panel.body)
            draw(Face(of: row.bid.bidder), index, in: panel.body, from: table.nameStart)
        }
    }
}

extension Model {
    /// The columns of the laps, of which first the split is dropped, and then the time.
    fileprivate func lapTable(
        _ rows: [(bid: Bid, split: Duration?)], columns: Int
    ) -> LapTable {
        let time = LapTable.Column(
            title: "time", least: "00:00.0".count
        ) { $0.bid.elapsed.lotTime }
        let split = LapTable.Column(title: "after") {
            $0.split.map { "+\($0.seconds)" } ?? ""
        }
        let ago = LapTable.Column(
            title: "ago", least: RelativeAge(.zero).text.count
        ) { age(of: $0.bid) }
        return LapTable(
            rows,
            before: [
                LapTable.Column(least: 2) { Int64($0.bid.number).grouped },
                LapTable.Column(least: 5) { $0.bid.price.grouped },
            ],
            name: { $0.bid.bidder.labelled },
            choices: [[time, split, ago], [time, ago], [ago]], columns: columns)
    }

    /// The age of a bid; a bid newer than the last ages is a moment old.
    private func age(of bid: Bid) -> String {
        if let age = ages[bid.number] { return age }
        guard let newest = ages.keys.max() else { return "" }
        return bid.number > newest ? RelativeAge(.zero).text : ""
    }

    fileprivate func style(of bid: Bid) -> Style {
        if bid.bidder == bidder { return .you }
        return bid == laps.last && bid.bidder == lot.leader ? .leader : .plain
    }

    /// The number of laps, once it is known, and how many are above the shown ones.
    fileprivate var lapsHeading: String {
        if loads[.laps]?.isLoading == true && laps.count == 0 { return "laps" }
        guard laps.isScrolled else { return laps.heading }
        return "\(laps.heading), \(Int64(laps.newerCount).grouped) newer"
    }
}

extension Duration {
    /// The seconds, truncated to a tenth.
    fileprivate var seconds: String {
        let tenths = Int64(self / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
