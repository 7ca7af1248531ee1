import TestSupport
import Testing
import Typing

/// Editing as anybody would write it: an array of characters, none of which meets another.
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
    @Test("random keys edit a line as they edit a simple model", arguments: 0..<16)
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
        "whatever is typed, the cursor stays in the text and the text in its bounds",
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
    /// A key at random that types or edits; now and then it pastes much.
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
