/// The bids on one lot as their bidders saw them: when each was made, when answered, and how.
package struct BidHistory: Sendable {
    /// What became of a bid.
    package enum Outcome: Equatable, Sendable {
        case accepted
        case leading(Int64)
        case belowMinimum(Int64)
        case aboveMaximum(Int64)
        case closed
        case paused
        /// No answer came: it may have been accepted at any time since, or never.
        case unknown
    }

    /// Something done to the lot, from when it was asked for to when its outcome was known.
    package struct Operation: Sendable {
        package enum Kind: Equatable, Sendable {
            case bid(Int64, by: String, Outcome)
            case hammer
            case pause
            case resume
            case void
            case close
        }

        package let kind: Kind
        package let invoked: Duration
        /// Nil if it had no answer, so that it may never have happened.
        package var answered: Duration?

        package init(_ kind: Kind, invoked: Duration, answered: Duration?) {
            (self.kind, self.invoked, self.answered) = (kind, invoked, answered)
        }
    }

    /// The simplest auction, to which one thing happens after the other.
    struct Model: Hashable {
        struct Bid: Hashable {
            let amount: Int64
            let bidder: String
        }

        var bids: [Bid] = []
        var isPaused = false
        var isClosed = false

        /// Performs an operation; false if that has another outcome than the one seen.
        mutating func perform(_ kind: Operation.Kind, _ terms: BidHistory) -> Bool {
            switch kind {
            case .hammer:
                defer { isClosed = true }
                return !isClosed && !bids.isEmpty
            case .pause, .resume:
                defer { isPaused = kind == .pause }
                return isPaused == (kind == .resume)
            case .void: return !isClosed && bids.popLast() != nil
            case .close:
                defer { isClosed = true }
                return !isClosed
            case .bid(let amount, let bidder, let seen):
                let outcome = bid(amount, by: bidder, terms)
                return outcome == seen || (seen == .unknown && outcome == .accepted)
            }
        }

        private mutating func bid(
            _ amount: Int64, by bidder: String, _ terms: BidHistory
        ) -> Outcome {
            guard !isClosed else { return .closed }
            let last = bids.last
            if let last, last.bidder == bidder, last.amount == amount { return .accepted }
            guard !isPaused else { return .paused }
            if let last, last.bidder == bidder, !terms.allowsSelfRaise {
                return .leading(last.amount)
            }
            let minimum = last.map { $0.amount + terms.step } ?? terms.start
            guard amount >= minimum else { return .belowMinimum(minimum) }
            let maximum = terms.mostRaise.map { (last?.amount ?? terms.start) + $0 } ?? .max
            guard amount <= maximum else { return .aboveMaximum(maximum) }
            bids.append(Bid(amount: amount, bidder: bidder))
            return .accepted
        }
    }

    package let start: Int64
    package let step: Int64
    package let allowsSelfRaise: Bool
    package let mostRaise: Int64?
    package internal(set) var operations: [Operation] = []

    package init(
        start: Int64, step: Int64, allowsSelfRaise: Bool = false, mostRaise: Int64? = nil,
        _ operations: [Operation] = []
    ) {
        (self.start, self.step, self.allowsSelfRaise) = (start, step, allowsSelfRaise)
        (self.mostRaise, self.operations) = (mostRaise, operations)
    }
}
extension BidHistory {
    /// Whether there is an order of all operations, each at one moment between its call and its
    /// answer, in which the simplest auction gives every answer that was seen.
    ///
    /// Nil if a million steps did not find that out.
    ///
    /// Source: Wing and Gong, "Testing and verifying concurrent objects"; Lowe, "Testing for
    /// linearizability", for remembering what was tried.
    package var isLinearizable: Bool? {
        var search = Search(self)
        return search.run()
    }

    /// A depth-first search for an order that tries each rest from each state once.
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
                guard next.perform(operations[index].kind, history) else { continue }
                let rest = done.with(index)
                guard tried.insert(Point(done: rest, model: next)).inserted else { continue }
                if extend(rest, next) { return true }
            }
            return false
        }

        /// By when the next operation must happen; nil when all that were answered have.
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

extension BidHistory: CustomStringConvertible {
    /// The operations, a line each, in the order in which they were invoked.
    package var description: String {
        operations.sorted { $0.invoked < $1.invoked }.map { operation in
            "\n  \(operation.invoked.stopwatch) to \(operation.answered?.stopwatch ?? "?"): "
                + "\(operation.kind)"
        }.joined()
    }
}
