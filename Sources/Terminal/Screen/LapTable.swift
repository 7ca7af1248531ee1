import Auction
import Bidder
import Reactive

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
