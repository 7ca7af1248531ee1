import Auction
import House
import Journal
import Posix
import Transport

/// What a server opens before it serves anybody.
extension Settings {
    /// The token of the host, which is drawn at the first start; nil if it is not asked for.
    ///
    /// It is stored in the folder of the journal and used again after a restart.
    ///
    /// - Throws: `TokenFileError` if that file has no valid token, or others may read it;
    ///   `SystemError` if it cannot be written.
    func hostToken() throws -> String? {
        guard drawsHostToken, auctioneerTokenFile == nil else { return nil }
        var generator = SystemRandomNumberGenerator()
        let drawn = Token(using: &generator).description
        guard let data else { return drawn }
        let path = "\(data)/host-token"
        do throws(TokenFileError) {
            return try AuctioneerToken.word(inFile: path)
        } catch {
            guard error.isAboutMissingFile else { throw error }
        }
        try makeFolder(data, mode: 0o700)
        try replaceFile(path, with: Array("\(drawn)\n".utf8), mode: 0o600)
        return drawn
    }

    /// Computes how many connections there can be; logs if they are fewer than asked for.
    func capacity(_ log: Log) throws(SystemError) -> Capacity {
        let files = try openFileLimit()
        let capacity = Capacity(
            files: files, asked: limits.connections, reserve: limits.reserve)
        if let asked = limits.connections, asked != capacity.connections {
            log.write(.warning, "limit") { line in
                line.add("connections", capacity.connections)
                line.add("asked", asked)
                line.add("files", files)
            }
        }
        return capacity
    }

    /// The same settings with the connections that there can be.
    func limited(to capacity: Capacity) -> Settings {
        var settings = self
        settings.limits.connections = capacity.connections
        settings.limits.reserve = capacity.reserve
        return settings
    }

    /// Makes the loops beside the actor's own; their threads are not started.
    func loopThreads(wakeActor: @escaping @Sendable () -> Void) throws(SystemError) -> [LoopThread]
    {
        var loops: [LoopThread] = []
        for number in 1..<threads {
            loops.append(
                try LoopThread(
                    number: number, poller: poller, connectionLimits, wakeActor: wakeActor))
        }
        return loops
    }

    /// Opens the lobby at the end of its journal, if it has one, and starts the journal's thread.
    ///
    /// Returns also the tables of the class, if one is led, for which every segment is read.
    func openLobby(
        on loop: EventLoop, _ roster: ReservedNames?, _ log: Log
    ) throws -> (Lobby, JournalDirectory?, ClassTable?) {
        var options = Lobby.Options(rules: rules, limits: lobbyLimits)
        (options.catalogue, options.game, options.origins) = (catalogue, game, allowedOrigins)
        (options.classPlan, options.roster) = (classPlan, roster)
        options.node = cluster?.node.description
        guard let data else {
            let lobby = Lobby(options, at: .now, timeOfDay: wallClockMilliseconds())
            return (lobby, nil, classPlan.map { _ in ClassTable() })
        }
        let (directory, recovered) = try JournalDirectory.open(data, self, log)
        if let problem = classPlan?.conflict(with: recovered) { throw ClassConflict(problem) }
        let table = try classPlan.map { _ in
            try ClassTable(of: disk ?? PosixDisk(folder: data))
        }
        let lobby = Lobby(
            options, resuming: recovered, at: .now, timeOfDay: wallClockMilliseconds())
        if recovered.main.hasLot, let ahead = lobby.titlesAhead {
            log.write(.info, "lots") { line in
                line.add("known", recovered.main.auction.lot.number)
                line.add("ahead", ahead.count)
                if let next = ahead.first { line.add("next", next) }
            }
        }
        if lobby.status.stage == .over {
            log.write(.warning, "over") {
                $0.add(
                    "reason",
                    "every lot was auctioned: add more of them, or choose another --data DIR")
            }
        }
        try directory.journal.start(wake: { loop.wake() })
        return (lobby, directory, table)
    }
}

/// How many connections a server can have, by the files it may open.
package struct Capacity: Equatable {
    /// This many files are left for the journal, the loops and the terminal.
    private static let otherFiles = 64

    /// The number of connections that are let in.
    package let connections: Int
    /// The number of additional ones that prove a token, or come from the Unix socket.
    package let reserve: Int
    /// With this many open, including refused ones that are closing, a newcomer is refused at once.
    package let openLimit: Int

    /// Computes the capacity from the limit of open files and the connections asked for.
    ///
    /// Nil asks for as many as possible. With 128 files or more, all but 64 may be connections,
    /// otherwise half of them. At most an eighth of these are reserved places. Refused connections
    /// may use half of the files that are left.
    package init(files: Int, asked: Int?, reserve askedReserve: Int = 0) {
        let usable = max(files - Self.otherFiles, files / 2, 1)
        reserve = min(askedReserve, usable / 8)
        connections = min(asked ?? usable, usable - reserve)
        let leftOver = (files - usable) / 2
        openLimit = min(
            connections + reserve + connections / 4 + Self.otherFiles, usable + leftOver)
    }
}

/// The journal has a class of another file.
private struct ClassConflict: Error, CustomStringConvertible {
    let description: String

    init(_ problem: String) {
        description =
            "\(problem): to go on, start with the file that the class began with; for a new class "
            + "choose another --data DIR"
    }
}
