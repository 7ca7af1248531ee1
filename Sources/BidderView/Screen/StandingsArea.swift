import Auction
import Drawing

extension Frame {
    /// Draws the standings, best first; the user's own row is always among them.
    mutating func drawStandings(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
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
            before: [Column { "\($0.rank)" }], name: { "\($0.bidder)" },
            nameColumns: heading.columns, choices: choices)
    }
}
