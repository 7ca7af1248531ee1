import Drawing

/// Draws the price as a line, the pace of bids as bars below it, and a mark where somebody joined.
///
/// A chart that has grown at its end is drawn on from there; only another scale draws all of it.
package struct ChartPainter {
    private var scale: ChartScale?
    private var points: [Series.Point] = []
    private var room = Size(columns: 0, rows: 0)
    private var picture = Frame(Size(columns: 0, rows: 0))
    /// How many columns of cells were drawn in all.
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

    /// The scale, which is worked out where something has changed, and not in each frame.
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
