import Arguments
import Auction
import Basics
import House
import Journal
import Posix
import Server
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Runs the program, and returns an exit code that `Flags.program` explains.
private func run() -> Int32 {
    do {
        switch try Flags.program.parse(commandLine: CommandLine.arguments) {
        case .print(let text):
            try StandardStream.output.write(text)
            return 0
        case .run(let invocation):
            return try perform(try Flags.mode(invocation))
        }
    } catch let error as UsageError {
        StandardStream.error.say(error.message)
        return 2
    } catch {
        StandardStream.error.say("auction-server: \(error)")
        return 1
    }
}

private func perform(_ mode: RunMode) throws -> Int32 {
    switch mode {
    case .serve(let settings): return try serve(settings)
    case .check(let folder):
        let (rooms, report) = try verify(folder)
        let count = rooms.roomCount
        let others = count == 0 ? "" : "; \(count) more room\(count == 1 ? "" : "s")"
        try StandardStream.output.write("sound: \(report); \(rooms.main.summary)\(others)")
    case .results(let folder, let room, let format):
        try printResults(of: room, in: folder, format)
    case .status(let servers):
        for line in try ClusterStatus(servers).lines { try StandardStream.output.write(line) }
    case .classExample(let example):
        for line in example.map({ [$0.text] }) ?? ClassExample.list {
            try StandardStream.output.write(line)
        }
    }
    return 0
}

/// Prints how the lots of a room ended, and says which other rooms the journal has.
///
/// Without the name of a room, tables are those of the class, if the journal has one.
private func printResults(
    of chosen: RoomName?, in folder: String, _ format: ResultsFormat
) throws {
    let (rooms, _) = try verify(folder)
    if chosen == nil, format == .csv || format == .classLots {
        let table = try ClassTable(of: PosixDisk(folder: folder))
        if table.hasRound {
            let text = format == .csv ? table.bidders : table.lots
            return try writeAll(Array(text.utf8), to: StandardStream.output.rawValue)
        }
        guard format == .csv else {
            throw Flags.program.misuse("--class-lots: the journal in \(folder) has no class")
        }
    }
    let room = chosen ?? .main
    let names = rooms.names
    guard let results = rooms.results(of: room) else {
        throw Flags.program.misuse(
            "--room: the journal in \(folder) has no room \(room); its rooms are \(list(names))")
    }
    if format == .csv {
        try printTable(of: room, in: folder, rooms.standings(of: room).flatMap(\.rows))
    } else if results.isEmpty {
        StandardStream.error.say("auction-server: no lot has ended yet")
    } else {
        let results = Results(results: results, standings: rooms.standings(of: room))
        for line in format == .json ? results.objects : results.table {
            try StandardStream.output.write(line)
        }
    }
    if room == .main, names.count > 1 {
        let hasClass = names.contains { $0.description == "class" }
        StandardStream.error.say(
            "auction-server: these are the results of main; --room ROOM prints those of "
                + list(Array(names.dropFirst()))
                + (hasClass ? "; --csv prints what the class has played" : ""))
    }
}

/// The names of rooms, of which the last are only counted if there are many.
private func list(_ names: [RoomName]) -> String {
    let most = 20
    let listed = names.prefix(most).map(\.description).joined(separator: ", ")
    return names.count > most ? "\(listed) and \(names.count - most) more" : listed
}

/// Prints each bid, each lot and each total of a room, and says what the journal no longer has.
private func printTable(
    of room: RoomName, in folder: String, _ totals: [StandingsRow]
) throws {
    let partial = try Journal.writeTable(of: folder, room: room, totals: totals) { bytes in
        try writeAll(bytes, to: StandardStream.output.rawValue)
    }
    if let partial {
        StandardStream.error.say(
            "auction-server: older segments of the journal are missing: the table has only the "
                + "results of the lots before lot \(partial), and at most the first and the newest "
                + "\(Auction.mostKept) bids that lot \(partial) had by then")
    }
}

private func verify(_ folder: String) throws -> (ServerReplay, Report) {
    let (rooms, report): (ServerReplay, Report)
    do {
        (rooms, report) = try ServerReplay.recovered(from: folder)
    } catch .system(let error) {
        throw Flags.program.misuse("cannot read \(folder): \(error); name the folder of a journal")
    } catch {
        throw Unreadable(folder: folder, error: error)
    }
    guard report.lastEvent > 0 else { throw NoSale(folder: folder, report: report) }
    return (rooms, report)
}

