import AuctionRules
import EventLog
import Posix
import Reactive
import Saleroom
import Storage
import Transport
import Wire

/// The auction on the network: one actor on one loop.
///
/// What happens in the room is told through the subjects below. The feed is an observer of them,
/// and every connection follows the feed, so that all hear each change once and in one order. Each
/// turn of the loop hears everybody, lets the room expire, makes durable what came of it, and only
/// then speaks.
public actor AuctionServer {
    /// The price, as accepted bids set it, and voided ones give it back.
    let price = Subject<News>()
    /// The one countdown, which each accepted bid sets back, and a pause lets stand still.
    let countdown = Subject<News>()
    /// Who has won, as each hammer falls.
    let winner = Subject<News>()
    /// All other news: lots, warnings, who comes and who goes.
    let calls = Subject<News>()
    private var subscriptions: [Subscription] = []

    let loop: EventLoop
    let acceptor: Acceptor
    /// The connections of the actor's own loop, and those of the others.
    let shard: Shard
    let others: [RemoteShard]
    private nonisolated let shardLoops: [ShardLoop]
    nonisolated let sales: SaleRecord
    let log: Log
    let commits: CommitQueue
    nonisolated let journal: JournalDirectory?
    /// Whether nothing is waited for any more at the end, not even a disk.
    nonisolated let isForced = Locked(false)
    let endsWithTerminal: Bool
    private nonisolated let logWriter: LogWriter?
    private nonisolated let logLevel: LogLevel
    let endsWithFirstLot: Bool
    private let auctioneerTokenFile: String?
    let hearingLimits: HearingLimits

    // Not checked for exclusive access at run time, which a turn would do a dozen times. The room
    // calls back only to ask whether a connection is heard, and the answer does not need the room.
    @exclusivity(unchecked) var room: Room
    @exclusivity(unchecked) var handshakes: ProxyHandshakes
    @exclusivity(unchecked) var closing: Closing?
    /// Of connections that ask for more than they take, or than is due.
    @exclusivity(unchecked) var inputBuffer = InputBuffer()
    let capacity: Capacity
    @exclusivity(unchecked) var limitLog = LimitLog()
    /// Whether something may have come to the others for which there was no room.
    var areOthersUnheard = false
    /// Whether something is due that others have to be heard before.
    var isTimeHeld = false
    let signals: Signals?
    var readBuffer = [UInt8](repeating: 0, count: Connections.readBytes)

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
        shard = Shard(loop, settings.connectionLimits)
        (logWriter, logLevel) = (settings.logWriter, settings.logLevel)
        log = Log(logWriter, level: logLevel)
        capacity = try Self.capacity(for: settings, log)
        var settings = settings
        settings.limits.connections = capacity.connections
        settings.limits.reserve = capacity.reserve
        shardLoops = try Self.makeShardLoops(settings, wakeSaleroom: { [loop] in loop.wake() })
        others = shardLoops.enumerated().map { number, shardLoop in
            RemoteShard(number + 1, shardLoop.mailbox, wake: { shardLoop.loop.wake() })
        }
        handshakes = ProxyHandshakes(trusting: settings.trustedProxies)
        endsWithTerminal = settings.endsWithTerminal
        endsWithFirstLot = settings.endsWithFirstLot
        hearingLimits = HearingLimits(mostUntold: settings.mostUntold)
        auctioneerTokenFile = settings.auctioneerTokenFile
        let eventLog: any EventLog
        (room, journal, eventLog) = try Self.open(settings, on: loop, log)
        commits = CommitQueue(eventLog)
        room.auctioneerToken = token
        room.isAuctioneerLocal = settings.isAuctioneerLocal
        let sales = SaleRecord(room.isOver ? room.newestSale : nil)
        self.sales = sales
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
        room.auctioneerToken = try Self.auctioneerToken(in: auctioneerTokenFile)
    }

    private static func auctioneerToken(
        in file: String?
    ) throws(TokenFileError) -> AuctioneerToken? {
        guard let file else { return nil }
        return try AuctioneerToken(file: file)
    }

    private static func makeShardLoops(
        _ settings: Settings, wakeSaleroom: @escaping @Sendable () -> Void
    ) throws -> [ShardLoop] {
        precondition(
            (1...SessionID.mostShards).contains(settings.threads), "sessions name 1 to 256 loops")
        return try (1..<settings.threads).map { _ in
            try ShardLoop(
                poller: settings.poller, settings.connectionLimits, wakeSaleroom: wakeSaleroom)
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

    /// Whether so much has not been told yet that no more should be heard.
    var isFull: Bool {
        hearingLimits.isFull(untold: untoldCount) || others.contains(where: \.isBehind)
    }

    /// Whether stored input may be heard in this turn, of which some may have been heard already.
    func mayHearStored(hasHeard: Bool) -> Bool {
        !isFull && hearingLimits.mayHearStored(untold: untoldCount, hasHeard: hasHeard)
    }

    private var untoldCount: Int { commits.waitingCount + room.effectCount }

    /// Serves until the server is shut down, and returns the first sale, if there was one.
    ///
    /// With a journal, on a thread that the calling thread watches; else on the calling thread.
    ///
    /// - Throws: `LogFailure` when nothing more became durable, and every client was told;
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
                try server.turn(ready, polledAt: Instant(nanoseconds: polledAt))
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
}

extension Instant {
    /// The present, by the clock that stands still while the machine sleeps.
    static var now: Instant { Instant(nanoseconds: monotonicNanoseconds()) }
}
