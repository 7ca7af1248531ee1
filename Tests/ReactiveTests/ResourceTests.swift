import MarbleSupport
import Reactive
import Testing

@Suite struct ResourceTests {
    /// Three loads, the second of which fails.
    static let loads = """
        loads  -a-----b------a-c----
        a      --A|
        b      ---#
        c      -C-|
        """

    @Test(
        "a resource",
        arguments: [
            Drawing("is loading", "\(loads)\n= -t--f--t--f---t----f") {
                $0.resource.isLoading.map { $0 ? "t" : "f" }
            },
            Drawing("has its newest result", "\(loads)\n= ---A-------------C") {
                $0.resource.result
            },
            Drawing("has its last error", "\(loads)\n= ---nn-----#------n-n") {
                $0.resource.lastError.map { $0 == nil ? "n" : "#" }
            },
            Drawing(
                "is loaded once for two views",
                """
                loads  -a-------
                a      ---A-|
                a      -^----!
                =      ----A-
                """
            ) { marbles in
                let result = marbles.resource.result
                return result.combineLatest(result).map(\.0)
            },
            Drawing(
                "shows somebody who looks later the result without another load",
                """
                loads  -a--------
                a      --A|
                a      -^--!
                late   -----1----
                =      -----A----
                """
            ) { marbles in
                let result = marbles.resource.result
                let late = marbles.late.map { _ in result }.switchToLatest()
                return result.combineLatest(late).map(\.1)
            },
            Drawing(
                "replaces a load under way, whose result never comes",
                """
                loads  -a--b------
                a      ----A|
                a      -^--!
                b      --B---|
                b      ----^-----!
                =      ------B---B
                """
            ) { marbles in
                let resource = marbles.resource
                return resource.isLoading.combineLatest(resource.result).map(\.1)
            },
            Drawing(
                "has an error beside the last good result until a load succeeds",
                """
                loads  -a----b----c---
                a      -A|
                b      --#
                c      -C|
                =      --A-----#---C--
                """
            ) { marbles in
                let resource = marbles.resource
                return resource.result.combineLatest(resource.lastError)
                    .map { result, error in error == nil ? result : "#" }.removeDuplicates()
            },
        ])
    func resource(drawing: Drawing) { drawing.check() }
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
