import Auction
import Wire

/// What was done to the lots of one room and when, as far as it has an answer.
struct LotHistories {
    /// The bids that were answered, each with its lot.
    private var bids: [(lot: Int, operation: BidHistory.Operation)] = []
    /// What else happened to the lots, with the number of its event and its lot.
    private var changes: [(seq: Int, lot: Int, operation: BidHistory.Operation)] = []

    /// Notes a bid with its answer.
    mutating func note(_ bid: BidHistory.Operation, onLot lot: Int) { bids.append((lot, bid)) }

    /// Takes news that was decided.
    mutating func take(_ message: ServerMessage, _ seq: Int, onLot lot: Int, at now: Duration) {
        guard let kind = message.change else { return }
        changes.append((seq, lot, BidHistory.Operation(kind, invoked: now, answered: nil)))
    }

    /// Notes that the news of a number was published.
    mutating func publish(_ seq: Int, at now: Duration) {
        if let index = changes.lastIndex(where: { $0.seq == seq }) {
            changes[index].operation.answered = now
        }
    }

    /// Forgets what was decided after the news of a number, which a crash has lost.
    mutating func forget(after seq: Int) {
        changes.removeAll { $0.seq > seq }
    }

    /// Requires that the bids on a lot, and their answers, could have come one after the other.
    ///
    /// `unknown` are bids without an answer that may be on it.
    func check(
        lot number: Int, _ rules: Rules, unknown: [BidHistory.Operation]
    ) -> Violation? {
        var history = BidHistory(
            start: rules.start.amount, step: rules.step.amount,
            allowsSelfRaise: rules.allowsSelfRaise, mostRaise: rules.mostRaise?.amount)
        history.operations = bids.filter { $0.lot == number }.map(\.operation) + unknown
        history.operations += changes.filter { $0.lot == number }.map(\.operation)
        switch history.isLinearizable {
        case true?: return nil
        case false?: return Violation(promise: .linearizable, facts: history.description)
        case nil: return Violation(promise: .linearizable, facts: "no order found in time")
        }
    }
}

extension ServerMessage {
    /// What it does to a lot, other than a bid; nil for nothing.
    fileprivate var change: BidHistory.Operation.Kind? {
        switch event {
        case .lotSold: .hammer
        case .paused: .pause
        case .resumed: .resume
        case .bidVoided: .void
        case .lotPassed: .close
        default: nil
        }
    }
}
