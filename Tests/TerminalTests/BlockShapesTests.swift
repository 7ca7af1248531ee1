import Bidder
import Terminal
import Testing

@Suite struct BarsTests {
    @Test(
        "a bar is rounded to an eighth of a cell",
        arguments: [
            (0, "    "), (1, "████"), (0.5, "██  "), (0.875, "███▌"), (1.0 / 32, "▏   "),
            (31.0 / 32, "███▉"), (0.01, "    "), (0.999, "████"), (-1, "    "), (7, "████"),
            (.nan, "    "), (.infinity, "████"),
        ] as [(Double, String)])
    func horizontal(fraction: Double, bar: String) {
        #expect(Bars.horizontal(fraction: fraction, columns: 4) == bar)
    }

    @Test("the rest of a bar is filled with spaces")
    func rest() {
        #expect(Bars.horizontal(fraction: 0.3, columns: 5) == "█▌   ")
        #expect(Bars.horizontal(fraction: 0, columns: 2) == "  ")
        #expect(Bars.horizontal(fraction: 0.5, columns: 0) == "")
        #expect(Bars.horizontal(fraction: 0.5, columns: -2) == "")
    }

    @Test("a cell is filled from the bottom, by 0 to 8 eighths")
    func vertical() {
        #expect(String((-1...9).map { Bars.vertical(eighths: $0) }) == "  ▁▂▃▄▅▆▇██")
    }
}

@Suite struct LargeDigitsTests {
    @Test("digits have three rows, with a column between them")
    func digits() {
        #expect(
            LargeDigits.lines("0123456789") == [
                "█▀█ ▄█  ▀▀█ ▀▀█ █ █ █▀▀ █▀▀ ▀▀█ █▀█ █▀█",
                "█ █  █  █▀▀  ▀█ ▀▀█ ▀▀█ █▀█   █ █▀█ ▀▀█",
                "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀",
            ])
    }

    @Test("a character that is not a digit becomes a gap", arguments: ["1,2", "1 2", "1x2", "1٣2"])
    func gap(text: String) {
        #expect(LargeDigits.lines(text) == ["▄█   ▀▀█", " █   █▀▀", "▀▀▀  ▀▀▀"])
    }

    @Test(
        "all rows of a text have the same width",
        arguments: [("", 0), ("7", 3), ("42", 7), ("1,250", 16), (",", 0)])
    func columns(text: String, columns: Int) {
        #expect(LargeDigits.lines(text).map(\.columns) == [columns, columns, columns])
        #expect(LargeDigits.rows == LargeDigits.lines(text).count)
    }
}

@Suite struct StairsTests {
    @Test(
        "a height is counted from the bottom",
        arguments: [(0, "⡀"), (1, "⠄"), (2, "⠂"), (3, "⠁")])
    func heights(height: Int, dot: String) {
        var frame = Frame(Size(columns: 2, rows: 2))
        frame.drawStairs([height, nil], at: Position(row: 0, column: 0), rows: 2)
        frame.drawStairs([height + 4, nil], at: Position(row: 0, column: 1), rows: 2)
        #expect(frame.lines == [" " + dot, dot])
    }

    @Test("stairs are level, change upright, and have gaps without a height")
    func stairs() {
        var frame = Frame(Size(columns: 6, rows: 3))
        frame.write("______", row: 1, column: 0)
        frame.drawStairs(
            [0, 3, 3, nil, 2, 0, nil, 9, 9], at: Position(row: 1, column: 1), rows: 1)
        #expect(frame.lines == ["", "_⣸⠁⢲__", ""])
    }

    @Test("dots of one cell are combined, and clipped at the frame")
    func together() {
        var frame = Frame(Size(columns: 1, rows: 1))
        frame.drawStairs([0, 9, 0, 9], at: Position(row: 0, column: 0), rows: 1)
        #expect(frame.lines == ["⣸"])
    }
}
