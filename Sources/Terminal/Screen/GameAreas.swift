import Auction
import Bidder
import Wire

extension Frame {
    /// Draws what the lot is worth to the user, what that would earn, and the purse.
    mutating func drawMoney(_ model: Model, in area: Area) {
        guard !area.isEmpty else { return }
        let fields = model.moneyFields
        let levels = fields.map(\.forms.count).max() ?? 0
        let width = area.columns / max(1, fields.count)
        for level in 0..<levels {
            let texts = fields.map { $0.forms[min(level, $0.forms.count - 1)] }
            // In columns of equal width the figures stay in place while they change.
            let isGrid = texts.allSatisfy { $0.columns < width }
            let flow = texts.reduce(0) { $0 + $1.columns + 2 } - 2
            guard isGrid || flow <= area.columns || level == levels - 1 else { continue }
            var column = 0
            for (index, text) in texts.enumerated() {
                if isGrid { column = index * width }
                // A figure that is cut would be another one.
                guard column + text.columns <= area.columns else { break }
                write(text, in: area, from: column, style: fields[index].style)
                column += text.columns + 2
            }
            return
        }
    }

    /// Writes the title of the picture of a lot, with its terms if no frame has them, and the rule.
    ///
    /// The rule may take rows of the body, but leaves at least `least`.
    mutating func writeHeading(
        _ heading: String, _ model: Model, in panel: inout Panel, leaving least: Int
    ) {
        let end = writeTitle(heading, in: panel)
        if panel.titleGap == 0 { writeTerms(model, in: panel, after: end) }
        if model.lot.isOpen { writeRule(model, in: &panel, after: end, leaving: least) }
    }

    /// Writes the rule of the format at the right end of a title.
    ///
    /// If it does not fit there, it takes the first rows of the body, but leaves at least `least`.
    mutating func writeRule(
        _ model: Model, in panel: inout Panel, after column: Int, leaving least: Int
    ) {
        let rule = model.lot.format.rule
        let room = panel.title.column + panel.title.columns - column - 2 * panel.titleGap
        if panel.titleGap > 0, rule.columns < room {
            return writeTitleEnd(rule, in: panel, after: column)
        }
        let lines = rule.wrapped(to: panel.body.columns, lines: .max)
        guard panel.body.rows >= least + lines.count else { return }
        let area = panel.body.take(lines.count, from: .top)
        for (row, line) in lines.enumerated() {
            write(line, row, in: area, style: .faint)
        }
    }

    /// Writes the terms of the lot at the right end of a title that ends at a column.
    mutating func writeTerms(_ model: Model, in panel: Panel, after column: Int) {
        let end = panel.title.column + panel.title.columns
        // Without the line of a frame the titles need more space between them.
        let gap = panel.titleGap == 0 ? 3 : 1
        let room = end - column - 2 * panel.titleGap - gap
        writeTitleEnd(
            model.terms(columns: room), in: panel, after: column + gap, style: .plain)
    }
}

extension Model {
    /// Whether the row with the user's money is shown, which then stays for the whole sale.
    var hasMoney: Bool { bidder != nil && isGame }

    /// What the lot is worth and would earn; after the last lot what the user has earned in all.
    fileprivate var moneyFields: [Note] {
        guard !isOver else {
            return [placeField, totalField, purseField].compactMap { $0 }
        }
        return [worthField, earningsField, purseField].compactMap { $0 }
    }

    private var worthField: Note? {
        guard let own, let worth = own.worth else { return nil }
        if let value = lot.value?.grouped {
            return Note(forms: ["the lot was worth \(value)", "value \(value)"], style: .heading)
        }
        let amount = worth.grouped
        guard own.isEstimate else {
            return Note(forms: ["your value \(amount)", "value \(amount)"], style: .heading)
        }
        return Note(
            forms: ["your estimate \(amount)", "value ~\(amount)"], style: .heading)
    }

    /// The earnings; empty, but in its place, while there is no price to compare with.
    private var earningsField: Note? {
        guard own?.worth != nil else { return nil }
        guard let earnings else { return Note(forms: [""], style: .heading) }
        let amount = earnings.amount
        let figure = (earnings.isEstimate ? "~" : "") + amount.signed
        let noun = "\(amount < 0 ? "loss" : "profit") \(figure)"
        let forms =
            switch earnings.condition {
            case .ifBought(let price): ["\(noun) at \(price.grouped)", noun]
            case .ifWon: ["\(noun) if you win", noun]
            case .atLeastIfWon: ["\(noun) or more", noun]
            case .won: ["you \(amount < 0 ? "lost" : "earned") \(figure)", noun]
            }
        return Note(forms: forms, style: amount.profitStyle)
    }

    /// The user's rank among all.
    private var placeField: Note? {
        guard let rank = standings.first(where: { $0.bidder == bidder })?.rank else { return nil }
        return Note(
            forms: ["your place: \(rank) of \(standings.count)", "place \(rank)"], style: .heading)
    }

    private var totalField: Note? {
        guard let profit = standings.first(where: { $0.bidder == bidder })?.profit else {
            return nil
        }
        let figure = profit.signed
        return Note(
            forms: [
                "your \(profit < 0 ? "loss" : "profit") \(figure) in all",
                "\(profit < 0 ? "loss" : "profit") \(figure)",
            ], style: profit.profitStyle)
    }

    private var purseField: Note? {
        guard let purse = own?.left?.grouped else { return nil }
        return Note(
            forms: ["purse \(purse) left", "purse \(purse)", "left \(purse)"], style: .heading)
    }
}

extension Int64 {
    /// The style of a profit of this amount.
    var profitStyle: Style { self > 0 ? .you : self < 0 ? .danger : .heading }
}

extension Model {
    /// The terms of the lot in words that fit into a number of columns; empty if none do.
    func terms(columns: Int) -> String {
        let buy = lot.buy.map { "buy now \($0.grouped)" }
        let longest = lot.longest.map { "at most \($0.secondsText) s" }
        let name = lot.format.isRising ? nil : lot.format.rawValue
        let choices = [
            [name, reserveText, buy, longest], [name, reserveText, buy],
            [name, reserveText, lot.buy.map { "buy \($0.grouped)" }], [name, reserveText], [name],
        ]
        let texts = choices.map { $0.compactMap { $0 }.joined(separator: ", ") }
        return Note(forms: texts + [""]).text(columns: columns)
    }

    /// Whether the terms have anything to show.
    var hasTerms: Bool { !terms(columns: .max).isEmpty }

    private var reserveText: String? {
        guard lot.reserve != .none else { return nil }
        // Only a price that rises meets it before the end.
        if lot.isOpen, lot.format.beginsAtOpening { return "with a reserve" }
        return lot.reserve == .met ? "reserve met" : "reserve not met"
    }
}
