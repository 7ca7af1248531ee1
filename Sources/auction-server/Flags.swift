import Arguments
import Auction
import Basics
import Cluster
import House
import Server
import Transport
import Web
import Wire

/// Whether a thing is allowed.
enum Permission: String, CaseIterable {
    case allow, refuse
}

/// What one run of the program does.
enum RunMode {
    /// Runs the server.
    case serve(Settings)
    /// Verifies the journal of a folder.
    case check(String)
    /// Prints how the lots of a room in a journal ended; nil for the class, or else the main room.
    case results(String, RoomName?, ResultsFormat)
    /// Prints what the nodes of a cluster tell of themselves.
    case status([NATSURL])
    /// Prints the file of an example of a class, or the names of all.
    case classExample(ClassExample?)
}

/// The form in which the results of a journal are printed.
enum ResultsFormat {
    /// A table for people.
    case text
    /// A JSON object for each lot.
    case json
    /// Comma-separated values: of a room a row for each bid and each lot, of a class for each member.
    case csv
    /// Comma-separated values, a row for each lot of a class.
    case classLots
}

/// The command line of the server.
///
/// Flags that most people do not need are advanced, so that `--help` fits on one screen.
enum Flags {
    static let once = Flag("once", help: "Exit when the first lot is sold and print its winner")
    static let auctioneerTokenFile = Flag<String?>(
        "auctioneer-token-file", .text("FILE"), help: "File with the auctioneer's token")
    static let auctioneerLocal = Flag(
        "auctioneer-local", help: "Accept the auctioneer's token only on the Unix socket")

    static let host = Flag(
        "host", .text("HOST"), default: "127.0.0.1", help: "Address to listen on")
    static let port = Flag<UInt16>(
        "port", .whole(0...65535), default: 7777, help: "Port, 0 for a free one"
    ).short("p")
    static let socket = Flag<String?>(
        "socket", .text("PATH"), help: "Unix socket to listen on too")

    static let data = Flag(
        "data", .text("DIR"), default: "./auction-data", help: "Folder, or none")
    static let check = Flag<String?>("check", .text("DIR"), help: "Verify a journal and exit")
    static let results = Flag<String?>(
        "results", .text("DIR"), help: "Print who won what and exit")
    static let room = Flag<RoomName?>(
        "room", .word("ROOM", RoomName.allowed),
        help: "With --results: the room; without this flag it is main")
    static let json = Flag("json", help: "With --results: one JSON object a line")
    static let csv = Flag("csv", help: "With --results: each bid and lot, for spreadsheets")

    static let classLots = Flag(
        "class-lots", help: "With --csv: each lot of a class, not each member")

    static let classFile = Flag<String?>(
        "class", .text("FILE"), help: "Lead a class through the rounds of this file")
    static let roster = Flag<String?>(
        "roster", .text("FILE"),
        help: "With --class: the names of the students; prints a link for each")
    static let classExample = Flag<String?>(
        "class-example", .classExample,
        help: "Print an example of the file of a class and exit; list names them")

    static let cluster = Flag<String?>(
        "cluster", .text("URLS"),
        help: "Share the rooms with other nodes through these NATS servers")
    static let node = Flag<NodeName?>(
        "node", .node, help: "With --cluster: the name of this node")
    static let status = Flag(
        "status", help: "With --cluster: print the nodes and the rooms and exit")

    static let logLevel = Flag(
        "log-level", .logLevel, default: LogLevel.info,
        help: "error, warning, info or debug")

    static let threads = Flag(
        "threads", .whole(1...64), default: 1, help: "Threads that serve the connections")
    static let proxyProtocol = Flag(
        "proxy-protocol", help: "Require a PROXY header from the peers that --trust names")
    static let trust = Flag(
        repeating: "trust", .addressBlock,
        help: "A proxy whose headers count: an address, a block such as 10.0.0.0/8, or local")
    static let allowOrigin = Flag(
        repeating: "allow-origin", .origin,
        help: "An origin whose pages may connect too, such as https://example.org")
    static let poller = Flag(
        "poller", .choice, default: PollerKind.standard, help: "How to wait for the network")

