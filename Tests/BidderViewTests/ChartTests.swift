import AuctionRules
import BidderView
import Drawing
import Testing
import Wire

@Suite struct ChartPainterTests {
    private static let size = Size(columns: 80, rows: 24)

    @Test("a growing chart draws only its new columns")
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

    @Test("an unchanged chart is not drawn again")
    func stays() {
        let stage = Stage.busy(Self.size)
        var painter = Painter()
        _ = painter.frame(of: stage.view.model, size: Self.size)
        let drawn = painter.chart.drawnColumns
        stage.type("100")
        _ = painter.frame(of: stage.view.model, size: Self.size)
        #expect(painter.chart.drawnColumns == drawn)
    }

    @Test("a new scale draws all columns")
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

    @Test("a mark is drawn where a bidder joined, also for late news")
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

@Suite struct ChartScaleTests {
    @Test(
        "prices are between round numbers",
        arguments: [
            ([], 0...1), ([5], 5...6), ([100, 120], 100...125), ([100, 1_050], 0...1_500),
            ([1, 1_000_000_000_000], 0...1_500_000_000_000),
            ([999_999_999_990, 1_000_000_000_000], 999_999_999_990...1_000_000_000_005),
        ] as [([Int64], ClosedRange<Int64>)])
    func rounds(amounts: [Int64], prices: ClosedRange<Int64>) {
        let scale = ChartScale(series(of: amounts), rows: 8, columns: 30)
        #expect(scale.prices == prices)
    }

    @Test(
        "every price has a height inside the chart",
        arguments: [[1], [100, 120], [7, 8, 9, 1_000], [1, 1_000_000_000_000]] as [[Int64]])
    func fits(amounts: [Int64]) {
        for rows in 2...30 {
            let scale = ChartScale(series(of: amounts), rows: rows, columns: 30)
            let heights = amounts.map { scale.height(of: $0) }
            #expect(heights.allSatisfy { (0..<scale.priceRows * 4).contains($0) })
            #expect(heights == heights.sorted())
        }
    }

    @Test("low prices leave room for what a full bar means", arguments: [1, 50, 5_000])
    func paceLabel(bids: Int) {
        let series = Series().adding(Series.Point(price: price(5), bids: bids), at: 0)
        let scale = ChartScale(series, rows: 8, columns: 40)
        #expect(scale.labelColumns > scale.paceLabel.count)
    }

    @Test(
        "points share a dot once there are too many",
        arguments: [
            (1, 1), (20, 1), (21, 2), (40, 2), (41, 3), (60, 3), (61, 4), (81, 6), (121, 8),
            (1_024, 64),
        ])
    func shares(points: Int, pointsPerDot: Int) {
        let scale = ChartScale(
            Series().adding(Series.Point(bids: 1), at: points - 1), rows: 8, columns: 10)
        #expect(scale.pointsPerDot == pointsPerDot)
        #expect(scale.column(ofPoint: points - 1) < 10)
    }

    @Test(
        "a full bar is a round number of bids, at least five",
        arguments: [
            (0, 5), (5, 5), (6, 10), (11, 20), (34, 50), (50_000, 50_000), (50_001, 100_000),
        ])
    func rounds(bids: Int, full: Int) {
        let series = Series().adding(Series.Point(bids: bids), at: 0)
        #expect(ChartScale(series, rows: 8, columns: 10).bids == full)
    }

    @Test("bars have a quarter of the rows, and a row at least", arguments: 2...40)
    func divides(rows: Int) {
        let scale = ChartScale(Series(), rows: rows, columns: 10)
        #expect(scale.barRows == max(1, rows / 4))
        #expect(scale.barRows + scale.priceRows == rows)
    }

    private func series(of amounts: [Int64]) -> Series {
        amounts.enumerated().reduce(Series()) { series, entry in
            series.adding(Series.Point(price: price(entry.element)), at: entry.offset)
        }
    }
}
