import BidderView
import Testing
import Wire

@Suite struct PaintTests {
    @Test("the first word is coloured, or bare")
    func colour() {
        let line = Line(
            "WINNER bob 1 00:07.1 Vase", ServerMessage(text: "WINNER bob 1 00:07.1 Vase"))
        #expect(
            Paint(isColoured: true).text(of: line)
                == "\u{1B}[1;32mWINNER\u{1B}[0m bob 1 00:07.1 Vase")
        #expect(Paint(isColoured: false).text(of: line) == line.text)
    }

    @Test("nothing in a line can steer the terminal", arguments: [true, false])
    func harmless(isColoured: Bool) {
        let line = Line("LOT 1 \u{1B}[2J\u{7}\u{202E}\u{9B}x", nil)
        #expect(
            Paint(isColoured: isColoured).text(of: line)
                == "LOT 1 \u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}x")
    }

    @Test(
        "what turns the direction of text is taken out too",
        arguments: [
            "\u{200E}", "\u{200F}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{7F}",
        ])
    func direction(scalar: String) {
        #expect(Paint(isColoured: false).text(of: Line("a\(scalar)b")) == "a\u{FFFD}b")
    }

    @Test("JSON keeps its meaning, and what could steer a terminal is escaped")
    func hostileJSON() {
        let text = "{\"content\":\"\u{202E}a\u{9B}1m\u{E0041}\"}"
        let shown = Paint(isColoured: true).text(of: Line(text, ServerMessage(json: text)))
        #expect(shown == #"{"content":"\u202ea\u009b1m\udb40\udc41"}"#)
    }

    @Test("JSON stays as it is where there is nothing to escape")
    func json() {
        let text = #"{"type":"ok","content":"ping é"}"#
        #expect(
            Paint(isColoured: true).text(of: Line(text, ServerMessage(json: text)))
                == text)
    }
}
