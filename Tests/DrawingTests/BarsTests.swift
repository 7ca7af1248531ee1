import Drawing
import Testing

@Suite("Bars")
struct BarsTests {
    @Test(
        "a bar fills its fraction to the nearest eighth of a cell",
        arguments: [
            (0, "    "), (1, "████"), (0.5, "██  "), (0.875, "███▌"), (1.0 / 32, "▏   "),
            (31.0 / 32, "███▉"), (0.01, "    "), (0.999, "████"), (-1, "    "), (7, "████"),
            (.nan, "    "), (.infinity, "████"),
        ] as [(Double, String)])
    func horizontal(fraction: Double, bar: String) {
        #expect(Bars.horizontal(fraction: fraction, columns: 4) == bar)
    }

    @Test("the rest of a bar can be shown")
    func rest() {
        #expect(Bars.horizontal(fraction: 0.3, columns: 5, rest: "░") == "█▌░░░")
        #expect(Bars.horizontal(fraction: 0, columns: 2, rest: "░") == "░░")
        #expect(Bars.horizontal(fraction: 0.5, columns: 0) == "")
        #expect(Bars.horizontal(fraction: 0.5, columns: -2) == "")
    }

    @Test("a column is filled from below, and stays in its cell")
    func vertical() {
        #expect(String((-1...9).map { Bars.vertical(eighths: $0) }) == "  ▁▂▃▄▅▆▇██")
    }
}

@Suite("Large digits")
struct LargeDigitsTests {
    @Test("digits are three rows high, with a column between them")
    func digits() {
        #expect(
            LargeDigits.lines("0123456789") == [
                "█▀█ ▄█  ▀▀█ ▀▀█ █ █ █▀▀ █▀▀ ▀▀█ █▀█ █▀█",
                "█ █  █  █▀▀  ▀█ ▀▀█ ▀▀█ █▀█   █ █▀█ ▀▀█",
                "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀",
            ])
    }

    @Test("whatever is no digit is a gap", arguments: ["1,2", "1 2", "1x2", "1٣2"])
    func gap(text: String) {
        #expect(LargeDigits.lines(text) == ["▄█   ▀▀█", " █   █▀▀", "▀▀▀  ▀▀▀"])
    }

    @Test(
        "the columns are those of every row",
        arguments: [("", 0), ("7", 3), ("42", 7), ("1,250", 16), (",", 0)])
    func columns(text: String, columns: Int) {
        #expect(LargeDigits.columns(of: text) == columns)
        #expect(LargeDigits.lines(text).map(\.columns) == [columns, columns, columns])
        #expect(LargeDigits.rows == LargeDigits.lines(text).count)
    }
}

@Suite("Dot canvas")
struct DotCanvasTests {
    @Test(
        "a dot is raised where it was set, counted from the bottom left",
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

    @Test("dots of one cell are seen together, those outside are not")
    func together() {
        var canvas = DotCanvas(columns: 1, rows: 1)
        for x in -1...2 { for y in -1...4 { canvas.set(x: x, y: y) } }
        #expect(canvas.character(row: 0, column: 0) == "⣿")
    }
}

@Suite("Frames in ASCII")
struct ASCIIFrameTests {
    @Test(
        "a character becomes one of about its weight",
        arguments: [
            ("\u{2588}\u{258C}\u{2591}", "#=."), ("\u{2581}\u{2584}\u{2588}", "_=#"),
            ("\u{2847}\u{2880}\u{2809}\u{28C9}", "|.':"), ("Caf\u{E9}\u{2026} \u{BB}", "Caf?~ >"),
            ("ab\u{6F22}c", "ab??c"), ("", ""), ("plain", "plain"),
        ])
    func weight(text: String, expected: String) {
        var frame = Frame(Size(columns: 8, rows: 1))
        frame.write(text, row: 0, column: 0)
        #expect(frame.inASCII().lines == [expected])
    }

    @Test("large digits of lines are as wide and as high as those of blocks")
    func digits() {
        let lines = LargeDigits.lines("1,234,567,890", isASCII: true)
        #expect(lines.map(\.count) == LargeDigits.lines("1,234,567,890").map(\.count))
        #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
        #expect(LargeDigits.lines("25", isASCII: true) == [" _   _ ", " _| |_ ", "|_   _|"])
    }
}
