/// The bids on one lot as their bidders saw them: when each was made and answered, and how.
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

    /// What somebody did to the lot, from when it was asked for to when it was known.
    package struct Operation: Sendable {
        package enum Deed: Equatable, Sendable {
            case bid(Int64, by: String, Outcome)
            case hammer
            case pause
            case resume
            case void
            case close
        }

        package let deed: Deed
        package let invoked: Duration
        /// Nil where nothing was heard of it.
        package let answered: Duration?

        package init(_ deed: Deed, invoked: Duration, answered: Duration?) {
            (self.deed, self.invoked, self.answered) = (deed, invoked, answered)
        }

        /// Whether it may never have happened.
        var isOptional: Bool { answered == nil }
    }

    /// The simplest auction: what a bid does when it is the only thing that happens.
    struct Model: Hashable {
        struct Bid: Hashable {
            let amount: Int64
            let bidder: String
        }

        var bids: [Bid] = []
        var isPaused = false
        var isClosed = false

        /// Does it, and returns whether that has the outcome which was seen.
        mutating func perform(_ deed: Operation.Deed, _ terms: BidHistory) -> Bool {
            switch deed {
            case .hammer:
                defer { isClosed = true }
                return !isClosed && !bids.isEmpty
            case .pause, .resume:
                defer { isPaused = deed == .pause }
                return isPaused == (deed == .resume)
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
