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
        var rest = area
        if let figure = model.figure {
            let columns = LargeDigits.lines(figure)[0].columns
            if columns + 2 + Self.noteColumns <= area.columns {
                let taken = drawDigits(
                    figure, model.priceStyle, in: area, leaving: Self.noteColumns, isASCII: isASCII)
                _ = rest.take(taken + 2, from: .left)
            } else {
                write(figure, in: area, style: model.priceStyle)
                _ = rest.take(1, from: .top)
            }
        }
        for note in model.notes where !rest.isEmpty { write(note, in: rest.take(1, from: .top)) }
    }

    /// Draws a text in large digits, and returns their columns.
    ///
    /// They have twice the size if at least `least` columns of the area stay free.
    mutating func drawDigits(
        _ text: String, _ style: Style, in area: Area, leaving least: Int, isASCII: Bool
    ) -> Int {
        let double = LargeDigits.lines(text, isDouble: true)
        let fits = double.count <= area.rows && double[0].columns + least <= area.columns
        let lines = fits ? double : LargeDigits.lines(text, isASCII: isASCII)
        for (row, line) in lines.enumerated() { write(line, row, in: area, style: style) }
        return lines[0].columns
    }
}

extension Model {
    /// The price of the open lot or the last sold one, else the minimum of the first bid.
    ///
    /// In a sealed auction the user's own bid, and before the first lot the number of bidders.
    fileprivate var figure: String? {
        if isWaiting { return Int64(lot.people).grouped }
        return standing == .none ? nil : (lot.price ?? own?.sealed ?? lot.least)?.grouped
    }

    /// Whether the sale is known to wait for its first lot.
    var isWaiting: Bool { bidders != nil && lot.isBeforeFirst }

    fileprivate var priceTitle: String {
        guard standing == .noBids else { return isWaiting ? "bidders" : "price" }
        if lot.isFalling { return "asking price" }
        guard lot.format.isSealed else { return "first bid" }
        return own?.sealed == nil ? "minimum bid" : "your sealed bid"
    }

    fileprivate var priceStyle: Style {
        switch standing {
        case .none: .heading
        case .noBids: lot.isFalling ? .heading : own?.sealed == nil ? .faint : .you
        case .leading, .won: .you
        case .outbid: .danger
        case .other: .leader
        case .ended: .heading
        }
    }

    /// The notes beside the price, from top to bottom.
    fileprivate var notes: [Note] {
        switch standing {
        case .none: beginning
        case .noBids: waitingNotes
        case .leading: [Note(sign: "YOU LEAD", style: .you), least, maximum]
        case .outbid(let other):
            [
                Note(sign: "OUTBID", bidder: other, forms: [" leads", ""], style: .danger),
                least,
                own?.maximum == nil ? ownLast : maximum,
            ]
        case .other(let other):
            [
                Note(bidder: other, forms: [" leads"], style: .leader), least, maximum,
            ]
        case .won: [Note(sign: "YOU HAVE WON", style: .you), afterwards]
        case .ended:
            [
                lot.winner.map { Note(bidder: $0, forms: [" has won"], style: .leader) }
                    ?? Note(forms: ["unsold"], style: .heading)
            ] + (own?.paid.map { [cost($0)] } ?? []) + [afterwards]
        }
    }

    /// The notes before the first lot of a game.
    private var beginning: [Note] {
        guard isWaiting else { return [afterwards] }
        let here = lot.people == 1 ? "bidder is here" : "bidders are here"
        let host = isHost ? "type start to open the first lot" : "the host starts the sale"
        return [
            Note(forms: [here + (lot.games > 1 ? " for game \(lot.games)" : "")], style: .heading),
            secondsToNextLot == nil ? Note(forms: [host, "waiting"]) : afterwards,
            Note(
                forms: bidder == nil ? [""] : ["type say hello, react 👏 or display Zoë", ""],
                style: .faint),
        ]
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
        guard own?.sealed == nil else {
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
        if isOver { return Note(forms: ["the sale is over"]) }
        if lot.stage == .paused { return Note(forms: ["the sale is paused", "paused"]) }
        guard let seconds = secondsToNextLot else {
            return Note(forms: lot.lot == 0 ? [""] : ["the next lot comes soon", "next lot soon"])
        }
        let name = lot.next.first.map { ": \($0)" } ?? ""
        return Note(forms: ["next lot in \(seconds) s" + name, "next lot in \(seconds) s"])
    }
}
