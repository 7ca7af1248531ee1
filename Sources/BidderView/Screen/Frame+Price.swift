import AuctionRules
import Drawing

extension Frame {
    /// Columns that what stands beside large figures needs at least.
    private static let noteColumns = 16

    /// The price in large figures, and beside it who leads and what is to be bid; below it where
    /// there is no room beside it.
    mutating func drawPrice(_ model: Model, in area: Area, isASCII: Bool) {
        guard let (price, style) = model.price else {
            return drawNotes(model.notes, row: area.row, column: 1)
        }
        let figures = LargeDigits.lines(price, isASCII: isASCII)
        let column = figures[0].columns + 4
        guard column + Self.noteColumns <= area.columns else {
            write(price, row: area.row, column: 1, style: style)
            return drawNotes(model.notes, row: area.row + 1, column: 1)
        }
        for (row, line) in figures.enumerated() {
            write(line, row: area.row + row, column: 1, style: style)
        }
        drawNotes(model.notes, row: area.row, column: column)
    }

    private mutating func drawNotes(_ notes: [Note], row: Int, column: Int) {
        for (index, note) in notes.enumerated() {
            let text = note.text(columns: size.columns - column)
            write(text, row: row + index, column: column, style: note.style)
        }
    }
}

/// A few words beside the price, in forms from long to short.
private struct Note {
    /// Cut before the words where not even the shortest form fits.
    var name = ""
    let forms: [String]
    let style: Style

    func text(columns: Int) -> String {
        let form = forms.first { (name + $0).columns <= columns } ?? forms.last ?? ""
        return name.fitted(to: columns - form.columns) + form
    }
}

extension Model {
    /// The price of the lot that is open, or what the last one was sold for; faint where it is but
    /// the start.
    fileprivate var price: (text: String, style: Style)? {
        if case .sold(let sale)? = standing.outcome { return (sale.price.grouped, .heading) }
        if let leading = standing.leading { return (leading.price.grouped, .heading) }
        return leastBid.map { ($0.grouped, .faint) }
    }

    /// What stands beside the price, from top to bottom.
    fileprivate var notes: [Note] {
        switch standing.outcome {
        case .sold(let sale): [you(sale.bidder, " have won", " has won"), afterwards]
        case .passed: [Note(forms: ["unsold"], style: .heading), afterwards]
        case nil: standing.lot == nil ? [] : [leader, least]
        }
    }

    private var leader: Note {
        guard let leading = standing.leading else {
            return Note(forms: ["no bid yet"], style: .heading)
        }
        return you(leading.bidder, " lead", " leads")
    }

    private var least: Note {
        guard let least = leastBid?.grouped else {
            let isHighest = connection.result != nil && standing.leading != nil
            let forms = ["no higher bid is possible", "the highest bid"]
            return Note(forms: isHighest ? forms : [""], style: .plain)
        }
        return Note(
            forms: ["next bid: \(least) or more", "next: \(least) or more", "next: \(least)"],
            style: .plain)
    }

    private var afterwards: Note {
        let forms =
            if standing.lotsDone != nil {
                ["the sale is over"]
            } else if standing.isPaused {
                ["the sale is paused", "paused"]
            } else {
                ["the next lot comes soon", "next lot soon"]
            }
        return Note(forms: forms, style: .plain)
    }

    private func you(_ who: Bidder, _ second: String, _ third: String) -> Note {
        who == bidder
            ? Note(forms: ["you\(second)"], style: .good)
            : Note(name: "\(who)", forms: [third], style: .heading)
    }
}
