import Testing
import Typing

@Suite struct LineEditorTests {
    static let edits: [(keys: [Key], shown: String)] = [
        (typed("bid"), "bid|"),
        (typed("bd") + [.left] + typed("i"), "bi|d"),
        (typed("bid") + [.home, .delete], "|id"),
        (typed("bid") + [.control("a"), .control("d"), .right, .control("d")], "i|"),
        (typed("bid") + [.backspace, .control("h")], "b|"),
        (typed("bid") + [.home, .end] + typed("s"), "bids|"),
        (typed("bid") + [.control("a"), .control("f"), .control("f"), .control("b")], "b|id"),
        (typed("bid") + [.control("a"), .control("e")], "bid|"),
        (typed("bid 5, now") + [.wordLeft], "bid 5, |now"),
        (typed("bid 5, now") + [.wordLeft, .wordLeft, .wordLeft], "|bid 5, now"),
        (typed("bid 5, now") + [.home, .wordRight, .wordRight], "bid 5|, now"),
        (typed("bid 5, ") + [.left, .left, .left, .wordRight, .wordRight], "bid 5, |"),
        (typed("name bob tok-en ") + [.control("w")], "name bob |"),
        (typed("bid 55") + [.left, .control("u")], "|5"),
        (typed("bid 55") + [.left, .control("k")], "bid 5|"),
        (typed("bid 55") + [.control("u"), .control("y"), .control("y")], "bid 55bid 55|"),
        (typed("a b c") + [.control("w"), .control("w"), .control("y")], "a b c|"),
        (typed("a b") + [.wordLeft, .control("k"), .control("u"), .control("y")], "a b|"),
        (typed("a b") + [.control("w"), .left, .control("w"), .end, .control("y")], " a|"),
        (typed("ab") + [.control("u"), .control("k"), .control("u"), .control("y")], "ab|"),
        (typed("ae") + [.character("\u{301}"), .left] + typed("x"), "ax|e\u{301}"),
        (typed("ae") + [.character("\u{301}"), .backspace], "a|"),
        (typed("\u{1F1E6}x\u{1F1E7}") + [.left, .backspace], "\u{1F1E6}\u{1F1E7}|"),
        ([.pasted("bid 5"), .left, .pasted("1")], "bid 1|5"),
    ]

    @Test("keys edit the line", arguments: edits)
    func edit(keys: [Key], shown: String) {
        #expect(LineEditor(keys).shown == shown)
    }

    static let idle: [(keys: [Key], key: Key)] = [
        ([], .backspace), ([], .delete), ([], .left), ([], .right), ([], .up), ([], .down),
        ([], .control("d")), ([], .control("y")), ([], .control("k")), ([], .tab),
        (typed("bid"), .control("d")), (typed("bid"), .right), (typed("bid"), .end),
        (typed("bid"), .control("c")), (typed("bid"), .escape), (typed("bid"), .unknown),
        (typed("bid"), .pageUp), (typed("bid"), .pasted("")), (typed("bid"), .control("z")),
        (typed("bid") + [.home], .backspace), (typed("bid") + [.home], .wordLeft),
    ]

    @Test("a key that changes nothing says so", arguments: idle)
    func changesNothing(keys: [Key], key: Key) {
        var editor = LineEditor(keys)
        let shown = editor.shown
        #expect(editor.press(key, offer: nil) == .unchanged)
        #expect(editor.shown == shown)
    }

    @Test("a key that only moves the cursor has edited")
    func moved() {
        var editor = LineEditor(typed("bid"))
        #expect(editor.press(.left, offer: nil) == .edited)
        #expect(editor.cursor == 2)
    }

    @Test(
        "a line is submitted without the blanks at its ends, and is empty then",
        arguments: [
            ("bid 5", "bid 5"), ("  bid  5 ", "bid  5"), ("", ""), ("   ", ""), ("\u{A0}5", "5"),
        ], [Key.enter, .control("j"), .control("m")])
    func submit(line: (typed: String, submitted: String), key: Key) {
        var editor = LineEditor(typed(line.typed) + [.left])
        #expect(editor.press(key, offer: "9") == .submitted(line.submitted))
        #expect(editor.shown == "|")
    }

    @Test(
        "what steers a terminal or turns text around never enters the line",
        arguments: [
            "\u{0}", "\u{7}", "\u{1B}", "\u{7F}", "\u{9B}", "\r\n", "\u{202E}", "\u{2066}",
            "\u{200F}", "\u{61C}", "\u{2028}", "\u{2029}",
        ] as [Raw])
    func refused(text: Raw) {
        var editor = LineEditor(typed("a"))
        for character in text.text {
            #expect(editor.press(.character(character), offer: nil) == .unchanged)
        }
        #expect(editor.press(.pasted("b\(text.text)c"), offer: nil) == .edited)
        #expect(editor.text == "abc")
        _ = editor.press(.control("u"), offer: nil)
        _ = editor.press(.up, offer: "d\(text.text)e")
        #expect(editor.text == "de")
    }

    @Test("a line holds 1,000 bytes of whole characters, and more is ignored")
    func limit() {
        var editor = LineEditor([.pasted(String(repeating: "x", count: 997))])
        #expect(editor.press(.character("😀"), offer: nil) == .unchanged)
        #expect(editor.press(.pasted("é😀x"), offer: nil) == .edited)
        #expect(editor.text.utf8.count == 999)
        _ = editor.press(.character("y"), offer: nil)
        #expect(editor.press(.character("z"), offer: nil) == .unchanged)
        #expect(editor.cursor == 999)
        #expect(editor.text.hasSuffix("éy"))
    }
}
