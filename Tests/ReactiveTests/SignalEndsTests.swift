import MarbleSupport
import Reactive
import Testing

@Suite struct SignalEndsTests {
    @Test(
        "materialize emits the end as a value and completes",
        arguments: [("-a-b-|", "-a-b-(C|)"), ("-a-#", "-a-(F|)"), ("-a-", "-a-"), ("|", "(C|)")])
    func materialize(line: String, expected: String) {
        let marbles = Marbles("line \(line)\n= \(expected)")
        marbles.expect(
            marbles.line.materialize().map { event in
                switch event {
                case .next(let value): value
                case .completed: "C"
                case .failed: "F"
                }
            })
    }

    @Test("catchError goes on with the replacement after a failure")
    func catchError() {
        let marbles = Marbles(
            """
            line   -a-b-#
            line   ^----!
            other  -x-y-|
            other  -----^----!
            =      -a-b--x-y-|
            """)
        marbles.expect(marbles.line.catchError { _ in marbles.other })
    }

    @Test("catchError does not touch a signal that completes")
    func nothingToCatch() {
        let marbles = Marbles(
            """
            line   -a-b-|
            =      -a-b-|
            """)
        marbles.expect(
            marbles.line.catchError { _ in
                Issue.record("nothing failed")
                return .empty
            })
    }

    @Test("a failure of the replacement is passed on")
    func failingReplacement() {
        let marbles = Marbles(
            """
            line   -a-#
            other  -x-#
            =      -a--x-#
            """)
        marbles.expect(marbles.line.catchError { _ in marbles.other })
    }

    @Test("catchError hands over the error")
    func error() {
        var caught: (any Error)?
        let signal = Signal<Character>.failed(Broken()).catchError {
            caught = $0
            return .empty
        }
        #expect(Marbles("= -").watch(signal) == "|")
        #expect(caught is Broken)
    }
}
