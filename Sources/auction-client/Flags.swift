import Arguments
import AuctionRules
import BidderView
import Client
import Sale
import Strategies
import Transport
import Wire

/// Whether to colour lines.
enum Colouring: String, CaseIterable {
    case auto, always, never
}

/// The command line of the client.
enum Flags {
    static let host = Flag(
        "host", .text("HOST"), default: "127.0.0.1", help: "Where the server is"
    ).orVariable("AUCTION_HOST")
    static let port = Flag<UInt16>("port", .whole(1...65535), default: 7777, help: "Its port")
        .short("p").orVariable("AUCTION_PORT")
    static let socket = Flag<String?>(
        "socket", .text("PATH"), help: "Its Unix socket, instead of --host and --port")
    static let room = Flag(
        "room", .room, default: RoomName.main, help: "The room to be in"
    ).orVariable("AUCTION_ROOM")
    static let name = Flag<Bidder?>(
        "name", .bidder, help: "Who you are; by default your login name, but not with send"
    ).only(with: bid, max, take, buy, say, play, send).short("n").orVariable("AUCTION_NAME")
    static let tokenFile = Flag<String?>(
        "token-file", .text("FILE"), help: "Keep the token of your name in this file"
    ).only(with: bid, max, take, buy, say, play, send)
    static let wait = Flag(
        "wait", help: "If no lot is open, bid on the next; if the price falls, wait for your amount"
    ).only(with: bid, max, take, buy)
    static let noWait = Flag("no-wait", help: "Exit once the bid is answered")
        .only(with: bid, max, take, buy)
    static let plain = Flag(
        "plain", help: "Print the lines of the server: no full screen, no tables")
    static let bell = Flag("bell", help: "Ring the bell of the terminal when you are outbid")
        .only(with: play)
    static let ascii = Flag("ascii", help: "Draw the full screen with ASCII characters alone")
        .only(with: watch, play)
    static let json = Flag("json", help: "Print JSON, one object a line")
    static let color = Flag(
        "color", .choice, default: Colouring.auto,
        help: "Whether to colour words; auto: on a terminal, unless NO_COLOR is set")

    static let strategy = Flag(
        "strategy", .strategies, default: [.truthful],
        help:
            "How the bots bid, in turns: \(StrategyKind.allCases.map(\.rawValue).joined(separator: " "))"
    ).only(with: bots)
    static let worth = Flag(
        "worth", .range, default: 50...150,
        help: "Range of values that bots assume, and draw from if the server draws none"
    ).only(with: bots)
    static let delay = Flag(
        "delay", .seconds(.zero ... .seconds(60)), default: .zero,
        help: "How long bots think before they bid, on average"
    ).only(with: bots)
    static let seed = Flag<UInt64>(
        "seed", .whole(0...UInt64(Int64.max)), default: 1, help: "Seed of the bots' random choices"
    ).only(with: bots)

