import Arguments
import AuctionRules
import Saleroom
import Server
import Transport
import Wire

/// Whether a thing is allowed.
enum Permission: String, CaseIterable {
    case allow, refuse
}

/// What the program is to do.
enum Errand {
    /// To hold the auction.
    case serve(Settings)
    /// To verify the journal of a folder.
    case check(String)
    /// To print how the lots of a journal ended.
    case results(String, Format)
}

/// The command line of the server.
enum Flags {
    static let seconds = Flag(
        "seconds", .whole(Rules.allowedSeconds), default: 7,
        help: "Countdown that each accepted bid sets back")
    static let host = Flag(
        "host", .text("HOST"), default: "127.0.0.1",
        help: "Address to listen on; 0.0.0.0 lets other machines in")
    static let port = Flag<UInt16>(
        "port", .whole(0...65535), default: 7777, help: "Port to listen on; 0 takes a free one")
    static let socket = Flag<String?>(
        "socket", .text("PATH"), help: "Unix socket to listen on too, for your own programs")
    static let start = Flag(
        "start", .price, default: Price.lowest, help: "Least amount of the first bid")
    static let step = Flag(
        "step", .price, default: Price.lowest, help: "Least increment from the price to a bid")
    static let pause = Flag(
        "pause", .seconds(.zero ... .seconds(3600)), default: .seconds(3),
        help: "Time between two lots")
    static let lots = Flag(
        repeating: "lot", .title, help: "Title of the next lot; without any, lots go on for ever")
    static let once = Flag(
        "once", help: "Exit after the first lot that is sold, its winner on standard output")
    static let selfRaise = Flag(
        "self-raise", .choice, default: Permission.refuse,
        help: "Whether the leader may raise a bid of their own")
    static let auctioneerTokenFile = Flag<String?>(
        "auctioneer-token-file", .text("FILE"),
        help: "File with the token that makes a connection the auctioneer's")
    static let data = Flag(
        "data", .text("DIR"), default: "./auction-data",
        help: "Folder of the journal, which a restart goes on from; none keeps nothing")
    static let check = Flag<String?>(
        "check", .text("DIR"), help: "Verify the journal of a folder, and exit")
    static let results = Flag<String?>(
        "results", .text("DIR"), help: "Print who won what in the journal of a folder, and exit")
    static let json = Flag("json", help: "With --results: one JSON object a line")
    static let threads = Flag(
        "threads", .whole(1...64), default: 1,
        help: "Over how many threads to spread the connections")
    static let proxyProtocol = Flag(
        "proxy-protocol",
        help: "Expect a header of the PROXY protocol from every peer that --trust names")
    static let trust = Flag(
        repeating: "trust", .addressBlock,
        help: "Whose headers to believe: an address, a block such as 10.0.0.0/8, or local")
    static let logLevel = Flag(
        "log-level", .choice, default: LogLevel.info,
        help: "What the log on standard error has: debug is each connection")
    static let poller = Flag(
        "poller", .choice, default: PollerKind.standard, help: "How to wait for the network")

    static let program = Program(
        name: "auction-server", version: Release.version,
        abstract: """
            Holds a live auction over TCP. Everybody who connects sees the price and the \
            countdown; each accepted bid sets the countdown back, and when it reaches 0 the last \
            bidder has won.
            """,
        flags: seconds, host, port, socket, start, step, pause, lots, once, selfRaise,
        auctioneerTokenFile, data, threads, poller, proxyProtocol, trust, logLevel, check, results,
        json,
        examples: [
            "auction-server --seconds 7",
            "auction-server --lot 'Blue vase' --lot Clock --start 100 --step 10",
            "auction-server --results ./auction-data",
        ]
    ).section(
        "Limits",
        connections, connectionsPerAddress, lineRate, lineBurst, claims, wrongTokens, outputBytes,
        stallSeconds, lineBytes, lineSeconds, keepAlive, userTimeout, sendBuffer, unsent)

    /// What a command line asks for.
    ///
    /// - Throws: `UsageError` for flags that do not go together.
    static func errand(_ invocation: Invocation) throws(UsageError) -> Errand {
        let isJSON = invocation[json]
        guard invocation[proxyProtocol] != invocation[trust].isEmpty else {
            throw program.misuse(
                "--proxy-protocol and --trust ADDRESS go together: a header is believed of those "
                    + "whom you trust")
        }
        switch (invocation[check], invocation[results]) {
        case (let folder?, nil) where !isJSON: return .check(folder)
        case (nil, let folder?): return .results(folder, isJSON ? .json : .text)
        case (nil, nil) where !isJSON: return .serve(settings(invocation))
        case (_?, _?): throw program.misuse("--check and --results are two errands, ask for one")
        default: throw program.misuse("--json goes with --results alone")
        }
    }

    private static func settings(_ invocation: Invocation) -> Settings {
        var settings = Settings()
        settings.host = invocation[host]
        settings.port = invocation[port]
        settings.socket = invocation[socket]
        settings.rules = Rules(
            seconds: invocation[seconds], start: invocation[start], step: invocation[step],
            allowsSelfRaise: invocation[selfRaise] == .allow)
        settings.catalogue = Catalogue(titles: invocation[lots], pause: invocation[pause])
        settings.endsWithFirstLot = invocation[once]
        settings.auctioneerTokenFile = invocation[auctioneerTokenFile]
        settings.data = invocation[data] == "none" ? nil : invocation[data]
        settings.threads = invocation[threads]
        settings.poller = invocation[poller]
        settings.limits = limits(invocation)
        settings.output = output(invocation)
        settings.sockets = sockets(invocation)
        settings.logLevel = invocation[logLevel]
        settings.trustedProxies = invocation[trust]
        return settings
    }
}

extension ValueFormat where Value == Price {
    /// An amount that can be bid.
    static var price: ValueFormat {
        let bounds = "\(Price.lowest.amount) to \(Price.highest.amount)"
        return ValueFormat(
            placeholder: "N", expected: "a whole number from \(bounds)",
            read: { Int64(digits: $0).flatMap { Price($0) } },
            write: { "\($0.amount)" })
    }
}

extension ValueFormat where Value == AddressBlock {
    /// Addresses that begin with the same bits, or one alone.
    static var addressBlock: ValueFormat {
        ValueFormat(
            placeholder: "ADDRESS",
            expected: "an address, a block such as 10.0.0.0/8, or local",
            read: { AddressBlock($0) }, write: { $0.description })
    }
}

extension ValueFormat where Value == String {
    /// A title that fits a line, and cannot steer a terminal.
    static var title: ValueFormat {
        ValueFormat(
            placeholder: "TITLE",
            expected: "1 to \(Lot.longestTitle) bytes of text without control characters",
            read: { Lot.isTitle($0) ? $0 : nil }, write: { $0 })
    }
}
