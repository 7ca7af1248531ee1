import AuctionRules
import Drawing
import Reactive

/// An accepted bid as a row of the table.
struct Lap {
    let bid: Bid
    /// The time since the bid before.
    let split: Duration?
    /// How long ago it was, in words.
    let age: String
}

extension Frame {
    /// The accepted bids, newest first, under how many there are.
    mutating func drawLaps(_ model: Model, in area: Area) {
        guard model.isKnown else { return }
        let laps = model.laps.result ?? Laps()
        let rows = laps.rows(max(0, area.rows - 1)).map { row in
            Lap(bid: row.bid, split: row.split, age: model.age(of: row.bid))
        }
        let columns = LapColumns(rows, columns: area.columns)
        let state = model.laps.state(spinner: model.spinnerPicture)
        var end = area.column + 1
        end += write(model.lapsHeading, row: area.row, column: end, style: .heading)
        end += write(
            state.fitted(to: area.column + area.columns - end), row: area.row, column: end,
            style: model.laps.lastError == nil ? .plain : .bad)
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
    /// Whether there is a lot to speak of, or a server that says there is none.
    var isKnown: Bool { standing.lot != nil || connection.result != nil }

    /// How long ago a bid was; what came after the ages were told last came a moment ago.
    fileprivate func age(of bid: Bid) -> String {
        if let age = ages[bid.number] { return age }
        guard let newest = ages.keys.max() else { return "" }
        return bid.number > newest ? RelativeAge(.zero).text : ""
    }

    /// How many laps there were, as soon as that is known.
    fileprivate var lapsHeading: String {
        let known = laps.result ?? Laps()
        return laps.isLoading && known.count == 0 ? "laps" : known.heading
    }
}
