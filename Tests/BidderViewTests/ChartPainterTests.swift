import AuctionRules
import BidderView
import Drawing
import Testing
import Wire

@Suite struct ChartPainterTests {
    /// Everything but the chart is nothing to it.
    private static let size = Size(columns: 80, rows: 24)

    @Test("a chart that grows draws only its new columns")
    func grows() {
        let stage = Stage.opened(Self.size).later(1, "bob", 100)
        stage.pass(.seconds(2))
        var painter = Painter()
        _ = painter.frame(of: stage.view.model, size: Self.size)
        let (first, scale) = (painter.chart.drawnColumns, stage.scale)
        // Four points fill two columns; the one that was drawn last may change with them.
        for second in 1...10 {
            stage.pass(.seconds(2))
            #expect(stage.scale == scale)
            _ = painter.frame(of: stage.view.model, size: Self.size)
            #expect(painter.chart.drawnColumns - first <= second * 3)
        }
    }

    @Test("a chart that is the same is not drawn again")
    func stays() {
        let stage = Stage.busy(Self.size)
        var painter = Painter()
        _ = painter.frame(of: stage.view.model, size: Self.size)
        let drawn = painter.chart.drawnColumns
        stage.type("100")
        _ = painter.frame(of: stage.view.model, size: Self.size)
        #expect(painter.chart.drawnColumns == drawn)
    }

    @Test("another scale draws all columns")
    func scales() {
        let stage = Stage.opened(Self.size).later(1, "bob", 100)
        stage.pass(.seconds(10))
        var painter = Painter()
        _ = painter.frame(of: stage.view.model, size: Self.size)
        let (drawn, scale) = (painter.chart.drawnColumns, stage.scale)
        stage.later(1, "alice", 100_000)
        stage.pass(.seconds(1))
        #expect(stage.scale != scale)
        _ = painter.frame(of: stage.view.model, size: Self.size)
        let columns = stage.scale.column(ofPoint: stage.view.model.series.points.count - 1) + 1
        #expect(painter.chart.drawnColumns - drawn == columns)
        #expect(columns > 5)
    }

    @Test("a mark is drawn where somebody joined, late news or not")
    func marks() {
        let stage = Stage.opened(Self.size).later(1, "bob", 100)
        stage.pass(.seconds(10))
        var used = Painter()
        _ = used.frame(of: stage.view.model, size: Self.size)
        stage.tell(.joined(bidder("eve")))
        stage.pass(.seconds(1))
        let lines = used.frame(of: stage.view.model, size: Self.size).lines
        #expect(lines.contains { $0.contains("┊") })
    }
}

extension Stage {
    fileprivate var scale: ChartScale { ChartScale(view.model.series, rows: 10, columns: 30) }
}
