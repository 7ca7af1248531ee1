import Drawing

/// The scale of a chart: the points for each dot, and the values at the edges.
///
/// While the scale is unchanged, the columns that were drawn stay valid.
package struct ChartScale: Equatable {
    /// The number of points for each column of dots: 1, 2, 3, 4, 6, 8, 12 and so on.
    ///
    /// With these steps a chart that was once full stays at least half full.
    package let pointsPerDot: Int
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

    /// The pace of a full bar.
    package var paceLabel: String { Self.paceLabel(bids) }

    private static func paceLabel(_ bids: Int) -> String { "\(bids / 5)/s" }

    var size: Size { Size(columns: columns, rows: priceRows + barRows) }

    /// The column of cells of a point.
    package func column(ofPoint index: Int) -> Int { index / pointsPerDot / 2 }

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
