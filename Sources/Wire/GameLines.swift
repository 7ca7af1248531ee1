import Auction

/// The fields of the game that have a form of their own, written and parsed.
extension LineBuffer {
    /// Appends the settings of a lot; with `reserve` as a number, or as a flag.
    mutating func terms(_ terms: Terms, reserve: Price? = nil) {
        content(setting: "format", terms.format)
        setting("seconds", terms.seconds)
        setting("start", terms.start)
        setting("step", terms.step)
        if let reserve {
            setting("reserve", reserve)
        } else {
            setting("reserve", terms.hasReserve ? true : nil)
        }
        setting("buy", terms.buy)
        setting("longest", terms.longest)
    }

    /// Appends a value: `143`, or `about 128` if it is an estimate.
    mutating func worth(_ amount: Int64, isEstimate: Bool) {
        if isEstimate, format == .text { append(" about") }
        content("amount", amount)
        detail("isEstimate", isEstimate ? true : nil)
    }

    /// Appends a row of the standings.
    mutating func standing(_ standing: StandingsRow) {
        field("rank", standing.rank)
        content("bidder", standing.bidder)
        setting("lots", standing.lots)
        setting("spent", standing.spent)
        setting("left", standing.left)
        setting("profit", standing.profit)
        setting("points", standing.points)
    }

    /// Appends a row of the list of rooms; its title is the rest of a line of text.
    mutating func room(_ row: RoomRow) {
        content("room", row.name)
        setting("people", row.people)
        setting("lot", row.lot)
        setting("format", row.format)
        field("title", row.title)
    }

    /// Appends what everybody may know of a game.
    mutating func game(_ game: PublicGame) {
        if format == .json {
            var options = RoomOptions()
            (options.lots, options.purse, options.values) = (game.lots, game.purse, game.values)
            options.countsLeftover = game.countsLeftover
            field("content", options.line)
        }
        setting("lots", game.lots)
        purse(game.purse, values: game.values)
        leftover(game.countsLeftover)
    }

    /// Appends the options of a game, as the journal has them.
    mutating func gameOptions(_ options: GameOptions) {
        purse(options.purse, values: options.values)
        leftover(options.countsLeftover)
        setting("seed", options.seed.description)
        setting("draws", options.draws)
    }

    private mutating func purse(_ purse: Price?, values: GameOptions.Values?) {
        setting("purse", purse)
        switch values {
        case .personal(let range): setting("worth", range)
        case .common(let range, let noise):
            setting("common", range)
            setting("noise", noise)
        case nil: break
        }
    }

    private mutating func leftover(_ counts: Bool) {
        setting("leftover", counts ? Leftover.counts : nil)
    }

    /// Appends what an award is for, who receives it, the amount and the lot.
    mutating func award(_ award: Award) {
        field("award", award.kind)
        field("bidder", award.bidder)
        field("amount", award.amount)
        field("title", award.title)
    }

    /// Appends a round of a class, as the journal has it.
    mutating func round(_ round: ClassRound, members: Int) {
        field("round", round.number)
        setting("treatment", round.treatment)
        setting("format", round.format)
        setting("practice", round.isPractice ? true : nil)
        setting("draw", round.draw)
        setting("members", members)
    }

    /// Appends a round of a class, as its members are told of it.
    mutating func notice(_ notice: ClassNotice) {
        content("round", notice.round)
        setting("practice", notice.isPractice ? Practice.yes : .no)
        setting("format", notice.format)
        setting("group", notice.group)
        setting("of", notice.groups)
        setting("size", notice.size)
        setting("rounds", notice.rounds)
        field("title", notice.title)
    }

    /// Appends what a bidder has won.
    mutating func tally(_ tally: Tally) {
        field("bidder", tally.bidder)
        setting("lots", tally.lots)
        setting("spent", tally.spent)
        setting("profit", tally.profit)
        setting("points", tally.points > 0 ? tally.points : nil)
    }
}

extension MessageReader {
    mutating func terms() -> Terms? {
        terms { $0.setting("reserve") ?? false }
    }

    /// Reads the settings of a lot with its secret reserve.
    mutating func plan() -> (terms: Terms, reserve: Price?)? {
        var reserve: Price?
        let terms = terms { line in
            reserve = line.setting("reserve")
            return reserve != nil
        }
        return terms.map { ($0, reserve) }
    }

