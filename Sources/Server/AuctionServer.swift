import AuctionRules
import EventLog
import Posix
import Reactive
import Saleroom
import ServerCore
import Storage
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The auction on the network: one actor on one loop.
///
/// What happens in the sale is published through the subjects below. The broadcaster is an observer
/// of them, and every connection follows what it broadcasts, so that all get each change once and in
/// one order. The actor feeds what its loops read to a `ServerCore`, which decides everything, and
/// carries out what that returns.
public actor AuctionServer {
    /// The price, as accepted bids set it, and voided ones give it back.
    let price = Subject<News>()
    /// The one countdown, which each accepted bid resets, and a pause stops.
    let countdown = Subject<News>()
    /// Who has won, as each hammer falls.
    let winner = Subject<News>()
    /// All other news: lots, warnings, arrivals and departures.
    let calls = Subject<News>()
    private var subscriptions: [Subscription] = []

    let loop: EventLoop
    let acceptor: Acceptor
    /// The connections of the actor's own loop, and those of the others.
    let shard: Shard
    let others: [RemoteShard]
    private nonisolated let shardLoops: [ShardLoop]
    // Not checked for exclusive access at run time, because every turn uses them several times.
    /// Everything that the server decides.
    @exclusivity(unchecked) var core: ServerCore
    /// What the loops have reported and the core has not taken.
    @exclusivity(unchecked) var reports: [LoopReport]

    nonisolated let sales: SaleRecord
    let log: Log
    nonisolated let journal: JournalDirectory?
    /// Whether nothing is waited for any more at the end, not even a disk.
    private nonisolated let isForced = Locked(false)
    private nonisolated let logWriter: LogWriter?
    private nonisolated let logLevel: LogLevel
    @exclusivity(unchecked) var limitLog = LimitLog()
    let endsWithFirstLot: Bool
    private let endsWithTerminal: Bool
    private let auctioneerTokenFile: String?
    let signals: Signals?

    /// Where the server listens, with the real port, as `127.0.0.1:7777`.
    public nonisolated let address: String

    /// The loop, on whose thread the server lives.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Begins to listen, and opens the first lot; nobody is served before `run`.
    ///
    /// Any signal of the pipe but `SIGHUP` ends the server in good order.
    ///
    /// - Throws: `TokenFileError` when the auctioneer's token cannot be had; `EndpointError`,
    ///   `LocalSocketError` or `SystemError` when there is no such address or it is in use;
    ///   `FolderLock.Failure` or `JournalError` when the journal cannot be had.
    public init(_ settings: Settings, signals: consuming SignalPipe? = nil) throws {
        let token = try Self.auctioneerToken(in: settings.auctioneerTokenFile)
        loop = try EventLoop(poller: settings.poller)
        acceptor = try Acceptor(
            loop, host: settings.host, port: settings.port, path: settings.socket,
            options: settings.sockets)
        shard = Shard(loop, number: 0, settings.connectionLimits)
        (logWriter, logLevel) = (settings.logWriter, settings.logLevel)
        log = Log(logWriter, level: logLevel)
        let capacity = try Self.capacity(for: settings, log)
        var settings = settings
        settings.limits.connections = capacity.connections
        settings.limits.reserve = capacity.reserve
        shardLoops = try Self.makeShardLoops(settings, wakeServer: { [loop] in loop.wake() })
        others = shardLoops.map { shardLoop in
            RemoteShard(shardLoop.mailbox, wake: { shardLoop.loop.wake() })
        }
        reports = Array(repeating: LoopReport(), count: settings.threads)
        endsWithTerminal = settings.endsWithTerminal
        endsWithFirstLot = settings.endsWithFirstLot
        auctioneerTokenFile = settings.auctioneerTokenFile
        var room: Room
        let eventLog: any EventLog
        (room, journal, eventLog) = try Self.open(settings, on: loop, log)
        room.auctioneerToken = token
        room.isAuctioneerLocal = settings.isAuctioneerLocal
        let sales = SaleRecord(room.isOver ? room.newestSale : nil)
        self.sales = sales
        core = ServerCore(
            room, CommitQueue(eventLog), settings.coreOptions(crowd: capacity.crowd))
        if let signals { self.signals = try Signals(loop, signals) } else { self.signals = nil }
        address = acceptor.address
        let broadcaster = Broadcaster([shard] + others)
        subscriptions = [price, countdown, winner, calls].map { subject in
            subject.observe { news in broadcaster.receive(news) }
        }
        subscriptions.append(winner.observe { news in sales.receive(news) })
        if log.takesIn(.info) {
            let saleLog = SaleLog(log)
            subscriptions += [price, countdown, winner, calls].map { subject in
                subject.observe { news in saleLog.receive(news) }
            }
        }
        log.handOver()
    }

    /// Reads the auctioneer's token again: a connection that has said another one before is the
    /// auctioneer's no more.
    ///
    /// - Throws: `TokenFileError` when it cannot be had; then the one before holds.
    public func renewAuctioneerToken() throws(TokenFileError) {
        core.auctioneerToken = try Self.auctioneerToken(in: auctioneerTokenFile)
    }

    /// Ends the server in good order: refuses newcomers, sends `BYE` to everybody, sends what is
    /// left, and lets `run` return.
    public func shutDown() {
        core.shutDown(at: .now)
        loop.wake()
    }

    private static func auctioneerToken(
        in file: String?
    ) throws(TokenFileError) -> AuctioneerToken? {
        guard let file else { return nil }
        return try AuctioneerToken(file: file)
    }

    private static func makeShardLoops(
        _ settings: Settings, wakeServer: @escaping @Sendable () -> Void
    ) throws -> [ShardLoop] {
        try (1..<settings.threads).map { number in
            try ShardLoop(
                number: number, poller: settings.poller, settings.connectionLimits,
                wakeServer: wakeServer)
        }
    }

    /// How many connections there can be, and says so if that is less than was asked for.
    private static func capacity(
        for settings: Settings, _ log: Log
    ) throws(SystemError) -> Capacity {
        let files = try openFileLimit()
        let asked = settings.limits.connections
        let capacity = Capacity(
            files: files, asked: asked, reserve: settings.limits.reserve)
        if let asked, asked != capacity.connections {
            log.write(.warning, "limit") { line in
                line.add("connections", capacity.connections)
                line.add("asked", asked)
                line.add("files", files)
            }
        }
        return capacity
    }

    /// Opens the room where its journal ends, if it has one.
    private static func open(
        _ settings: Settings, on loop: EventLoop, _ log: Log
    ) throws -> (Room, JournalDirectory?, any EventLog) {
        guard let folder = settings.data else {
            let room = Room(
                rules: settings.rules, catalogue: settings.catalogue, limits: settings.roomLimits,
                at: .now, timeOfDay: wallClockMilliseconds())
            return (room, nil, MemoryLog())
        }
        let (journal, sale) = try JournalDirectory.open(folder, settings, log)
        let room = Room(
            rules: settings.rules, catalogue: settings.catalogue, limits: settings.roomLimits,
            resuming: sale, at: .now, timeOfDay: wallClockMilliseconds())
        if sale.hasLot, let ahead = room.titlesAhead {
            log.write(.info, "lots") { line in
                line.add("known", sale.auction.lot.number)
                line.add("ahead", ahead.count)
                if let next = ahead.first { line.add("next", next) }
            }
        }
        if room.isOver {
            log.write(.warning, "over") {
                $0.add(
                    "reason",
                    "every --lot was auctioned: add more of them, or choose another --data DIR")
            }
        }
        try journal.start(wake: { loop.wake() })
        return (room, journal, journal.log)
    }

    /// Serves until the server is shut down, and returns the first sale, if there was one.
    ///
    /// With a journal, on a thread that the calling thread watches; else on the calling thread.
    ///
    /// - Throws: `LogFailure` if nothing more became durable, after every client was sent `BYE`;
    ///   `SystemError` when the kernel no longer lets the loop wait.
    @discardableResult
    public nonisolated func run() throws -> SoldLot? {
        let log = Log(logWriter, level: logLevel)
        defer { log.handOver() }
        log.write(.info, "started") { $0.add("address", address) }
        log.handOver()
        defer { for shardLoop in shardLoops { shardLoop.stop() } }
        for shardLoop in shardLoops { try shardLoop.start() }
        let turn: WatchedLoop.Turn = { ready, polledAt in
            try self.assumeIsolated { server in
                try server.turn(ready, polledAt: polledAt)
            }
        }
        if let journal {
            try WatchedLoop(loop, journal, turn: turn).run()
            try close(journal.log, waits: !isForced.withLock { $0 })
        } else {
            try loop.run(turn)
        }
        log.write(.info, "stopped") { line in
            if let figures = journal?.figures {
                line.add("events", figures.events)
                line.add("batches", figures.batches)
            }
        }
        return sales.first
    }

    /// Closes the journal; a disk that hangs may not be waited for.
    private nonisolated func close(_ log: any EventLog, waits: Bool) throws(LogFailure) {
        let hasFailed = log.progress.failure != nil
        guard waits || hasFailed else { return }
        log.close()
        if let failure = log.progress.failure { throw failure }
    }

    /// Handles the signals that have arrived.
    func takeSignals() {
        while let signal = signals?.next() {
            if signal == SIGHUP { hangUp() } else { end() }
        }
    }

    /// Ends the server in good order; a second signal ends it at once.
    private func end() {
        guard core.isClosing else { return core.shutDown(at: .now) }
        isForced.withLock { $0 = true }
        loop.stop()
    }

    /// Ends the server with its terminal, in good order; without one, reads the file with the
    /// auctioneer's token again, and writes the state of the server to the log.
    private func hangUp() {
        guard !endsWithTerminal else { return core.shutDown(at: .now) }
        do throws(TokenFileError) {
            try renewAuctioneerToken()
        } catch {
            log.write(.error, "token-file") { $0.add("reason", error.description) }
        }
        logState()
    }

    private func logState() {
        let standing = core.standing
        log.answer("state") { line in
            line.add("lot", standing.lot)
            line.add("stage", standing.stage.rawValue)
            if standing.isPaused { line.add("paused", "true") }
            if let bid = standing.leading {
                line.add("price", bid.price)
                line.add("leader", bid.bidder)
            }
            line.add("connections", core.connectionCount)
            line.add("named", standing.named)
            if let bytes = try? ProcessFigures(of: getpid()).residentBytes {
                line.add("memory", bytes)
            }
            if let figures = journal?.figures {
                line.add("events", figures.events)
                line.add("batches", figures.batches)
            }
        }
    }

    /// The number of connections with stored input.
    package var storedInputCount: Int { core.storedInputCount }
}

/// The signals that the server handles, on its loop.
final class Signals {
    /// The handle of the pipe on the loop.
    let handle: Handle
    private let pipe: SignalPipe

    /// - Throws: `SystemError` if the kernel will not watch the pipe.
    init(_ loop: EventLoop, _ pipe: consuming SignalPipe) throws(SystemError) {
        handle = try loop.register(pipe.descriptor, for: .readable)
        self.pipe = pipe
    }

    /// Removes and returns the oldest signal that has arrived; nil if there is none.
    func next() -> Int32? { pipe.next() }
}
