import Bidder
import Terminal
import Testing

@Suite struct LayoutTests {
    private static let widths = [40, 41, 60, 71, 72, 73, 80, 100, 132, 200, 300]
    private static let heights = [12, 13, 17, 18, 19, 24, 30, 43, 60, 100]

    @Test("areas do not overlap, and stay inside the screen", arguments: widths, heights)
    func isApart(columns: Int, rows: Int) {
        for (isPlaying, isHelping) in [(true, false), (false, false), (true, true)] {
            let size = Size(columns: columns, rows: rows)
            expectApart(Layout(size: size, isPlaying: isPlaying, isHelping: isHelping), size)
        }
    }

    @Test(
        "the areas of a game do not overlap either", arguments: [40, 60, 72, 80, 120, 200], 0..<64)
    func isApartInGame(columns: Int, parts: Int) {
        for rows in [12, 18, 20, 24, 40] {
            let size = Size(columns: columns, rows: rows)
            for isPlaying in [true, false] {
                let parts = Layout.Parts(rawValue: parts)
                expectApart(Layout(size: size, isPlaying: isPlaying, parts: parts), size)
            }
        }
    }

    @Test("a game has its areas on every screen", arguments: widths, heights)
    func hasGame(columns: Int, rows: Int) {
        let size = Size(columns: columns, rows: rows)
        let english = Layout(size: size, isPlaying: true, parts: [.money, .terms])
        #expect(!english.money.isEmpty)
        #expect(english.lapRows >= 1)
        #expect(english.terms.isEmpty != english.price.title.isEmpty)
        let pictured = Layout(size: size, isPlaying: true, parts: [.money, .terms, .picture])
        #expect(pictured.picture.body.rows >= 2)
        #expect(pictured.laps.body.isEmpty && pictured.chart.body.isEmpty)
    }

    private func expectApart(_ layout: Layout, _ size: Size) {
        var taken: Set<[Int]> = []
        for area in layout.areas where !area.isEmpty {
            #expect(area.row >= 0 && area.row + area.rows <= size.rows, "\(area) of \(size)")
            #expect(area.column >= 0 && area.column + area.columns <= size.columns)
            for row in area.row..<(area.row + area.rows) {
                for column in area.column..<(area.column + area.columns) {
                    #expect(taken.insert([row, column]).inserted, "\(area) of \(size)")
                }
            }
        }
    }

    @Test(
        "the lots have a column of their own from 160 columns on", arguments: [120, 159, 160, 200])
    func hasLots(columns: Int) {
        let layout = Layout(
            size: Size(columns: columns, rows: 50), isPlaying: true, parts: [.lots, .standings])
        #expect((layout.lots.body.row == layout.price.body.row) == (columns >= 160))
        #expect(layout.news.body.rows + layout.standings.body.rows + layout.bidders.body.rows > 40)
    }

    @Test("the necessary areas are on every screen", arguments: widths, heights)
    func hasAll(columns: Int, rows: Int) {
        let layout = Layout(size: Size(columns: columns, rows: rows), isPlaying: true)
        let needed = [
            layout.head, layout.price.body, layout.bar, layout.laps.body, layout.chart.body,
            layout.news.body, layout.input.body,
        ]
        #expect(needed.allSatisfy { !$0.isEmpty })
        #expect(layout.price.body.rows.isMultiple(of: LargeDigits.rows))
        #expect(layout.lapRows >= 1)
    }

    @Test("an observer has hints in place of the input", arguments: widths)
    func watches(columns: Int) {
        let layout = Layout(size: Size(columns: columns, rows: 12), isPlaying: false)
        #expect(layout.input.body.isEmpty)
        #expect(!layout.hints.title.isEmpty)
    }

    @Test(
        "the chart is beside the laps if they fit, else below",
        arguments: [(40, false), (71, false), (72, true), (300, true)])
    func isBeside(columns: Int, isBeside: Bool) {
        let layout = Layout(size: Size(columns: columns, rows: 24), isPlaying: true)
        #expect((layout.chart.body.row == layout.laps.body.row) == isBeside)
    }
}

extension Layout {
    fileprivate var areas: [Area] {
        [head, bar, money, terms, hints.title]
            + [
                price, countdown, laps, chart, picture, standings, lots, bidders, news, input, help,
            ].flatMap { [$0.title, $0.body] }
    }
}
