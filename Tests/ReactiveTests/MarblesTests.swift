import MarbleSupport
import Reactive
import Testing

@Suite struct MarblesTests {
    @Test("each character is a tick")
    func ticks() {
        let marks = Diagram("-a--b|").marks
        #expect(marks.map(\.tick) == [1, 4, 5])
        #expect(marks.map(\.symbol) == ["a", "b", "|"])
    }

    @Test("what stands in parentheses happens at their first tick")
    func groups() {
        let marks = Diagram("-(ab)-c#").marks
        #expect(marks.map(\.tick) == [1, 1, 6, 7])
        #expect(marks.map(\.symbol) == ["a", "b", "c", "#"])
    }

    @Test(
        "a diagram is drawn as it was written",
        arguments: ["", "a", "-a--b-|", "(ab|)", "-(ab)-c#", "--(a#)"])
    func drawing(text: String) {
        #expect(Diagram(text).description == text)
    }

    @Test(
        "a line that is played and watched is the same line",
        arguments: ["-", "a--b--|", "-a-#", "(ab)--(cd|)"])
    func playing(text: String) {
        let marbles = Marbles("line \(text)")
        #expect(marbles.watch(marbles.line) == Diagram(text))
    }

    @Test("a cancelled observation receives its last tick and nothing after it")
    func cancelling() {
        Drawing("cancelled", "line -a-b-c-d-|\nline ^----!\n= -a-b-c", until: 5) { $0.line }.check()
    }
}
