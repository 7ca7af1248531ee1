import Auction
import Bidder
import Wire

/// A lot that has ended.
package struct PastLot: Equatable, Sendable {
    /// The number and the title.
    let lot: Lot
    /// The winner and the price; nil if it was not sold.
    let sale: Sale?

    /// The winner of a lot, and the price.
    struct Sale: Equatable, Sendable {
        let winner: Bidder
        let price: Price
    }

    /// The lot that a message ends; nil if it ends none.
    init?(_ event: SaleEvent?) {
        switch event {
        case .lotSold(let sold):
            guard let number = sold.number else { return nil }
            lot = Lot(number: number, title: sold.title)
            sale = Sale(winner: sold.bidder, price: sold.price)
        case .lotPassed(let lot, _, _): (self.lot, sale) = (lot, nil)
        default: return nil
        }
    }
}

extension Model {
    /// Whether the sale has lots to list beside the one that is shown.
    var hasLots: Bool {
        !lot.next.isEmpty || pastLots.count > 1 || pastLots.contains { $0.lot.number != lot.lot }
    }
}

extension Frame {
    /// Draws the lots that have ended, the open one, and the titles of those to come.
    ///
    /// Half of the rows are for what comes, if the others are needed for what was.
    mutating func drawLots(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        let lines = LotLine.all(of: model)
        let past = lines.count(where: { $0.style != .faint })
        let end = writeTitle("lots", in: panel)
        writeTitleEnd(model.lotCount, in: panel, after: end)
        // The newest that have ended, and the next that come.
        let coming = min(lines.count - past, max(panel.body.rows / 2, panel.body.rows - past))
        let shown =
            lines.prefix(past).suffix(max(0, panel.body.rows - coming))
            + lines.dropFirst(past).prefix(coming)
        let number = shown.map(\.number.columns).max() ?? 0
        for (index, line) in shown.enumerated() {
            draw(line, numberColumns: number, row: panel.body.row + index, in: panel.body)
        }
    }

    private mutating func draw(_ line: LotLine, numberColumns: Int, row: Int, in area: Area) {
        let room = area.columns - numberColumns - 1
        let end = line.winner.map { "\($0.labelled) " } ?? ""
        let title = line.title.fitted(to: max(0, room - end.columns - line.end.columns - 1))
        write(
            line.number.leftPadded(to: numberColumns) + " " + title, row: row,
            column: area.column, style: line.style, limit: area.columns)
        let column = area.column + area.columns - end.columns - line.end.columns
        guard column > area.column + numberColumns else { return }
        write(end + line.end, row: row, column: column, style: line.style)
        if let winner = line.winner { draw(Face(of: winner), row: row, column: column) }
    }
}

/// A line of the list of lots.
private struct LotLine {
    let number: String
    let title: String
    var winner: Bidder?
    var end = ""
    let style: Style

    /// All lines in the order of the sale.
    static func all(of model: Model) -> [LotLine] {
        let past = model.pastLots.map { past in
            LotLine(
                number: "\(past.lot.number)", title: past.lot.title, winner: past.sale?.winner,
                end: past.sale?.price.grouped ?? "unsold",
                style: past.sale?.winner == model.bidder && model.bidder != nil ? .you : .plain)
        }
        let open =
            model.lot.isOpen
            ? [
                LotLine(
                    number: "\(model.lot.lot)", title: model.lot.title, end: "now",
                    style: .heading)
            ] : []
        let next = model.lot.next.enumerated().map { index, title in
            LotLine(number: "\(model.lot.lot + 1 + index)", title: title, style: .faint)
        }
        return past + open + next
    }
}

extension Model {
    /// How many lots are left, as far as the server says it.
    fileprivate var lotCount: String {
        guard let count = lot.lots, count > 0 else { return "" }
        return "\(Int64(lot.lot).grouped) of \(Int64(count).grouped)"
    }
}
