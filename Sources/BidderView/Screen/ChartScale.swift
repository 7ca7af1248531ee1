import Drawing

/// How a series is put into an area: which points share a dot, and what its edges mean.
///
/// As long as it is the same, what was drawn before stays true.
package struct ChartScale: Equatable {
    /// How many points share a column of dots: a power of two.
    package let pointsPerDot: Int
    /// The prices at the lowest and the highest row of dots.
    package let prices: ClosedRange<Int64>
    /// The bids in five seconds that a full bar stands for.
    package let bids: Int
    package let priceRows: Int
    package let barRows: Int
    package let columns: Int

    package init(_ series: Series, rows: Int, columns: Int) {
        self.columns = columns
        barRows = max(1, rows / 4)
        priceRows = max(1, rows - barRows)
        var shared = 1
        while series.points.count > columns * 2 * shared { shared *= 2 }
        pointsPerDot = shared
        let known = series.points.compactMap(\.price?.amount)
        prices = Self.range(lowest: known.min() ?? 0, highest: known.max() ?? 0)
        bids = Int(Self.rounded(Int64(max(5, series.points.map(\.bids).max() ?? 0))))
    }

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
