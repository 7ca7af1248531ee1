import Auction
import Bidder
import Wire

extension Frame {
    /// Draws the time that is left, and the bar below it; or what holds instead of a countdown.
    mutating func drawCountdown(_ model: Model, in layout: Layout, isASCII: Bool) {
        writeTitle("countdown", in: layout.countdown)
        let countdown = model.isStale ? nil : model.countdown
        let sign = countdown == nil ? model.sign : countdown?.sign
        var (area, bar) = (layout.countdown.body, layout.bar)
        if area.isEmpty {
            // The announcement says that the connection is lost, and why.
            let isLost = model.connection.lastError != nil
            drawCountdown(countdown, isLost ? nil : sign, in: &bar)
        } else {
            let waiting = sign == nil && model.standing == .noBids ? model.lot.seconds : nil
            if let seconds = countdown?.seconds ?? waiting.map({ Int64($0) }) {
                let style = countdown?.digitStyle ?? .faint
                let taken = drawDigits("\(seconds)", style, in: area, isASCII: isASCII) + 1
                write(
                    "s", row: area.row + area.rows - 1, column: area.column + taken,
                    style: .faint)
                _ = area.take(taken + 2, from: .left)
            }
            if let sign { drawSign(sign, in: area) }
        }
        if let countdown {
            drawBar(countdown, of: model, in: bar)
        } else {
            write(model.announcement(isBesideSign: bar != layout.bar), in: bar)
        }
    }

    /// Draws the seconds and the sign in the row of the bar, and takes their columns off it.
    private mutating func drawCountdown(
        _ countdown: TimeLeft?, _ sign: Sign?, in bar: inout Area
    ) {
        let seconds = countdown.map { "\($0.seconds) s" } ?? ""
        let label = sign.map { " \($0.text) " } ?? ""
        if let countdown {
            let columns = seconds.columns + (label.isEmpty ? 0 : label.columns + 1)
            let right = bar.take(max(columns, "3600 s".columns), from: .right)
            bar.columns -= 1
            write(seconds, row: bar.row, column: right.column, style: countdown.digitStyle)
            if let sign {
                write(
                    label, row: bar.row, column: right.column + seconds.columns + 1,
                    style: sign.style.sign)
            }
        } else if let sign {
            write(label, row: bar.row, column: bar.column, style: sign.style.sign)
            _ = bar.take(label.columns + 1, from: .left)
        }
    }

    /// Fills an area with a colour, and writes a text in its middle.
    private mutating func drawSign(_ sign: Sign, in area: Area) {
        let (lines, style) = (sign.text.wrapped(to: area.columns - 2, lines: 2), sign.style.sign)
        for row in area.row..<(area.row + area.rows) {
            fill(row: row, column: area.column, columns: area.columns, style: style)
        }
        for (index, line) in lines.enumerated() {
            write(
                line, row: area.row + (area.rows - lines.count + 1) / 2 + index,
                column: area.column + (area.columns - line.columns) / 2, style: style)
        }
    }

    private mutating func drawBar(_ countdown: TimeLeft, of model: Model, in area: Area) {
        let bar = Bars.horizontal(
            fraction: countdown.fraction(ofSeconds: model.lot.seconds), columns: area.columns)
        write(bar, row: area.row, column: area.column, style: countdown.style)
    }
}

/// A word for what holds, on a background.
private struct Sign {
    let text: String
    let style: Style
}

extension TimeLeft {
    /// The style of the bar, and of the warning.
    fileprivate var style: Style {
        switch warning {
        case nil: .time
        case .once: .caution
        case .twice: .danger
        }
    }

    /// The warning before the end; nil if there is none yet.
    fileprivate var sign: Sign? {
        warning.map { Sign(text: "GOING \($0.rawValue.uppercased())", style: style) }
    }

    /// The style of the digits, which are readable on every background.
    fileprivate var digitStyle: Style { warning == .twice ? .danger : .heading }
}