    static let bid = Command(
        "bid", "AMOUNT", 1...1, help: "Bid, then follow the lot until the hammer falls",
        details: """
            Prints the answer and the news, and exits 0 if you have won. A bid of a lot that has \
            ended is refused; --wait bids on the next lot instead. A sealed bid replaces your \
            earlier one. If the price falls, you win at once with a bid of at least the price; \
            with --wait a lower bid waits until the price has fallen to it.
            """,
        examples: [
            "auction-client --name alice bid 120", "auction-client -n alice bid 120 --wait",
            "auction-client -n alice bid 120 --no-wait --json",
        ])
    static let max = Command(
        "max", "AMOUNT", 1...1,
        help: "Let the server bid for you, each time the least that leads, up to AMOUNT",
        details: """
            For lots whose price rises. The amount is secret. Prints the answer and the news, and \
            exits 0 if you have won. max 0 takes it back; a bid that leads stays.
            """,
        examples: ["auction-client -n alice max 200", "auction-client -n alice max 0"])
    static let take = Command(
        "take", help: "Win the lot at its falling price",
        examples: ["auction-client -n alice take"])
    static let buy = Command(
        "buy", help: "Win the lot at its buy-now price",
        examples: ["auction-client -n alice buy"])
    static let say = Command(
        "say", "TEXT", 1...Int.max, help: "Say something to everybody",
        examples: ["auction-client -n alice say good luck"])
    static let play = Command(
        "play", help: "Bid and watch on the full screen; piped: send each line of the input",
        details: """
            Type an amount and Enter to bid, ? for the keys. Without a terminal, or with --plain, \
            each line of the input is sent to the server, and everything it sends is printed.
            """,
        examples: ["auction-client play", "printf 'bid 5\\nlaps\\n' | auction-client play"])
    static let watch = Command(
        "watch", help: "Follow the news until interrupted, on the full screen or in lines",
        examples: ["auction-client watch", "auction-client watch --json | jq .type"])
    static let laps = Command(
        "laps", "[FIRST COUNT]", 0...2, help: "List accepted bids; by default the newest 20",
        details: """
            Between two lots it lists those of the last lot. FIRST is the number of a bid. A \
            terminal shows a table; a pipe gets the lines of the server.
            """,
        examples: ["auction-client laps", "auction-client laps 1 500"])
    static let results = Command(
        "results", "[FIRST COUNT]", 0...2, help: "List how lots ended; by default the newest 20",
        details: """
            FIRST is the number of a lot. A terminal shows a table; a pipe gets the lines of the \
            server.
            """,
        examples: ["auction-client results", "auction-client results 1 500"])
    static let who = Command("who", help: "List the bidders who are connected")
    static let standings = Command(
        "standings", help: "List who has won how many lots, best first",
        details: """
            With what is left of each purse, and the profit, if the sale has purses and values. A \
            terminal shows a table; a pipe gets the lines of the server.
            """)
    static let status = Command("status", help: "Show the lot, the price and the countdown")
    static let rooms = Command(
        "rooms", help: "List the open rooms",
        details: """
            With the number of people in each, and the newest lot. A terminal shows a table; a pipe \
            gets the lines of the server.
            """)
    static let open = Command(
        "open", "NAME [OPTION=VALUE ...]", 1...Int.max, help: "Open a room of your own",
        details: """
            Prints the key of its auctioneer, and how others join it. NAME is \(RoomName.allowed). \
            The options are those of a lot (format, seconds, start, step, reserve, buy, longest) and \
            lots, pause, purse, worth=A..B, or common=A..B with noise=N. The room ends some time \
            after the last person has left it.
            """,
        examples: [
            "auction-client open blue",
            "auction-client open blue seconds=10 lots=5 purse=1000 worth=50..150",
            "auction-client --room blue -n alice play",
        ])
    static let bots = Command(
        "bots", "COUNT", 1...1, help: "Play with COUNT bots until the sale is over",
        details: """
            Each bot is a bidder, named after its strategy, such as truthful-1. Prints the \
            standings at the end, or when you press Ctrl-C. With --delay a person can play along.
            """,
        examples: [
            "auction-client bots 5 --strategy truthful,sniper,jumper,shader,random --seed 1",
            "auction-client bots 3 --strategy zip --delay 2",
        ])
    static let send = Command(
        "send", "LINE", 1...Int.max, help: "Send any line of the protocol, such as ping",
        details:
            "Prints the data of the answer and the answer. With --name it takes that name first.",
        examples: ["auction-client send help", "auction-client -n alice send '#1 bid 130'"])

    static let program = Program(
        name: "auction-client", version: Release.version,
        abstract: """
            Bids in a live auction, or watches it. Data and answers of the server go to standard \
            output, OK and ERROR alike; the client's own messages go to standard error.
            """,
        commands: [
            bid, max, take, buy, play, watch, say, laps, results, standings, who, status, rooms,
            open, bots, send,
        ],
        flags: host, port, socket, room, name, tokenFile, wait, noWait, plain, bell, ascii, json,
        color, strategy, seed, delay, worth,
        exits: [
            ExitStatus(0, "Done; with bid, max, take and buy, you have won"),
            ExitStatus(1, "Refused by the server, outbid, or kicked"),
            ExitStatus(2, "A wrong command line or input"),
            ExitStatus(3, "The server cannot be reached, or is lost"),
            ExitStatus(4, "The output or the terminal fails"),
        ],
        examples: [
            "auction-client play", "auction-client --name alice bid 120", "auction-client watch",
        ])

