import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

@Suite struct ChartTests {
    @Test("a mark is drawn where a bidder joined")
    func marks() {
        let stage = Stage.opened(Size(columns: 80, rows: 24)).later(1, "bob", 100)
        stage.pass(.seconds(10))
        stage.send(joined("eve"))
        stage.pass(.seconds(1))
        #expect(stage.screen.contains { $0.contains("┊") })
    }

    @Test("where bids are missing, there is no line, but points in place of bars")
    func gaps() {
        let stage = Stage.opened(Size(columns: 80, rows: 24)).later(1, "bob", 100)
        stage.pass(.seconds(20))
        let missed = lap(9, 500, "carol", at: .seconds(20))
        stage.send(.event(.bidPlaced(missed), .init(remaining: .seconds(7))))
        stage.pass(.seconds(2))
        #expect(stage.screen.contains { $0.contains(/·{15,}/) })
    }

    @Test("the axis of a latecomer begins with the first known bid, and says so")
    func latecomer() {
        let stage = Stage(columns: 80, rows: 24)
        stage.bids = (1...1_200).map {
            lap($0, Int64($0), "bob", at: .seconds(7_500) + .milliseconds(10 * $0))
        }
        stage.snapshot = [
            lotOpened(1, "Vase", start: 1, elapsed: .seconds(7_512)),
            .event(.bidPlaced(stage.bids[1_199]), .init(remaining: .seconds(7))),
        ]
        stage.connect()
        stage.pass(.seconds(1))
        let screen = stage.screen
        #expect(screen.contains { $0.contains(/201 to 1,200 .* [1-9]\d\.\d bids/) })
        #expect(screen.contains { $0.contains("╵2h04") })
    }

    @Test("a chart of any length fits into any area", arguments: [0, 1, 39, 40, 41, 500, 1_024])
    func fits(points: Int) {
        var model = Model(bidder: nil, server: .network(host: "there", port: 7777))
        model.receive(.hello(seconds: 7, step: price(1)), at: .zero)
        model.receive(.event(.lotOpened(Lot(number: 1))), at: .zero)
        model.follow(isLive: true, at: .zero)
        for number in 0..<points {
            let now = Series.tick * (number + 1)
            if number % 7 == 0 {
                let bid = lap(number / 7 + 1, Int64(number + 1), "bob", at: now)
                model.receive(.event(.bidPlaced(bid)), at: now)
            }
            model.endTick(at: now)
        }
        for (columns, rows) in [(40, 12), (72, 18), (80, 24), (200, 60)] {
            let frame = Frame(of: model, size: Size(columns: columns, rows: rows))
            let hasLine = frame.lines.joined().contains { ("\u{2801}"..."\u{28FF}").contains($0) }
            #expect(hasLine == (points > 0))
        }
    }
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
    func rateLabel(bids: Int) {
        let series = Series().adding(Series.Point(price: price(5), bids: bids), at: 0)
        let scale = ChartScale(series, rows: 8, columns: 40)
        #expect(scale.labelColumns > "\(scale.bids / 5)/s".count)
    }

    @Test(
        "from ten points on, more than half of the width is used",
        arguments: [10, 11, 20, 21, 26, 41, 53, 81, 100, 101, 130, 500, 1_024], [10, 27, 130])
    func fills(points: Int, columns: Int) {
        let series = Series().adding(Series.Point(bids: 1), at: points - 1)
        let dots = ChartScale(series, rows: 8, columns: columns).dots(of: series)
        #expect(dots.count <= columns * 2)
        #expect(dots.count > columns * 6 / 5)
    }

    @Test("a new point changes the scale seldom")
    func isSteady() {
        let scales = (0..<Series.maximumPoints).map { tick in
            ChartScale(
                Series().adding(Series.Point(bids: 1), at: tick), rows: 8, columns: 30)
        }
        #expect(Set(scales.map(\.points)).count < 30)
    }

    @Test("every point is in a dot, and a join in only one", arguments: [1, 9, 20, 77, 1_024])
    func keeps(points: Int) {
        for place in stride(from: 0, to: points, by: 5) {
            let series = Series().adding(Series.Point(bids: 1), at: points - 1)
                .adding(Series.Point(hasJoin: true), at: place)
            let dots = ChartScale(series, rows: 8, columns: 30).dots(of: series)
            #expect(dots.filter(\.hasJoin).count == 1)
            #expect(dots.last?.bids == 1)
        }
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

    @Test("bars have a quarter of the rows, but from 1 to 4 rows", arguments: 2...40)
    func divides(rows: Int) {
        let scale = ChartScale(Series(), rows: rows, columns: 10)
        #expect(scale.barRows == max(1, min(4, rows / 4)))
        #expect(scale.barRows + scale.priceRows == rows)
    }

    private func series(of amounts: [Int64]) -> Series {
        amounts.enumerated().reduce(Series()) { series, entry in
            series.adding(Series.Point(price: price(entry.element)), at: entry.offset)
        }
    }
}
