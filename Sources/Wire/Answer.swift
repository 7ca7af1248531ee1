import Auction

/// The result of an accepted command, in its `OK` line.
public enum Answer: Equatable, Sendable {
    /// The connection has this name; the token proves it later.
    case name(Bidder, token: String)
    /// The bid leads, or is the bidder's sealed bid.
    case bid(Price)
    /// The lot is bought at the price that was asked.
    case take(Price)
    /// The lot is bought at its buy-now price.
    case buy(Price)
    /// The server bids up to this maximum; nil if it no longer does.
    case maximum(Price?)
    /// The message was sent to everybody.
    case said
    /// The reaction was sent to everybody.
    case reacted(Reaction)
    /// People see the name in this form; nil if they see the name itself again.
    case displayed(String?)
    /// The bids were listed; the lot has this total number of bids.
    case laps(Int)
    /// Results were listed; this number of lots has ended.
    case results(Int)
    /// This number of bidders was listed.
    case who(Int)
    /// This number of standings was listed.
    case standings(Int)
    /// This number of rooms was listed.
    case rooms(Int)
    /// The connection is in this room now.
    case joined(RoomName)
    /// The connection opened this room and is in it now; the key makes its auctioneer.
    case opened(RoomName, key: String)
    /// The news that was missed was sent, this number of lines.
    case resumed(Int)
    /// The snapshot was repeated.
    case status
    /// The following lines are in this format.
    case format(Format)
    /// The reply to `ping`.
    case ping
    /// It is noted that the instructions were read.
    case ready
    /// The server will send `BYE` and close the connection.
    case quit
    /// The commands were listed.
    case help
    /// The connection is an auctioneer now.
    case auctioneer
    /// The auctioneer's command was executed.
    case ruled(AuctioneerCommand.Verb)
}

extension Answer {
    /// Parses the words after `OK` and the tag; nil if they are no answer.
    init?(_ words: inout TextFields) {
        func number(_ answer: (Int) -> Answer) -> Answer? {
            (words.field() as Int?).map(answer)
        }
        func price(_ answer: (Price) -> Answer) -> Answer? {
            (words.field() as Price?).map(answer)
        }
        let answer: Answer?
        switch words.word() {
        case "name":
            guard let bidder: Bidder = words.field(), let token = words.word() else { return nil }
            answer = .name(bidder, token: token)
        case "bid": answer = price { .bid($0) }
        case "take": answer = price { .take($0) }
        case "buy": answer = price { .buy($0) }
        case "max":
            guard let amount: Int64 = words.field() else { return nil }
            let price = Price(amount)
            answer = price != nil || amount == 0 ? .maximum(price) : nil
        case "laps": answer = number { .laps($0) }
        case "results": answer = number { .results($0) }
        case "who": answer = number { .who($0) }
        case "standings": answer = number { .standings($0) }
        case "rooms": answer = number { .rooms($0) }
        case "join":
            guard let room: RoomName = words.field() else { return nil }
            answer = .joined(room)
        case "open":
            guard let room: RoomName = words.field(), let key = words.word() else { return nil }
            answer = .opened(room, key: key)
        case "format":
            answer = words.word().flatMap(Format.init(rawValue:)).map { .format($0) }
        // Without a number it is the auctioneer's.
        case "resume": answer = words.isAtEnd ? .ruled(.resume) : number { .resumed($0) }
        case "say": answer = .said
        case "display":
            let text = words.remainder()
            guard text.map(DisplayName.isValid) != false else { return nil }
            answer = .displayed(text)
        case "react": answer = words.word().flatMap { Reaction(rawValue: $0) }.map { .reacted($0) }
        case "status": answer = .status
        case "ping": answer = .ping
        case "ready": answer = .ready
        case "quit": answer = .quit
        case "help": answer = .help
        case "auctioneer": answer = .auctioneer
        case let word: answer = word.flatMap(AuctioneerCommand.Verb.init).map { .ruled($0) }
        }
        guard let answer else { return nil }
        self = answer
    }

