import AuctionRules
import TestSupport

// What has to have come of it all.
extension Witness {
    /// Checks what can only be told at the end, after everybody has behaved for a while.
    func checkEnd(_ visitors: [Visitor]) {
        checkSold()
        for visitor in visitors { checkUpToDate(visitor) }
        for lot in kept.lots.indices { checkOrder(ofLot: lot + 1) }
    }

    private func checkSold() {
        guard let lot = kept.lots.last, !lot.bids.isEmpty, !lot.isClosed, !kept.isPaused else {
            return
        }
        report(.live, "lot \(lot.lot.number) is open still")
    }

    private func checkUpToDate(_ visitor: Visitor) {
        guard let connection = visitor.connection else { return }
        if visitor.lastNews != log.last {
            report(.order, "\(visitor.name) has heard \(visitor.lastNews ?? 0) of \(log.last)")
        }
        if let command = connection.pending.first {
            report(.answers, "\(visitor.name) waits: \(command.kind)")
        }
    }

    /// Holds that the bids on a lot, and their answers, could have come one after the other.
    private func checkOrder(ofLot number: Int) {
        let rules = terms.rules
        var history = BidHistory(
            start: rules.start.amount, step: rules.step.amount,
            allowsSelfRaise: rules.allowsSelfRaise, mostRaise: rules.mostRaise?.amount)
        history.operations = bids.compactMap { bid in
            bid.lot.map { $0 == number } ?? mayConcern(bid.operation, number)
                ? bid.operation : nil
        }
        history.operations += marks.filter { $0.lot == number }.map {
            .init($0.deed, invoked: $0.decided, answered: $0.told)
        }
        switch history.isLinearizable {
        case true?: break
        case false?: report(.linearizable, "lot \(number): \(history.description)")
        case nil: report(.linearizable, "lot \(number): not found out")
        }
    }

    /// Whether a bid without an answer can be one of a lot's.
    private func mayConcern(_ operation: BidHistory.Operation, _ number: Int) -> Bool {
        guard case .bid(let amount, let bidder, _) = operation.deed else { return false }
        return Bidder(bidder).map { kept.holds(amount, by: $0, inLot: number) } == true
    }
}

extension BidHistory: CustomStringConvertible {
    /// An operation a line, in the order in which they were asked for.
    package var description: String {
        operations.sorted { $0.invoked < $1.invoked }.map { operation in
            "\n  \(operation.invoked.stopwatch) to \(operation.answered?.stopwatch ?? "?"): "
                + "\(operation.deed)"
        }.joined()
    }
}
