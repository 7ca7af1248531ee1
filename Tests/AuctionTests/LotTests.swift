import Auction
import Testing

@Suite struct LotTests {
    @Test(
        "a title is one line that can be seen",
        arguments: [
            "Vase", "  Blue vase", "x", "Ω", "日本語", "👨‍👩‍👧", "می\u{200C}خواهم", "\u{301}x",
            String(repeating: "x", count: Lot.longestTitle),
        ])
    func titles(text: String) {
        #expect(Lot.isTitle(text))
    }

    @Test(
        "what could steer a terminal, hide or turn text around is no title",
        arguments: [
            "", " ", "\u{A0}\u{3000}", "\u{200D}", "\u{200C} \u{FE0F}", "\u{3164}", "a\u{7}b",
            "\u{1B}[2J", "a\nb", "a\rb", "a\tb", "a\u{0}", "a\u{7F}", "a\u{85}b", "a\u{9B}1m",
            "a\u{200B}b", "a\u{200E}b", "a\u{200F}b", "a\u{202A}b", "a\u{202E}b", "a\u{2066}b",
            "a\u{2069}b", "a\u{2028}b", "a\u{2029}b", "\u{FEFF}a", "a\u{AD}b", "a\u{61C}b",
            "a\u{E0041}", "a\u{10FFFF}", "a\u{378}",
            String(repeating: "x", count: Lot.longestTitle + 1),
        ])
    func noTitles(text: String) {
        #expect(!Lot.isTitle(text))
    }
}
