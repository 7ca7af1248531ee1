import Testing
import Typing

@Suite struct CompletionTests {
    static let words = ["bid", "format", "help", "laps", "name", "ping", "quit", "status", "stay"]

    static let completions: [(keys: [Key], shown: String)] = [
        (typed("b") + [.tab], "bid |"),
        (typed("bid") + [.tab], "bid |"),
        (typed("s") + [.tab], "sta|"),
        (typed("sta") + [.tab], "sta|"),
        (typed("stat") + [.control("i")], "status |"),
        (typed("  b") + [.tab], "  bid |"),
        (typed("x") + [.tab], "x|"),
        (typed("bids") + [.tab], "bids|"),
        ([.tab], "|"),
        (typed("bid 5") + [.tab], "bid 5|"),
        (typed("bid ") + [.tab], "bid |"),
        (typed("bi 5") + [.left, .left, .tab], "bid| 5"),
        (typed("bid") + [.left, .tab], "bi|d"),
    ]

    @Test("the first word is completed as far as it is certain", arguments: completions)
    func complete(keys: [Key], shown: String) {
        #expect(LineEditor(keys, completions: Self.words).shown == shown)
    }
}