    /// Appends the words after `OK` and the tag.
    func append(to line: inout LineBuffer) {
        if let number {
            line.append(number.verb)
            line.append(" ")
            return line.append(number.value)
        }
        switch self {
        case .name, .opened: line.appendText(wordsWithToken ?? "")
        case .joined(let room):
            line.append("join ")
            line.append(room)
        case .format(let format):
            line.append("format ")
            line.appendText(format.rawValue)
        case .said: line.append("say")
        case .reacted(let reaction):
            line.append("react ")
            line.appendText(reaction.rawValue)
        case .displayed(let text): line.appendText("display" + (text.map { " \($0)" } ?? ""))
        case .status: line.append("status")
        case .ping: line.append("ping")
        case .ready: line.append("ready")
        case .quit: line.append("quit")
        case .help: line.append("help")
        case .auctioneer: line.append("auctioneer")
        case .ruled(let verb): line.appendText(verb.rawValue)
        case .bid, .take, .buy, .maximum, .laps, .results, .who, .standings, .rooms, .resumed:
            preconditionFailure("these answers are a verb and a number")
        }
    }

    /// The words of an answer that is a verb and a number.
    private var number: (verb: StaticString, value: Int64)? {
        switch self {
        case .bid(let price): ("bid", price.amount)
        case .take(let price): ("take", price.amount)
        case .buy(let price): ("buy", price.amount)
        case .maximum(let price): ("max", price?.amount ?? 0)
        case .laps(let count): ("laps", Int64(count))
        case .results(let count): ("results", Int64(count))
        case .who(let count): ("who", Int64(count))
        case .standings(let count): ("standings", Int64(count))
        case .rooms(let count): ("rooms", Int64(count))
        case .resumed(let count): ("resume", Int64(count))
        case .name, .said, .reacted, .displayed, .joined, .opened, .status, .format, .ping, .ready,
            .quit,
            .help, .auctioneer,
            .ruled:
            nil
        }
    }

    /// The words of an answer that has a token, which another server may form in any way.
    var wordsWithToken: String? {
        switch self {
        case .name(let bidder, let token): "name \(bidder) \(token)"
        case .opened(let room, let key): "open \(room) \(key)"
        case .bid, .take, .buy, .maximum, .said, .reacted, .displayed, .laps, .results, .who,
            .standings, .rooms,
            .joined, .resumed, .status, .format, .ping, .ready, .quit, .help, .auctioneer, .ruled:
            nil
        }
    }
}

/// The answer to `help`: the commands, on a screen of 80 columns by 24 lines.
public enum Help {
    /// The lines, in order; each is the text of a `HELP` message.
    ///
    /// They begin with the rule by which the present lot is sold.
    public static func lines(of format: AuctionFormat) -> [String] {
        ["A live auction. The format of this lot is \(format.rawValue):", rule(of: format)]
            + commands
    }

    /// How a lot of this format is sold, as a sentence.
    public static func rule(of format: AuctionFormat) -> String {
        format.rule.prefix(1).uppercased() + format.rule.dropFirst() + "."
    }

    private static let commands = [
        "name alice           take a name; again with its token: name alice TOKEN",
        "bid 120, or 120      bid; with lot=4 after it, only while lot 4 is open",
        "max 200              the server bids for you, up to 200 (max 0: no more)",
        "take, buy            buy at the asking price, or at the buy-now price",
        "laps, laps 1 500     the newest 20 bids of the lot, or 500 from number 1 on",
        "results              how the last 20 lots ended; results 1 500, as laps",
        "who, standings       the connected bidders; the ranking of all bidders",
        "say hello, react 👏  to everybody; display Zoë: your name as people see it",
        "resume 1234          the news after number 1234 of JSON, then what follows",
        "status               the lot, the price and the countdown again",
        "format json          JSON from now on (format text: words again)",
        "rooms, join blue     the open rooms; go to the room blue",
        "open blue lots=5     open a room; its key makes you its auctioneer",
        "ping, quit, ready    is anybody there?; leave, a leading bid stays; go on",
        "auctioneer TOKEN     start pause resume skip hammer void close rematch stop",
        "   kick NAME WHY, mute/unmute NAME, end ROOM, title 3 X, add X, set lots=5",
        "",
        "News: LOT number title, PRICE amount bidder time bid, COUNTDOWN seconds,",
        "GOING once, GOING twice, WINNER bidder amount time title, JOINED, LEFT.",
        "A tag before a command is repeated: #7 bid 120 -> OK #7 bid 120",
    ]
}
