import Drawing

/// Draws the price as a line, the pace of bids as bars below it, and a mark where a bidder joined.
///
/// Draws only the new columns, unless the scale changed.
package struct ChartPainter {
    private var scale: ChartScale?
    private var points: [Series.Point] = []
    private var room = Size(columns: 0, rows: 0)
    private var picture = Frame(Size(columns: 0, rows: 0))
    /// The number of columns drawn so far, for tests.
    package private(set) var drawnColumns = 0

    /// Draws the chart of a model into a frame.
    mutating func draw(_ model: Model, in area: Area, of frame: inout Frame) {
        guard !area.isEmpty else { return }
        var area = area
        if area.rows > 4 { frame.drawChartHeading(model, in: area.takeTop(1)) }
        let times = area.rows > 8 ? area.takeBottom(1) : Area()
        let newScale = scale(of: model.series, in: Size(columns: area.columns, rows: area.rows))
        update(model.series, newScale)
        frame.draw(picture, row: area.row, column: area.column)
        frame.drawEdges(of: newScale, in: area)
        frame.drawTimes(newScale, of: model.series, in: times)
    }

    /// The scale, computed only if the series or the size changed.
    private mutating func scale(of series: Series, in newRoom: Size) -> ChartScale {
        if let scale, newRoom == room, series.points == points { return scale }
        room = newRoom
        return ChartScale(series, rows: newRoom.rows, columns: newRoom.columns)
    }

    private mutating func update(_ series: Series, _ newScale: ChartScale) {
        guard series.points != points || newScale != scale else { return }
        let known = newScale == scale ? zip(points, series.points).prefix { $0 == $1 }.count : 0
        let isGrown = known > 0 && series.points.count >= points.count
        if !isGrown { picture = Frame(newScale.size) }
        (scale, points) = (newScale, series.points)
        let columns = ChartColumns(points: points, scale: newScale)
        for column in (isGrown ? newScale.column(ofPoint: known) : 0)..<columns.count {
            columns.draw(column, in: &picture)
            drawnColumns += 1
        }
    }
}

/// The columns of a chart: each has two columns of dots for the price over a bar for the pace.
struct ChartColumns {
    let points: [Series.Point]
    let scale: ChartScale

    /// The number of columns with content.
    var count: Int {
        points.isEmpty ? 0 : min(scale.columns, scale.column(ofPoint: points.count - 1) + 1)
    }

    /// Draws one column.
    func draw(_ column: Int, in frame: inout Frame) {
        let dots = [column * 2, column * 2 + 1].map { point(atDot: $0) }
        drawPrice(column, in: &frame, isMarked: dots.contains { $0?.hasJoin == true })
        drawBar(dots.compactMap { $0?.bids }.max() ?? 0, column, in: &frame)
    }

    private func drawPrice(_ column: Int, in frame: inout Frame, isMarked: Bool) {
        var canvas = DotCanvas(columns: 1, rows: scale.priceRows)
        for x in 0...1 {
            guard let height = self.height(atDot: column * 2 + x) else { continue }
            // A change of the price is a vertical line.
            let from = self.height(atDot: column * 2 + x - 1) ?? height
            for dot in min(from, height)...max(from, height) { canvas.set(x: x, y: dot) }
        }
        for row in 0..<scale.priceRows {
            let line = canvas.character(row: row, column: 0)
            let isMark = isMarked && line == " "
            frame.write(
                isMark ? "┊" : String(line), row: row, column: column,
                style: isMark ? .faint : Style(color: .magenta))
        }
    }

    private func drawBar(_ bids: Int, _ column: Int, in frame: inout Frame) {
        let full = scale.barRows * 8
        let eighths = (bids * full + scale.bids - 1) / scale.bids
        for row in 0..<scale.barRows {
            let below = (scale.barRows - 1 - row) * 8
            frame.write(
                String(Bars.vertical(eighths: eighths - below)), row: scale.priceRows + row,
                column: column, style: .plain)
        }
    }

    private func height(atDot dot: Int) -> Int? {
        point(atDot: dot)?.price.map { scale.height(of: $0.amount) }
    }

    /// The events in the span of a column of dots; nil after the last.
    private func point(atDot dot: Int) -> Series.Point? {
        let first = dot * scale.pointsPerDot
        guard first >= 0, first < points.count else { return nil }
        return points[first..<min(points.count, first + scale.pointsPerDot)]
            .reduce(into: Series.Point()) { $0.merge($1) }
    }
}

extension Frame {
    /// Draws the range of prices and the present pace.
    mutating func drawChartHeading(_ model: Model, in area: Area) {
        guard let prices = model.series.prices else { return }
        let (low, high) = (prices.lowerBound, prices.upperBound)
        let pace = "\(model.recentBids / 5).\(model.recentBids % 5 * 2) bids/s"
        let room = area.columns - pace.columns - 2
        let range = low == high ? "price" : "price \(low.grouped) to \(high.grouped)"
        write(
            range.columns <= room ? range : "price", row: area.row, column: area.column,
            style: .faint)
        write(
            pace, row: area.row, column: area.column + area.columns - pace.columns, style: .faint)
    }

    /// Draws the values of the highest and the lowest row of the price, and of a full bar.
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

    /// Draws the time since the opening at every tenth column, in minutes and seconds.
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
