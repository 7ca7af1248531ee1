import Drawing
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

@Suite struct DotCanvasTests {
    @Test(
        "a dot is counted from the bottom left",
        arguments: [
            (0, 0, "⡀"), (0, 1, "⠄"), (0, 2, "⠂"), (0, 3, "⠁"), (1, 0, "⢀"), (1, 1, "⠠"),
            (1, 2, "⠐"), (1, 3, "⠈"),
        ] as [(Int, Int, Character)])
    func dots(x: Int, y: Int, character: Character) {
        var canvas = DotCanvas(columns: 2, rows: 2)
        canvas.set(x: x, y: y)
        canvas.set(x: x + 2, y: y + 4)
        #expect(canvas.character(row: 1, column: 0) == character)
        #expect(canvas.character(row: 0, column: 1) == character)
        #expect(canvas.character(row: 0, column: 0) == " ")
    }

    @Test("the dots of a cell are combined; dots outside of the canvas are ignored")
    func together() {
        var canvas = DotCanvas(columns: 1, rows: 1)
        for x in -1...2 { for y in -1...4 { canvas.set(x: x, y: y) } }
        #expect(canvas.character(row: 0, column: 0) == "⣿")
    }

    @Test("stairs are level, change upright, and have gaps without a height; a frame shows them")
    func stairs() {
        var canvas = DotCanvas(columns: 4, rows: 1)
        canvas.stairs([0, 3, 3, nil, 2, 0, nil, 9, 9])
        var frame = Frame(Size(columns: 6, rows: 3))
        frame.write("______", row: 1, column: 0)
        frame.draw(canvas, row: 1, column: 1)
        #expect(frame.lines == ["", "_⣸⠁⢲__", ""])
    }
}