extension Model {
    /// The word for what holds instead of a countdown; nil if nothing special does.
    fileprivate var sign: Sign? {
        if connection.lastError != nil {
            return Sign(text: "NOT CONNECTED", style: .danger)
        }
        if isStale { return Sign(text: "UPDATING", style: .caution) }
        if isCrowned, let champion = sale.champions.first {
            let isOwn = sale.champions.contains { $0.bidder == bidder }
            return isOwn
                ? Sign(text: "YOU ARE CHAMPION", style: .you)
                : Sign(text: "CHAMPION \(champion.bidder)", style: .leader)
        }
        if let winner = lot.winner {
            return isOwn(winner)
                ? Sign(text: "SOLD TO YOU", style: .you) : Sign(text: "SOLD", style: .leader)
        }
        if lot.lot > 0, !lot.isOpen { return Sign(text: "UNSOLD", style: .plain) }
        switch lot.stage {
        case .paused: return Sign(text: "PAUSED", style: .caution)
        case .over: return Sign(text: "OVER", style: .plain)
        case .waiting, .open, .sold, .passed: return nil
        }
    }

    /// The announcement while no countdown runs; beside a sign that names the champion without it.
    fileprivate func announcement(isBesideSign: Bool) -> Note {
        if let reason = connection.lastError {
            return Note(name: reason, forms: attempts, style: .danger)
        }
        guard isKnown else { return Note(name: "\(spinnerPicture) connecting to \(server)") }
        if isCrowned { return championNote(isNamed: isBesideSign) }
        if let winner = lot.winner { return soldNote(to: winner) }
        if lot.lot > 0, !lot.isOpen {
            return Note(name: lot.reason.map(SaleEvent.words(ofReason:)) ?? "")
        }
        switch lot.stage {
        case .paused: return Note(name: "until the auctioneer goes on", style: .heading)
        case .over: return Note(name: "the sale is over")
        case .waiting, .sold, .passed:
            return Note(name: "no lot is open, wait for the next", style: .faint)
        case .open:
            guard lot.leader == nil else { return Note() }
            guard !lot.format.beginsAtOpening else {
                return Note(name: "begins when a bidder is here", style: .faint)
            }
            let (starting, rule) = ("the first bid starts the countdown", lot.format.rule)
            return Note(forms: [starting + "; " + rule, rule, starting], style: .faint)
        }
    }

    /// The champions, and what each of them has earned or won.
    private func championNote(isNamed: Bool) -> Note {
        let others = sale.champions.count - 1
        let score = sale.champions.first?.score ?? 0
        let hasProfit = lot.game?.values != nil
        let figure =
            hasProfit
            ? "a profit of \(score.signed)" : "\(score.grouped) \(score == 1 ? "lot" : "lots")"
        let isOwn = sale.champions.contains { $0.bidder == bidder }
        let ends =
            others > 0
            ? ["and \(others) more, each with \(figure)", "and \(others) more"]
            : ["with \(figure)", figure]
        let name = isOwn ? "you" : sale.champions.first.map { "\($0.bidder)" } ?? ""
        let text = isNamed ? "" : others > 0 ? "champions: \(name) " : "champion: \(name) "
        return Note(name: text, forms: ends, style: isOwn ? .you : .leader)
    }

    private func soldNote(to winner: Bidder) -> Note {
        let price = lot.price.map { " for \($0.grouped)" } ?? ""
        let time = lot.elapsed.map { " after \($0.lotTime)" } ?? ""
        return Note(
            name: "sold to \(isOwn(winner) ? "you" : "\(winner)")", forms: [price + time, price],
            style: isOwn(winner) ? .you : .leader)
    }

    /// What follows on the loss of the connection.
    private var attempts: [String] {
        if connection.isLoading { return ["; \(spinnerPicture) connecting"] }
        guard let seconds = secondsToRetry else { return ["; trying again"] }
        return ["; next try in \(seconds) s, Enter: now", "; again in \(seconds) s"]
    }
}
