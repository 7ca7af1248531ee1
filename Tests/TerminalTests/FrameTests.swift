import Bidder
import Terminal
import Testing

@Suite struct FrameTests {
    private static func frame(_ columns: Int, _ rows: Int = 1) -> Frame {
        Frame(Size(columns: columns, rows: rows))
    }

    @Test("a new frame is blank, and has no cursor")
    func blank() {
        let frame = Self.frame(3, 2)
        #expect(frame.lines == ["", ""])
        #expect(frame.cursor == nil)
        #expect(frame[1, 2] == frame[0, 0])
        #expect(frame[0, 0].character == " " && frame[0, 0].style == .plain)
    }

    @Test("a frame of a negative size has no cells")
    func negativeSize() {
        var frame = Self.frame(-3, 2)
        frame.write("abc", row: 0, column: 0)
        #expect(frame.size == Size(columns: 0, rows: 2))
        #expect(frame.lines == ["", ""])
    }

    @Test(
        "text is clipped at the frame",
        arguments: [
            ("abc", 0, nil, "abc", 3), ("abc", 3, nil, "   ab", 2), ("abc", 5, nil, "", 0),
            ("abc", 9, nil, "", 0), ("abc", -1, nil, "bc", 3), ("abc", -9, nil, "", 3),
            ("abcdefgh", -2, nil, "cdefg", 7), ("abc", 0, 2, "ab", 2), ("abc", 0, 0, "", 0),
            ("abc", 0, -1, "", 0), ("abc", 0, 9, "abc", 3), ("", 0, nil, "", 0),
            ("日本", 0, nil, "日本", 4), ("日本", 2, nil, "  日", 3), ("日本", -1, nil, " 本", 4),
            ("日本", 0, 3, "日", 3), ("日本", 0, 2, "日", 2), ("日本", 0, 1, "", 1),
        ] as [(String, Int, Int?, String, Int)])
    func clipping(text: String, column: Int, limit: Int?, line: String, taken: Int) {
        var frame = Self.frame(5)
        #expect(frame.write(text, row: 0, column: column, limit: limit) == taken)
        #expect(frame.lines == [line])
    }

    @Test("text in a row outside of the frame is not drawn", arguments: [-1, 1, 99])
    func outsideRow(row: Int) {
        var frame = Self.frame(5)
        #expect(frame.write("abc", row: row, column: 0) == 3)
        #expect(frame == Self.frame(5))
    }

    @Test("a wide character cut at the edge leaves a space in its style")
    func cutStyle() {
        var frame = Self.frame(3)
        frame.write("日本", row: 0, column: 0, style: Style(isReversed: true))
        #expect(
            frame[0, 2]
                == {
                    var bar = Self.frame(1)
                    bar.write(" ", row: 0, column: 0, style: Style(isReversed: true))
                    return bar[0, 0]
                }())
    }

    @Test("a wide character is followed by a continuation in its style")
    func continuation() {
        var frame = Self.frame(3)
        frame.write("日", row: 0, column: 0, style: Style(color: .red))
        #expect(frame[0, 0].character == "日")
        #expect(frame[0, 1].isContinuation)
        #expect(frame[0, 1].style == Style(color: .red))
        #expect(!frame[0, 2].isContinuation)
    }

    @Test(
        "overwriting one half of a wide character blanks the other",
        arguments: [
            ("x", 0, "x 本"), ("x", 1, " x本"), ("x", 2, "日x"), ("xy", 1, " xy"),
            ("語", 1, " 語"), ("語", 0, "語本"), ("é", 1, " é本"),
        ])
    func overwriting(text: String, column: Int, line: String) {
        var frame = Self.frame(4)
        frame.write("日本", row: 0, column: 0)
        frame.write(text, row: 0, column: column)
        #expect(frame.lines == [line])
        var again = Self.frame(4)
        again.write(line, row: 0, column: 0)
        #expect(frame == again)
    }

    @Test("an overwritten cluster is removed completely")
    func overwrittenCluster() {
        var frame = Self.frame(4)
        frame.write("👨‍👩‍👧e\u{301}", row: 0, column: 0)
        frame.write("x", row: 0, column: 1)
        frame.write("y", row: 0, column: 2)
        var other = Self.frame(4)
        other.write(" xy", row: 0, column: 0)
        #expect(frame == other)
    }

    @Test("clusters with the same first scalar differ")
    func clusters() {
        var (one, other) = (Self.frame(2), Self.frame(2))
        one.write("e\u{301}", row: 0, column: 0)
        other.write("e\u{300}", row: 0, column: 0)
        #expect(one != other)
        #expect(one[0, 0].character == "e\u{301}")
    }

    @Test("a mark joins the character before it; without one it is skipped")
    func noWidth() {
        var frame = Self.frame(6)
        #expect(frame.write("\u{301}ae\u{301}bc", row: 0, column: 0) == 4)
        #expect(frame.lines == ["ae\u{301}bc"])
    }

    @Test(
        "unprintable scalars are replaced",
        arguments: [
            0x00, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0x61C,
            0xAD, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069,
            0xFEFF,
        ] as [UInt32])
    func harmful(value: UInt32) throws {
        let scalar = Character(try #require(Unicode.Scalar(value)))
        var frame = Self.frame(6)
        #expect(frame.write("a\(scalar)b", row: 0, column: 0) == 3)
        #expect(frame.lines == ["a\u{FFFD}b"])
    }

    @Test("CR and LF are replaced one by one")
    func lineEnd() {
        var frame = Self.frame(6)
        #expect(frame.write("a\r\nb", row: 0, column: 0) == 4)
        #expect(frame.lines == ["a\u{FFFD}\u{FFFD}b"])
    }
}
