import Auction

/// The fields of the game that have a form of their own, written and parsed.
extension LineBuffer {
    /// Appends the settings of a lot; with `reserve` as a number, or as a flag.
    mutating func terms(_ terms: Terms, reserve: Price? = nil) {
        content(setting: "format", terms.format.rawValue)
        setting("seconds", terms.seconds)
        setting("start", signed: terms.start.amount)
        setting("step", signed: terms.step.amount)
        if let reserve {
            setting("reserve", signed: reserve.amount)
        } else {
            flag("reserve", terms.hasReserve)
        }
        setting("buy", signed: terms.buy?.amount)
        setting("longest", seconds: terms.longest)
    }

    /// Appends a value: `143`, or `about 128` if it is an estimate.
    mutating func worth(_ amount: Int64, isEstimate: Bool) {
        if isEstimate, format == .text { append(" about") }
        content(signedNumber: "amount", amount)
        if isEstimate, format == .json { append(",\"isEstimate\":true") }
    }

    /// Appends a row of the standings.
    mutating func standing(_ standing: StandingsRow) {
        number("rank", Int64(standing.rank))
        content(bidder: standing.bidder)
        setting("lots", standing.lots)
        setting("spent", signed: standing.spent)
        setting("left", signed: standing.left)
        setting("profit", signed: standing.profit)
    }

    /// Appends a row of the list of rooms; its title is the rest of a line of text.
    mutating func room(_ row: RoomRow) {
        content(room: row.name)
        setting("people", row.people)
        setting("lot", row.lot)
        setting("format", row.format.rawValue)
        text("title", row.title)
    }

    /// Appends what everybody may know of a game.
    mutating func game(_ game: PublicGame) {
        if format == .json {
            var options = RoomOptions()
            (options.lots, options.purse, options.values) = (game.lots, game.purse, game.values)
            text("content", options.line)
        }
        if let lots = game.lots { setting("lots", lots) }
        purse(game.purse, values: game.values)
    }

    /// Appends the options of a game, as the journal has them.
    mutating func gameOptions(_ options: GameOptions) {
        purse(options.purse, values: options.values)
        setting("seed", options.seed.description)
    }

    private mutating func purse(_ purse: Price?, values: GameOptions.Values?) {
        setting("purse", signed: purse?.amount)
        switch values {
        case .personal(let range): setting("worth", range)
        case .common(let range, let noise):
            setting("common", range)
            setting("noise", signed: noise)
        case nil: break
        }
    }

    /// Appends a word such as `worth=50..150`, in JSON an array of the two numbers.
    mutating func setting(_ name: StaticString, _ range: ClosedRange<Int64>) {
        guard format == .json else {
            return setting(name, "\(range.lowerBound)..\(range.upperBound)")
        }
        appendName(name)
        append("[")
        append(range.lowerBound)
        append(",")
        append(range.upperBound)
        append("]")
    }

    /// Appends what a bidder has won.
    mutating func tally(_ tally: Tally) {
        bidder(tally.bidder)
        setting("lots", tally.lots)
        setting("spent", signed: tally.spent)
        setting("profit", signed: tally.profit)
    }
}

extension MessageReader {
    mutating func terms() -> Terms? {
        terms { $0.flag("reserve") }
    }

    /// Reads the settings of a lot with its secret reserve.
    mutating func plan() -> (terms: Terms, reserve: Price?)? {
        var reserve: Price?
        let terms = terms { line in
            reserve = line.priceSetting("reserve")
            return reserve != nil
        }
        return terms.map { ($0, reserve) }
    }

    private mutating func terms(reserve: (inout MessageReader) -> Bool) -> Terms? {
        guard let format = word(of: "format").flatMap({ AuctionFormat(rawValue: $0) }),
            let seconds = setting("seconds").flatMap({ Int(exactly: $0) }),
            Rules.allowedSeconds.contains(seconds),
            let start = priceSetting("start"), let step = priceSetting("step")
        else { return nil }
        let hasReserve = reserve(&self)
        return Terms(
            format: format, seconds: seconds, start: start, step: step, hasReserve: hasReserve,
            buy: priceSetting("buy"), longest: secondsSetting("longest"))
    }

    mutating func worth() -> (amount: Int64, isEstimate: Bool)? {
        let isEstimate = takesWord("about") || isDetailSet("isEstimate")
        return signedNumber("amount").map { ($0, isEstimate) }
    }

    mutating func standing() -> StandingsRow? {
        guard let rank = number("rank"), let bidder = bidder(), let lots = setting("lots"),
            let spent = signedSetting("spent")
        else { return nil }
        return StandingsRow(
            rank: rank, bidder: bidder, lots: Int(lots), spent: spent, left: signedSetting("left"),
            profit: signedSetting("profit"))
    }

    mutating func room() -> RoomRow? {
        guard let name = roomWord(), let people = setting("people"), let lot = setting("lot"),
            let format = word(of: "format").flatMap({ AuctionFormat(rawValue: $0) }),
            let title = rest("title")
        else { return nil }
        return RoomRow(
            name: name, people: Int(people), lot: Int(lot), format: format, title: title)
    }

    mutating func game() -> PublicGame? {
        let (lots, purse) = (setting("lots").map { Int($0) }, priceSetting("purse"))
        return values().map { PublicGame(lots: lots, purse: purse, values: $0) }
    }

    mutating func gameOptions() -> GameOptions? {
        let purse = priceSetting("purse")
        guard let values = values(), let seed = word(of: "seed").flatMap({ Seed($0) }) else {
            return nil
        }
        return GameOptions(purse: purse, values: values, seed: seed)
    }

    /// Reads how lots get their values, if they do; nil if the words contradict each other.
    private mutating func values() -> GameOptions.Values?? {
        var options = RoomOptions()
        (options.worth, options.common) = (range("worth"), range("common"))
        options.noise = signedSetting("noise")
        guard options.conflictOfValues() == nil,
            GameOptions.Values.allowed.contains(options.noise ?? 0)
        else { return nil }
        return .some(options.values)
    }

    mutating func tally() -> Tally? {
        guard let bidder = bidder(), let lots = setting("lots"), let spent = signedSetting("spent"),
            let profit = signedSetting("profit")
        else { return nil }
        return Tally(bidder: bidder, lots: Int(lots), spent: spent, profit: profit)
    }
}