private func serve(_ chosen: Settings) throws -> Int32 {
    try claimStandardStreams()
    ignoreBrokenPipes()
    var settings = chosen
    let writer = try LogWriter(to: StandardStream.error.rawValue)
    defer { writer.close() }
    settings.logWriter = writer
    settings.endsWithTerminal = StandardStream.error.isTerminal
    let log = Log(writer, level: settings.logLevel)
    defer { log.handOver() }
    do {
        try raiseOpenFileLimit()
    } catch {
        log.write(.warning, "open-files") { $0.add("reason", error.description) }
        log.handOver()
    }
    var failures = 0
    while true {
        let begun = Instant.now
        do {
            return try serve(settings, writer, log)
        } catch let error as NodeFenced {
            log.write(.warning, "fenced") { $0.add("reason", error.description) }
            log.handOver()
            failures = begun.duration(to: .now) < .seconds(10) ? failures + 1 : 0
            // What fails again and again needs a person.
            guard failures < 5 else { throw error }
            if failures > 0 { sleep(1) }
        }
    }
}

/// Serves until the server ends, and returns the exit code; call it again after `NodeFenced`.
private func serve(_ settings: Settings, _ writer: LogWriter, _ log: Log) throws -> Int32 {
    let server = try open(settings)
    writer.write(server.welcome.text)
    if StandardStream.error.isTerminal, let code = server.welcome.code { writer.write(code) }
    if let hosting = server.welcome.hosting { try StandardStream.output.write(hosting) }
    do {
        let sale = try server.run()
        if settings.endsWithFirstLot, let sale {
            try StandardStream.output.write(ServerMessage.event(.lotSold(sale)).text)
        }
        return 0
    } catch let error as LogFailure {
        log.write(.error, "journal") { line in
            line.add("reason", "cannot be written: \(error)")
            line.add(
                "advice",
                "nothing was sent that is not on disk; start the server again to continue from it")
        }
        return 4
    }
}

private func open(_ settings: Settings) throws -> AuctionServer {
    do {
        return try AuctionServer(
            settings,
            signals: SignalPipe(
                signals: [SIGINT, SIGTERM, SIGHUP], ignoresAfterwards: true))
    } catch let error as EndpointError {
        throw Flags.program.misuse(
            "cannot listen on \(settings.host) port \(settings.port): \(error); "
                + "choose another --host or --port")
    } catch let error as TokenFileError {
        let flag = settings.auctioneerTokenFile == nil ? "" : "--auctioneer-token-file: "
        throw Flags.program.misuse("\(flag)\(error)")
    } catch let error as LocalSocketError {
        throw Flags.program.misuse(
            "cannot listen on \(settings.socket ?? ""): \(error); choose another --socket PATH")
    } catch let error as FolderLock.Failure {
        throw Flags.program.misuse(
            "cannot use \(settings.data ?? ""): \(error); choose another --data DIR")
    } catch let error as JournalError {
        throw Unreadable(folder: settings.data ?? "", error: error)
    }
}

/// A folder without any event of a sale.
private struct NoSale: Error, CustomStringConvertible {
    let folder: String
    let report: Report

    var description: String {
        "there is no sale in \(folder): \(reason); a server that is started there begins a new one"
    }

    private var reason: String {
        if report.segments == 0 { return "it holds no segment of a journal" }
        return report.tornBytes > 0 || report.wholeLines == 0
            ? "its only segment has no whole header"
            : "its only segment holds no event"
    }
}

/// A journal with which a server cannot start.
private struct Unreadable: Error, CustomStringConvertible {
    let folder: String
    let error: JournalError

    var description: String {
        switch error {
        case .damage(let damage):
            "the journal in \(folder) is damaged: \(damage); nothing was changed, so put the file "
                + "back from a copy, or choose another --data DIR"
        case .otherVersion:
            "cannot open the journal in \(folder): \(error); start a server of the version that wrote "
                + "it, or choose another --data DIR"
        case .system, .shortWrite: "cannot open the journal in \(folder): \(error)"
        }
    }
}

exit(run())
