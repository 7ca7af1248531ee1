import AuctionRules
import Drawing

extension Frame {
    /// Draws the falling price of a Dutch lot as a staircase, and the user's value as a line.
    ///
    /// The scale is known from the opening on: down to 0, and as far as the lot can last.
    mutating func drawAsks(_ model: Model, in panel: Panel) {
        let end = writeTitle(model.askHeading, in: panel)
        if panel.titleGap == 0 { writeTerms(model, in: panel, after: end) }
        var panel = panel
        if model.sale.isOpen { writeRule(model, in: &panel, after: end, leaving: 2) }
        guard let highest = model.highestAsk else { return }
        var area = panel.body
        let times = area.rows > 7 ? area.takeBottom(1) : Area()
        let labels = [highest.grouped, "0", model.own.worth?.amount.grouped ?? ""]
        let labelColumns = 1 + (labels.map(\.columns).max() ?? 0)
        let right = area.takeRight(labelColumns)
        let scale = AskScale(model, highest: highest, rows: area.rows, columns: area.columns)
        drawWorth(model, scale, in: area, labels: right)
        var canvas = DotCanvas(columns: area.columns, rows: area.rows)
        canvas.stairs(scale.heights(of: model.series))
        draw(canvas, row: area.row, column: area.column, style: .price)
        writeLabel(highest.grouped, row: 0, in: right, style: .faint)
        if right.rows > 1 { writeLabel("0", row: right.rows - 1, in: right, style: .faint) }
        drawTimes(scale, in: times)
    }

    /// Draws a line at the user's value, and the value beside it.
    private mutating func drawWorth(
        _ model: Model, _ scale: AskScale, in area: Area, labels: Area
    ) {
        guard let worth = model.sale.value ?? model.own.worth?.amount, worth <= scale.highest
        else { return }
        let row = area.rows - 1 - scale.height(of: worth) / 4
        for column in stride(from: 0, to: area.columns, by: 2) {
            write(
                "╌", row: area.row + row, column: area.column + column,
                style: Style(color: .green))
        }
        writeLabel(worth.grouped, row: row, in: labels, style: .you)
    }

    private mutating func writeLabel(_ text: String, row: Int, in area: Area, style: Style) {
        write(
            text.leftPadded(to: area.columns), row: area.row + row, column: area.column,
            style: style)
    }

    /// Draws the time since the opening, at round seconds.
    private mutating func drawTimes(_ scale: AskScale, in area: Area) {
        guard !area.isEmpty else { return }
        let step = scale.roundStep(ofColumns: 10)
        for number in 0... {
            let time = step * number
            let (column, label) = (scale.column(at: time), "╵" + time.minutes)
            guard column + label.columns <= scale.columns else { break }
            write(label, row: area.row, column: area.column + column, style: .faint)
        }
    }
}

/// The scale of a chart of asking prices.
private struct AskScale {
    let highest: Int64
    let columns: Int
    /// The time of a column of dots.
    let timePerDot: Duration
    private let rows: Int

    init(_ model: Model, highest: Price, rows: Int, columns: Int) {
        self.highest = highest.amount
        self.rows = rows
        self.columns = columns
        let full = Duration.seconds(model.sale.fullSeconds ?? 1)
        // With pauses a lot lasts longer.
        let known = model.series.span * model.series.points.count
        let dots = max(1, columns * 2)
        timePerDot = max(full, known) / dots
    }

    /// The row of dots of a price, from the bottom.
    func height(of price: Int64) -> Int {
        let top = Double(rows * 4 - 1)
        return Int((Double(min(price, highest)) / Double(highest) * top).rounded())
    }

    /// The column of a time.
    func column(at time: Duration) -> Int { Int(time / (timePerDot * 2)) }

    /// The smallest round time that takes a number of columns or more.
    func roundStep(ofColumns columns: Int) -> Duration {
        let least = timePerDot * (2 * columns)
        let steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].map { Duration.seconds($0) }
        return steps.first { $0 >= least } ?? .seconds(3_600)
    }

    /// The row of dots for each column of dots up to the last point; nil for an unknown price.
    func heights(of series: Series) -> [Int?] {
        (0..<columns * 2).map { x in Int(timePerDot * x / series.span) }
            .prefix { index in index < series.points.count }
            .map { index in series.points[index].price.map { height(of: $0.amount) } }
    }
}

extension Model {
    /// The highest price of the chart: the first asking price.
    fileprivate var highestAsk: Price? {
        let known = series.prices?.upperBound
        return [sale.terms?.start, known].compactMap { $0 }.max()
    }

    fileprivate var askHeading: String {
        guard let start = sale.terms?.start else { return "asking prices" }
        guard case .sold(let sold)? = sale.outcome else {
            return "asking price from \(start.grouped)"
        }
        return "asking price from \(start.grouped) to \(sold.price.grouped)"
    }
}
