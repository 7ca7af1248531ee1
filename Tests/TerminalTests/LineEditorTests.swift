import Bidder
import Terminal
import TestSupport
import Testing

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

    @Test("a cleared line is empty, and not in the history")
    func clears() {
        var editor = LineEditor(typed("bid") + [.enter] + typed("60"))
        editor.clear()
        #expect(editor.shown == "|")
        _ = editor.press(.up, offer: nil)
        #expect(editor.text == "bid")
        editor.clear()
        _ = editor.press(.up, offer: "5")
        #expect(editor.text == "5")
    }

    static let idle: [(keys: [Key], key: Key)] = [
        ([], .backspace), ([], .delete), ([], .left), ([], .right), ([], .up), ([], .down),
        ([], .control("d")), ([], .control("y")), ([], .control("k")), ([], .tab),
        (typed("bid"), .control("d")), (typed("bid"), .right), (typed("bid"), .end),
        (typed("bid"), .control("c")), (typed("bid"), .escape), (typed("bid"), .unknown),
        (typed("bid"), .pasted("")), (typed("bid"), .control("z")),
        (typed("bid") + [.home], .backspace), (typed("bid") + [.home], .wordLeft),
    ]

    @Test("a key that changes nothing returns unchanged", arguments: idle)
    func changesNothing(keys: [Key], key: Key) {
        var editor = LineEditor(keys)
        let shown = editor.shown
        #expect(editor.press(key, offer: nil) == .unchanged)
        #expect(editor.shown == shown)
    }

    @Test("a key that only moves the cursor returns edited")
    func moved() {
        var editor = LineEditor(typed("bid"))
        #expect(editor.press(.left, offer: nil) == .edited)
        #expect(editor.cursor == 2)
    }

    @Test(
        "a submitted line has no blanks at its ends, and the editor is empty",
        arguments: [
            ("bid 5", "bid 5"), ("  bid  5 ", "bid  5"), ("", ""), ("   ", ""), ("\u{A0}5", "5"),
        ], [Key.enter, .control("j"), .control("m")])
    func submit(line: (typed: String, submitted: String), key: Key) {
        var editor = LineEditor(typed(line.typed) + [.left])
        #expect(editor.press(key, offer: "9") == .submitted(line.submitted))
        #expect(editor.shown == "|")
    }

    @Test(
        "unprintable characters never enter the line",
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

    @Test("a line has at most 1,000 bytes of whole characters")
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

@Suite struct CompletionTests {
    static let words = [
        "bid", "format", "help", "join blue", "join main", "laps", "ping", "quit", "status", "stay",
    ]

    static let completions: [(keys: [Key], shown: String)] = [
        (typed("b") + [.tab], "bid |"),
        (typed("bid") + [.tab], "bid |"),
        (typed("s") + [.tab], "sta|"),
        (typed("sta") + [.tab], "sta|"),
        (typed("stat") + [.control("i")], "status |"),
        (typed("  b") + [.tab], "  bid |"),
        (typed("j") + [.tab], "join |"),
        (typed("join m") + [.tab], "join main |"),
        (typed("join x") + [.tab], "join x|"),
        (typed("x") + [.tab], "x|"),
        (typed("bids") + [.tab], "bids|"),
        ([.tab], "|"),
        (typed("bid 5") + [.tab], "bid 5|"),
        (typed("bid ") + [.tab], "bid |"),
        (typed("bi 5") + [.left, .left, .tab], "bid| 5"),
        (typed("bid") + [.left, .tab], "bi|d"),
    ]

    @Test("Tab completes the common prefix of all matching commands", arguments: completions)
    func complete(keys: [Key], shown: String) {
        #expect(LineEditor(keys, completions: Self.words).shown == shown)
    }
}

/// A simple model of the editor: an array of characters that never combine.
private struct LineModel {
    var characters: [Character] = []
    var cursor = 0
    var killed: [Character] = []
    var isKilling = false

    mutating func press(_ key: Key) {
        let wasKilling = isKilling
        isKilling = false
        switch key {
        case .character(let character): insert([character])
        case .pasted(let text): insert(Array(text))
        case .control("y"): insert(killed)
        case .backspace: remove(max(0, cursor - 1)..<cursor)
        case .delete: remove(cursor..<min(characters.count, cursor + 1))
        case .control("u"): kill(0..<cursor, wasKilling)
        case .control("k"): kill(cursor..<characters.count, wasKilling)
        case .control("w"): kill(wordStart(isOfWord: { $0 != " " })..<cursor, wasKilling)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .wordLeft: cursor = wordStart(isOfWord: \.isLetter)
        case .wordRight: cursor = wordEnd
        default: break
        }
    }

    private mutating func insert(_ new: [Character]) {
        for character in new {
            guard String(characters + [character]).utf8.count <= 1000 else { return }
            characters.insert(character, at: cursor)
            cursor += 1
        }
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private mutating func kill(_ range: Range<Int>, _ isMore: Bool) {
        isKilling = true
        guard !range.isEmpty else { return }
        let kept = isMore ? killed : []
        killed = range.upperBound == cursor ? characters[range] + kept : kept + characters[range]
        remove(range)
    }

    private func wordStart(isOfWord: (Character) -> Bool) -> Int {
        var start = cursor
        while start > 0, !isOfWord(characters[start - 1]) { start -= 1 }
        while start > 0, isOfWord(characters[start - 1]) { start -= 1 }
        return start
    }

    private var wordEnd: Int {
        var end = cursor
        while end < characters.count, !characters[end].isLetter { end += 1 }
        while end < characters.count, characters[end].isLetter { end += 1 }
        return end
    }
}

@Suite struct LineModelTests {
    @Test("random keys edit a line as they edit the model", arguments: 0..<16)
    func model(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var (editor, model) = (LineEditor(completions: []), LineModel())
        let words = ["a", "é", "漢", "😀", " ", "-"].map { Character($0) }
        for _ in 0..<600 {
            let key = chance.key(among: words)
            let outcome = editor.press(key, offer: nil)
            let old = (String(model.characters), model.cursor)
            model.press(key)
            #expect(editor.text == String(model.characters))
            #expect(editor.cursor == model.cursor)
            let isSame = old == (String(model.characters), model.cursor)
            #expect(outcome == (isSame ? .unchanged : .edited))
        }
    }

    @Test(
        "after random keys the cursor is in the text, and the text in its bounds",
        arguments: 0..<16)
    func invariants(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var editor = LineEditor(completions: ["bid", "a\u{301}", "\u{1F1E6}\u{1F1E7}"])
        let meeting: [Character] = [
            "e", "\u{301}", "\u{1F1E6}", "\u{1F1E7}", "\u{200D}", "👩", "\u{1100}", "\u{1161}",
            "\u{FE0F}", " ", "\u{202E}", "\u{7}", "\u{0600}", "\r\n",
        ]
        for _ in 0..<600 {
            let more: [Key] = [.up, .down, .tab, .enter, .control("d"), .unknown, .escape]
            let isOther = Int.random(in: 0..<4, using: &chance) == 0
            let key = isOther ? more.randomElement(using: &chance) : chance.key(among: meeting)
            let outcome = editor.press(
                key ?? .unknown, offer: Bool.random(using: &chance) ? "9" : nil)
            #expect((0...editor.text.count).contains(editor.cursor))
            #expect(editor.text.hasPrefix(editor.textBeforeCursor))
            #expect(editor.textBeforeCursor.count == editor.cursor)
            #expect(editor.text.utf8.count <= 1000)
            #expect(!editor.text.unicodeScalars.contains { $0 == "\u{202E}" || $0.value < 0x20 })
            if case .submitted = outcome { #expect(editor.text.isEmpty) }
        }
    }
}

extension SplitMix64 {
    /// A random key that types, edits, or sometimes pastes a long text.
    fileprivate mutating func key(among characters: [Character]) -> Key {
        let edits: [Key] = [
            .backspace, .delete, .left, .right, .home, .end, .wordLeft, .wordRight, .control("k"),
            .control("u"), .control("w"), .control("y"),
        ]
        switch Int.random(in: 0..<20, using: &self) {
        case 0..<12: return .character(characters.randomElement(using: &self) ?? "x")
        case 12:
            let count = Int.random(in: 0...400, using: &self)
            return .pasted(
                String((0..<count).map { _ in characters.randomElement(using: &self) ?? "x" }))
        default: return edits.randomElement(using: &self) ?? .unknown
        }
    }
}
