import Bidder

extension Frame {
    /// The column of the answer beside a short line, fixed while the user types if it fits there.
    private static let answerColumn = 10

    /// Draws the line being typed, and beside it the answer to the line before.
    mutating func drawInput(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        writeTitle("bid", in: panel)
        let area = panel.body
        write(">", in: area, style: .heading)
        let before = model.prompt.input.textBeforeCursor
        let answer = model.prompt.feedback?.text ?? ""
        // The line has at least half of the row; the answer has the rest.
        let room = max(
            area.columns / 2, area.columns - 2 - (answer.isEmpty ? 0 : answer.columns + 2))
        // A line that is too long is scrolled until its cursor is visible.
        let hidden = max(0, before.columns - (room - 1))
        let shown = model.prompt.input.text.dropping(columns: hidden)
        let end = 2 + write(shown, row: area.row, column: area.column + 2, limit: room)
        cursor = Position(row: area.row, column: area.column + 2 + before.columns - hidden)
        // A long answer begins further left if the line is short.
        let column = max(min(Self.answerColumn, area.columns - answer.columns), end + 2)
        write(
            answer.fitted(to: area.columns - column), in: area, from: column,
            style: model.prompt.feedback?.isRefusal == true ? .danger : .you)
    }

    /// Draws the most important keys and what they do now.
    mutating func drawHints(_ model: Model, in layout: Layout) {
        let panel = layout.hints
        let title = panel.title
        var column = title.column
        for hint in model.hints(in: layout) {
            let texts = [panel.gap + hint.key + " ", hint.meaning + panel.gap]
            let end = column + texts[0].columns + texts[1].columns
            guard end <= title.column + title.columns else { break }
            column += write(texts[0], row: title.row, column: column, style: .heading)
            column += write(texts[1], row: title.row, column: column, style: .faint)
            column += panel.titleGap == 0 ? 2 : 1
        }
    }
}

extension Model {
    /// The keys that do something now, the most important first.
    fileprivate func hints(in layout: Layout) -> [(key: String, meaning: String)] {
        let help = prompt.helpPage.map { $0 + 1 < layout.helpPages ? "more" : "back" } ?? "help"
        var hints = [(key: "?", meaning: help)]
        if let offer {
            hints.append(
                lot.isFalling
                    ? ("Enter", "take \(offer.grouped)") : ("Up", "bid \(offer.grouped)"))
        }
        if let buyOffer { hints.append(("buy", "for \(buyOffer.grouped)")) }
        if askedList != nil, picture == askedList.map(Picture.list) {
            hints.append(("Esc", "back"))
        }
        if secondsToRetry != nil { hints.append(("Enter", "connect now")) }
        if picture != nil {
            // The laps are not shown.
        } else if laps.isScrolled {
            hints.append((prompt.input.text.isEmpty ? "Home" : "PgUp", "newest laps"))
        } else if laps.count > layout.lapRows {
            hints.append(("PgDn", "older laps"))
        }
        if isHost, lot.stage == .waiting { hints.append(("start", "open the first lot")) }
        if bidder != nil, isOver, !isStale {
            hints.append(isHost ? ("rematch", "play again") : ("open NAME", "another sale"))
        }
        hints.append(bidder == nil ? ("q", "leave") : ("Ctrl-C", "leave"))
        return hints
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
