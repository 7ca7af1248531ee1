import Bidder
import Terminal
import Testing

@Suite struct LineHistoryTests {
    static let two = typed("bid 1") + [.enter] + typed("bid 2") + [.enter]

    static let walks: [(keys: [Key], shown: String)] = [
        ([.up], "bid 2|"),
        ([.up, .up], "bid 1|"),
        ([.up, .up, .up], "bid 1|"),
        ([.control("p"), .control("p"), .control("n")], "bid 2|"),
        ([.up, .down], "|"),
        ([.up, .up, .down, .down, .down], "|"),
        (typed("na") + [.up, .up, .down, .down], "na|"),
        (typed("na") + [.up, .left, .down], "na|"),
        // An edited history line becomes the draft.
        ([.up, .backspace, .up], "bid 2|"),
        ([.up, .backspace, .up, .down], "bid |"),
        ([.up, .up, .enter, .up, .up], "bid 2|"),
        ([.up, .enter, .up, .up], "bid 1|"),
        (typed("  ") + [.enter, .up], "bid 2|"),
        (typed(" bid 2 ") + [.enter, .up, .up], "bid 1|"),
    ]

    @Test("up and down walk through the submitted lines", arguments: walks)
    func walk(keys: [Key], shown: String) {
        #expect(LineEditor(Self.two + keys).shown == shown)
    }

    static let offers: [(keys: [Key], shown: String)] = [
        ([.up], "9|"),
        ([.up, .down], "|"),
        ([.up, .up], "bid 2|"),
        ([.up, .up, .up, .up], "bid 1|"),
        ([.up, .up, .down], "9|"),
        ([.up, .up, .down, .down], "|"),
        ([.down], "|"),
        (typed("n") + [.up], "bid 2|"),
        (typed("n") + [.up, .down], "n|"),
        (typed("n") + [.backspace, .up], "9|"),
        ([.up] + typed("5") + [.up, .down], "95|"),
        ([.up, .enter, .up, .up], "9|"),
    ]

    @Test("up on an empty line shows the offer before the history", arguments: offers)
    func offer(keys: [Key], shown: String) {
        #expect(LineEditor(Self.two + keys, offer: "9").shown == shown)
    }

    @Test("the offer is the one passed with the key")
    func freshOffer() {
        var editor = LineEditor([.up, .down], offer: "9")
        #expect(editor.press(.up, offer: nil) == .unchanged)
        #expect(editor.press(.up, offer: "10") == .edited)
        #expect(editor.press(.enter, offer: "11") == .submitted("10"))
    }

    @Test("the history has the newest 100 lines")
    func limit() {
        var editor = LineEditor((1...150).flatMap { typed("bid \($0)") + [.enter] })
        for _ in 0..<200 { _ = editor.press(.up, offer: nil) }
        #expect(editor.text == "bid 51")
    }
}
