import Auction
import Bidder

extension Frame {
    /// Draws the price as a line, the rate of bids as bars below, and marks where bidders joined.
    mutating func drawChart(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        var panel = panel
        drawChartTitle(model, in: &panel)
        var area = panel.body
        let times = area.rows > 7 ? area.take(1, from: .bottom) : Area()
        let scale = ChartScale(
            model.series, limits: model.chartLimits, rows: area.rows, columns: area.columns)
        drawEdges(of: scale, in: area)
        drawPoints(scale.dots(of: model.series), scale, in: area)
        drawTimes(scale, of: model.series, in: times)
    }

    /// Draws what the chart shows, and at its right the rate of bids, or the terms and the rule.
    private mutating func drawChartTitle(_ model: Model, in panel: inout Panel) {
        guard !model.lot.isFalling else {
            return writeHeading(model.askHeading, model, in: &panel, leaving: 2)
        }
        guard let prices = model.series.prices else {
            writeTitle("chart", in: panel)
            return
        }
        let isLive = model.lot.isOpen && !model.isStale
        let rate = isLive ? "\(model.recentBids / 5).\(model.recentBids % 5 * 2) bids/s" : ""
        let (low, high) = (prices.lowerBound, prices.upperBound)
        let range = low == high ? low.grouped : "\(low.grouped) to \(high.grouped)"
        let start = model.series.span * model.series.firstKnown
        let since = start > .zero ? " since \(start.minutes)" : ""
        let room = panel.title.columns - rate.columns - 4 * panel.titleGap - 1
        let title = Note(forms: ["price \(range)\(since)", "price \(range)", range, "price"])
        let end = writeTitle(title.text(columns: room), in: panel)
        writeTitleEnd(rate, in: panel, after: end)
    }

    /// Draws the line at the user's value, and beside the chart the values of its rows.
    private mutating func drawEdges(of scale: ChartScale, in area: Area) {
        if let value = scale.limits?.value {
            let row = scale.row(of: value)
            for column in stride(from: 0, to: scale.columns, by: 2) {
                write("╌", row, in: area, from: column, style: Style(color: .green))
            }
        }
        guard scale.labelColumns > 0 else { return }
        for label in scale.labels {
            write(
                label.text.leftPadded(to: scale.labelColumns), label.row, in: area,
                from: scale.columns, style: label.style)
        }
    }

    /// Draws the marks where a bidder joined, the line of the price over them, and the bars.
    private mutating func drawPoints(_ dots: [Series.Point], _ scale: ChartScale, in area: Area) {
        for (x, dot) in dots.enumerated() where dot.hasJoin {
            for row in 0..<scale.priceRows {
                write("┊", row, in: area, from: x / 2, style: .faint)
            }
        }
        drawStairs(
            dots.map { dot in dot.price.map { scale.height(of: $0.amount) } },
            at: Position(row: area.row, column: area.column), rows: scale.priceRows, style: .price)
        for column in 0..<(dots.count + 1) / 2 {
            drawBar(dots[(column * 2)...].prefix(2), scale, in: area, column: column)
        }
    }

    /// Draws a bar for two columns of dots, or a point where the bids are unknown.
    private mutating func drawBar(
        _ dots: ArraySlice<Series.Point>, _ scale: ChartScale, in area: Area, column: Int
    ) {
        let bottom = area.rows - 1
        guard dots.contains(where: { !$0.isGap }) else {
            write("·", bottom, in: area, from: column, style: .faint)
            return
        }
        let bids = dots.map(\.bids).max() ?? 0
        let eighths = (bids * scale.barRows * 8 + scale.bids - 1) / scale.bids
        for row in 0..<scale.barRows where eighths > row * 8 {
            write(
                String(Bars.vertical(eighths: eighths - row * 8)), bottom - row, in: area,
                from: column, style: .pace)
        }
    }

    /// Draws the time since the opening, at round times.
    private mutating func drawTimes(_ scale: ChartScale, of series: Series, in area: Area) {
        guard scale.isKnown, !area.isEmpty else { return }
        let timePerColumn = series.span * scale.points.count / scale.columns
        let step = Self.steps.first { $0 >= timePerColumn * 10 } ?? .seconds(3_600)
        for number in 0... {
            let label = "╵" + (series.span * scale.points.lowerBound + step * number).minutes
            let column = Int(step * number / timePerColumn)
            guard column + label.columns <= scale.columns else { break }
            write(label, in: area, from: column, style: .faint)
        }
    }

    /// The times between two labels, of which there is one in ten columns at most.
    private static let steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800]
        .map { Duration.seconds($0) }
}