    static let program = Program(
        name: "auction-server", version: Release.version,
        abstract: """
            Auctions lots (items for sale): the last bid before the countdown ends wins.
            """,
        heading: "Sale",
        flags: Option.seconds.flag, Option.start.flag, Option.step.flag, Option.format.flag, lots,
        lotCount, lotsFile, Option.purse.flag, Option.worth.flag, night, classFile,
        exits: [
            ExitStatus(0, "Done, or ended by a signal or the auctioneer"),
            ExitStatus(1, "The journal is damaged or empty, or a system call or NATS failed"),
            ExitStatus(2, "A wrong flag or value, or a port, folder or file cannot be used"),
            ExitStatus(4, "The journal can no longer be written"),
        ],
        examples: [
            "auction-server --seconds 7 --host 0.0.0.0   (open to other machines)",
            "auction-server --night   (a game night for friends in your network)",
        ]
    )
    .section("Addresses", host, port)
    .section(
        "Sale", isAdvanced: true,
        Option.reserve.flag, Option.buy.flag, pause, longest, mostRaise, selfRaise,
        Option.common.flag,
        Option.noise.flag, seed, profits, Option.leftover.flag, wait, named, once,
        auctioneerTokenFile,
        auctioneerLocal
    )
    .section(
        "Addresses", isAdvanced: true, socket, threads, poller, proxyProtocol, trust, allowOrigin
    )
    .section("Class", isAdvanced: true, roster, classExample)
    .section("Several machines", isAdvanced: true, cluster, node, status)
    .section("Journal and log", data, results)
    .section(
        "Journal and log", isAdvanced: true, room, json, csv, classLots, check, keepBytes, keepDays,
        logLevel
    )
    .section(
        "Limits", isAdvanced: true,
        connections, connectionsPerAddress, trustNetwork, lineRate, timeout, outputBytes, nameRate,
        names, absence, kickSeconds, rooms, roomsPerAddress, roomIdle)

    /// What a command line asks for.
    ///
    /// - Throws: `UsageError` for flags that do not go together.
    static func mode(_ invocation: Invocation) throws(UsageError) -> RunMode {
        if let name = invocation[classExample] {
            return .classExample(ClassExample(rawValue: name))
        }
        let (isJSON, isCSV) = (invocation[json], invocation[csv])
        guard invocation[proxyProtocol] != invocation[trust].isEmpty else {
            throw program.misuse(
                "--proxy-protocol and --trust ADDRESS go together: headers count only from trusted "
                    + "addresses")
        }
        guard
            !invocation[auctioneerLocal]
                || invocation[socket] != nil && invocation[auctioneerTokenFile] != nil
        else {
            throw program.misuse(
                "--auctioneer-local needs --socket PATH and --auctioneer-token-file FILE")
        }
        guard
            invocation[data] != "none"
                || invocation[keepBytes] == nil && invocation[keepDays] == nil
        else {
            throw program.misuse("--keep-bytes and --keep-days need a journal: name a --data DIR")
        }
        if invocation[status] {
            guard let servers = try servers(invocation) else {
                throw program.misuse("--status needs --cluster URLS")
            }
            return .status(servers)
        }
        guard (invocation[cluster] == nil) == (invocation[node] == nil) else {
            throw program.misuse(
                "--cluster URLS and --node NAME go together: each node needs a name")
        }
        guard invocation[cluster] == nil || !invocation.isGiven(data) else {
            throw program.misuse("--data DIR is for one machine: with --cluster NATS stores all")
        }
        let drawsToken = invocation[night] || invocation[wait] || invocation[classFile] != nil
        guard invocation[cluster] == nil || !drawsToken || invocation[auctioneerTokenFile] != nil
        else {
            throw program.misuse(
                "--cluster with --night, --wait or --class needs --auctioneer-token-file FILE, with "
                    + "the same token on each node")
        }
        guard !invocation[classLots] || isCSV && invocation[room] == nil else {
            throw program.misuse("--class-lots needs --csv, and no --room")
        }
        guard invocation[roster] == nil || invocation[classFile] != nil else {
            throw program.misuse("--roster needs --class FILE")
        }
        guard !isJSON || !isCSV else {
            throw program.misuse("--json and --csv exclude each other: give one")
        }
        switch (invocation[check], invocation[results]) {
        case (_?, _?): throw program.misuse("--check and --results exclude each other: give one")
        case (nil, let folder?):
            let table = invocation[classLots] ? ResultsFormat.classLots : .csv
            return .results(folder, invocation[room], isJSON ? .json : isCSV ? table : .text)
        case _ where isJSON || isCSV || invocation[room] != nil:
            let flag = isCSV ? "csv" : isJSON ? "json" : "room"
            throw program.misuse("--\(flag) needs --results DIR")
        case (let folder?, nil): return .check(folder)
        case (nil, nil): return .serve(try settings(invocation))
        }
    }

