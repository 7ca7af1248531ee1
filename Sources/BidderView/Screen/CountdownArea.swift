import Drawing
import Sale
import Wire

extension Frame {
    /// The columns between the countdown and the sign beside it.
    private static let gap = 1

    /// Draws the time that is left, and the bar below it; or what holds instead of a countdown.
    mutating func drawCountdown(_ model: Model, in layout: Layout, isASCII: Bool) {
        let panel = layout.countdown
        writeTitle("countdown", in: panel)
        let countdown = model.isStale ? nil : model.countdown
        if panel.body.isEmpty {
            drawRow(model, countdown, in: layout.bar)
            return
        }
        if let countdown {
            drawSeconds(countdown, in: panel.body, isASCII: isASCII)
            drawBar(countdown, of: model, in: layout.bar)
        } else {
            if let sign = model.sign {
                drawSign(sign.text, sign.style, in: panel.body)
            } else if model.standing == .noBids, let seconds = model.sale.fullSeconds {
                drawDigits("\(seconds)", .faint, in: panel.body, isASCII: isASCII)
            }
            write(model.announcement(isBesideSign: false), in: layout.bar)
        }
    }

    /// Draws the seconds in large digits, and beside them the warning.
    private mutating func drawSeconds(_ countdown: TimeLeft, in area: Area, isASCII: Bool) {
        let taken = drawDigits(
            "\(countdown.seconds)", countdown.digitStyle, in: area, isASCII: isASCII)
        guard let warning = countdown.warning else { return }
        var rest = area
        _ = rest.take(taken + Self.gap, from: .left)
        drawSign("GOING \(warning.rawValue.uppercased())", countdown.style, in: rest)
    }

    /// Draws seconds in large digits, and returns the columns they take with their unit.
    @discardableResult
    private mutating func drawDigits(
        _ seconds: String, _ style: Style, in area: Area, isASCII: Bool
    ) -> Int {
        let lines = LargeDigits.lines(seconds, isASCII: isASCII)
        for (row, line) in lines.enumerated() {
            write(line, row: area.row + row, column: area.column, style: style)
        }
        let column = lines[0].columns + 1
        return column
            + write(
                "s", row: area.row + LargeDigits.rows - 1, column: area.column + column,
                style: .faint)
    }

    /// Fills an area with a colour, and writes a text in its middle.
    private mutating func drawSign(_ text: String, _ style: Style, in area: Area) {
        let lines = text.wrapped(to: area.columns - 2, lines: 2)
        for row in area.row..<(area.row + area.rows) {
            fill(row: row, column: area.column, columns: area.columns, style: style.sign)
        }
        for (index, line) in lines.enumerated() {
            write(
                line, row: area.row + (area.rows - lines.count + 1) / 2 + index,
                column: area.column + (area.columns - line.columns) / 2, style: style.sign)
        }
    }

    private mutating func drawBar(_ countdown: TimeLeft, of model: Model, in area: Area) {
        let bar = Bars.horizontal(
            fraction: countdown.fraction(ofSeconds: model.sale.fullSeconds ?? 1),
            columns: area.columns)
        write(bar, row: area.row, column: area.column, style: countdown.style)
    }

    /// Draws the countdown or the announcement in one row.
    private mutating func drawRow(_ model: Model, _ countdown: TimeLeft?, in area: Area) {
        var rest = area
        guard let countdown else {
            if let sign = model.sign, model.connection.lastError == nil {
                let taken = write(
                    " \(sign.text) ", row: area.row, column: area.column, style: sign.style.sign)
                _ = rest.take(taken + 1, from: .left)
            }
            return write(model.announcement(isBesideSign: rest != area), in: rest)
        }
        let warning = countdown.warning.map { " GOING \($0.rawValue.uppercased()) " }
        let seconds = "\(countdown.seconds) s"
        let label = seconds.columns + (warning.map { $0.columns + 1 } ?? 0)
        rest.columns -= max(label, "3600 s".columns) + 1
        drawBar(countdown, of: model, in: rest)
        let column = rest.column + rest.columns + 1
        write(seconds, row: area.row, column: column, style: countdown.digitStyle)
        if let warning {
            write(
                warning, row: area.row, column: column + seconds.columns + 1,
                style: countdown.style.sign)
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

    /// The style of the digits, which are readable on every background.
    fileprivate var digitStyle: Style { warning == .twice ? .danger : .heading }
}

extension Model {
    /// The word for what holds instead of a countdown; nil if nothing special does.
    fileprivate var sign: (text: String, style: Style)? {
        if connection.lastError != nil { return ("NOT CONNECTED", .danger) }
        if isStale { return ("UPDATING", .caution) }
        if isCrowned, let champion = sale.champions.first {
            let isOwn = sale.champions.contains { $0.bidder == bidder }
            return isOwn
                ? ("YOU ARE CHAMPION", .you) : ("CHAMPION \(champion.bidder)", .leader)
        }
        switch sale.outcome {
        case .sold(let sold):
            return sold.bidder == bidder ? ("SOLD TO YOU", .you) : ("SOLD", .leader)
        case .passed: return ("UNSOLD", .plain)
        case nil where sale.isPaused: return ("PAUSED", .caution)
        case nil where sale.lotsDone != nil: return ("OVER", .plain)
        case nil: return nil
        }
    }

    /// The announcement while no countdown runs; beside a sign that names the champion without it.
    fileprivate func announcement(isBesideSign: Bool) -> Note {
        if let reason = connection.lastError {
            return Note(name: reason, forms: attempts, style: .danger)
        }
        guard isKnown else { return Note(name: "\(spinnerPicture) connecting to \(server)") }
        if isCrowned { return championNote(isNamed: isBesideSign) }
        switch sale.outcome {
        case .sold(let sale): return soldNote(sale)
        case .passed(let reason): return Note(name: SaleEvent.words(ofReason: reason))
        case nil where sale.isPaused:
            return Note(name: "until the auctioneer goes on", style: .heading)
        case nil where sale.leading != nil: return Note()
        case nil where sale.lot != nil && sale.format == .english:
            let rule = sale.format.rule
            return Note(forms: [starting + "; " + rule, rule, starting], style: .faint)
        case nil where sale.lot != nil:
            return Note(name: "begins when a bidder is here", style: .faint)
        case nil where sale.lotsDone != nil: return Note(name: "the sale is over")
        case nil: return Note(name: "no lot is open, wait for the next", style: .faint)
        }
    }

    private var starting: String { "the first bid starts the countdown" }

    /// The champions, and what each of them has earned or won.
    private func championNote(isNamed: Bool) -> Note {
        let others = sale.champions.count - 1
        let score = sale.champions.first?.score ?? 0
        let hasProfit = own.worth != nil || standings.contains { $0.profit != nil }
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

    private func soldNote(_ sale: SoldLot) -> Note {
        let isOwn = sale.bidder == bidder
        let price = " for \(sale.price.grouped)"
        return Note(
            name: "sold to \(isOwn ? "you" : "\(sale.bidder)")",
            forms: ["\(price) after \(sale.elapsed.lotTime)", price],
            style: isOwn ? .you : .leader)
    }

    /// What follows on the loss of the connection.
    private var attempts: [String] {
        if connection.isLoading { return ["; \(spinnerPicture) connecting"] }
        guard let seconds = secondsToRetry else { return ["; trying again"] }
        return ["; next try in \(seconds) s, Enter: now", "; again in \(seconds) s"]
    }
}
