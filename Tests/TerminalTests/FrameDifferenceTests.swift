import Bidder
import Terminal
import Testing

@Suite struct FrameDifferenceTests {
    private static let size = Size(columns: 80, rows: 24)

    private static func text(from old: Frame?, to new: Frame, isColoured: Bool = true) -> String {
        let bytes = new.difference(from: old, in: isColoured ? .all : .none)
        return String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^")
    }

    /// The bytes that change a blank frame of 80 x 24.
    private static func text(isColoured: Bool = true, _ change: (inout Frame) -> Void) -> String {
        let old = Frame(size)
        var new = old
        change(&new)
        return text(from: old, to: new, isColoured: isColoured)
    }

    @Test("equal frames need no bytes")
    func equal() {
        var (one, other) = (Frame(Self.size), Frame(Self.size))
        for text in ["日本 👨‍👩‍👧", "e\u{301}"] {
            one.write(text, row: 2, column: 3)
            other.write(text, row: 2, column: 3)
        }
        one.cursor = Position(row: 1, column: 1)
        other.cursor = one.cursor
        #expect(other.difference(from: one, in: .all) == [])
    }

    @Test("the first frame clears and draws everything in one synchronized update")
    func first() {
        var frame = Frame(Size(columns: 3, rows: 2))
        frame.write("ab", row: 1, column: 0)
        #expect(Self.text(from: nil, to: frame) == "^[?2026h^[?25l^[m^[2J^[2Hab^[?2026l")
        frame.cursor = Position(row: 0, column: 0)
        #expect(
            Self.text(from: nil, to: frame) == "^[?2026h^[?25l^[m^[2J^[2Hab^[H^[?25h^[?2026l")
        #expect(
            Self.text(from: Frame(Self.size), to: frame) == Self.text(from: nil, to: frame))
    }

    @Test("a changed digit needs few bytes")
    func digit() {
        var old = Frame(Self.size)
        old.write("1,249", row: 20, column: 60, style: Style(isBold: true))
        var new = old
        new.write("50", row: 20, column: 63, style: Style(isBold: true))
        #expect(Self.text(from: old, to: new) == "^[21;64H^[1m50^[m")
        old.cursor = Position(row: 22, column: 10)
        old.write("7", row: 20, column: 20)
        new = old
        new.write("6", row: 20, column: 20)
        let text = Self.text(from: old, to: new)
        #expect(text == "^[21;21H6^[23;11H")
        #expect(text.utf8.count <= 20)
    }

    @Test("a character typed at the cursor needs only its own bytes")
    func typing() {
        var old = Frame(Self.size)
        old.cursor = Position(row: 5, column: 5)
        var new = old
        new.write("x", row: 5, column: 5)
        new.cursor = Position(row: 5, column: 6)
        #expect(Self.text(from: old, to: new) == "x")
    }

    @Test("unchanged cells are skipped")
    func gaps() {
        var old = Frame(Self.size)
        old.write("0123456789", row: 3, column: 3)
        var new = old
        for column in [3, 5] { new.write("x", row: 3, column: column) }
        #expect(Self.text(from: old, to: new) == "^[4;4Hx^[4;6Hx")
    }

    @Test("the style is set when it changes, and reset at the end")
    func styles() {
        let text = Self.text { frame in
            frame.write("a", row: 0, column: 0, style: Style(color: .red, isBold: true))
            frame.write("b", row: 0, column: 1, style: Style(color: .red, isBold: true))
            frame.write("c", row: 0, column: 2, style: Style(isDim: true, isReversed: true))
            frame.write("d", row: 0, column: 3)
            frame.write("e", row: 0, column: 4, style: Style(color: .magenta))
        }
        #expect(text == "^[H^[1;31mab^[0;2;7mc^[md^[35me^[m")
    }

    @Test("a reversed colour is a background with text that is readable on it")
    func backgrounds() {
        let text = Self.text { frame in
            frame.write("a", row: 0, column: 0, style: Style(color: .red, isReversed: true))
            frame.write("b", row: 0, column: 1, style: Style(color: .yellow, isReversed: true))
        }
        #expect(text == "^[H^[37;41ma^[0;30;43mb^[m")
        let colourless = Self.text(isColoured: false) { frame in
            frame.write("a", row: 0, column: 0, style: Style(color: .red, isReversed: true))
        }
        #expect(colourless == "^[H^[7ma^[m")
    }

    @Test("without colours, cells are still bold, dim and reversed")
    func colourless() {
        let text = Self.text(isColoured: false) { frame in
            frame.write("a", row: 0, column: 0, style: Style(color: .red, isBold: true))
            frame.write("b", row: 0, column: 1, style: Style(color: .green, isBold: true))
            frame.write("c", row: 0, column: 2, style: Style(color: .green))
        }
        #expect(text == "^[H^[1mab^[mc")
    }

    @Test("the cursor is moved after a character of uncertain width")
    func doubtful() {
        #expect(Self.text { $0.write("日本x", row: 0, column: 0) } == "^[H日^[;3H本^[;5Hx")
        #expect(Self.text { $0.write("e\u{301}x", row: 0, column: 0) } == "^[He\u{301}^[;2Hx")
        #expect(Self.text { $0.write("❤️x", row: 0, column: 0) } == "^[H  ^[H❤️^[;3Hx")
    }

    @Test("clusters with the same first scalar differ")
    func clusters() {
        var (old, new) = (Frame(Self.size), Frame(Self.size))
        old.write("e\u{301}", row: 0, column: 0)
        new.write("e\u{300}", row: 0, column: 0)
        #expect(Self.text(from: old, to: new) == "^[He\u{300}")
    }

    @Test("the character before a cluster at the right edge is rewritten")
    func clusterAtRightEdge() {
        let text = Self.text { frame in
            frame.write("xe\u{301}", row: 3, column: 78)
            frame.write("y👍🏽", row: 3, column: 77)
        }
        #expect(text == "^[4;78Hy  ^[4;79H👍🏽^[4;78Hy")
        #expect(
            Self.text { $0.write("日e\u{301}", row: 3, column: 77) }
                == "^[4;78H日^[4;80He\u{301}^[4;78H日")
    }

    @Test("several rows are one synchronized update, without a cursor")
    func rows() {
        var old = Frame(Self.size)
        old.cursor = Position(row: 0, column: 0)
        var new = old
        new.write("a", row: 0, column: 0)
        new.write("b", row: 1, column: 0)
        #expect(Self.text(from: old, to: new) == "^[?2026h^[?25la^[2Hb^[H^[?25h^[?2026l")
        new.cursor = nil
        #expect(Self.text(from: old, to: new) == "^[?2026h^[?25la^[2Hb^[?2026l")
    }

    @Test("a changed cursor is moved, shown or hidden")
    func cursor() {
        let hidden = Frame(Self.size)
        var (one, other) = (hidden, hidden)
        one.cursor = Position(row: 1, column: 1)
        other.cursor = Position(row: 2, column: 0)
        #expect(Self.text(from: one, to: other) == "^[3H")
        #expect(Self.text(from: hidden, to: one) == "^[2;2H^[?25h")
        #expect(Self.text(from: one, to: hidden) == "^[?25l")
        other.cursor = Position(row: 24, column: 0)
        #expect(Self.text(from: one, to: other) == "^[?25l")
    }

    @Test("the cursor is moved after a character at the right edge")
    func rightEdge() {
        let text = Self.text { frame in
            frame.write("ab", row: 22, column: 79)
            frame.write("xy", row: 23, column: 78)
            frame.cursor = Position(row: 23, column: 79)
        }
        #expect(text == "^[?2026h^[23;80Ha^[24;79Hxy^[24;80H^[?25h^[?2026l")
    }
}
