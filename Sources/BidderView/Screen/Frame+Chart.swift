import Drawing

extension Frame {
    /// From which price to which the chart goes, and how fast bids come now.
    mutating func drawChartHeading(_ model: Model, in area: Area) {
        guard let prices = model.series.prices else { return }
        let (low, high) = (prices.lowerBound, prices.upperBound)
        let pace = "\(model.pace / 5).\(model.pace % 5 * 2) bids/s"
        let room = area.columns - pace.columns - 2
        let range = low == high ? "price" : "price \(low.grouped) to \(high.grouped)"
        write(
            range.columns <= room ? range : "price", row: area.row, column: area.column,
            style: .faint)
        write(
            pace, row: area.row, column: area.column + area.columns - pace.columns, style: .faint)
    }

    /// What the highest and the lowest row of the price mean, and a full bar.
    mutating func drawEdges(of scale: ChartScale, in area: Area) {
        guard scale.labelColumns > 0 else { return }
        let labels = [
            (row: 0, text: scale.prices.upperBound.grouped),
            (row: scale.priceRows - 1, text: scale.prices.lowerBound.grouped),
            (row: scale.priceRows, text: scale.paceLabel),
        ]
        for label in labels {
            let text = label.text.leftPadded(to: scale.labelColumns)
            write(
                text, row: area.row + label.row, column: area.column + scale.columns,
                style: .faint, limit: scale.labelColumns)
        }
    }

    /// The time of every tenth column, in minutes and seconds since the lot opened.
    mutating func drawTimes(_ scale: ChartScale, of series: Series, in area: Area) {
        guard !area.isEmpty, series.points.last?.price != nil else { return }
        for column in stride(from: 0, to: scale.columns, by: 10) {
            let seconds = (series.span * (column * 2 * scale.pointsPerDot)).components.seconds
            let label = "╵\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
            guard column + label.columns <= scale.columns else { break }
            write(label, row: area.row, column: area.column + column, style: .faint)
        }
    }
}
