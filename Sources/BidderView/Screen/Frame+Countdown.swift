import Drawing
import Wire

extension Frame {
    /// The bar of the countdown, or whatever is more pressing than that.
    mutating func drawCountdown(_ model: Model, in area: Area) {
        if model.isConnected, let countdown = model.countdown {
            drawBar(countdown, of: model.connection.result?.seconds ?? 1, in: area)
            return
        }
        let (text, end, style) = model.announcement
        let room = area.columns - 2 - end.columns
        write(text.fitted(to: room) + end, row: area.row, column: 1, style: style)
    }

    private mutating func drawBar(_ countdown: Countdown, of seconds: Int, in area: Area) {
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

extension Countdown {
    fileprivate var style: Style {
        switch warning {
        case nil: .heading
        case .once: Style(color: .magenta, isBold: true)
        case .twice: Style(color: .red, isBold: true)
        }
    }
}

extension Model {
    /// What there is to say where no countdown runs, with an end that is never cut.
    fileprivate var announcement: (text: String, end: String, style: Style) {
        if let reason = connection.lastError { return (reason, "; \(isTrying)", .bad) }
        guard connection.result != nil else {
            return ("\(spinnerPicture) connecting to \(server)", "", .plain)
        }
        switch standing.outcome {
        case .sold(let sale): return soldNote(sale)
        case .passed(let reason): return (plainWords(of: reason), "", .plain)
        case nil where standing.isPaused: return ("paused", "", .heading)
        case nil where standing.leading != nil: return ("", "", .plain)
        case nil where standing.lot != nil:
            return ("the first bid starts the countdown", "", .faint)
        case nil where standing.lotsDone != nil: return ("the sale is over", "", .plain)
        case nil: return ("no lot is open, wait for the next", "", .faint)
        }
    }

    private func soldNote(_ sale: SoldLot) -> (String, String, Style) {
        let isOwn = sale.bidder == bidder
        let end = " for \(sale.price.grouped) after \(sale.elapsed.lotTime)"
        return ("sold to \(isOwn ? "you" : "\(sale.bidder)")", end, isOwn ? .good : .heading)
    }

    private var isTrying: String {
        connection.isLoading ? "\(spinnerPicture) connecting" : "trying again"
    }
}
