import AuctionRules
import Drawing
import Reactive
import Wire

/// An accepted bid as a row of the table.
struct Lap {
    let bid: Bid
    /// The time since the bid before.
    let split: Duration?
    /// The age of the bid as text.
    let age: String
}

extension Frame {
    /// Draws the accepted bids, newest first, below their number.
    mutating func drawLaps(_ model: Model, in area: Area) {
        guard model.isKnown else { return }
        let rows = model.laps.rows(max(0, area.rows - 1)).map { row in
            Lap(bid: row.bid, split: row.split, age: model.age(of: row.bid))
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
        for (index, lap) in rows.enumerated() {
            let isOwn = lap.bid.bidder == model.bidder
            write(
                columns.row(lap), row: area.row + 1 + index, column: area.column,
                style: isOwn ? .good : .plain, limit: area.columns)
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

/// The columns of the table that fit, and their widths.
struct LapColumns {
    private static let age = "just now".count
    private static let shortestName = 8

    private let number: Int
    private let amount: Int
    private let bidder: Int
    private let time: Int
    private let split: Int
    private let hasTime: Bool
    private let hasSplit: Bool

    /// Fits the columns to the laps; drops first the split and then the time if they do not fit.
    init(_ laps: [Lap], columns: Int) {
        number = max(2, laps.map { Int64($0.bid.number).grouped.count }.max() ?? 0)
        amount = max(6, laps.map { $0.bid.price.grouped.count }.max() ?? 0)
        time = max("00:00.0".count, laps.map { $0.bid.elapsed.lotTime.count }.max() ?? 0)
        split = max("after".count, laps.compactMap { $0.splitText?.count }.max() ?? 0)
        let rest = columns - 1 - number - 1 - 1 - amount - 1 - Self.age
        let withTime = rest - 1 - time
        let withBoth = withTime - 1 - split
        hasSplit = withBoth >= Self.shortestName
        hasTime = withTime >= Self.shortestName
        bidder = max(1, hasSplit ? withBoth : hasTime ? withTime : rest)
    }

    /// The titles of the columns to the right of the heading.
    var titles: String {
        "bid".leftPadded(to: amount) + (hasTime ? " " + "time".leftPadded(to: time) : "")
            + (hasSplit ? " " + "after".leftPadded(to: split) : "") + " "
            + "ago".leftPadded(to: Self.age)
    }

    /// One row of the table.
    func row(_ lap: Lap) -> String {
        " " + Int64(lap.bid.number).grouped.leftPadded(to: number) + " "
            + "\(lap.bid.bidder)".fitted(to: bidder).padded(to: bidder) + " "
            + lap.bid.price.grouped.leftPadded(to: amount)
            + (hasTime ? " " + lap.bid.elapsed.lotTime.leftPadded(to: time) : "")
            + (hasSplit ? " " + (lap.splitText ?? "").leftPadded(to: split) : "") + " "
            + lap.age.leftPadded(to: Self.age)
    }
}

extension Lap {
    fileprivate var splitText: String? { split.map { "+\($0.seconds)" } }
}

extension Duration {
    /// The seconds, truncated to a tenth.
    fileprivate var seconds: String {
        let tenths = Int64(self / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
