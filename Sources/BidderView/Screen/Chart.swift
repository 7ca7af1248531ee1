import Drawing

extension Frame {
    /// Draws the price as a line, the rate of bids as bars below it, and a mark where a bidder joined.
    mutating func drawChart(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        drawChartTitle(model, in: panel)
        var area = panel.body
        let times = area.rows > 7 ? area.takeBottom(1) : Area()
        let scale = ChartScale(model.series, rows: area.rows, columns: area.columns)
        let dots = scale.dots(of: model.series)
        drawPrices(dots, scale, in: area)
        drawBars(dots, scale, in: area)
        drawEdges(of: scale, in: area)
        drawTimes(scale, of: model.series, in: times)
    }

    /// Draws the range of the known prices, and the present rate of bids.
    private mutating func drawChartTitle(_ model: Model, in panel: Panel) {
        guard let prices = model.series.prices else {
            writeTitle("chart", in: panel)
            return
        }
        let isLive = model.sale.isOpen && !model.isStale
        let rate = isLive ? "\(model.recentBids / 5).\(model.recentBids % 5 * 2) bids/s" : ""
        let (low, high) = (prices.lowerBound, prices.upperBound)
        let range = low == high ? low.grouped : "\(low.grouped) to \(high.grouped)"
        let start = model.series.span * model.series.firstKnown
        let since = start > .zero ? " since \(start.minutes)" : ""
        let room = panel.title.columns - rate.columns - 4 * panel.titleGap - 1
        let texts = ["price \(range)\(since)", "price \(range)", range]
        let text = texts.first { $0.columns <= room } ?? "price"
        let end = writeTitle(text, in: panel)
        writeTitleEnd(rate, in: panel, after: end)
    }

    /// Draws the marks where a bidder joined, and the line of the price over them.
    private mutating func drawPrices(_ dots: [Series.Point], _ scale: ChartScale, in area: Area) {
        for (x, dot) in dots.enumerated() where dot.hasJoin {
            for row in 0..<scale.priceRows {
                write("┊", row: area.row + row, column: area.column + x / 2, style: .faint)
            }
        }
        var canvas = DotCanvas(columns: scale.columns, rows: scale.priceRows)
        canvas.stairs(dots.map { dot in dot.price.map { scale.height(of: $0.amount) } })
        draw(canvas, row: area.row, column: area.column, style: .price)
    }

    /// Draws a bar for each two columns of dots, and points where the bids are unknown.
    private mutating func drawBars(_ dots: [Series.Point], _ scale: ChartScale, in area: Area) {
        let bottom = area.row + scale.priceRows + scale.barRows - 1
        for column in 0..<(dots.count + 1) / 2 {
            let pair = dots[(column * 2)...].prefix(2)
            guard pair.contains(where: { !$0.isGap }) else {
                write("·", row: bottom, column: area.column + column, style: .faint)
                continue
            }
            let bids = pair.map(\.bids).max() ?? 0
            let eighths = (bids * scale.barRows * 8 + scale.bids - 1) / scale.bids
            for row in 0..<scale.barRows where eighths > row * 8 {
                write(
                    String(Bars.vertical(eighths: eighths - row * 8)), row: bottom - row,
                    column: area.column + column, style: .pace)
            }
        }
    }

    /// Draws the values of the highest and the lowest row of the price, and of a full bar.
    private mutating func drawEdges(of scale: ChartScale, in area: Area) {
        guard scale.labelColumns > 0 else { return }
        let labels = [
            (row: 0, text: scale.prices.upperBound.grouped),
            (row: scale.priceRows - 1, text: scale.prices.lowerBound.grouped),
            (row: scale.priceRows, text: scale.rateLabel),
        ]
        for label in labels {
            let text = label.text.leftPadded(to: scale.labelColumns)
            write(
                text, row: area.row + label.row, column: area.column + scale.columns,
                style: .faint, limit: scale.labelColumns)
        }
    }

