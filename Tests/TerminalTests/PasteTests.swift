import Bidder
import Terminal
import Testing

@Suite struct PasteTests {
    static let texts: [(sent: Raw, read: String)] = [
        ("", ""),
        ("bid 5", "bid 5"),
        ("é😀e\u{301}", "é😀e\u{301}"),
        ("a\nb\rc\r\nd\n\ne", "a b c d  e"),
        ("a\tb\u{2028}c", "a b c"),
        ("a\u{3}\u{0}\u{7F}\u{9B}b", "ab"),
        ("\u{1B}[31mred", "[31mred"),
        ("\u{1B}[20\u{1B}[200~x", "[20[200~x"),
        ("\u{1B}\u{1B}\u{1B}", ""),
    ]

    @Test("a paste is one text without controls, however it is split", arguments: texts)
    func paste(sent: Raw, read: String) {
        for size in [1, 2, 5, 1000] {
            var reader = KeyReader()
            let bytes = Array(("\u{1B}[200~" + sent.text + "\u{1B}[201~\r").utf8)
            #expect(keys(of: bytes, by: size, with: &reader) == [.pasted(read), .enter])
        }
    }

    @Test(
        "a paste is cut after 4 KiB of whole scalars, and read to its end", arguments: 0..<4)
    func long(offset: Int) {
        let beginning = String(repeating: "x", count: offset)
        let sent = beginning + String(repeating: "😀", count: 30_000)
        let kept = beginning + String(repeating: "😀", count: (4096 - offset) / 4)
        #expect(keys(of: "\u{1B}[200~\(sent)\u{1B}[201~a") == [.pasted(kept), .character("a")])
    }

    @Test("a scalar cut off by the end of a paste is replaced")
    func cutOff() {
        var reader = KeyReader()
        let read = reader.receive(
            (Array("\u{1B}[200~a".utf8) + [0xC3] + Array("\u{1B}[201~".utf8)).span)
        #expect(read == [.pasted("a\u{FFFD}")])
    }

    @Test("a flush does not end a paste")
    func pause() {
        for part in ["", "bid", "\u{1B}[20"] {
            var reader = KeyReader()
            #expect(reader.receive(Array(("\u{1B}[200~" + part).utf8).span).isEmpty)
            #expect(!reader.awaitsMore)
            #expect(reader.flush().isEmpty)
            let rest = part == "\u{1B}[20" ? "1~" : "\r\u{1B}[201~"
            let read = part == "\u{1B}[20" ? "" : part + " "
            #expect(reader.receive(Array(rest.utf8).span) == [.pasted(read)])
        }
    }

    @Test("escape alone ends a paste without an end mark")
    func leftOpen() {
        var reader = KeyReader()
        #expect(reader.receive(Array("\u{1B}[200~bid\u{1B}".utf8).span).isEmpty)
        #expect(reader.awaitsMore)
        #expect(reader.flush() == [.pasted("bid")])
        #expect(reader.receive([0x03].span) == [.control("c")])
    }
}
