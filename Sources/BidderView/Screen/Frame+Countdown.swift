import Drawing

extension Frame {
    /// The bar of the countdown, or whatever is more pressing than that.
    mutating func drawCountdown(_ model: Model, in area: Area) {
        let (text, style) = model.announcement
        if model.isConnected, let countdown = model.countdown {
            drawBar(countdown, of: model.connection.result?.seconds ?? 1, in: area)
        } else {
            write(text.fitted(to: area.columns - 2), row: area.row, column: 1, style: style)
        }
    }

    private mutating func drawBar(_ countdown: Countdown, of seconds: Int, in area: Area) {
        let warning = countdown.warning.map { " going \($0.rawValue)" } ?? ""
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
        case nil: Style(color: .cyan, isBold: true)
        case .once: Style(color: .magenta, isBold: true)
        case .twice: Style(color: .red, isBold: true)
        }
    }
}

extension Model {
    /// What there is to say where no countdown runs.
    fileprivate var announcement: (String, Style) {
        if let reason = connection.lastError {
            return ("\(reason); \(isTrying)", .bad)
        }
        guard connection.result != nil else {
            return ("\(spinnerPicture) connecting to \(server)", .plain)
        }
        switch standing.outcome {
        case .sold(let sale): return ("sold to \(sale.bidder) for \(sale.price.amount)", .good)
        case .passed(let reason): return ("unsold: \(reason)", .plain)
        case nil:
            return (standing.lot == nil ? "" : "the countdown begins with the first bid", .faint)
        }
    }

    private var isTrying: String {
        connection.isLoading ? "\(spinnerPicture) connecting" : "trying again"
    }
}
