import AuctionRules
import Drawing
import Reactive
import Wire

extension Frame {
    /// Draws the accepted bids, newest first, below their number.
    mutating func drawLaps(_ model: Model, in area: Area) {
        guard model.isKnown else { return }
        let rows = model.laps.rows(max(0, area.rows - 1)).map { row in
            LapRow(row.bid, split: row.split, age: model.age(of: row.bid))
        }
        let columns = LapColumns(rows, columns: area.columns)
        let state = model.lapsLoad.text(spinner: model.spinnerPicture)
        var end = area.column + 1
        end += write(model.lapsHeading, row: area.row, column: end, style: .heading)
        end += write(
            state.fitted(to: area.column + area.columns - end), row: area.row, column: end,
            style: model.lapsLoad.lastError == nil ? .plain : .bad)
        let titles = columns.titles
        let titleColumn = area.column + area.columns - titles.columns
        if !rows.isEmpty, titleColumn > end {
            write(titles, row: area.row, column: titleColumn, style: .faint)
        }
        for (index, row) in rows.enumerated() {
            write(
                columns.line(row), row: area.row + 1 + index, column: area.column,
                style: row.bidder == model.bidder ? .good : .plain, limit: area.columns)
        }
    }
}

extension Model {
    /// Whether the state of the sale is known.
    var isKnown: Bool { sale.greeting != nil }

    /// The age of a bid; a bid newer than the last ages is a moment old.
    fileprivate func age(of bid: Bid) -> String {
        if let age = ages[bid.number] { return age }
        guard let newest = ages.keys.max() else { return "" }
        return bid.number > newest ? RelativeAge(.zero).text : ""
    }

    /// The number of laps, once it is known.
    fileprivate var lapsHeading: String {
        lapsLoad.isLoading && laps.count == 0 ? "laps" : laps.heading
    }
}

/// An accepted bid as the texts of a row.
private struct LapRow {
    let bidder: Bidder
    let number: String
    let amount: String
    let time: String
    /// The time since the bid before; empty if unknown.
    let split: String
    let age: String

    init(_ bid: Bid, split: Duration?, age: String) {
        bidder = bid.bidder
        number = Int64(bid.number).grouped
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
    private let name: Int
    /// The columns to the right of the name, aligned to the right.
    private let others: [Column]

    /// Fits the columns to the rows; drops first the split and then the time if they do not fit.
    init(_ rows: [LapRow], columns: Int) {
        func width(_ text: (LapRow) -> String, atLeast least: Int) -> Int {
            max(least, rows.map { text($0).count }.max() ?? 0)
        }
        number = width(\.number, atLeast: 2)
        let amount: Column = ("bid", width(\.amount, atLeast: 6), \.amount)
        let time: Column = ("time", width(\.time, atLeast: "00:00.0".count), \.time)
        let split: Column = ("after", width(\.split, atLeast: "after".count), \.split)
        let age: Column = ("ago", "just now".count, \.age)
        let space = columns - 1 - number - 1
        let choices = [[amount, time, split, age], [amount, time, age], [amount, age]].map {
            (columns: $0, name: space - $0.reduce(0) { $0 + 1 + $1.width })
        }
        let fitting = choices.first { $0.name >= Self.minimumNameColumns } ?? choices[2]
        (others, name) = (fitting.columns, max(1, fitting.name))
    }

    /// The titles of the columns to the right of the heading.
    var titles: String {
        others.map { $0.title.leftPadded(to: $0.width) }.joined(separator: " ")
    }

    /// One line of the table.
    func line(_ row: LapRow) -> String {
        let texts = others.map { " " + $0.text(row).leftPadded(to: $0.width) }.joined()
        return " " + row.number.leftPadded(to: number) + " "
            + "\(row.bidder)".fitted(to: name).padded(to: name) + texts
    }
}

extension Duration {
    /// The seconds, truncated to a tenth.
    fileprivate var seconds: String {
        let tenths = Int64(self / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
