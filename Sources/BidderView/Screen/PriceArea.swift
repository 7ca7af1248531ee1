import AuctionRules
import Drawing
import Sale
import Wire

extension Frame {
    /// The minimum width of the notes beside large digits.
    private static let noteColumns = 16

    /// Draws the price in large digits, and the notes beside it, or below it if they do not fit.
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

/// A note beside the price, in forms from long to short.
private struct Note {
    /// A name before the form, which is cut if even the shortest form does not fit.
    var name = ""
    let forms: [String]
    let style: Style

    func text(columns: Int) -> String {
        let form = forms.first { (name + $0).columns <= columns } ?? forms.last ?? ""
        return name.fitted(to: columns - form.columns) + form
    }
}

extension Model {
    /// The price of the open lot or the last sold one; the minimum of the first bid is faint.
    fileprivate var price: (text: String, style: Style)? {
        if case .sold(let sale)? = sale.outcome { return (sale.price.grouped, .heading) }
        if let leading = sale.leading { return (leading.price.grouped, .heading) }
        return sale.leastBid.map { ($0.grouped, .faint) }
    }

    /// The notes beside the price, from top to bottom.
    fileprivate var notes: [Note] {
        switch sale.outcome {
        case .sold(let sale): [you(sale.bidder, " have won", " has won"), afterwards]
        case .passed: [Note(forms: ["unsold"], style: .heading), afterwards]
        case nil: sale.lot == nil ? [] : [leader, least]
        }
    }

    private var leader: Note {
        guard let leading = sale.leading else {
            return Note(forms: ["no bid yet"], style: .heading)
        }
        return you(leading.bidder, " lead", " leads")
    }

    private var least: Note {
        guard let least = sale.leastBid?.grouped else {
            let isHighest = sale.greeting != nil && sale.leading != nil
            let forms = ["no higher bid is possible", "the highest bid"]
            return Note(forms: isHighest ? forms : [""], style: .plain)
        }
        return Note(
            forms: ["next bid: \(least) or more", "next: \(least) or more", "next: \(least)"],
            style: .plain)
    }

    private var afterwards: Note {
        let forms =
            if sale.lotsDone != nil {
                ["the sale is over"]
            } else if sale.isPaused {
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

extension Frame {
    /// Draws the bar of the countdown, or an announcement if no countdown runs.
    mutating func drawCountdown(_ model: Model, in area: Area) {
        if model.isConnected, let countdown = model.countdown {
            drawBar(countdown, of: model.sale.greeting?.seconds ?? 1, in: area)
            return
        }
        let (text, end, style) = model.announcement
        let room = area.columns - 2 - end.columns
        write(text.fitted(to: room) + end, row: area.row, column: 1, style: style)
    }

    private mutating func drawBar(_ countdown: TimeLeft, of seconds: Int, in area: Area) {
        let warning = countdown.warning.map { " going \($0.rawValue)" } ?? " s"
        let labelColumns = "3600 going twice".count
        let columns = area.columns - labelColumns - 3
        let bar = Bars.horizontal(
            fraction: countdown.fraction(ofSeconds: seconds), columns: columns, rest: "░")
        write(bar, row: area.row, column: 1, style: countdown.style)
        write(
            "\(countdown.seconds)\(warning)", row: area.row, column: columns + 2,
            style: countdown.style)
    }
}

extension TimeLeft {
    fileprivate var style: Style {
        switch warning {
        case nil: .heading
        case .once: Style(color: .magenta, isBold: true)
        case .twice: Style(color: .red, isBold: true)
        }
    }
}

extension Model {
    /// The announcement while no countdown runs, with an end that is never cut.
    fileprivate var announcement: (text: String, end: String, style: Style) {
        if let reason = connection.lastError { return (reason, "; \(isTrying)", .bad) }
        guard sale.greeting != nil else {
            return ("\(spinnerPicture) connecting to \(server)", "", .plain)
        }
        switch sale.outcome {
        case .sold(let sale): return soldNote(sale)
        case .passed(let reason): return (plainWords(of: reason), "", .plain)
        case nil where sale.isPaused: return ("paused", "", .heading)
        case nil where sale.leading != nil: return ("", "", .plain)
        case nil where sale.lot != nil:
            return ("the first bid starts the countdown", "", .faint)
        case nil where sale.lotsDone != nil: return ("the sale is over", "", .plain)
        case nil: return ("no lot is open, wait for the next", "", .faint)
        }
    }

    private func soldNote(_ sale: SoldLot) -> (String, String, Style) {
        let isOwn = sale.bidder == bidder
        let end = " for \(sale.price.grouped) after \(sale.elapsed.lotTime)"
        return ("sold to \(isOwn ? "you" : "\(sale.bidder)")", end, isOwn ? .good : .heading)
    }

    private var isTrying: String {
        if connection.isLoading { return "\(spinnerPicture) connecting" }
        return secondsToRetry.map { "next try in \($0) s, Ctrl-R: now" } ?? "trying again"
    }
}