    /// The user's name, and whether it was made from the login.
    ///
    /// The login is used only if a name is needed; characters not allowed in names become `-`.
    static func name(
        of invocation: Invocation, login: String?
    ) -> (bidder: Bidder?, isLogin: Bool) {
        if let bidder = invocation[name] { return (bidder, false) }
        guard [bid, max, take, buy, say, play].contains(invocation.command),
            let bidder = login.flatMap({ Bidder(login: $0) })
        else { return (nil, false) }
        return (bidder, true)
    }

    /// The address of the server.
    ///
    /// - Throws: `UsageError` if both a socket and a host or port are given.
    static func server(_ invocation: Invocation) throws(UsageError) -> ServerAddress {
        guard let path = invocation[socket] else {
            return .network(host: invocation[host], port: invocation[port])
        }
        guard !invocation.isGiven(host), !invocation.isGiven(port) else {
            throw program.misuse("--socket excludes --host and --port: name one place")
        }
        return .socket(path: path)
    }

    /// The command with its operands.
    ///
    /// - Throws: `UsageError` if an operand is invalid, or a name is missing.
    static func clientCommand(
        _ invocation: Invocation, as bidder: Bidder?
    ) throws(UsageError) -> ClientCommand {
        let command = invocation.command
        switch command {
        case bid: return try bidding(.amount(try price(invocation)), bid, invocation, by: bidder)
        case max: return try bidding(.maximum(try maximum(invocation)), max, invocation, by: bidder)
        case take: return try bidding(.take, take, invocation, by: bidder)
        case buy: return try bidding(.buy, buy, invocation, by: bidder)
        case say:
            return .ask(try message(invocation.operands), as: try needed(bidder, for: say))
        case play: return .play(as: try needed(bidder, for: play))
        case watch: return .watch
        case laps: return .ask(.laps(try range(of: laps, invocation.operands)))
        case results: return .ask(.results(try range(of: results, invocation.operands)))
        case standings: return .ask(.standings)
        case who: return .ask(.who)
        case status: return .ask(.status)
        case rooms: return .ask(.rooms)
        case open: return try opening(invocation)
        default: return .send(try line(invocation.operands), as: bidder)
        }
    }

    /// The number of bots.
    ///
    /// - Throws: `UsageError` if it is no number, or too high.
    static func botCount(_ invocation: Invocation) throws(UsageError) -> Int {
        guard let count = Int64(digits: invocation.operands[0]), (1...mostBots).contains(count)
        else {
            throw program.misuse(
                "COUNT must be a whole number from 1 to \(mostBots), not "
                    + "'\(invocation.operands[0])'")
        }
        return Int(count)
    }

    /// The most bots of one process; a server admits 256 connections of an address.
    private static let mostBots: Int64 = 200

    private static func bidding(
        _ request: BidRequest, _ command: Command, _ invocation: Invocation, by bidder: Bidder?
    ) throws(UsageError) -> ClientCommand {
        .bid(
            request, by: try needed(bidder, for: command),
            waits: !invocation[noWait] && request != .maximum(nil),
            waitsForLot: invocation[wait])
    }

    private static func maximum(_ invocation: Invocation) throws(UsageError) -> Price? {
        invocation.operands[0] == "0" ? nil : try price(invocation)
    }

    private static func price(_ invocation: Invocation) throws(UsageError) -> Price {
        let word = invocation.operands[0]
        guard let price = Int64(digits: word).flatMap({ Price($0) }) else {
            throw program.misuse(
                "AMOUNT must be a whole number from 1 to \(Price.highest.amount), not '\(word)'")
        }
        return price
    }