    /// The NATS servers of a cluster; nil without one.
    ///
    /// - Throws: `UsageError` for a wrong URL, whose password it does not repeat.
    private static func servers(_ invocation: Invocation) throws(UsageError) -> [NATSURL]? {
        guard let list = invocation[cluster] else { return nil }
        do throws(NATSURLError) {
            return try NATSURL.list(list)
        } catch {
            throw program.misuse("--cluster: \(error)")
        }
    }

    private static func settings(_ invocation: Invocation) throws(UsageError) -> Settings {
        var settings = Settings()
        settings.host =
            invocation[night] && !invocation.isGiven(host) ? "0.0.0.0" : invocation[host]
        settings.drawsHostToken =
            invocation[night] || invocation[wait] || invocation[classFile] != nil
        settings.port = invocation[port]
        settings.socket = invocation[socket]
        try setSale(invocation, in: &settings)
        settings.endsWithFirstLot = invocation[once]
        settings.auctioneerTokenFile = invocation[auctioneerTokenFile]
        settings.isAuctioneerLocal = invocation[auctioneerLocal]
        settings.data = invocation[data] == "none" ? nil : invocation[data]
        if let servers = try servers(invocation), let name = invocation[node] {
            settings.cluster = ClusterSettings(servers, node: name)
            settings.data = nil
            // Several nodes on one machine have one address.
            settings.sockets.sharesPort = true
        }
        settings.retention = retention(invocation)
        settings.threads = invocation[threads]
        settings.poller = invocation[poller]
        setLimits(invocation, in: &settings)
        settings.logLevel = invocation[logLevel]
        settings.trustedProxies = invocation[trust]
        settings.allowedOrigins = invocation[allowOrigin]
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

extension ValueFormat where Value == NodeName {
    /// The name of a node.
    static var node: ValueFormat {
        ValueFormat(
            placeholder: "NAME", expected: "1 to 24 small letters, digits and -",
            read: { NodeName($0) }, write: { $0.description })
    }
}

extension ValueFormat where Value == String {
    /// The name of an example of a class, or `list`.
    static var classExample: ValueFormat {
        let names = ClassExample.allCases.map(\.rawValue)
        return ValueFormat(
            placeholder: "NAME", expected: names.joined(separator: ", ") + " or list",
            words: names + ["list"], read: { (names + ["list"]).contains($0) ? $0 : nil },
            write: { $0 })
    }
}

extension ValueFormat where Value == LogLevel {
    /// A level by its name; its help lists the names.
    static var logLevel: ValueFormat {
        return ValueFormat(
            placeholder: "LEVEL", expected: "error, warning, info or debug",
            read: { LogLevel(rawValue: $0) }, write: { $0.rawValue })
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
    /// The origin of a page: a scheme, a host, and a port unless it is the usual one.
    static var origin: ValueFormat {
        ValueFormat(
            placeholder: "ORIGIN", expected: "an origin such as https://example.org",
            read: { WebSocketHandshake.isOrigin($0) ? $0 : nil }, write: { $0 })
    }

    /// A title that fits a line, and cannot steer a terminal.
    static var title: ValueFormat {
        ValueFormat(
            placeholder: "TITLE",
            expected: "1 to \(Lot.longestTitle) bytes of text without control characters",
            read: { Lot.isTitle($0) ? $0 : nil }, write: { $0 })
    }
}
