import Auction
import Bidder
import Wire

extension Frame {
    /// The columns beside the digits of the countdown in which a sign is readable.
    private static let signColumns = 9

    /// Draws the time that is left, and the bar below it; or what holds instead of a countdown.
    mutating func drawCountdown(_ model: Model, in layout: Layout, isASCII: Bool) {
        writeTitle("countdown", in: layout.countdown)
        let countdown = model.isStale ? nil : model.countdown
        let condition = countdown?.condition ?? model.condition
        var (area, bar) = (layout.countdown.body, layout.bar)
        if area.isEmpty {
            // The reason says that the connection is lost.
            let isShown = model.connection.lastError == nil
            drawCountdown(countdown, isShown ? condition : Note(), in: &bar)
        } else {
            let waits = condition.sign.isEmpty && model.standing == .noBids
            if let seconds = countdown?.seconds ?? (waits ? Int64(model.lot.seconds) : nil) {
                let taken = drawDigits(
                    "\(seconds)", countdown?.digitStyle ?? .faint, in: area,
                    leaving: Self.signColumns, isASCII: isASCII)
                write("s", area.rows - 1, in: area, from: taken + 1, style: .faint)
                _ = area.take(taken + 3, from: .left)
            }
            drawSign(of: condition, in: area)
        }
        if let countdown {
            let fraction = countdown.fraction(ofSeconds: model.lot.seconds)
            write(
                Bars.horizontal(fraction: fraction, columns: bar.columns), in: bar,
                style: countdown.style)
        } else {
            var text = condition
            text.sign = ""
            write(text, in: bar)
        }
    }

    /// Draws the seconds and the sign in the row of the bar, and takes their columns off it.
    private mutating func drawCountdown(
        _ countdown: TimeLeft?, _ condition: Note, in bar: inout Area
    ) {
        let label = condition.sign.isEmpty ? "" : " \(condition.sign) "
        guard let countdown else {
            let taken = write(label, in: bar, style: condition.style.sign)
            if taken > 0 { _ = bar.take(taken + 1, from: .left) }
            return
        }
        let seconds = "\(countdown.seconds) s"
        let columns = seconds.columns + (label.isEmpty ? 0 : label.columns + 1)
        let right = bar.take(max(columns, "3600 s".columns), from: .right)
        bar.columns -= 1
        write(seconds, in: right, style: countdown.digitStyle)
        write(label, in: right, from: seconds.columns + 1, style: condition.style.sign)
    }

    /// Fills an area with the colour of a sign, and writes the sign in its middle.
    private mutating func drawSign(of note: Note, in area: Area) {
        guard !note.sign.isEmpty else { return }
        let lines = note.sign.wrapped(to: area.columns - 2, lines: 2)
        fill(area, style: note.style.sign)
        for (index, line) in lines.enumerated() {
            write(
                line, (area.rows - lines.count + 1) / 2 + index, in: area,
                from: (area.columns - line.columns) / 2, style: note.style.sign)
        }
    }
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

    /// The warning before the end as a sign, which is empty if there is none yet.
    fileprivate var condition: Note {
        Note(sign: warning.map { "GOING \($0.rawValue.uppercased())" } ?? "", style: style)
    }

    /// The style of the digits, which are readable on every background.
    fileprivate var digitStyle: Style { warning == .twice ? .danger : .heading }
}

extension Model {
    /// What holds instead of a countdown: a sign, if it is special, and the text below it.
    fileprivate var condition: Note {
        if let reason = connection.lastError {
            return Note(sign: "NOT CONNECTED", name: reason, forms: attempts, style: .danger)
        }
        guard isKnown else { return Note(name: "\(spinnerPicture) connecting to \(server)") }
        if isStale { return Note(sign: "UPDATING", style: .caution) }
        if isCrowned { return championNote }
        if lot.isBeforeFirst, lot.stage != .paused {
            return Note(
                sign: secondsToNextLot == nil ? "WAITING" : "SOON", forms: [gameTerms, ""],
                style: .caution)
        }
        if let winner = lot.winner { return soldNote(to: winner) }
        if standing == .ended {
            return Note(
                sign: "UNSOLD", name: lot.reason.map(SaleEvent.words(ofReason:)) ?? "")
        }
        switch lot.stage {
        case .paused:
            return Note(sign: "PAUSED", name: "until the auctioneer goes on", style: .caution)
        case .over: return Note(sign: "OVER", name: "the sale is over")
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
    private var championNote: Note {
        let others = sale.champions.count - 1
        let score = sale.champions.first?.score ?? 0
        let figure =
            lot.game?.values != nil
            ? "a profit of \(score.signed)" : "\(score.grouped) \(score == 1 ? "lot" : "lots")"
        let isOwn = sale.champions.contains { $0.bidder == bidder }
        let name = isOwn ? "you" : sale.champions.first.map { "\($0.bidder)" } ?? ""
        return Note(
            sign: isOwn ? "YOU ARE CHAMPION" : "CHAMPION \(name)",
            forms: others > 0
                ? [
                    "champions: \(name) and \(others) more, each with \(figure)",
                    "and \(others) more",
                ]
                : ["champion: \(name) with \(figure)", figure],
            style: isOwn ? .you : .leader)
    }

    private func soldNote(to winner: Bidder) -> Note {
        let price = lot.price.map { " for \($0.grouped)" } ?? ""
        let time = lot.elapsed.map { " after \($0.lotTime)" } ?? ""
        return Note(
            sign: isOwn(winner) ? "SOLD TO YOU" : "SOLD",
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