    /// The message of `say`, by the rules of the protocol.
    private static func message(_ operands: [String]) throws(UsageError) -> Request.Command {
        let text = operands.joined(separator: " ")
        guard case .say? = (try? Request(line: "say \(text)"))?.command else {
            throw program.misuse(
                "TEXT must be one printable line of 1 to \(Lot.longestTitle) bytes")
        }
        return .say(text)
    }

    /// The command that opens a room, by the rules of the protocol.
    private static func opening(_ invocation: Invocation) throws(UsageError) -> ClientCommand {
        let words = invocation.operands.joined(separator: " ")
        guard RoomName(invocation.operands[0]) != nil else {
            throw program.misuse(
                "NAME must be \(RoomName.allowed), not '\(invocation.operands[0])'")
        }
        let command: Request.Command?
        do throws(ParseError) {
            command = try Request(line: "open \(words)")?.command
        } catch {
            throw program.misuse(ErrorReply(error.reason).advice)
        }
        guard case .open(let room, let options)? = command else {
            throw program.misuse("open takes NAME, and then options such as lots=5")
        }
        return .open(room, options, invitation: try server(invocation).invitation(to: room))
    }

    private static func needed(
        _ bidder: Bidder?, for command: Command
    ) throws(UsageError) -> Bidder {
        guard let bidder else {
            throw program.misuse("\(command.name) needs your name, as in --name alice")
        }
        return bidder
    }

    private static func range(
        of command: Command, _ operands: [String]
    ) throws(UsageError) -> ListRange? {
        if operands.isEmpty { return nil }
        guard operands.count == 2, let first = Int64(digits: operands[0]),
            let count = Int64(digits: operands[1]),
            let range = ListRange(first: Int(first), count: Int(count))
        else {
            throw program.misuse(
                "\(command.name) takes FIRST, a number from 1 on, and COUNT, from 1 to "
                    + "\(ListRange.longest), in the digits 0 to 9")
        }
        return range
    }

    private static func line(_ operands: [String]) throws(UsageError) -> String {
        let line = operands.joined(separator: " ")
        guard line.contains(where: { $0 != " " && $0 != "\t" }),
            !line.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" })
        else {
            throw program.misuse("send takes one line, with a word in it")
        }
        return line
    }
}

extension ValueFormat where Value == Bidder {
    /// A name to bid under.
    static var bidder: ValueFormat {
        ValueFormat(
            placeholder: "NAME", expected: "1 to \(Bidder.longest) letters, digits, _ or -",
            read: { Bidder($0) }, write: { $0.description })
    }
}

extension ValueFormat where Value == RoomName {
    /// The name of a room.
    static var room: ValueFormat {
        ValueFormat(
            placeholder: "ROOM",
            expected: RoomName.allowed,
            read: { RoomName($0) }, write: { $0.description })
    }
}

extension RoomName {
    /// What a name may be, in words.
    fileprivate static let allowed =
        "1 to \(longest) small letters, digits and -, not beginning with -"
}

extension ValueFormat where Value == [StrategyKind] {
    /// Names of strategies, separated by commas.
    static var strategies: ValueFormat {
        let names = StrategyKind.allCases.map(\.rawValue).joined(separator: ", ")
        return ValueFormat(
            placeholder: "LIST", expected: "one or more of \(names), separated by commas",
            read: { text in
                let words = text.split(separator: ",", omittingEmptySubsequences: false)
                let kinds = words.compactMap { StrategyKind(rawValue: String($0)) }
                return kinds.count == words.count ? kinds : nil
            },
            write: { $0.map(\.rawValue).joined(separator: ",") })
    }
}

extension ValueFormat where Value == ClosedRange<Int64> {
    /// Two amounts such as `50..150`, the lower one first.
    static var range: ValueFormat {
        ValueFormat(
            placeholder: "A..B", expected: "two amounts such as 50..150, the lower one first",
            read: { ClosedRange(values: $0) },
            write: { "\($0.lowerBound)..\($0.upperBound)" })
    }
}
