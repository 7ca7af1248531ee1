import Bidder
import Testing

@Suite struct ColumnsTests {
    @Test(
        "a character has the width that terminals give it",
        arguments: [
            ("a", 1), ("~", 1), ("ä", 1), ("e\u{301}", 1), ("Ж", 1), ("€", 1), ("─", 1), ("█", 1),
            ("⣿", 1), ("…", 1), ("\u{FFFD}", 1), ("©", 1), ("☺", 1), ("ｱ", 1), ("ก", 1),
            ("日", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ", 2), ("　", 2), ("〜", 2),
            ("⌚", 2), ("🔨", 2), ("🦖", 2), ("🫩", 2), ("𠀀", 2), ("ｶﾞ", 2), ("กำ", 2),
            ("☺\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("🇩🇪", 2), ("🇩", 2), ("👍🏽", 2),
            ("👨‍👩‍👧", 2), ("❤️‍🔥", 2), ("a\u{FE0F}", 1),
            ("\u{301}", 0), ("\u{200D}", 0), ("\u{20DD}", 0), ("\u{200B}", 1), ("\u{FEFF}", 1),
            ("\u{1B}", 1), ("\n", 1), ("\u{202E}", 1), ("\u{2028}", 1), ("\r\n", 2),
        ] as [(Character, Int)])
    func columns(character: Character, columns: Int) {
        #expect(character.columns == min(columns, 2))
        #expect(String(character).columns == columns)
    }

    @Test("characters with emoji presentation take two columns")
    func emoji() {
        let narrow = (0...0x10FFFF).lazy.compactMap { Unicode.Scalar($0 as UInt32) }
            .filter { $0.properties.isEmojiPresentation && Character($0).columns != 2 }
        #expect(Array(narrow) == [])
    }

    @Test(
        "a text that does not fit is cut and ends with an ellipsis",
        arguments: [
            ("gavel", 6, "gavel"), ("gavel", 5, "gavel"), ("gavel", 4, "gav…"), ("gavel", 1, "…"),
            ("gavel", 0, ""), ("gavel", -1, ""), ("", 0, ""), ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("🇩🇪🇫🇷", 3, "🇩🇪…"),
        ])
    func fitting(text: String, columns: Int, fitted: String) {
        #expect(text.fitted(to: columns) == fitted)
    }

    @Test(
        "a text that does not fit keeps its beginning and its end",
        arguments: [
            ("bidder-1", 8, "bidder-1"), ("bidder-1", 7, "bid…r-1"), ("bidder-1", 6, "bid…-1"),
            ("bidder-1", 2, "b…"), ("bidder-1", 1, "…"), ("bidder-1", 0, ""), ("日本語", 5, "日…語"),
        ])
    func eliding(text: String, columns: Int, elided: String) {
        #expect(text.elided(to: columns) == elided)
        #expect(elided.columns <= max(0, columns))
    }

    @Test(
        "a text is broken at spaces, and its last line is cut",
        arguments: [
            ("a lot is open", 6, 9, ["a lot", "is", "open"]), ("", 6, 9, []),
            ("a lot is open", 6, 2, ["a lot", "is op…"]),
            ("marquetry of", 5, 9, ["marqu", "etry", "of"]),
            ("a 日本語日本語", 5, 9, ["a", "日本", "語日", "本語"]),
            ("key: abcdef gh", 6, 2, ["key:", "abcde…"]),
            ("a lot", 0, 9, []), ("a lot", 9, 0, []),
        ] as [(String, Int, Int, [String])])
    func wrapping(text: String, columns: Int, limit: Int, lines: [String]) {
        #expect(text.wrapped(to: columns, lines: limit) == lines)
    }

    @Test(
        "a short text is padded with spaces, a long one is not cut",
        arguments: [
            ("ab", 4, "ab  ", "  ab"), ("日", 4, "日  ", "  日"), ("ab", 2, "ab", "ab"),
            ("abc", 2, "abc", "abc"), ("abc", -1, "abc", "abc"), ("", 2, "  ", "  "),
        ])
    func padding(text: String, columns: Int, padded: String, leftPadded: String) {
        #expect(text.padded(to: columns) == padded)
        #expect(text.leftPadded(to: columns) == leftPadded)
    }
}