    private mutating func terms(reserve: (inout MessageReader) -> Bool) -> Terms? {
        guard let format: AuctionFormat = setting("format"),
            let seconds: Int = setting("seconds"), Rules.allowedSeconds.contains(seconds),
            let start: Price = setting("start"), let step: Price = setting("step")
        else { return nil }
        let hasReserve = reserve(&self)
        return Terms(
            format: format, seconds: seconds, start: start, step: step, hasReserve: hasReserve,
            buy: setting("buy"), longest: setting("longest"))
    }

    mutating func worth() -> (amount: Int64, isEstimate: Bool)? {
        let isEstimate = takesWord("about") || detail("isEstimate") ?? false
        return field("amount").map { ($0, isEstimate) }
    }

    mutating func standing() -> StandingsRow? {
        guard let rank: Int = field("rank"), let bidder: Bidder = field("bidder"),
            let lots: Int = setting("lots"), let spent: Int64 = setting("spent")
        else { return nil }
        return StandingsRow(
            rank: rank, bidder: bidder, lots: lots, spent: spent, left: setting("left"),
            profit: setting("profit"), points: setting("points"))
    }

    mutating func room() -> RoomRow? {
        guard let name: RoomName = field("room"), let people: Int = setting("people"),
            let lot: Int = setting("lot"), let format: AuctionFormat = setting("format"),
            let title = rest("title")
        else { return nil }
        return RoomRow(name: name, people: people, lot: lot, format: format, title: title)
    }

    mutating func game() -> PublicGame? {
        let (lots, purse): (Int?, Price?) = (setting("lots"), setting("purse"))
        guard let values = values() else { return nil }
        return PublicGame(lots: lots, purse: purse, values: values, countsLeftover: leftover())
    }

    mutating func gameOptions() -> GameOptions? {
        let purse: Price? = setting("purse")
        guard let values = values() else { return nil }
        let countsLeftover = leftover()
        guard let seed = setting("seed").flatMap({ Seed($0 as String) }) else { return nil }
        var options = GameOptions(
            purse: purse, values: values, seed: seed, countsLeftover: countsLeftover)
        options.draws = setting("draws")
        return options
    }

    private mutating func leftover() -> Bool { setting("leftover") == Leftover.counts }

    mutating func award() -> Award? {
        guard let kind: Award.Kind = field("award"), let bidder: Bidder = field("bidder"),
            let amount: Int64 = field("amount"), amount >= 0, let title = rest("title")
        else { return nil }
        return Award(kind, to: bidder, amount: amount, title: title)
    }

    /// Reads how lots get their values, if they do; nil if the words contradict each other.
    private mutating func values() -> GameOptions.Values?? {
        var options = RoomOptions()
        (options.worth, options.common) = (setting("worth"), setting("common"))
        options.noise = setting("noise")
        guard options.conflictOfValues() == nil,
            GameOptions.Values.allowed.contains(options.noise ?? 0)
        else { return nil }
        return .some(options.values)
    }

    mutating func round() -> (ClassRound, members: Int)? {
        guard let number: Int = field("round"), let treatment: Int = setting("treatment"),
            let format: AuctionFormat = setting("format"), number > 0
        else { return nil }
        let isPractice = setting("practice") ?? false
        guard let draw: Int = setting("draw"), let members: Int = setting("members") else {
            return nil
        }
        let part = ClassPlan.Part(1, format, isPractice: isPractice)
        return (
            ClassRound(number: number, treatment: treatment, of: part, draw: draw), members
        )
    }

    mutating func notice() -> ClassNotice? {
        guard let number: Int = field("round"), let practice: Practice = setting("practice"),
            let format: AuctionFormat = setting("format")
        else { return nil }
        let (group, groups): (Int?, Int?) = (setting("group"), setting("of"))
        guard let size: Int = setting("size"), let rounds: Int = setting("rounds"),
            let title = rest("title")
        else { return nil }
        var notice = ClassNotice(round: number, of: rounds, format: format, title: title)
        (notice.isPractice, notice.size) = (practice == .yes, size)
        (notice.group, notice.groups) = (group, groups)
        return notice
    }

    mutating func tally() -> Tally? {
        guard let bidder: Bidder = field("bidder"), let lots: Int = setting("lots"),
            let spent: Int64 = setting("spent"), let profit: Int64 = setting("profit")
        else { return nil }
        return Tally(
            bidder: bidder, lots: lots, spent: spent, profit: profit,
            points: setting("points") ?? 0)
    }
}

/// Whether a round is for practice, which its notice always says.
private enum Practice: String, FieldValue {
    case yes, no
}

/// The word for a rule by which what is left of a purse counts.
private enum Leftover: String, FieldValue {
    case counts
}

extension Award.Kind: FieldValue {}
