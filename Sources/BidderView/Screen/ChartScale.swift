import Drawing

/// How a series is put into an area: which points share a dot, and what its edges mean.
///
/// As long as it is the same, what was drawn before stays true.
package struct ChartScale: Equatable {
    /// How many points share a column of dots: 1, 2, 3, 4, 6, 8, 12 and so on.
    ///
    /// By such steps a chart that was full once is never less than half full.
    package let pointsPerDot: Int
    /// The prices at the lowest and the highest row of dots.
    package let prices: ClosedRange<Int64>
    /// The bids in five seconds that a full bar stands for.
    package let bids: Int
    package let priceRows: Int
    package let barRows: Int
    package let columns: Int
    /// Columns beside the chart for what its edges mean; 0 where there is no room.
    package let labelColumns: Int

    /// A chart narrower or lower than this has no labels.
    private static let (labelledColumns, labelledRows) = (20, 6)

    package init(_ series: Series, rows: Int, columns: Int) {
        barRows = max(1, rows / 4)
        priceRows = max(1, rows - barRows)
        let known = series.prices
        prices = Self.range(
            lowest: known?.lowerBound.amount ?? 0, highest: known?.upperBound.amount ?? 0)
        bids = Int(Self.rounded(Int64(max(5, series.points.map(\.bids).max() ?? 0))))
        let texts = [prices.lowerBound.grouped, prices.upperBound.grouped, Self.paceLabel(bids)]
        let label = 1 + (texts.map(\.count).max() ?? 0)
        let isLabelled = rows >= Self.labelledRows && columns - label >= Self.labelledColumns
        labelColumns = isLabelled && known != nil ? label : 0
        self.columns = columns - labelColumns
        let dots = self.columns * 2
        var power = 1
        while series.points.count > dots * power * 2 { power *= 2 }
        let steps = power == 1 ? [1, 2] : [power / 2 * 3, power * 2]
        pointsPerDot = steps.first { series.points.count <= dots * $0 } ?? power * 2
    }

    /// What the highest row of bars means.
    package var paceLabel: String { Self.paceLabel(bids) }

    private static func paceLabel(_ bids: Int) -> String { "\(bids / 5)/s" }

    var size: Size { Size(columns: columns, rows: priceRows + barRows) }

    /// The column of cells in which a point stands.
    package func column(ofPoint index: Int) -> Int { index / pointsPerDot / 2 }

    /// The row of dots, from the bottom, of a price.
    package func height(of price: Int64) -> Int {
        let (low, high) = (Double(prices.lowerBound), Double(prices.upperBound))
        return Int(((Double(price) - low) / (high - low) * Double(priceRows * 4 - 1)).rounded())
    }

    /// Round numbers around the prices, so that the next one seldom moves them.
    private static func range(lowest: Int64, highest: Int64) -> ClosedRange<Int64> {
        let unit = rounded(max(1, (highest - lowest + 3) / 4))
        return (lowest / unit * unit)...((highest / unit + 1) * unit)
    }

    /// The least of 1, 2, 5, 10, 20, 50 and so on that is not below a number.
    private static func rounded(_ number: Int64) -> Int64 {
        var power: Int64 = 1
        while power * 10 < number { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= number } ?? number
    }
}
