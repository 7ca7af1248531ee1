import Bidder
import Terminal
import Testing

@Suite struct BoxTests {
    @Test("boxes join where they meet, and have rounded corners")
    func joins() {
        var frame = Frame(Size(columns: 5, rows: 5))
        for row in [0, 2] {
            for column in [0, 2] {
                frame.drawBox(
                    at: Position(row: row, column: column), size: Size(columns: 3, rows: 3))
            }
        }
        #expect(frame.lines == ["╭─┬─╮", "│ │ │", "├─┼─┤", "│ │ │", "╰─┴─╯"])
    }

    @Test("a box of one column is a line, which joins the line at its end")
    func line() {
        var frame = Frame(Size(columns: 3, rows: 4))
        frame.drawBox(at: Position(row: 0, column: 0), size: Size(columns: 3, rows: 4))
        frame.drawBox(at: Position(row: 0, column: 1), size: Size(columns: 1, rows: 3))
        #expect(frame.lines == ["╭┬╮", "│││", "│││", "╰─╯"])
    }

    @Test("a box is clipped at the frame")
    func clips() {
        var frame = Frame(Size(columns: 2, rows: 2))
        frame.drawBox(at: Position(row: -1, column: -1), size: Size(columns: 3, rows: 3))
        frame.drawBox(at: Position(row: 7, column: 0), size: Size(columns: 2, rows: 2))
        #expect(frame.lines == [" │", "─╯"])
    }

    @Test("in ASCII a box is drawn with - and |, and its corners with +")
    func ascii() {
        var frame = Frame(Size(columns: 3, rows: 3))
        frame.drawBox(at: Position(row: 0, column: 0), size: Size(columns: 3, rows: 3))
        #expect(frame.inASCII().lines == ["+-+", "| |", "+-+"])
    }
}
