import Auction
import Posix
import Server
import TestSupport
import Testing

@Suite struct LotsFileTests {
    private static let rules = Rules(seconds: 7)

    private func plans(_ text: String, _ rules: Rules = rules) throws -> [LotPlan] {
        try LotsFile(Array(text.utf8), of: "lots.txt", rules: rules).plans
    }

    private func reason(_ text: String, _ rules: Rules = rules) -> String? {
        do {
            _ = try plans(text, rules)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("each line is a lot, its title and then its options")
    func lots() throws {
        var options = LotOptions()
        (options.reserve, options.buy) = (Price(80), Price(500))
        let plans = try plans("Blue vase reserve=80 buy=500\nClock\n")
        #expect(plans == [LotPlan(title: "Blue vase", options: options), LotPlan(title: "Clock")])
    }

    @Test(
        "empty lines, comments, a byte order mark and CR LF are no lots and no part of a title",
        arguments: [
            "Vase\nClock", "Vase\n\nClock\n\n", "# lots\nVase\n  # more\nClock",
            "Vase\r\nClock\r\n",
            "\u{FEFF}Vase\nClock\n", "  Vase  \n\tClock",
        ])
    func skipped(text: String) throws {
        #expect(try plans(text).map(\.title) == ["Vase", "Clock"])
    }

    @Test(
        "the first wrong line is an error with its number, which says what is allowed",
        arguments: [
            (
                "Vase\n\nClock format=swiss\n", 3,
                "format must be english, dutch, sealed, vickrey or allpay"
            ),
            ("Vase buy=x", 1, "buy must be a whole number from 1 to 1000000000000"),
            ("Vase colour=red", 1, "colour is no option: use "),
            ("reserve=80", 1, "a lot has a title "),
            ("# x\nVase start=80 reserve=5", 2, "the reserve is below the start: use "),
            (
                "Vase format=dutch start=1000 seconds=5", 1,
                "a dutch auction falls at most 10 times "
            ),
        ])
    func wrongLine(text: String, number: Int, reason problem: String) {
        let found = reason(text) ?? ""
        #expect(found.hasPrefix("lots.txt, line \(number): \(problem)"))
    }

    @Test("options must go together with the flags that hold for all lots")
    func flags() throws {
        let rules = Rules(seconds: 7, start: try #require(Price(100)))
        #expect(try plans("Vase reserve=100", rules).count == 1)
        #expect(reason("Vase reserve=99", rules)?.hasPrefix("lots.txt, line 1: ") == true)
    }

    @Test("a file that is empty, not UTF-8 or not there is an error that says so")
    func files() throws {
        #expect(reason("# nothing\n") == "lots.txt has no lot: write one on each line")
        #expect(throws: LotsFileError.self) {
            try LotsFile([0xFF, 0x0A], of: "lots.txt", rules: Self.rules)
        }
        #expect(throws: LotsFileError.self) {
            try LotsFile("/nonexistent/lots.txt", rules: Self.rules)
        }
    }

    @Test("a file is read to its end")
    func long() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/lots.txt"
        let text = String(repeating: "A lot with a long title that fills the file\n", count: 5000)
        try replaceFile(path, with: Array(text.utf8), mode: 0o600)
        #expect(try LotsFile(path, rules: Self.rules).plans.count == 5000)
        try replaceFile(path, with: Array((text + text + "x\n").utf8), mode: 0o600)
        #expect(throws: LotsFileError.self) { try LotsFile(path, rules: Self.rules) }
    }
}
