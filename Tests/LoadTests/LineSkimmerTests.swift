import Load
import Testing

@Suite("LineSkimmer")
struct LineSkimmerTests {
    private static let stream = """
        LEFT LO
        PASSED 1 no-bids lot-1
        COUNTDOWN WINNER PRICE OVER

        P
        ERROR too-low minimum=101 bid at least 101

        """

    @Test(
        "a line is known by its beginning",
        arguments: [
            ("OK bid 100\n", []), ("LOT 1 lot-1\n", .opened), ("PR", .price),
            ("PRICE 1 a 00:03.2 1\n", .price), ("WINNER a 1 00:04.3 lot-1\n", .sold),
            ("OVER 1\n", .over), ("P", []),
            (stream, LineSkimmer.Lines()),
            (stream + "WINNER a 1 00:04.3 lot-1\nLOT 2 lot-2\n", [.sold, .opened]),
        ] as [(String, LineSkimmer.Lines)])
    func lines(text: String, lines: LineSkimmer.Lines) {
        #expect(skim([text]) == [lines])
    }

    @Test("a line split anywhere is the same line", arguments: 0..<stream.utf8.count)
    func split(at index: Int) {
        let text = "OVER 7\nPRICE 1 a 00:03.2 1\n" + Self.stream
        let bytes = Array(text.utf8)
        let parts = [bytes[..<index], bytes[index...]].map { String(decoding: $0, as: UTF8.self) }
        #expect(skim(parts).reduce(LineSkimmer.Lines()) { $0.union($1) } == [.over, .price])
    }

    @Test("a line is told once, by the part that shows it")
    func once() {
        let heard = skim("WINNER a 1\nLO".map { String($0) })
        #expect(heard == [[], .sold] + Array(repeating: [], count: 10) + [.opened])
    }

    private func skim(_ parts: [String]) -> [LineSkimmer.Lines] {
        var skimmer = LineSkimmer()
        return parts.map { skimmer.receive(Array($0.utf8).span) }
    }
}
