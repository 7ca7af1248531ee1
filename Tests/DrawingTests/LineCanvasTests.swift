import Drawing
import Testing

@Suite struct LineCanvasTests {
    @Test("lines join where they meet, and have rounded corners")
    func joins() {
        var canvas = LineCanvas(columns: 5, rows: 5)
        for place in [0, 2, 4] {
            canvas.horizontal(row: place, from: 0, through: 4)
            canvas.vertical(column: place, from: 0, through: 4)
        }
        #expect(lines(canvas) == ["╭─┬─╮", "│ │ │", "├─┼─┤", "│ │ │", "╰─┴─╯"])
    }

    @Test("the end of a line is a whole line")
    func ends() {
        var canvas = LineCanvas(columns: 3, rows: 3)
        canvas.vertical(column: 1, from: 0, through: 2)
        #expect(lines(canvas) == [" │", " │", " │"])
    }

    @Test("lines are clipped, and a line to its own start is none")
    func clips() {
        var canvas = LineCanvas(columns: 2, rows: 1)
        canvas.horizontal(row: 0, from: -3, through: 9)
        canvas.horizontal(row: 7, from: 0, through: 1)
        canvas.vertical(column: 0, from: 0, through: 0)
        #expect(lines(canvas) == ["──"])
    }

    @Test("in ASCII lines are drawn with - and |, and junctions with +")
    func ascii() {
        var canvas = LineCanvas(columns: 3, rows: 3)
        canvas.horizontal(row: 0, from: 0, through: 2)
        canvas.horizontal(row: 2, from: 0, through: 2)
        canvas.vertical(column: 0, from: 0, through: 2)
        var frame = Frame(Size(columns: 3, rows: 3))
        frame.draw(canvas)
        #expect(frame.inASCII().lines == ["+--", "|", "+--"])
    }

    private func lines(_ canvas: LineCanvas) -> [String] {
        var frame = Frame(Size(columns: canvas.columns, rows: canvas.rows))
        frame.draw(canvas)
        return frame.lines
    }
}
