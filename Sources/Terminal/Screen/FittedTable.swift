import Bidder

/// A table that leaves out the columns that do not fit.
struct FittedTable<Row> {
    /// A column whose texts are aligned to the right, as wide as they need.
    struct Column {
        var title = ""
        var least = 0
        let text: (Row) -> String

        fileprivate func width(_ rows: [Row]) -> Int {
            max(least, title.columns, rows.map { text($0).columns }.max() ?? 0)
        }
    }

    /// The minimum width of a name, except with the last choice of columns.
    private static var leastNameColumns: Int { 8 }

    private let before: [(column: Column, width: Int)]
    private let after: [(column: Column, width: Int)]
    private let name: (Row) -> String
    private let nameColumns: Int

    /// Chooses the first columns after the name that leave room for readable, different names.
    ///
    /// The name has at least `nameColumns` while there is room for them.
    init(
        _ rows: [Row], before: [Column], name: @escaping (Row) -> String,
        nameColumns least: Int = leastNameColumns, choices: [[Column]], columns: Int
    ) {
        self.name = name
        self.before = before.map { ($0, $0.width(rows)) }
        let space = columns - self.before.reduce(0) { $0 + $1.width + 1 }
        let names = Set(rows.map(name))
        let choices = choices.map { choice in choice.map { ($0, $0.width(rows)) } }
        let rooms = choices.map { space - $0.reduce(0) { $0 + 1 + $1.1 } }
        let fitting = rooms.firstIndex { room in
            room >= Self.leastNameColumns
                && Set(names.map { $0.elided(to: room) }).count == names.count
        }
        let chosen = fitting ?? choices.count - 1
        after = choices[chosen]
        let longest = names.map(\.columns).max() ?? 0
        nameColumns = max(1, min(rooms[chosen], max(longest, least)))
    }

    /// The column of the name.
    var nameStart: Int { before.reduce(0) { $0 + $1.width + 1 } }

    /// The column after the name.
    var nameEnd: Int { nameStart + nameColumns }

    /// The width of a line.
    var width: Int { after.reduce(nameEnd) { $0 + 1 + $1.width } }

    /// The titles of the columns after the name, with the ends of these columns.
    var titles: [(text: String, end: Int)] {
        var end = nameEnd
        return after.map { entry in
            end += 1 + entry.width
            return (entry.column.title, end)
        }
    }

    /// One line of the table.
    func line(_ row: Row) -> String {
        before.map { $0.column.text(row).leftPadded(to: $0.width) + " " }.joined()
            + name(row).elided(to: nameColumns).padded(to: nameColumns)
            + after.map { " " + $0.column.text(row).leftPadded(to: $0.width) }.joined()
    }
}

extension Frame {
    /// Writes the titles of the columns after the name, and returns the column after them.
    ///
    /// Unless the panel's title overlaps them.
    @discardableResult
    mutating func writeTitles<Row>(
        of table: FittedTable<Row>, in panel: Panel, after end: Int
    ) -> Int {
        let start = panel.body.column
        guard start + table.nameEnd + 1 >= end else { return end }
        for title in table.titles {
            let column = start + title.end - title.text.columns - 1
            write(
                " \(title.text) ", row: panel.title.row, column: column, style: .faint,
                limit: panel.title.column + panel.title.columns - column)
        }
        return max(end, start + table.width + 1)
    }

    /// Writes a line of a list, marked if it is the user's own, and returns the columns it took.
    @discardableResult
    mutating func writeLine(_ line: String, _ row: Int, style: Style, in area: Area) -> Int {
        if style == .you { write("•", row, in: area, from: -1, style: style) }
        return write(line, row, in: area, style: style)
    }

    /// Returns the rows of a ranked list that fit; the user's own row is last if it did not fit.
    ///
    /// Writes how many do not fit: into the frame below them, or beside the last row.
    mutating func fit<Row>(_ rows: [Row], in panel: Panel, isOwn: (Row) -> Bool) -> [Row] {
        guard panel.body.rows > 0, rows.count > panel.body.rows else { return rows }
        var panel = panel
        panel.title.row = panel.body.row + panel.body.rows - (panel.titleGap > 0 ? 0 : 1)
        let hidden = "+\(Int64(rows.count - panel.body.rows).grouped)"
        writeTitleEnd(hidden, in: panel, after: panel.title.column)
        let shown = rows.prefix(panel.body.rows)
        guard let own = rows.firstIndex(where: isOwn), own >= shown.count else {
            return Array(shown)
        }
        return shown.dropLast() + [rows[own]]
    }
}
