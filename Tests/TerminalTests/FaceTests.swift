import Auction
import Terminal
import Testing

@Suite struct FaceTests {
    @Test(
        "a name has the colour that the page gives it, in any case",
        arguments: [("alice", 11), ("Bob", 8), ("zoe", 1), ("CAROL", 2)])
    func hasColor(name: String, index: Int) throws {
        let face = Face(of: try #require(Bidder(name)))
        #expect(face.index == index)
        #expect(face.initial == name.prefix(1).uppercased())
    }

    @Test(
        "a face is as colourful as the terminal",
        arguments: [
            (ColorDepth.all, "\u{1B}[38;5;16;48;5;187mA\u{1B}[m"),
            (.sixteen, "\u{1B}[1;30;47mA\u{1B}[m"), (.none, "A"),
        ])
    func isDrawn(depth: ColorDepth, text: String) {
        let size = Size(columns: 2, rows: 1)
        var frame = Frame(size)
        frame.write("A", row: 0, column: 0, style: Style(color: .face(11), isReversed: true))
        let bytes = frame.difference(from: Frame(size), in: depth)
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[H" + text)
    }

    @Test(
        "the environment says how many colours a terminal has",
        arguments: [
            (["TERM": "xterm-256color"], ColorDepth.all), (["TERM": "xterm"], .sixteen),
            (["TERM": "foot", "COLORTERM": "truecolor"], .all), ([:], .sixteen),
        ])
    func hasDepth(environment: [String: String], depth: ColorDepth) {
        #expect(ColorDepth { environment[$0] } == depth)
    }
}
