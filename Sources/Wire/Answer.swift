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
        switch words.word() {
        case "name":
            guard let bidder = words.bidder(), let token = words.word() else { return nil }
            self = .name(bidder, token: token)
        case "bid":
            guard let price = words.price() else { return nil }
            self = .bid(price)
        case "take":
            guard let price = words.price() else { return nil }
            self = .take(price)
        case "buy":
            guard let price = words.price() else { return nil }
            self = .buy(price)
        case "max":
            guard let amount = words.integer(), amount == 0 || Price(Int64(amount)) != nil else {
                return nil
            }
            self = .maximum(Price(Int64(amount)))
        case "laps":
            guard let count = words.integer() else { return nil }
            self = .laps(count)
        case "results":
            guard let count = words.integer() else { return nil }
            self = .results(count)
        case "who":
            guard let count = words.integer() else { return nil }
            self = .who(count)
        case "standings":
            guard let count = words.integer() else { return nil }
            self = .standings(count)
        case "rooms":
            guard let count = words.integer() else { return nil }
            self = .rooms(count)
        case "join":
            guard let room = words.room() else { return nil }
            self = .joined(room)
        case "open":
            guard let room = words.room(), let key = words.word() else { return nil }
            self = .opened(room, key: key)
        case "format":
            guard let format = words.word().flatMap(Format.init(rawValue:)) else { return nil }
            self = .format(format)
        case "resume":
            // Without a number it is the auctioneer's.
            guard !words.isAtEnd else {
                self = .ruled(.resume)
                return
            }
            guard let count = words.integer() else { return nil }
            self = .resumed(count)
        case "say": self = .said
        case "status": self = .status
        case "ping": self = .ping
        case "quit": self = .quit
        case "help": self = .help
        case "auctioneer": self = .auctioneer
        case let word?:
            guard let verb = AuctioneerCommand.Verb(rawValue: word) else { return nil }
            self = .ruled(verb)
        case nil: return nil
        }
    }

    /// Appends the words after `OK` and the tag.
    func append(to line: inout LineBuffer) {
        switch self {
        case .name(let bidder, let token):
            line.append("name ")
            line.append(bidder)
            line.append(" ")
            line.appendText(token)
        case .bid(let price):
            line.append("bid ")
            line.append(price.amount)
        case .take(let price):
            line.append("take ")
            line.append(price.amount)
        case .buy(let price):
            line.append("buy ")
            line.append(price.amount)
        case .maximum(let price):
            line.append("max ")
            line.append(price?.amount ?? 0)
        case .said: line.append("say")
        case .laps(let count):
            line.append("laps ")
            line.append(count)
        case .results(let count):
            line.append("results ")
            line.append(count)
        case .who(let count):
            line.append("who ")
            line.append(count)
        case .standings(let count):
            line.append("standings ")
            line.append(count)
        case .rooms(let count):
            line.append("rooms ")
            line.append(count)
        case .joined(let room):
            line.append("join ")
            line.append(room)
        case .opened(let room, let key):
            line.append("open ")
            line.append(room)
            line.append(" ")
            line.appendText(key)
        case .resumed(let count):
            line.append("resume ")
            line.append(count)
        case .status: line.append("status")
        case .format(let format):
            line.append("format ")
            line.appendText(format.rawValue)
        case .ping: line.append("ping")
        case .quit: line.append("quit")
        case .help: line.append("help")
        case .auctioneer: line.append("auctioneer")
        case .ruled(let verb): line.appendText(verb.rawValue)
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
        "say hello            a message to everybody",
        "resume 1234          the news after number 1234 of JSON, then what follows",
        "status               the lot, the price and the countdown again",
        "format json          JSON from now on (format text: words again)",
        "rooms, join blue     the open rooms; go to the room blue",
        "open blue lots=5     open a room; its key makes you its auctioneer",
        "ping, quit           is anybody there?; leave, a leading bid stays",
        "auctioneer TOKEN     pause resume hammer void close stop, kick NAME REASON,",
        "                     mute/unmute NAME, end ROOM, add TITLE [reserve=80 ...]",
        "",
        "News: LOT number title, PRICE amount bidder time bid, COUNTDOWN seconds,",
        "GOING once, GOING twice, WINNER bidder amount time title, JOINED, LEFT.",
        "A tag before a command is repeated: #7 bid 120 -> OK #7 bid 120",
    ]
}
