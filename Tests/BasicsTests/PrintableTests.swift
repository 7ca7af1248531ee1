import Basics
import TestSupport
import Testing

@Suite struct PrintableTests {
    /// Characters that control a terminal, reverse or end a line, or are invisible.
    static let unprintable: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200B,
        0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF, 0xFFF0...0xFFFB,
        0xFFFE...0xFFFF, 0xE0000...0xE007F, 0x10FFFF...0x10FFFF,
    ]

    @Test("control, reversing and invisible characters are not printable", arguments: unprintable)
    func harm(range: ClosedRange<UInt32>) {
        for value in range {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(!scalar.isPrintable, "U+\(String(value, radix: 16))")
            let text = "a\(scalar)b"
            #expect(!text.isPrintable)
            #expect(text.harmless == "a\u{FFFD}b")
            #expect(text.escaped.isPrintable && text.escapedJSON.isPrintable)
        }
    }

    @Test(
        "ordinary text is printable",
        arguments: [
            "", "Blue vase", "~", "Ä é ß", "Ж Ω א ع", "日本語 한", "e\u{301}", "\u{A0}x", "“x” – €",
            "👨‍👩‍👧", "❤️‍🔥", "می\u{200C}خواهم", "\u{FFFD}", "🔨", "\u{E000}",
        ])
    func ordinary(text: String) {
        #expect(text.isPrintable)
        #expect(text.harmless == text && text.escaped == text && text.escapedJSON == text)
    }

    @Test(
        "an escape names its scalar",
        arguments: [
            ("\u{1B}[2J", #"\u{1B}[2J"#, #"\u001b[2J"#), ("a\tb", #"a\u{09}b"#, #"a\u0009b"#),
            ("\u{202E}x", #"\u{202E}x"#, #"\u202ex"#), ("\r\n", #"\u{0D}\u{0A}"#, #"\u000d\u000a"#),
            ("é\u{9B}1m", #"é\u{9B}1m"#, #"é\u009b1m"#),
            ("\u{E0041}", #"\u{E0041}"#, #"\udb40\udc41"#),
        ])
    func escapes(text: String, escaped: String, json: String) {
        #expect(text.escaped == escaped)
        #expect(text.escapedJSON == json)
    }

    @Test("every shown form of any text is printable", arguments: 0..<200 as Range<UInt64>)
    func anyText(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var text = String.UnicodeScalarView()
        for _ in 0..<64 {
            let bound: UInt32 = [0x100, 0x2100, 0x11_0000].randomElement(using: &generator) ?? 1
            let value = UInt32.random(in: 0..<bound, using: &generator)
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        for shown in [String(text).harmless, String(text).escaped, String(text).escapedJSON] {
            #expect(shown.isPrintable)
            #expect(!shown.utf8.contains { $0 < 0x20 || $0 == 0x7F })
        }
    }

    @Test("blanks and joiners cannot be seen")
    func visible() {
        for scalar in " \u{A0}\u{3000}\u{200D}\u{200C}\u{3164}\u{115F}\u{FE0F}\t".unicodeScalars {
            #expect(!scalar.isVisible, "\(scalar.value)")
        }
        for scalar in "a-é日🔨".unicodeScalars { #expect(scalar.isVisible) }
    }
}
