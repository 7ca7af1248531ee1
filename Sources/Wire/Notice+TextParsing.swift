import AuctionRules

extension Notice {
    /// Parses a line of text without its end; nil if it is none that the server says.
    public init?(text line: some StringProtocol) {
        var fields = TextFields(line)
        guard let word = fields.word() else { return nil }
        let notice: Notice? =
            switch word {
            case "HELLO": fields.hello()
            case "LOT": fields.lot().map { .lot($0, start: nil, elapsed: nil) }
            case "PRICE": fields.bid().map { .price($0, lot: nil, remaining: nil) }
            case "COUNTDOWN": fields.integer().map { .countdown($0, remaining: nil) }
            case "LAST": .last
            case "GOING": fields.word().flatMap(Warning.init(rawValue:)).map { .going($0) }
            case "WINNER": fields.sale().map { .winner($0) }
            case "PASSED": fields.passed()
            case "OVER": fields.integer().map { .over(lots: $0) }
            case "PAUSED": .paused
            case "RESUMED": .resumed
            case "HAMMERED": .hammered
            case "VOIDED": fields.voided()
            case "KICKED": fields.kicked()
            case "STOPPED": .stopped
            case "JOINED": fields.bidder().map { .joined($0) }
            case "LEFT": fields.bidder().map { .left($0) }
            case "SKIPPED": fields.integer().map { .skipped($0) }
            case "BYE": fields.word().map { .bye(Farewell(rawValue: $0)) }
            case "LAP": fields.lap().map { .lap($0) }
            case "WHO": fields.bidder().map { .who($0) }
            case "HELP": .help(fields.remainder() ?? "")
            case "OK": fields.ok()
            case "ERROR": fields.error()
            default: nil
            }
        guard let notice, fields.isAtEnd else { return nil }
        self = notice
    }
}

extension TextFields {
    fileprivate mutating func hello() -> Notice? {
        guard word() == "auction/1",
            let seconds = setting("seconds"),
            let step = setting("step").flatMap({ Price($0) })
        else { return nil }
        let game = gameIfSaid()
        guard remainder() != nil else { return nil }
        return .hello(seconds: Int(seconds), step: step, game: game)
    }

    /// Parses `game=k3v9`, if it is the next word.
    private mutating func gameIfSaid() -> GameID? {
        var ahead = self
        guard let word = ahead.word(), word.hasPrefix("game="),
            let game = GameID(word.dropFirst("game=".count))
        else { return nil }
        self = ahead
        return game
    }

    fileprivate mutating func lot() -> Lot? {
        guard let number = integer(), let title = remainder() else { return nil }
        return Lot(number: number, title: title)
    }

    fileprivate mutating func bid() -> Bid? {
        guard let price = price(), let bidder = bidder(), let elapsed = elapsed(),
            let number = integer()
        else { return nil }
        return Bid(number: number, price: price, bidder: bidder, elapsed: elapsed)
    }

    fileprivate mutating func lap() -> Bid? {
        guard let number = integer(), let price = price(), let bidder = bidder(),
            let elapsed = elapsed()
        else { return nil }
        return Bid(number: number, price: price, bidder: bidder, elapsed: elapsed)
    }

    fileprivate mutating func sale() -> SoldLot? {
        guard let bidder = bidder(), let price = price(), let elapsed = elapsed(),
            let title = remainder()
        else { return nil }
        return SoldLot(number: nil, title: title, bidder: bidder, price: price, elapsed: elapsed)
    }

    fileprivate mutating func passed() -> Notice? {
        guard let number = integer(), let reason = word(), let title = remainder() else {
            return nil
        }
        return .passed(Lot(number: number, title: title), reason: reason)
    }

    fileprivate mutating func voided() -> Notice? {
        guard let price = price(), let bidder = bidder() else { return nil }
        return .voided(price, by: bidder, number: nil, lot: nil)
    }

    fileprivate mutating func kicked() -> Notice? {
        guard let bidder = bidder(), let reason = remainder() else { return nil }
        return .kicked(bidder, reason: reason)
    }

    fileprivate mutating func ok() -> Notice? {
        let tag = tag()
        return answer().map { .ok($0, tag: tag) }
    }

    /// Reads what stands after `OK` and the tag.
    mutating func answer() -> Answer? {
        switch word() {
        case "name":
            guard let bidder = bidder(), let token = word() else { return nil }
            return .name(bidder, token: token)
        case "bid": return price().map { .bid($0) }
        case "laps": return integer().map { .laps($0) }
        case "who": return integer().map { .who($0) }
        case "format": return word().flatMap(Format.init(rawValue:)).map { .format($0) }
        case "status": return .status
        case "ping": return .ping
        case "quit": return .quit
        case "help": return .help
        case "auctioneer": return .auctioneer
        case let word?: return Ruling.Verb(rawValue: word).map { .ruled($0) }
        case nil: return nil
        }
    }

    fileprivate mutating func error() -> Notice? {
        let tag = tag()
        guard let code = word() else { return nil }
        let facts = facts()
        let fault = Fault(
            Fault.Code(rawValue: code), facts: facts, advice: remainder() ?? "")
        return .error(fault, tag: tag)
    }
}
