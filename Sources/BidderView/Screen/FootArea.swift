import Drawing

extension Frame {
    /// Draws the connected bidders.
    mutating func drawBidders(_ model: Model, in area: Area) {
        guard !area.isEmpty, model.isKnown, let bidders = model.bidders else { return }
        let state = model.biddersLoad.text(spinner: model.spinnerPicture)
        let count = bidders.isEmpty ? "nobody here" : "\(Int64(bidders.count).grouped) here:"
        var end = 2 + write(count, row: area.row, column: 1, style: .heading)
        let room = area.columns - end - 1
        // In a crowd, only the names that may fit become text.
        let names = bidders.prefix(max(0, room) + 1).map {
            $0 == model.bidder ? "\($0) (you)" : "\($0)"
        }
        end += write(
            names.joined(separator: ", ").fitted(to: room - min(state.columns, room / 2)),
            row: area.row, column: end)
        write(
            state.fitted(to: area.columns - end - 1), row: area.row, column: end,
            style: model.biddersLoad.lastError == nil ? .plain : .bad)
    }

    /// The column of the answer beside a short line, fixed while the user types.
    private static let answerColumn = 12

    /// Draws the newest news.
    mutating func drawTicker(_ model: Model, in area: Area) {
        guard !model.ticker.isEmpty else { return }
        write("»", row: area.row, column: 1, style: .faint)
        write(model.ticker.fitted(to: area.columns - 4), row: area.row, column: 3)
    }

    /// Draws the line being typed, and beside it the answer to the line before.
    mutating func drawInput(_ model: Model, in area: Area) {
        guard !area.isEmpty else { return }
        write(">", row: area.row, column: 1, style: .heading)
        let before = model.prompt.input.textBeforeCursor
        let answer = model.prompt.feedback?.text ?? ""
        // The line has at least half of the row; the answer has the rest.
        let room = max(
            area.columns / 2, area.columns - 3 - (answer.isEmpty ? 0 : answer.columns + 2))
        // A line that is too long is scrolled until its cursor is visible.
        let hidden = max(0, before.columns - (room - 1))
        let shown = model.prompt.input.text.dropping(columns: hidden)
        let end = 3 + write(shown, row: area.row, column: 3, limit: room)
        cursor = Position(row: area.row, column: 3 + before.columns - hidden)
        let column = max(Self.answerColumn, end + 2)
        write(
            answer.fitted(to: area.columns - column), row: area.row, column: column,
            style: model.prompt.feedback?.isRefusal == true ? .bad : .good)
    }

    /// Draws the most important keys.
    mutating func drawHints(_ model: Model, in area: Area) {
        guard !area.isEmpty else { return }
        let offer = model.offer.map { "  up: bid \($0.grouped)" } ?? ""
        let hints =
            model.bidder == nil ? "?: help  q: leave" : "?: help\(offer)  Ctrl-C: leave"
        write(hints.fitted(to: area.columns - 2), row: area.row, column: 1, style: .faint)
    }
}

extension String {
    /// The text without the characters that begin in its first `columns`.
    fileprivate func dropping(columns: Int) -> String {
        var left = columns
        return String(
            drop { character in
                defer { left -= character.columns }
                return left > 0
            })
    }
}

extension Model {
    private static let pictures: [Character] = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    /// The picture of the spinner; a space while nothing loads.
    var spinnerPicture: Character {
        spinner.map { Self.pictures[$0 % Self.pictures.count] } ?? " "
    }
}

extension LoadState {
    /// The text after the heading of something that loads: the spinner and the error.
    func text(spinner: Character) -> String {
        (isLoading ? " \(spinner)" : "") + (lastError.map { "  ✗ not loaded: \($0)" } ?? "")
    }
}
