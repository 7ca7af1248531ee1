import AuctionRules
import Drawing

extension Frame {
    /// The price in large figures, and beside it who leads and what is to be bid.
    mutating func drawPrice(_ model: Model, in area: Area) {
        let amount = model.standing.amount.map { "\($0)" } ?? ""
        let figures = LargeDigits.lines(amount)
        let room = area.columns - (figures.first?.columns ?? 0) - 4
        let isLarge = room >= 16
        let lines = amount.isEmpty ? [] : isLarge ? figures : [amount]
        for (row, line) in lines.enumerated() {
            write(line, row: area.row + row, column: 1, style: .heading)
        }
        let column = lines.isEmpty ? 1 : (lines[0].columns + 4)
        for (row, note) in model.notes.enumerated() {
            write(
                note.text.fitted(to: area.columns - column), row: area.row + row, column: column,
                style: note.style)
        }
    }
}

extension Model {
    /// What stands beside the price, from top to bottom.
    fileprivate var notes: [(text: String, style: Style)] {
        switch standing.outcome {
        case .sold(let sale): [you(sale.bidder, "have won", "has won"), afterwards]
        case .passed: [("unsold", .heading), afterwards]
        case nil: [leader, least]
        }
    }

    private var leader: (String, Style) {
        guard let leading = standing.leading else {
            return (standing.lot == nil ? "" : "no bid yet", .heading)
        }
        return you(leading.bidder, "lead", "leads")
    }

    private var least: (String, Style) {
        (leastBid.map { "next bid: \($0.amount) or more" } ?? "", .plain)
    }

    private var afterwards: (String, Style) {
        (standing.lotsDone == nil ? "the next lot comes soon" : "the sale is over", .plain)
    }

    private func you(_ who: Bidder, _ second: String, _ third: String) -> (String, Style) {
        who == bidder ? ("you \(second)", .good) : ("\(who) \(third)", .heading)
    }
}

extension Standing {
    /// The price of the lot that is open, or what the last one was sold for.
    fileprivate var amount: Int64? {
        if case .sold(let sale)? = outcome { return sale.price.amount }
        return leading?.price.amount
    }
}
