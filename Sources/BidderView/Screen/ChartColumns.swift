import Drawing

/// The columns of cells of a chart: two dots of the price over a bar of the pace.
struct ChartColumns {
    let points: [Series.Point]
    let scale: ChartScale

    /// How many columns there is something to draw in.
    var count: Int {
        points.isEmpty ? 0 : min(scale.columns, scale.column(ofPoint: points.count - 1) + 1)
    }

    /// Draws one column from the top to the bottom, over whatever was there.
    func draw(_ column: Int, in frame: inout Frame) {
        let dots = [column * 2, column * 2 + 1].map { point(atDot: $0) }
        drawPrice(column, in: &frame, isMarked: dots.contains { $0?.hasJoin == true })
        drawBar(dots.compactMap { $0?.bids }.max() ?? 0, column, in: &frame)
    }

    private func drawPrice(_ column: Int, in frame: inout Frame, isMarked: Bool) {
        var canvas = DotCanvas(columns: 1, rows: scale.priceRows)
        for x in 0...1 {
            guard let height = self.height(atDot: column * 2 + x) else { continue }
            // A step of the price is a line up from where it was.
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

    /// What happened in the span of a column of dots; nil beyond the last.
    private func point(atDot dot: Int) -> Series.Point? {
        let first = dot * scale.pointsPerDot
        guard first >= 0, first < points.count else { return nil }
        return points[first..<min(points.count, first + scale.pointsPerDot)]
            .reduce(into: Series.Point()) { $0.merge($1) }
    }
}
