import Arguments
import Auction
import Bidder
import Strategies
import Terminal
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
        "room", .word("ROOM", RoomName.allowed), default: RoomName.main, help: "The room to be in"
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

    static let strategy = Flag<[StrategyKind]>(
        "strategy", .choices(), default: [.truthful],
        help:
            "How the bots bid, in turns: \(StrategyKind.allCases.map(\.rawValue).joined(separator: " "))"
    ).only(with: bots)
    static let temper = Flag<Temper?>(
        "temper", .choice, help: "How the bots behave; without it --seed chooses for each"
    ).only(with: bots)
    static let quiet = Flag("quiet", help: "Let the bots say nothing, nor show their strategies")
        .only(with: bots)
    static let stay = Flag("stay", help: "Let the bots stay for a rematch when the sale is over")
        .only(with: bots)
    static let worth = Flag(
        "worth", .range(within: GameOptions.Values.allowed), default: 50...150,
        help: "Range of values that bots assume if the game tells none, and then draw from"
    ).only(with: bots)
    static let delay = Flag(
        "delay", .seconds(.zero ... .seconds(60)), default: .seconds(2),
        help: "About how long bots think before a bid; 0: not at all"
    ).only(with: bots)
    static let seed = Flag<UInt64>(
        "seed", .whole(0...UInt64(Int64.max)), default: 1,
        help: "Seed of the bots' names and random choices"
    ).only(with: bots)

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
        color, strategy, temper, seed, delay, worth, quiet, stay,
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
}

extension ValueFormat where Value == Bidder {
    /// A name to bid under.
    fileprivate static var bidder: ValueFormat {
        ValueFormat(
            placeholder: "NAME",
            expected: "1 to \(Bidder.longest) letters, digits, _ or -, not beginning with -",
            read: { $0.hasPrefix("-") ? nil : Bidder($0) }, write: { $0.description })
    }
}
