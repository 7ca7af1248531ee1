import Drawing
import Wire

extension Frame {
    /// The lot and its title, and the clock since it opened.
    mutating func drawHead(_ model: Model, in area: Area) {
        fill(row: area.row, column: 0, columns: area.columns, style: .title)
        let clock = model.elapsed.map { " \($0.lotTime) " } ?? ""
        let room = area.columns - clock.columns - 1
        write(model.heading.fitted(to: room), row: area.row, column: 1, style: .title)
        write(clock, row: area.row, column: area.columns - clock.columns, style: .title)
    }

    /// What there is instead of the view where it does not fit.
    mutating func drawSmallness() {
        let needed = Layout.smallest
        let (columns, rows) = ("\(needed.columns) columns", "\(needed.rows) rows")
        let full = ["too small: needs \(columns) by \(rows)"]
        let short = ["too small:", columns, "by \(rows)"]
        let lines = full[0].columns <= size.columns ? full : short
        for (row, line) in lines.enumerated() { write(line, row: row, column: 0) }
    }
}

extension Model {
    fileprivate var heading: String {
        guard let lot = standing.lot else { return "auction at \(server)" }
        // A lot without a title of its own is called by its number.
        return lot.isUntitled
            ? "Lot \(lot.number)" : "Lot \(lot.number): \(lot.title)"
    }
}
