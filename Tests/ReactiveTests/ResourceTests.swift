import MarbleSupport
import Reactive
import Testing

@Suite struct ResourceTests {
    enum Property: Sendable {
        case isLoading, result, lastError
    }

    @Test(
        "a resource is loading, has its newest result and its last error, and outlives a failure",
        arguments: [
            (Property.isLoading, "-t--f--t--f---t----f"),
            (Property.result, "---A-------------C"),
            (Property.lastError, "---nn-----#------n-n"),
        ])
    func properties(property: Property, expected: String) {
        let marbles = Marbles(
            """
            loads  -a-----b------a-c----
            a      --A|
            b      ---#
            c      -C-|
            =      \(expected)
            """)
        marbles.expect(marbles.resource.drawn(property))
    }

    @Test("two views of one resource load it once")
    func sharedLoad() {
        let marbles = Marbles(
            """
            loads  -a-------
            a      ---A-|
            a      -^----!
            b      -
            c      -
            =      ----(AA)-
            """)
        let result = marbles.resource.result
        marbles.expect(.merge([result, result]))
    }

    @Test("somebody who looks later sees the result without another load")
    func lateView() {
        let marbles = Marbles(
            """
            loads  -a--------
            a      --A|
            a      -^--!
            b      -
            c      -
            late   -----1----
            =      ---A-A----
            """)
        let result = marbles.resource.result
        marbles.expect(
            .merge([result, marbles.late.map { _ in result }.switchToLatest()]))
    }

    @Test("a new load replaces one under way, whose result never comes")
    func replaced() {
        let marbles = Marbles(
            """
            loads  -a--b------
            a      ----A|
            a      -^--!
            b      --B---|
            b      ----^-----!
            c      -
            =      ------(BB)-
            """)
        let resource = marbles.resource
        let loading: Signal<Character> = resource.isLoading.ignoreValues()
        marbles.expect(.merge([loading, resource.result, resource.result]))
    }

    @Test("an error stands beside the last good result until a load succeeds")
    func errorBesideResult() {
        let marbles = Marbles(
            """
            loads  -a----b----c---
            a      -A|
            b      --#
            c      -C|
            =      --A-----#---C--
            """)
        let resource = marbles.resource
        // What is seen: the result, or an exclamation of the error beside it.
        let seen = resource.result.combineLatest(resource.lastError)
            .map { result, error in error == nil ? result : "#" }.removeDuplicates()
        marbles.expect(seen)
    }
}

extension Marbles {
    fileprivate var resource: Resource<Character> {
        Resource(
            self.loads.map { name in
                switch name {
                case "a": self.a
                case "b": self.b
                default: self.c
                }
            })
    }
}

extension Resource<Character> {
    fileprivate func drawn(_ property: ResourceTests.Property) -> Signal<Character> {
        switch property {
        case .isLoading: isLoading.map { $0 ? "t" : "f" }
        case .result: result
        case .lastError: lastError.map { $0 == nil ? "n" : "#" }
        }
    }
}
