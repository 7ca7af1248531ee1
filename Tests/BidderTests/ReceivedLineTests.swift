import Bidder
import Testing

@Suite struct ReceivedLineTests {
    @Test("the first word is coloured if wanted")
    func colour() {
        let line = ReceivedLine("WINNER bob 1 00:07.1 Vase")
        #expect(
            LinePaint(isColoured: true).text(of: line)
                == "\u{1B}[1;32mWINNER\u{1B}[0m bob 1 00:07.1 Vase")
        #expect(LinePaint(isColoured: false).text(of: line) == line.text)
    }

    @Test("a printed line cannot control the terminal", arguments: [true, false])
    func harmless(isColoured: Bool) {
        let line = ReceivedLine("news \u{1B}[2J\u{7}\u{202E}\u{9B}x")
        #expect(
            LinePaint(isColoured: isColoured).text(of: line)
                == "news \u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}x")
    }

    @Test(
        "characters that change the direction of text are replaced",
        arguments: [
            "\u{200E}", "\u{200F}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{7F}",
        ])
    func direction(scalar: String) {
        #expect(LinePaint(isColoured: false).text(of: ReceivedLine("a\(scalar)b")) == "a\u{FFFD}b")
    }

    @Test("control characters in JSON are escaped")
    func hostileJSON() {
        let text = "{\"content\":\"\u{202E}a\u{9B}1m\u{E0041}\"}"
        let shown = LinePaint(isColoured: true).text(of: ReceivedLine(text, format: .json))
        #expect(shown == #"{"content":"\u202ea\u009b1m\udb40\udc41"}"#)
    }

    @Test("JSON without control characters is printed unchanged")
    func json() {
        let text = #"{"type":"ok","content":"ping é"}"#
        #expect(
            LinePaint(isColoured: true).text(of: ReceivedLine(text, format: .json))
                == text)
    }
}
