import Auction
import Bidder

extension Frame {
    /// Draws the standings, best first; the user's own row is always among them.
    mutating func drawStandings(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        var panel = panel
        if model.lot.stage == .over, model.picture == .standings {
            drawPodium(model.standings, in: &panel.body)
        }
        let rows = fit(model.standings, in: panel) { $0.bidder == model.bidder }
        let heading = model.lot.stage != .over ? "standings" : "final standings"
        let table = FittedTable(
            rows, Self.content(of: rows, headed: heading), columns: panel.body.columns)
        // The heading has its place above the names.
        let inset = panel.title.column + 2 * panel.titleGap - panel.body.column
        let isShort = inset + heading.columns > table.nameEnd
        let end = writeTitle(isShort ? "standings" : heading, in: panel)
        writeTitles(of: table, in: panel, after: end)
        for (index, row) in rows.enumerated() {
            let isOwn = row.bidder == model.bidder
            let isChampion = model.sale.champions.contains { $0.bidder == row.bidder }
            let style: Style = isOwn ? .you : isChampion ? .leader : .plain
            writeLine(table.line(row), index, style: style, in: panel.body)
            draw(
                Face(of: row.bidder), row: panel.body.row + index,
                column: panel.body.column + table.nameStart)
            var rest = panel.body
            _ = rest.take(table.width + 2, from: .left)
            guard isChampion, rest.columns >= " CHAMPION ".count else { continue }
            write(" CHAMPION ", row: rest.row + index, column: rest.column, style: style.sign)
        }
    }

    /// The columns of the standings, of which the last decides the rank.
    ///
    /// What is spent is dropped first, then what is left, and then the lots.
    private static func content(
        of rows: [StandingsRow], headed heading: String
    ) -> FittedTable<StandingsRow>.Content {
        typealias Column = FittedTable<StandingsRow>.Column
        let lots = Column(title: "lots") { "\($0.lots)" }
        let spent = Column(title: "spent") { $0.spent.grouped }
        let left = Column(title: "left") { $0.left?.grouped ?? "" }
        let profit = Column(title: "profit") { $0.profit?.signed ?? "" }
        let hasLeft = rows.contains { $0.left != nil }
        let hasProfit = rows.contains { $0.profit != nil }
        let choices: [[Column]] =
            switch (hasLeft, hasProfit) {
            case (true, true):
                [[lots, spent, left, profit], [lots, left, profit], [lots, profit], [profit]]
            case (false, true): [[lots, spent, profit], [lots, profit], [profit]]
            case (true, false): [[spent, left, lots], [left, lots], [lots]]
            case (false, false): [[spent, lots], [lots]]
            }
        return FittedTable.Content(
            before: [Column { "\($0.rank)" }], name: { $0.bidder.labelled },
            nameColumns: heading.columns, choices: choices)
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
            let row = standings[index]
            let top = podium.row + 1 + index
            let step = Area(
                row: top, column: podium.column + place * Self.stepColumns,
                rows: podium.rows - 2 - index, columns: Self.stepColumns - 2)
            let name = row.bidder.labelled.elided(to: step.columns)
            let column = step.column + (step.columns - name.columns) / 2
            write(name, row: top - 1, column: column, style: .heading)
            draw(Face(of: row.bidder), row: top - 1, column: column)
            let style = Style(color: .face(Face(of: row.bidder).index), isReversed: true)
            for line in 0..<step.rows {
                fill(row: top + line, column: step.column, columns: step.columns, style: style)
            }
            let score = row.profit?.signed ?? "\(row.lots)"
            for (line, text) in ["\(row.rank)", score].enumerated() where line < step.rows {
                write(
                    text, row: top + line, column: step.column + (step.columns - text.columns) / 2,
                    style: style)
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
        let columns = RoomColumns(rows, columns: panel.body.columns)
        for (index, row) in rows.enumerated() {
            writeLine(
                columns.line(row), index, style: row.name == model.room ? .you : .plain,
                in: panel.body)
        }
    }
}

/// The columns of the list of rooms, as wide as their rows need.
private struct RoomColumns {
    private let all: Int
    private let name: Int
    private let people: Int
    private let lot: Int

    init(_ rows: [RoomRow], columns: Int) {
        all = columns
        // The names have a third at most, so that the titles have a place too.
        name = min(rows.map { "\($0.name)".columns }.max() ?? 0, max(columns / 3, 1))
        people = rows.map { Int64($0.people).grouped.columns }.max() ?? 0
        lot = rows.map { Self.lot(of: $0).columns }.max() ?? 0
    }

    /// One line of the list, in which the title of the lot has what is left.
    func line(_ row: RoomRow) -> String {
        let words = [
            "\(row.name)".elided(to: name).padded(to: name),
            Int64(row.people).grouped.leftPadded(to: people) + " here",
            Self.lot(of: row).padded(to: lot),
            row.title,
        ]
        return words.joined(separator: "  ").fitted(to: all)
    }

    private static func lot(of row: RoomRow) -> String { "lot \(row.lot), \(row.format.rawValue)" }
}
