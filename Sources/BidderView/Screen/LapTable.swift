import AuctionRules
import Drawing
import Reactive
import Wire

extension Frame {
    /// Draws the accepted bids, newest first, below their number.
    mutating func drawLaps(_ model: Model, in panel: Panel) {
        guard model.isKnown, !panel.body.isEmpty else {
            writeTitle("laps", in: panel)
            return
        }
        let rows = model.laps.rows(panel.body.rows).map { row in
            LapRow(row.bid, split: row.split, age: model.age(of: row.bid))
        }
        // With frames it is where the countdown will be.
        if rows.isEmpty, panel.titleGap == 0, model.sale.isOpen {
            var panel = panel
            writeRule(model, in: &panel, after: panel.title.column, leaving: 0)
        }
        let columns = LapColumns(rows, columns: panel.body.columns)
        drawLapTitle(model, columns, isEmpty: rows.isEmpty, in: panel)
        for (index, row) in rows.enumerated() {
            let (place, style) = (panel.body.row + index, model.style(of: row))
            if row.bidder == model.bidder {
                write("•", row: place, column: panel.body.column - 1, style: style)
            }
            write(
                columns.line(row), row: place, column: panel.body.column, style: style,
                limit: panel.body.columns)
        }
    }

    private mutating func drawLapTitle(
        _ model: Model, _ columns: LapColumns, isEmpty: Bool, in panel: Panel
    ) {
        let heading = writeTitle(model.lapsHeading, in: panel)
        let end = writeLoad(model.lapsLoad, model, in: panel, after: heading)
        guard !isEmpty else { return }
        let titles = columns.titles
        let start = panel.body.column + columns.nameEnd + 1
        guard start >= end else { return }
        var column = start
        for title in titles {
            let text = title.text.leftPadded(to: title.width)
            let blank = title.width - title.text.columns
            write(
                " " + title.text + " ", row: panel.title.row, column: column + blank - 1,
                style: .faint, limit: panel.title.columns)
            column += text.columns + 1
        }
    }
}

extension Model {
    /// The age of a bid; a bid newer than the last ages is a moment old.
    fileprivate func age(of bid: Bid) -> String {
        if let age = ages[bid.number] { return age }
        guard let newest = ages.keys.max() else { return "" }
        return bid.number > newest ? RelativeAge(.zero).text : ""
    }

    fileprivate func style(of row: LapRow) -> Style {
        if row.bidder == bidder { return .you }
        return row.number == sale.leading?.number ? .leader : .plain
    }

    /// The number of laps, once it is known, and how many are above the shown ones.
    fileprivate var lapsHeading: String {
        if lapsLoad.isLoading && laps.count == 0 { return "laps" }
        guard laps.isScrolled else { return laps.heading }
        return "\(laps.heading), \(Int64(laps.newerCount).grouped) newer"
    }
}

/// An accepted bid as the texts of a row.
private struct LapRow {
    let bidder: Bidder
    let number: Int
    let numberText: String
    let amount: String
    let time: String
    /// The time since the bid before; empty if unknown.
    let split: String
    let age: String

    init(_ bid: Bid, split: Duration?, age: String) {
        (bidder, number) = (bid.bidder, bid.number)
        numberText = Int64(bid.number).grouped
        amount = bid.price.grouped
        time = bid.elapsed.lotTime
        self.split = split.map { "+\($0.seconds)" } ?? ""
        self.age = age
    }
}

/// The columns of the table that fit, and their widths.
private struct LapColumns {
    private typealias Column = (title: String, width: Int, text: (LapRow) -> String)

    private static let minimumNameColumns = 8

    private let number: Int
    private let amount: Int
    private let name: Int
    /// The columns to the right of the name, aligned to the right.
    private let others: [Column]

    /// Fits the columns to the rows.
    ///
    /// Drops the split, and then the time, if names would not fit or could not be told apart.
    init(_ rows: [LapRow], columns: Int) {
        func width(_ text: (LapRow) -> String, atLeast least: Int) -> Int {
            max(least, rows.map { text($0).count }.max() ?? 0)
        }
        number = width(\.numberText, atLeast: 2)
        amount = width(\.amount, atLeast: 5)
        let time: Column = ("time", width(\.time, atLeast: "00:00.0".count), \.time)
        let split: Column = ("after", width(\.split, atLeast: "after".count), \.split)
        let age: Column = ("ago", "just now".count, \.age)
        let space = columns - number - 1 - amount - 1
        let names = Set(rows.map { "\($0.bidder)" })
        let longest = max(Self.minimumNameColumns, names.map(\.count).max() ?? 0)
        let choices = [[time, split, age], [time, age], [age]].map {
            (columns: $0, name: min(longest, space - $0.reduce(0) { $0 + 1 + $1.width }))
        }
        let fitting = choices.first { choice in
            choice.name >= Self.minimumNameColumns
                && Set(names.map { $0.elided(to: choice.name) }).count == names.count
        }
        let chosen = fitting ?? choices[2]
        (others, name) = (chosen.columns, max(1, chosen.name))
    }

    /// The column after the name.
    var nameEnd: Int { number + 1 + amount + 1 + name }

    /// The titles of the columns to the right of the name.
    var titles: [(text: String, width: Int)] { others.map { ($0.title, $0.width) } }

    /// One line of the table.
    func line(_ row: LapRow) -> String {
        let texts = others.map { " " + $0.text(row).leftPadded(to: $0.width) }.joined()
        return row.numberText.leftPadded(to: number) + " " + row.amount.leftPadded(to: amount) + " "
            + "\(row.bidder)".elided(to: name).padded(to: name) + texts
    }
}

extension Duration {
    /// The seconds, truncated to a tenth.
    fileprivate var seconds: String {
        let tenths = Int64(self / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