    /// Draws the time since the opening at every tenth column.
    private mutating func drawTimes(_ scale: ChartScale, of series: Series, in area: Area) {
        guard !area.isEmpty, series.points.last?.price != nil else { return }
        for column in stride(from: 0, to: scale.columns, by: 10) {
            let points =
                series.firstKnown + column * 2 * scale.pointsPerDot / scale.dotsPerPoint
            let label = "╵" + (series.span * points).minutes
            guard column + label.columns <= scale.columns else { break }
            write(label, row: area.row, column: area.column + column, style: .faint)
        }
    }
}

/// The scale of a chart: the points for each dot, and the values at the edges.
package struct ChartScale: Equatable {
    /// The number of points for each column of dots: 1, 2, 3, 4, 6, 8, 12 and so on.
    ///
    /// With these steps a chart that was once full stays at least half full.
    package let pointsPerDot: Int
    /// The number of columns of dots for each point: more than 1 on a wide screen.
    package let dotsPerPoint: Int
    /// The prices of the lowest and the highest row of dots.
    package let prices: ClosedRange<Int64>
    /// The bids in five seconds of a full bar.
    package let bids: Int
    package let priceRows: Int
    package let barRows: Int
    package let columns: Int
    /// The columns for labels beside the chart; 0 if they do not fit.
    package let labelColumns: Int

    /// A chart narrower or lower than this has no labels.
    private static let (labelledColumns, labelledRows) = (20, 6)
    /// A point takes several dots as long as there is room for this number of points.
    private static let stretchedPoints = 10

    package init(_ series: Series, rows: Int, columns: Int) {
        barRows = max(1, rows / 4)
        priceRows = max(1, rows - barRows)
        let known = series.prices
        prices = Self.range(
            lowest: known?.lowerBound.amount ?? 0, highest: known?.upperBound.amount ?? 0)
        bids = Int(Self.rounded(Int64(max(5, series.points.map(\.bids).max() ?? 0))))
        let texts = [prices.lowerBound.grouped, prices.upperBound.grouped, Self.rateLabel(bids)]
        let label = 1 + (texts.map(\.count).max() ?? 0)
        let isLabelled = rows >= Self.labelledRows && columns - label >= Self.labelledColumns
        labelColumns = isLabelled && known != nil ? label : 0
        self.columns = columns - labelColumns
        let dots = self.columns * 2
        let points = series.points.count - series.firstKnown
        var power = 1
        while points > dots * power * 2 { power *= 2 }
        let steps = power == 1 ? [1, 2] : [power / 2 * 3, power * 2]
        pointsPerDot = steps.first { points <= dots * $0 } ?? power * 2
        let shown = max(points, Self.stretchedPoints)
        dotsPerPoint = [10, 5, 4, 2].first { shown * $0 <= dots } ?? 1
    }

    /// What each column of dots shows of a series.
    func dots(of series: Series) -> [Series.Point] {
        series.points(from: series.firstKnown, each: pointsPerDot).flatMap { point in
            var rest = point
            rest.hasJoin = false
            return [point] + Array(repeating: rest, count: dotsPerPoint - 1)
        }
    }

    /// The rate of a full bar.
    package var rateLabel: String { Self.rateLabel(bids) }

    private static func rateLabel(_ bids: Int) -> String { "\(bids / 5)/s" }

    /// The row of dots of a price, from the bottom.
    package func height(of price: Int64) -> Int {
        let (low, high) = (Double(prices.lowerBound), Double(prices.upperBound))
        return Int(((Double(price) - low) / (high - low) * Double(priceRows * 4 - 1)).rounded())
    }

    /// Round numbers around the prices, so that a new price seldom changes the scale.
    private static func range(lowest: Int64, highest: Int64) -> ClosedRange<Int64> {
        let unit = rounded(max(1, (highest - lowest + 3) / 4))
        return (lowest / unit * unit)...((highest / unit + 1) * unit)
    }

    /// The smallest of 1, 2, 5, 10, 20, 50 and so on that is not less than a number.
    private static func rounded(_ number: Int64) -> Int64 {
        var power: Int64 = 1
        while power * 10 < number { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= number } ?? number
    }
}
