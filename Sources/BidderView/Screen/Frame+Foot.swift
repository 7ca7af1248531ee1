import Drawing

extension Frame {
    /// Who is here.
    mutating func drawBidders(_ model: Model, in area: Area) {
        guard !area.isEmpty, model.isKnown, let bidders = model.bidders.result else { return }
        let state = model.bidders.state(spinner: model.spinnerPicture)
        let count = bidders.isEmpty ? "nobody here" : "\(Int64(bidders.count).grouped) here:"
        var end = 2 + write(count, row: area.row, column: 1, style: .heading)
        let room = area.columns - end - 1
        // Of a crowd only those who may have a place are made text of.
        let names = bidders.prefix(max(0, room) + 1).map {
            $0 == model.bidder ? "\($0) (you)" : "\($0)"
        }
        end += write(
            names.joined(separator: ", ").fitted(to: room - min(state.columns, room / 2)),
            row: area.row, column: end)
        write(
            state.fitted(to: area.columns - end - 1), row: area.row, column: end,
            style: model.bidders.lastError == nil ? .plain : .bad)
    }

    /// Where the answer stands beside a short line, so that it does not move while one types.
    private static let answerColumn = 12

    /// The newest line of news.
    mutating func drawTicker(_ model: Model, in area: Area) {
        guard !model.ticker.isEmpty else { return }
        write("»", row: area.row, column: 1, style: .faint)
        write(model.ticker.fitted(to: area.columns - 4), row: area.row, column: 3)
    }

    /// The line being typed, and beside it the answer to the one before.
    mutating func drawInput(_ model: Model, in area: Area) {
        guard !area.isEmpty else { return }
        write(">", row: area.row, column: 1, style: .heading)
        let before = model.input.textBeforeCursor
        let answer = model.feedback?.text ?? ""
        // The line keeps half of the row at least; the answer has what is left.
        let room = max(
            area.columns / 2, area.columns - 3 - (answer.isEmpty ? 0 : answer.columns + 2))
        // A line that is too long is moved to the left, until its cursor is in sight.
        let hidden = max(0, before.columns - (room - 1))
        let shown = model.input.text.dropping(columns: hidden)
        let end = 3 + write(shown, row: area.row, column: 3, limit: room)
        cursor = Position(row: area.row, column: 3 + before.columns - hidden)
        let column = max(Self.answerColumn, end + 2)
        write(
            answer.fitted(to: area.columns - column), row: area.row, column: column,
            style: model.feedback?.isRefusal == true ? .bad : .good)
    }

    /// The keys that are good to know.
    mutating func drawHints(_ model: Model, in area: Area) {
        guard !area.isEmpty else { return }
        let canBid = model.isConnected && model.standing.leading?.bidder != model.bidder
        let offer = canBid ? model.leastBid.map { "  up: bid \($0.grouped)" } ?? "" : ""
        let hints =
            model.bidder == nil ? "?: help  q: leave" : "?: help\(offer)  Ctrl-C: leave"
        write(hints.fitted(to: area.columns - 2), row: area.row, column: 1, style: .faint)
    }
}

extension String {
    /// The text without the characters that begin in its first columns.
    fileprivate func dropping(columns: Int) -> String {
        var left = columns
        return String(
            drop { character in
                defer { left -= character.columns }
                return left > 0
            })
    }
}
