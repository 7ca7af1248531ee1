extension BidHistory {
    /// Whether there is one order of all operations, each at one moment between its call and its
    /// answer, in which the simplest auction gives every answer that was seen; nil if that was not
    /// found out in a million steps.
    ///
    /// Source: Wing and Gong, "Testing and verifying concurrent objects"; Lowe, "Testing for
    /// linearizability", for remembering what was tried.
    package var isLinearizable: Bool? {
        var search = Search(self)
        return search.run()
    }

    /// A walk over the orders, deepest first, that never tries the same rest from the same state
    /// again.
    private struct Search {
        private struct Point: Hashable {
            let done: [UInt64]
            let model: Model
        }

        private static let mostSteps = 1_000_000

        private let history: BidHistory
        private let operations: [Operation]
        private var tried: Set<Point> = []
        private var steps = 0

        init(_ history: BidHistory) {
            self.history = history
            operations = history.operations.sorted { $0.invoked < $1.invoked }
        }

        mutating func run() -> Bool? {
            let words = (operations.count + 63) / 64
            let isFound = extend([UInt64](repeating: 0, count: words), Model())
            return steps > Self.mostSteps ? nil : isFound
        }

        private mutating func extend(_ done: [UInt64], _ model: Model) -> Bool {
            steps += 1
            guard steps <= Self.mostSteps else { return false }
            guard let deadline = firstAnswer(of: done) else { return true }
            for index in operations.indices where !done.has(index) {
                guard operations[index].invoked <= deadline else { break }
                var next = model
                guard next.perform(operations[index].deed, history) else { continue }
                let rest = done.with(index)
                guard tried.insert(Point(done: rest, model: next)).inserted else { continue }
                if extend(rest, next) { return true }
            }
            return false
        }

        /// By when the next operation has to happen; nil when all that was answered has.
        private func firstAnswer(of done: [UInt64]) -> Duration? {
            var first: Duration?
            for index in operations.indices where !done.has(index) {
                guard let answered = operations[index].answered else { continue }
                first = min(first ?? answered, answered)
            }
            return first
        }
    }
}

extension [UInt64] {
    fileprivate func has(_ index: Int) -> Bool { self[index / 64] >> (index % 64) & 1 == 1 }

    fileprivate func with(_ index: Int) -> [UInt64] {
        var set = self
        set[index / 64] |= 1 << (index % 64)
        return set
    }
}
