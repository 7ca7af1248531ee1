import Auction
import Bidder
import Wire

extension Frame {
    /// Draws the sealed bids as envelopes, and after the end of the lot what is in them.
    mutating func drawSealedBids(_ model: Model, in panel: Panel) {
        let count = model.lot.bids
        let isOpened = !model.sale.revealed.isEmpty
        var panel = panel
        writeHeading(
            SaleEvent.heading(ofSealedBids: count) + (isOpened ? ", opened" : ""), model,
            in: &panel, leaving: count > 0 ? 2 : 0)
        if isOpened {
            drawRevealed(model, in: panel)
        } else {
            drawEnvelopes(count, hasOwn: model.own?.sealed != nil, in: panel.body)
        }
    }

    /// Draws an envelope for each bid, the user's own first, and `+N` for those that do not fit.
    private mutating func drawEnvelopes(_ count: Int, hasOwn: Bool, in area: Area) {
        let envelope = Envelope.large.capacity(of: area) >= count ? Envelope.large : .small
        let capacity = envelope.capacity(of: area)
        guard capacity > 0 else { return }
        let shown = count > capacity ? capacity - 1 : count
        for index in 0..<shown {
            let isOwn = hasOwn && index == 0
            let place = envelope.place(index, in: area)
            for (row, line) in envelope.lines.enumerated() {
                write(
                    line, row: place.row + row, column: place.column,
                    style: isOwn ? .you : .plain)
            }
            if isOwn { write("•", row: place.row, column: place.column - 1, style: .you) }
        }
        guard count > shown else { return }
        let place = envelope.place(shown, in: area)
        write(
            "+\(Int64(count - shown).grouped)", row: place.row + envelope.lines.count / 2,
            column: place.column, limit: area.column + area.columns - place.column)
    }

    /// Draws the revealed bids, highest first; the user's own is always among them.
    private mutating func drawRevealed(_ model: Model, in panel: Panel) {
        let area = panel.body
        let bids = Array(zip(1..., model.sale.revealed))
        let rows = fit(bids, in: panel) { $0.1.bidder == model.bidder }
        let table = FittedTable(
            rows,
            before: [
                FittedTable.Column { "\($0.0)" }, FittedTable.Column { $0.1.price.grouped },
            ],
            name: { "\($0.1.bidder)" }, nameColumns: 0, choices: [[]], columns: area.columns)
        let note = model.winningNote
        for (row, ranked) in rows.enumerated() {
            let bid = ranked.1
            let isOwn = bid.bidder == model.bidder
            let isWinner = model.lot.winner == bid.bidder
            let style: Style = isOwn ? .you : isWinner ? .leader : .plain
            var rest = area
            let taken = writeLine(table.line(ranked), row, style: style, in: area)
            _ = rest.take(taken + 1, from: .left)
            if !note.isEmpty { _ = rest.take(note.columns + 1, from: .right) }
            guard rest.columns >= 4 else {
                if isWinner { write("*", row, in: area, from: taken + 1, style: style) }
                continue
            }
            let fraction = Double(bid.price.amount) / Double(bids[0].1.price.amount)
            write(
                Bars.horizontal(fraction: fraction, columns: rest.columns), row, in: rest,
                style: style == .plain ? .faint : Style(color: style.color))
            if isWinner {
                write(note, row, in: area, from: area.columns - note.columns, style: style)
            }
        }
    }
}

/// An envelope as a drawing, and the places of many.
private struct Envelope {
    static let large = Envelope(
        lines: ["╭──────╮", "│╲    ╱│", "│  ╲╱  │", "╰──────╯"], gap: 2)
    static let small = Envelope(lines: ["┌╲╱┐", "└──┘"], gap: 2)

    let lines: [String]
    /// The columns between two envelopes.
    let gap: Int

    private var columns: Int { lines[0].columns }

    private func perRow(_ area: Area) -> Int { (area.columns + gap) / (columns + gap) }

    /// The number of envelopes that fit.
    func capacity(of area: Area) -> Int {
        let rows = area.rows < lines.count ? 0 : (area.rows + 1) / (lines.count + 1)
        return perRow(area) * max(rows, area.rows >= lines.count ? 1 : 0)
    }

    /// The place of the top left corner of an envelope.
    func place(_ index: Int, in area: Area) -> Position {
        let perRow = max(1, perRow(area))
        return Position(
            row: area.row + index / perRow * (lines.count + 1),
            column: area.column + index % perRow * (columns + gap))
    }
}

extension Model {
    /// What the winner of a sealed auction pays; empty before the end.
    fileprivate var winningNote: String {
        guard lot.winner != nil, let price = lot.price else { return "" }
        return "pays \(price.grouped)"
    }
}
