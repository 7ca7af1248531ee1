import AuctionRules

extension Notice {
    /// The line of text, without its LF.
    public var text: String {
        var bytes: [UInt8] = []
        appendText(to: &bytes)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// Appends the line of text, with its LF.
    public func appendText(to bytes: inout [UInt8]) {
        switch self {
        case .hello(let seconds, let step, let game):
            bytes.append("HELLO auction/1 seconds=")
            bytes.append(seconds)
            bytes.append(" step=")
            bytes.append(step.amount)
            if let game { bytes.append(" game=\(game)") }
            bytes.append(" (type help)")
        case .lot(let lot, _, _):
            bytes.append("LOT ")
            bytes.append(lot.number)
            bytes.append(" ")
            bytes.append(safely: lot.title)
        case .price(let bid, _, _): Self.appendPrice(bid, to: &bytes)
        case .countdown(let seconds, _):
            bytes.append("COUNTDOWN ")
            bytes.append(seconds)
        case .last: bytes.append("LAST")
        case .going(let warning): bytes.append("GOING \(warning.rawValue)")
        case .winner(let sale): Self.appendWinner(sale, to: &bytes)
        case .passed(let lot, let reason):
            bytes.append("PASSED \(lot.number) ")
            bytes.append(safely: "\(reason) \(lot.title)")
        case .over(let lots): bytes.append("OVER \(lots)")
        case .paused: bytes.append("PAUSED")
        case .resumed: bytes.append("RESUMED")
        case .hammered: bytes.append("HAMMERED")
        case .voided(let price, let bidder, _, _): bytes.append("VOIDED \(price.amount) \(bidder)")
        case .kicked(let bidder, let reason):
            bytes.append("KICKED \(bidder) ")
            bytes.append(safely: reason)
        case .stopped: bytes.append("STOPPED")
        case .joined(let bidder): Self.append("JOINED ", bidder, to: &bytes)
        case .left(let bidder): Self.append("LEFT ", bidder, to: &bytes)
        case .skipped(let lines): bytes.append("SKIPPED \(lines)")
        case .bye(let farewell): bytes.append("BYE \(farewell.rawValue)")
        case .lap(let bid): Self.appendLap(bid, to: &bytes)
        case .who(let bidder): Self.append("WHO ", bidder, to: &bytes)
        case .help(let text): bytes.append("HELP \(text)")
        case .ok(let answer, let tag):
            bytes.append(tag.map { "OK #\($0) " } ?? "OK ")
            answer.append(to: &bytes)
        case .error(let fault, let tag):
            bytes.append(tag.map { "ERROR #\($0) " } ?? "ERROR ")
            fault.append(to: &bytes)
        }
        bytes.appendLineFeed()
    }

    private static func append(_ word: String, _ bidder: Bidder, to bytes: inout [UInt8]) {
        bytes.append(word)
        bytes.append(bidder)
    }

    private static func appendPrice(_ bid: Bid, to bytes: inout [UInt8]) {
        bytes.appendShort { text in
            text.append("PRICE ")
            append(bid, to: &text)
            text.append(" ")
            text.append(bid.number)
        }
    }

    private static func appendLap(_ bid: Bid, to bytes: inout [UInt8]) {
        bytes.appendShort { text in
            text.append("LAP ")
            text.append(bid.number)
            text.append(" ")
            append(bid, to: &text)
        }
    }

    /// Appends what `PRICE` and `LAP` have in common: the amount, the bidder and the time.
    private static func append(_ bid: Bid, to text: inout ShortText) {
        text.append(bid.price.amount)
        text.append(" ")
        text.append(bid.bidder)
        text.append(" ")
        LotTime.append(bid.elapsed, to: &text)
    }

    private static func appendWinner(_ sale: SoldLot, to bytes: inout [UInt8]) {
        bytes.appendShort { text in
            text.append("WINNER ")
            text.append(sale.bidder)
            text.append(" ")
            text.append(sale.price.amount)
            text.append(" ")
            LotTime.append(sale.elapsed, to: &text)
            text.append(" ")
        }
        bytes.append(safely: sale.title)
    }
}

extension Answer {
    /// Appends the words after `OK` and the tag.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .name(let bidder, let token):
            bytes.append("name ")
            bytes.append(bidder)
            bytes.append(" ")
            bytes.append(token)
        case .bid(let price):
            bytes.appendShort { text in
                text.append("bid ")
                text.append(price.amount)
            }
        case .laps(let count): bytes.append("laps \(count)")
        case .who(let count): bytes.append("who \(count)")
        case .status: bytes.append("status")
        case .format(let format): bytes.append("format \(format.rawValue)")
        case .ping: bytes.append("ping")
        case .quit: bytes.append("quit")
        case .help: bytes.append("help")
        case .auctioneer: bytes.append("auctioneer")
        case .ruled(let verb): bytes.append(verb.rawValue)
        }
    }
}

extension Fault {
    /// Appends the words after `ERROR` and the tag.
    func append(to bytes: inout [UInt8]) {
        bytes.append(code.rawValue)
        for fact in facts {
            bytes.append(" ")
            bytes.append(fact.name)
            bytes.append("=")
            bytes.append(fact.value)
        }
        bytes.append(" ")
        bytes.append(advice)
    }
}