/// The scale of a chart: the points from its left to its right, and the values at its edges.
package struct ChartScale: Equatable {
    /// What is known of a lot whose price falls, from its opening on.
    package struct Limits: Equatable {
        /// The highest price; the lowest is 0.
        let highest: Int64
        /// The longest time that the lot can take, unless it is paused.
        let time: Duration
        /// What the lot is worth to the user; nil if that is unknown or above the chart.
        let value: Int64?
    }

    /// The limits; nil if the scale follows the known points.
    let limits: Limits?
    /// The points of a series from the left edge to the right one; some may be in the future.
    package let points: Range<Int>
    /// The prices of the lowest and the highest row of dots.
    package let prices: ClosedRange<Int64>
    /// Whether there is a price to show.
    let isKnown: Bool
    /// The bids in five seconds of a full bar.
    package let bids: Int
    /// The rows of the line of the price.
    package let priceRows: Int
    /// The rows of the bars; none with limits, because there the first bid ends the lot.
    package let barRows: Int
    /// The columns of the line and the bars.
    package let columns: Int
    /// The columns for labels beside the chart; 0 if they do not fit.
    package let labelColumns: Int

    /// A chart narrower than this has no labels.
    private static let labelledColumns = 20
    /// The number of points for which there is room from the opening on.
    private static let fewestPoints = 10

    /// Fits a series into rows and columns of cells.
    package init(_ series: Series, limits: Limits? = nil, rows: Int, columns: Int) {
        self.limits = limits
        let known = series.prices.map { $0.lowerBound.amount...$0.upperBound.amount }
        isKnown = limits != nil || known != nil
        prices = limits.map { 0...$0.highest } ?? Self.range(around: known ?? 0...0)
        points =
            limits.map { 0..<max(series.points.count, Int($0.time / series.span)) }
            ?? Self.points(of: series)
        bids = Int(Self.rounded(Int64(max(5, series.points.map(\.bids).max() ?? 0))))
        barRows = limits == nil ? max(1, min(4, rows / 4)) : 0
        priceRows = max(1, rows - barRows)
        let amounts = [prices.lowerBound, prices.upperBound, limits?.value ?? 0]
        let texts = amounts.map(\.grouped) + [Self.rateLabel(bids)]
        let label = 1 + (texts.map(\.count).max() ?? 0)
        let isLabelled = priceRows > 1 && columns - label >= Self.labelledColumns
        labelColumns = isLabelled && isKnown ? label : 0
        self.columns = columns - labelColumns
    }

    /// What each column of dots shows of a series, up to its last point.
    package func dots(of series: Series) -> [Series.Point] {
        (0..<columns * 2).prefix { firstPoint(ofDot: $0) < series.points.count }.map { x in
            let first = firstPoint(ofDot: x)
            var dot = series.merged(first..<max(first + 1, firstPoint(ofDot: x + 1)))
            // A point that takes several dots has its mark in the first of them.
            if x > 0, firstPoint(ofDot: x - 1) == first { dot.hasJoin = false }
            return dot
        }
    }

    private func firstPoint(ofDot x: Int) -> Int {
        points.lowerBound + x * points.count / (columns * 2)
    }

    /// The values of the highest and the lowest row, the user's value, and the rate of a full bar.
    var labels: [(row: Int, text: String, style: Style)] {
        let value = (limits?.value).map { [(row(of: $0), $0.grouped, Style.you)] } ?? []
        let rate = barRows > 0 ? [(priceRows, Self.rateLabel(bids), Style.faint)] : []
        return value + [
            (0, prices.upperBound.grouped, .faint),
            (priceRows - 1, prices.lowerBound.grouped, .faint),
        ] + rate
    }

    private static func rateLabel(_ bids: Int) -> String { "\(bids / 5)/s" }

    /// The row of dots of a price, from the bottom.
    package func height(of price: Int64) -> Int {
        let (low, high) = (Double(prices.lowerBound), Double(prices.upperBound))
        return Int(((Double(price) - low) / (high - low) * Double(priceRows * 4 - 1)).rounded())
    }

    /// The row of a price, from the top.
    func row(of price: Int64) -> Int { priceRows - 1 - height(of: price) / 4 }

    /// Round numbers around the prices, so that a new price seldom changes the scale.
    private static func range(around prices: ClosedRange<Int64>) -> ClosedRange<Int64> {
        let (lowest, highest) = (prices.lowerBound, prices.upperBound)
        let unit = rounded(max(1, (highest - lowest + 3) / 4))
        return (lowest / unit * unit)...((highest / unit + 1) * unit)
    }

    /// The known points up to a round number of them, so that a new one seldom changes the scale.
    private static func points(of series: Series) -> Range<Int> {
        let count = max(series.points.count - series.firstKnown, fewestPoints)
        let unit = Int(rounded(Int64(count + 3) / 4))
        return series.firstKnown..<(series.firstKnown + (count + unit - 1) / unit * unit)
    }

    /// The smallest of 1, 2, 5, 10, 20, 50 and so on that is not less than a number.
    private static func rounded(_ number: Int64) -> Int64 {
        var power: Int64 = 1
        while power * 10 < number { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= number } ?? number
    }
}

extension Model {
    /// The limits of the chart of a falling price; nil for other lots.
    fileprivate var chartLimits: ChartScale.Limits? {
        guard lot.isFalling else { return nil }
        let highest = max(lot.start, series.prices?.upperBound ?? lot.start).amount
        let value = lot.value ?? own?.worth
        return ChartScale.Limits(
            highest: highest, time: .seconds(lot.seconds),
            value: value.flatMap { $0 <= highest ? $0 : nil })
    }

    fileprivate var askHeading: String {
        let end = lot.winner == nil ? nil : lot.price
        return "asking price from \(lot.start.grouped)" + (end.map { " to \($0.grouped)" } ?? "")
    }
}
