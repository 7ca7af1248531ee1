import Auction
import Bidder
import Wire

extension Frame {
    /// The minimum width of the notes beside large digits.
    private static let noteColumns = 14

    /// Draws the price in large digits, and the notes beside it, or below it if they do not fit.
    mutating func drawPrice(_ model: Model, in panel: Panel, isASCII: Bool) {
        let end = writeTitle(model.priceTitle, in: panel)
        writeTerms(model, in: panel, after: end)
        let area = panel.body
        guard let price = model.price else { return drawNotes(model.notes, in: area) }
        var rest = area
        let columns = LargeDigits.lines(price.grouped)[0].columns
        if columns + 2 + Self.noteColumns <= area.columns {
            let taken = drawDigits(price.grouped, model.priceStyle, in: area, isASCII: isASCII)
            _ = rest.take(taken + 2, from: .left)
        } else {
            write(price.grouped, row: area.row, column: area.column, style: model.priceStyle)
            _ = rest.take(1, from: .top)
        }
        drawNotes(model.notes, in: rest)
    }

    /// Draws a text in large digits, of twice the size if they fit, and returns their columns.
    @discardableResult
    mutating func drawDigits(
        _ text: String, _ style: Style, in area: Area, isASCII: Bool
    ) -> Int {
        let double = LargeDigits.lines(text, isDouble: true)
        let fits =
            double.count <= area.rows && double[0].columns + Self.noteColumns <= area.columns
        let lines = fits ? double : LargeDigits.lines(text, isASCII: isASCII)
        for (row, line) in lines.enumerated() {
            write(line, row: area.row + row, column: area.column, style: style)
        }
        return lines[0].columns
    }

    private mutating func drawNotes(_ notes: [Note], in area: Area) {
        var rest = area
        for note in notes where !rest.isEmpty { write(note, in: rest.take(1, from: .top)) }
    }
}

extension Model {
    /// The price of the open lot or the last sold one, else the minimum of the first bid.
    ///
    /// In a sealed auction the user's own bid.
    fileprivate var price: Price? { lot.price ?? ownSealedBid ?? lot.least }

    /// The user's bid on the open lot if it is sealed.
    private var ownSealedBid: Price? { own?.sealed }

    fileprivate var priceTitle: String {
        guard standing == .noBids else { return "price" }
        if lot.isFalling { return "asking price" }
        guard lot.format.isSealed else { return "first bid" }
        return ownSealedBid == nil ? "minimum bid" : "your sealed bid"
    }

    fileprivate var priceStyle: Style {
        switch standing {
        case .none: .faint
        case .noBids: lot.isFalling ? .heading : ownSealedBid == nil ? .faint : .you
        case .leading, .won: .you
        case .outbid: .danger
        case .other: .leader
        case .ended: .heading
        }
    }

    /// The notes beside the price, from top to bottom.
    fileprivate var notes: [Note] {
        switch standing {
        case .none: [afterwards]
        case .noBids: waitingNotes
        case .leading: [Note(sign: "YOU LEAD", style: .you), least, maximum]
        case .outbid(let other):
            [
                Note(
                    sign: "OUTBID", face: other, faceColumn: 3, name: "by ",
                    forms: [other.labelled], style: .danger),
                least,
                own?.maximum == nil ? ownLast : maximum,
            ]
        case .other(let other):
            [
                Note(face: other, name: other.labelled, forms: [" leads"], style: .leader), least,
                maximum,
            ]
        case .won: [Note(sign: "YOU HAVE WON", style: .you), afterwards]
        case .ended:
            [
                lot.winner.map {
                    Note(face: $0, name: $0.labelled, forms: [" has won"], style: .leader)
                }
                    ?? Note(forms: ["unsold"], style: .heading)
            ] + (own?.paid.map { [cost($0)] } ?? []) + [afterwards]
        }
    }

    /// What the user pays for a lot that another bidder has won.
    private func cost(_ paid: Price) -> Note {
        Note(
            forms: ["you pay \(paid.grouped), your own bid", "you pay \(paid.grouped)"],
            style: .danger)
    }

    /// The notes while nobody leads.
    private var waitingNotes: [Note] {
        if lot.isFalling { return [taking, falling] }
        if lot.format.isSealed { return sealedNotes }
        return [Note(forms: ["no bid yet"], style: .heading), least, maximum]
    }

    /// How the user takes a lot whose price falls.
    private var taking: Note {
        guard lot.stage == .open else { return least }
        guard bidder != nil else { return Note(forms: ["nobody has taken it"], style: .heading) }
        guard let offer = nextBid else { return Note() }
        guard isAffordable(offer) else { return overPurse }
        guard earnings.map({ $0.amount >= 0 }) ?? true else {
            return Note(forms: ["Enter, or take: at a loss", "Enter takes it"], style: .heading)
        }
        return Note(
            sign: "TAKE IT", forms: ["press Enter, or type take", "press Enter", ""], style: .you)
    }

    private var falling: Note {
        let step = lot.step.grouped
        return Note(forms: ["the price falls by \(step)", "falls by \(step)"], style: .faint)
    }

    private var sealedNotes: [Note] {
        guard lot.stage == .open else { return [least] }
        let secret = Note(
            forms: ["secret until the end", "secret"], style: .faint)
        guard bidder != nil else {
            return [Note(forms: ["bids are sealed"], style: .heading), secret]
        }
        guard ownSealedBid == nil else {
            return [
                Note(sign: "SEALED", forms: ["your bid", ""], style: .you),
                Note(forms: ["bid again to replace it", "bid to replace it"]), secret,
            ]
        }
        return [Note(forms: ["you have not bid", "no bid yet"], style: .heading), least, secret]
    }

    private var overPurse: Note {
        Note(forms: ["more than your purse has", "over your purse"], style: .danger)
    }

    /// Up to which price the server bids for the user.
    private var maximum: Note {
        guard let maximum = own?.maximum?.grouped else { return Note() }
        return Note(forms: ["your maximum: \(maximum)", "max: \(maximum)"], style: .you)
    }

    /// The minimum of the next bid; of a bid that is possible now, and not by the leader.
    private var least: Note {
        guard lot.stage == .open else {
            return Note(forms: ["no bids while paused", "no bids now"])
        }
        guard let amount = lot.least else {
            return Note(forms: isKnown ? ["no higher bid is possible", "the highest bid"] : [""])
        }
        let least = amount.grouped
        guard standing != .leading else {
            return Note(forms: ["others must bid \(least)", "others: \(least)"])
        }
        if bidder != nil, !isStale, !isAffordable(amount) { return overPurse }
        return Note(forms: [
            "next bid: \(least) or more", "next: \(least) or more", "next: \(least)",
        ])
    }

    private var ownLast: Note {
        let own = ownBid.map { "your last bid: \($0.price.grouped)" } ?? ""
        return Note(forms: [own, ownBid.map { "yours: \($0.price.grouped)" } ?? ""], style: .faint)
    }

    private var afterwards: Note {
        if lot.stage == .over { return Note(forms: ["the sale is over"]) }
        if lot.stage == .paused { return Note(forms: ["the sale is paused", "paused"]) }
        guard let seconds = secondsToNextLot else {
            return Note(forms: lot.lot == 0 ? [""] : ["the next lot comes soon", "next lot soon"])
        }
        let name = lot.next.first.map { ": \($0)" } ?? ""
        return Note(forms: ["next lot in \(seconds) s" + name, "next lot in \(seconds) s"])
    }
}
