import AuctionRules
import Drawing
import Sale

extension Frame {
    /// Draws the standings, best first; the user's own row is always among them.
    mutating func drawStandings(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        let standings = model.standings
        let own = standings.firstIndex { $0.bidder == model.bidder }
        let rows = Ranking.rows(standings.count, own: own, panel.body).map { standings[$0] }
        writeHidden(standings.count - rows.count, in: panel)
        let headings =
            model.sale.lotsDone == nil ? ["standings"] : ["final standings", "standings", "final"]
        let inset = panel.title.column + 2 * panel.titleGap - panel.body.column
        let columns = StandingColumns(
            rows, columns: panel.body.columns, headed: headings.map { inset + $0.columns })
        let heading = headings.first { inset + $0.columns <= columns.nameEnd }
        let end = writeTitle(heading ?? headings[headings.count - 1], in: panel)
        drawTitles(of: columns, in: panel, after: end)
        for (index, row) in rows.enumerated() {
            let place = panel.body.row + index
            let isOwn = row.bidder == model.bidder
            let isChampion = model.sale.champions.contains { $0.bidder == row.bidder }
            let style: Style = isOwn ? .you : isChampion ? .leader : .plain
            if isOwn { write("•", row: place, column: panel.body.column - 1, style: style) }
            write(
                columns.line(row), row: place, column: panel.body.column, style: style,
                limit: panel.body.columns)
            guard isChampion else { continue }
            let sign = " CHAMPION "
            let column = columns.width + 2
            guard column + sign.columns <= panel.body.columns else { continue }
            write(
                sign, row: place, column: panel.body.column + column,
                style: (isOwn ? Style.you : .leader).sign)
        }
    }

    private mutating func drawTitles(
        of columns: StandingColumns, in panel: Panel, after end: Int
    ) {
        var column = panel.body.column + columns.nameEnd
        guard column >= end else { return }
        for title in columns.titles {
            column += title.width + 1
            write(
                " " + title.text + " ", row: panel.title.row,
                column: column - title.text.columns - 1, style: .faint,
                limit: panel.title.column + panel.title.columns - column + title.text.columns + 1)
        }
    }
}

/// The columns of the standings that fit, and their widths.
private struct StandingColumns {
    private typealias Column = (title: String, width: Int, text: (StandingsRow) -> String)

    private static let minimumNameColumns = 12

    private let rank: Int
    private let name: Int
    /// The columns to the right of the name, aligned to the right.
    private let others: [Column]

    /// Fits the columns to the rows.
    ///
    /// The last column decides the rank. Drops what is spent, what is left, and then the lots, if
    /// names would not fit. One of the headings, which take the columns `headed`, has its place
    /// above the names, the first if it fits.
    init(_ rows: [StandingsRow], columns: Int, headed: [Int]) {
        func column(_ title: String, _ text: @escaping (StandingsRow) -> String) -> Column {
            (title, max(title.columns, rows.map { text($0).columns }.max() ?? 0), text)
        }
        rank = rows.map { "\($0.rank)".columns }.max() ?? 1
        let lots = column("lots") { "\($0.lots)" }
        let spent = column("spent") { $0.spent.grouped }
        let left = column("left") { $0.left?.grouped ?? "" }
        let profit = column("profit") { $0.profit?.signed ?? "" }
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
        let space = columns - rank - 1
        let longest = rows.map { "\($0.bidder)".columns }.max() ?? 0
        let fitted = choices.map { columns in
            (columns: columns, room: space - columns.reduce(0) { $0 + 1 + $1.width })
        }
        let least = max(
            min(longest, Self.minimumNameColumns), (headed.min() ?? 0) - rank - 1)
        let fitting = fitted.first { $0.room >= least }
        let chosen = fitting ?? fitted[fitted.count - 1]
        others = chosen.columns
        name = max(1, min(chosen.room, max(longest, headed[0] - rank - 1)))
    }

    /// The column after the name.
    var nameEnd: Int { rank + 1 + name }

    /// The width of a line.
    var width: Int { others.reduce(nameEnd) { $0 + 1 + $1.width } }

    /// The titles of the columns to the right of the name.
    var titles: [(text: String, width: Int)] { others.map { ($0.title, $0.width) } }

    /// One line of the table.
    func line(_ row: StandingsRow) -> String {
        let texts = others.map { " " + $0.text(row).leftPadded(to: $0.width) }.joined()
        return "\(row.rank)".leftPadded(to: rank) + " "
            + "\(row.bidder)".elided(to: name).padded(to: name) + texts
    }
}
