import Auction
import Basics
import Cluster
import House
import Journal
import Posix
import Reactive
import Transport
import Web
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The auction on the network: one actor on one loop.
///
/// Each room has subjects that hold what it shows now: the price, the countdown and the winner. The
/// feeds, the log and the metrics are their observers. A connection registers with the feed of its
/// room, and is sent everything that the feed has, so that all get each change once and in one
/// order. The actor passes what its loops read to a `House`, which decides everything, and carries
/// out what that returns. Each lot has one deadline, which a bid moves.
public actor AuctionServer {
    private let loop: EventLoop
    private let acceptor: Acceptor
    private let signals: Signals?
    /// The price, the countdown and the winner of each room.
    private var rooms: OpenRooms
    /// Everything that the server decides.
    private var house: House
    /// All loops, the actor's own among them.
    private let loops: Loops
    /// The connections of the actor's own loop.
    private let shard: Shard
    private nonisolated let loopThreads: [LoopThread]
    /// What the server counts for `GET /metrics`.
    private let metrics: Metrics
    /// This server as a node; nil if it shares its rooms with no other.
    private let member: ClusterMember?
    /// The tables of the class; nil if none is led.
    private var classTable: ClassTable?

    private nonisolated let settings: Settings
    private nonisolated let directory: JournalDirectory?
    private nonisolated let sales: SaleRecord
    /// Whether nothing is waited for any more at the end, not even a disk.
    private nonisolated let isForced = Locked(false)
    private let log: Log

    /// Where the server listens, with the real port, as `127.0.0.1:7777`.
    public nonisolated let address: String
    /// The text for the operator.
    public nonisolated let welcome: Welcome

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
        let hostToken = try settings.hostToken()
        let secret = try hostToken ?? settings.auctioneerTokenFile.map(AuctioneerToken.word)
        let roster = secret.flatMap { secret in
            settings.roster.map { ReservedNames($0, secret: secret) }
        }
        loop = try EventLoop(poller: settings.poller)
        let log = Log(settings.logWriter, level: settings.logLevel)
        member = settings.cluster.map { [loop] in ClusterMember($0, loop, log) }
        acceptor = try Acceptor(
            loop, host: settings.host, port: settings.port, path: settings.socket,
            options: settings.sockets)
        if let signals { self.signals = try Signals(loop, signals) } else { self.signals = nil }
        address = acceptor.address
        var welcome = Welcome(
            address: address, socket: settings.socket, proxies: settings.trustedProxies,
            reachable: settings.reachable)
        (welcome.hostToken, welcome.leadsClass) = (hostToken, settings.classPlan != nil)
        if let secret, let roster = settings.roster {
            welcome.roster = ReservedNames.tokens(of: roster, secret: secret)
        }
        self.welcome = welcome
        self.log = log
        metrics = Metrics(startedAt: wallClockMilliseconds())
        let capacity = try settings.capacity(log)
        self.settings = settings.limited(to: capacity)
        loopThreads = try self.settings.loopThreads(wakeActor: { [loop] in loop.wake() })
        shard = Shard(loop, number: 0, settings.connectionLimits)
        loops = Loops(shard, loopThreads.map(\.other))
        var lobby: Lobby
        (lobby, directory, classTable) = try self.settings.openLobby(on: loop, roster, log)
        lobby.auctioneerToken = secret.flatMap { AuctioneerToken($0) }
        lobby.reach = welcome.reach
        lobby.isAuctioneerLocal = settings.isAuctioneerLocal
        sales = SaleRecord(lobby.status.stage == .over ? lobby.status.newestSale : nil)
        let replicated = member?.node.log
        let journal: any EventLog = directory?.journal ?? replicated ?? MemoryLog()
        var opened = House(
            lobby, CommitQueue(journal, lastEvent: directory?.lastEvent ?? 0),
            settings.houseOptions(openLimit: capacity.openLimit))
        member?.node.address = address
        // The tables of a class are made of all its rounds.
        member?.node.log.keepsAll = settings.classPlan != nil
        try member?.begin(on: loop, &opened)
        house = opened
        house.lobby.classTableBytes = classTable?.size ?? 0
        metrics.rooms = RoomFigures(house.lobby.statuses.map { ($0.name, RoomFigures.Counts($0)) })
        rooms = OpenRooms(house.lobby.statuses) { [loops, metrics, log] room, name, status in
            // Each loop appends them to the feeds of its connections in the room.
            room.observe { loops.tell(.append($0)) }
            room.observe { metrics.note($0) }
            guard log.takesIn(.info) else { return }
            let saleLog = SaleLog(
                log, of: name, lot: status?.lot ?? 0, lots: status?.lotsEnded ?? 0)
            room.observe {
                saleLog.receive($0)
            } onEnd: {
                saleLog.end()
            }
        }
        rooms.main.observeWinner { [sales] in sales.note($0) }
        log.handOver()
    }

    /// Serves until the server is shut down, and returns the first sale, if there was one.
    ///
    /// With a journal, on a thread that the calling thread watches; else on the calling thread.
    ///
    /// - Throws: `LogFailure` if nothing more became durable, after every client was sent `BYE`;
    ///   `NodeFenced` if the node must begin again from the stream;
    ///   `ClusterFailure` if another node has its name;
    ///   `SystemError` when the kernel no longer lets the loop wait.
    @discardableResult
    public nonisolated func run() throws -> SoldLot? {
        let log = Log(settings.logWriter, level: settings.logLevel)
        defer { log.handOver() }
        log.write(.info, "started") { $0.add("address", address) }
        log.handOver()
        defer { for thread in loopThreads { thread.stop() } }
        for thread in loopThreads { try thread.start() }
        let turn: WatchedLoop.Turn = { ready, polledAt in
            try self.assumeIsolated { server in
                try server.turn(ready, polledAt: polledAt)
            }
        }
        if let journal = directory?.journal {
            try WatchedLoop(loop, journal, turn: turn).run()
            try close(journal, waits: !isForced.withLock { $0 })
        } else {
            do {
                try loop.run(turn)
            } catch let error as ClusterError {
                throw NodeFenced(description: error.description)
            }
        }
        log.write(.info, "stopped") { line in
            if let figures = directory?.journal.figures {
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

    // The turn

    /// Serves one turn: read, step, publish, send.
    ///
    /// Everything that one poll found is read, in this turn or, if too much waits, in the next
    /// ones. Time advances to `polledAt`, the instant at which that poll began: it has found
    /// everything that arrived until then. What the turn handles has the time of now. So a turn's
    /// work is finite, whatever arrives meanwhile.
    ///
    /// Returns when the next is due. That may be an instant between `polledAt` and now; then the
    /// next poll does not sleep.
    private func turn(_ ready: [Readiness], polledAt: Instant) throws -> Instant? {
        let now = Instant.now
        try read(ready, polledAt: polledAt)
        try acceptor.expire(at: now)
        try loops.collectReports()
        try member?.node.deliver(to: &house, at: now)
        let outputs = house.step(&loops.reports, at: now, timeOfDay: wallClockMilliseconds())
        log.write(outputs)
        metrics.note(outputs)
        for batch in outputs.durable {
            publish(batch)
            house.published(batch, at: .now)
        }
        for effect in outputs.effects { perform(effect) }
        for command in outputs.commands { loops.tell(command) }
        if let member {
            member.node.take(outputs)
            member.node.finish(house)
            member.flush(at: now)
        }
        loops.handOver()
        shard.send(at: now)
        if outputs.hasFreedDescriptors { try acceptor.resume() }
        for upkeep in directory?.journal.takeUpkeep() ?? [] { log.write(upkeep) }
        log.endTurn(at: now)
        metrics.noteTurn(nanoseconds: monotonicNanoseconds() - now.nanoseconds)
        return try nextTurn(after: outputs, at: now)
    }

    /// Reads the connections of the actor's own loop, accepts new ones, and takes signals.
    private func read(_ ready: [Readiness], polledAt: Instant) throws {
        member?.read(ready, at: .now)
        shard.beginReading(
            polledAt: polledAt, isAhead: house.isFull || !loops.reports[0].events.isEmpty)
        for readiness in ready {
            if acceptor.contains(readiness.handle) {
                try acceptConnections(from: readiness.handle)
            } else if member?.contains(readiness.handle) == true {
                continue
            } else if readiness.handle == signals?.handle {
                while let signal = signals?.next() { handle(signal) }
            } else {
                shard.heed(readiness)
            }
        }
    }

    private func acceptConnections(from listener: Handle) throws {
        try acceptor.accept(from: listener, log) { socket, address in
            guard let loop = house.placeNewcomer(isLocal: address == .local) else { return false }
            loops.tell(.adopt(socket, address, loop: loop))
            return true
        }
        let refused = acceptor.takeRefused()
        log.note(.full, count: refused)
        metrics.note(.full, count: refused)
    }

    /// Publishes a durable batch: news through the subjects of its room, replies to connections.
    private func publish(_ batch: Batch) {
        if classTable != nil { record(batch) }
        let time = wallClockMilliseconds()
        var news = batch.news.makeIterator()
        var next = news.next()
        // A span, because the iterator of an array copies each effect.
        let list = batch.effects
        let effects = list.span
        // A batch opens a room before its news, and most news is of the same room as the last.
        var (newest, room) = (RoomID.main, rooms.main as RoomSubjects?)
        for index in effects.indices {
            if let item = next, item.effect == index {
                if item.room != newest { (newest, room) = (item.room, rooms[item.room]) }
                room?.publish(News(item, of: batch, time: time))
                next = news.next()
            } else {
                perform(effects[index])
            }
        }
    }

    /// Adds what a durable batch has recorded to the tables of the class.
    private func record(_ batch: Batch) {
        for effect in batch.effects { effect.record.map { classTable?.add($0) } }
        if batch.endsSegment { classTable?.beginSegment(state: 0) }
        house.lobby.classTableBytes = classTable?.size ?? 0
    }

    private func perform(_ effect: Effect) {
        if let member, effect.session?.isRemote == true {
            if let (node, messages) = house.lobby.messages(
                of: effect, time: wallClockMilliseconds())
            {
                for message in messages { member.node.send(message, to: node) }
            }
            return
        }
        switch effect {
        // By `follow` a connection registers with the feed of its room; by `close` it leaves it.
        case .follow, .close, .reply, .replay, .restate, .send, .use, .skip, .holdNews,
            .releaseNews, .confirm:
            loops.perform(effect)
        case .sendReport(let request, let id):
            let response = response(with: request.report)
            let bytes = response.bytes(isHead: request.isHead, keepsAlive: request.keepsAlive)
            loops.perform(.send(bytes, to: id))
        case .openRoom(let id, let name): rooms.open(id, name)
        case .endRoom(let id): if let name = rooms.end(id) { metrics.rooms.remove(name) }
        case .news, .journal, .journalRoom: break
        }
    }

    private func response(with report: Site.Report) -> HTTPResponse {
        switch report {
        case .metrics: .metrics(metricsText())
        case .classBidders: .table(classTable?.bidders ?? "", file: "class.csv")
        case .classLots: .table(classTable?.lots ?? "", file: "class-lots.csv")
        }
    }

    private func nextTurn(after outputs: StepOutputs, at now: Instant) throws -> Instant? {
        if settings.endsWithFirstLot, !house.isClosing,
            sales.first != nil || house.lobby.status.stage == .over
        {
            house.shutDown(at: now)
            return now
        }
        if member?.node.conflict != nil, !house.isClosing {
            house.shutDown(at: now)
            return now
        }
        if house.isClosing { acceptor.close() }
        if house.isFinished {
            member?.leave(house)
            if let conflict = member?.node.conflict { throw ClusterFailure(conflict) }
            if let problem = member?.node.problem { throw NodeFenced(description: problem) }
            loop.stop()
        }
        let canRead = !house.isFull && loops.reports[0].isHolding
        if shard.isBusy || outputs.canContinue || canRead { return now }
        let listening = Instant.earliest(shard.deadline, acceptor.deadline)
        let waiting = Instant.earliest(
            Instant.earliest(listening, log.deadline(at: now)), member?.deadline)
        return Instant.earliest(house.deadline, waiting)
    }

    // Control

    /// Reads the auctioneer's token again, if it has a file; a changed one revokes every auctioneer.
    ///
    /// - Throws: `TokenFileError` if it cannot be read; then the earlier one stays valid.
    public func renewAuctioneerToken() throws(TokenFileError) {
        guard let file = settings.auctioneerTokenFile else { return }
        house.lobby.auctioneerToken = try AuctioneerToken(file: file)
    }

    /// Shuts the server down cleanly.
    ///
    /// It refuses new connections, sends `BYE` to everybody, sends what is left, and lets `run`
    /// return.
    public func shutDown() {
        house.shutDown(at: .now)
        loop.wake()
    }

    /// Hangs up, or ends the server in good order; a second signal to end it ends it at once.
    private func handle(_ signal: Int32) {
        if signal == SIGHUP { return hangUp() }
        guard house.isClosing else { return house.shutDown(at: .now) }
        isForced.withLock { $0 = true }
        loop.stop()
    }

    /// Handles `SIGHUP`: shuts down if the terminal was closed, else reads the token file again.
    ///
    /// Without a terminal it also writes the state of the server to the log.
    private func hangUp() {
        guard !settings.endsWithTerminal else { return house.shutDown(at: .now) }
        do throws(TokenFileError) {
            try renewAuctioneerToken()
        } catch {
            log.write(.error, "token-file") { $0.add("reason", error.description) }
        }
        log.answer(
            stateOf: house.lobby.statuses, connections: house.loops.connectionCount,
            memory: try? residentMemory(of: getpid()), directory?.journal.figures)
    }

    /// What `GET /metrics` answers: the figures of the server in the text format of Prometheus.
    package func metricsText() -> [UInt8] {
        let now = Instant.now
        if metrics.rooms.isDue(at: now) {
            metrics.rooms.update(
                house.lobby.statuses.map { ($0.name, RoomFigures.Counts($0)) }, at: now)
            metrics.rooms.prices = rooms.prices
        }
        let journal = directory?.journal
        return metrics.text(
            with: ServerFigures(
                connections: house.loops.connectionCount,
                bidders: house.lobby.status.named + metrics.rooms.namedElsewhere,
                rooms: rooms.count,
                lobby: house.lobby.metrics, loops: loops.figures,
                journal: journal.map { ($0.figures, $0.syncTimes, $0.freeBytes) },
                process: (try? residentMemory(of: getpid()), processorNanoseconds())))
    }

    /// The number of connections with stored input.
    package var storedInputCount: Int { house.buffer.count }
}

/// The price, the countdown and the winner of one room, and its announcements.
///
/// A piece of news is published once, by one subject. It may also change the values of the others,
/// which then notify nobody. The subjects hold values and not the news, because a stored piece of
/// news would keep the whole batch of its step in memory until the next one.
package final class RoomSubjects {
    /// The leading or asking price; nil before the first bid of a lot, and while bids are sealed.
    package let price: Subject<Price?>
    /// The seconds left of the one countdown, which an accepted bid resets; nil while none runs.
    package let countdown = Subject<Int?>(nil)
    /// The winner of the newest lot that has ended; nil if it was not sold.
    package let winner: Subject<SoldLot?>
    /// All other news, such as arrivals and warnings.
    private let announcements = Subject<Void>(remembering: 0)
    /// The news that a subject is publishing.
    private var news: News?
    private let subscriptions = SubscriptionBag()

    /// Starts with the price and the winner of a recovered room; nil for a new room.
    package init(_ room: RoomStatus?) {
        (price, winner) = (Subject(room?.price), Subject(room?.newestSale))
    }

    /// Registers an observer of all news, which comes before the observers that follow.
    package func observe(
        _ observer: @escaping (News) -> Void, onEnd: @escaping () -> Void = {}
    ) {
        let receive = { [unowned self] in if let news { observer(news) } }
        price.observe(in: subscriptions) { _ in receive() }
        countdown.observe(in: subscriptions) { _ in receive() }
        winner.observe(in: subscriptions) { _ in receive() }
        announcements.observe(in: subscriptions, receive) { _ in onEnd() }
    }

    /// Registers an observer of the winners from now on.
    package func observeWinner(_ observer: @escaping (SoldLot?) -> Void) {
        winner.observe(in: subscriptions) { [unowned self] in if news != nil { observer($0) } }
    }

    /// Publishes a piece of news through the subject that it changes.
    package func publish(_ news: News) {
        self.news = news
        defer { self.news = nil }
        switch news.event {
        case .bidPlaced(let bid): price.notify(bid.price)
        case .bidVoided(let void):
            price.notify(void.leading?.price)
            if void.leading == nil { change(countdown, to: nil) }
        case .askFell(let asked): price.notify(asked)
        case .secondsLeft(let seconds): countdown.notify(seconds)
        case .paused: countdown.notify(nil)
        case .lotSold(let lot):
            winner.notify(lot)
            change(countdown, to: nil)
        case .lotPassed:
            winner.notify(nil)
            change(countdown, to: nil)
        case .lotOpened:
            announcements.notify(())
            change(price, to: nil)
        case .termsAnnounced(let terms):
            announcements.notify(())
            if terms.format.verb == .take { change(price, to: terms.start) }
        case .lastReset, .warned, .nextAnnounced, .ended, .resumed, .hammered, .bidderKicked,
            .stopped, .bidderJoined, .bidderLeft, .bidsSealed, .bidRevealed, .reserveMet,
            .valueRevealed, .championNamed, .awardGiven, .messageSaid, .reacted, .displayNameSet,
            .waiting,
            .rematchBegan:
            announcements.notify(())
        case .worthDrawn, .saleBegan, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded,
            .timeNoted, .gameSet, .lotPlanned, .lotAdded, .lotRenamed, .optionsSet, .roundBegan,
            .memberDrawn, .memberEarned, .valueDrawn,
            .bidSealed,
            .maximumSet,
            .bidderMuted, .bidderUnmuted:
            preconditionFailure("a private event is no news")
        }
    }

    /// Changes a value without news of its own.
    private func change<Value>(_ subject: Subject<Value?>, to value: Value?) {
        news = nil
        subject.notify(value)
    }

    /// Tells the observers that the room has ended.
    func end() {
        announcements.complete()
    }
}

/// The subjects of all open rooms; the main room is always there.
struct OpenRooms {
    /// Registers the observers of a room; the state is that of recovery, nil for a new room.
    typealias Registration = (RoomSubjects, RoomName, RoomStatus?) -> Void

    /// The subjects of the main room.
    let main: RoomSubjects
    private var others: [RoomID: (name: RoomName, subjects: RoomSubjects)] = [:]
    /// The rooms that were recovered and are not opened yet.
    private var recovered: [RoomName: RoomStatus]
    private let register: Registration

    /// Begins with the main room, the first of `rooms`; the others are those that were recovered.
    init(_ rooms: [RoomStatus], _ register: @escaping Registration) {
        self.register = register
        main = RoomSubjects(rooms.first)
        recovered = Dictionary(uniqueKeysWithValues: rooms.dropFirst().map { ($0.name, $0) })
        register(main, .main, rooms.first)
    }

    /// The number of rooms.
    var count: Int { 1 + others.count }

    /// The prices of all rooms that have one; O(rooms).
    var prices: [RoomName: Price] {
        var prices: [RoomName: Price] = [:]
        for room in others.values { prices[room.name] = room.subjects.price.value ?? nil }
        prices[.main] = main.price.value ?? nil
        return prices
    }

    /// The subjects of a room; nil if it is not open.
    subscript(room: RoomID) -> RoomSubjects? { room == .main ? main : others[room]?.subjects }

    /// Adds a room.
    mutating func open(_ id: RoomID, _ name: RoomName) {
        let status = recovered.removeValue(forKey: name)
        let subjects = RoomSubjects(status)
        register(subjects, name, status)
        others[id] = (name, subjects)
    }

    /// Removes a room that has ended, and returns its name.
    mutating func end(_ id: RoomID) -> RoomName? {
        guard let room = others.removeValue(forKey: id) else { return nil }
        room.subjects.end()
        return room.name
    }
}

/// The observer that notes the first lot sold since the start.
private final class SaleRecord: Sendable {
    private let record: Locked<SoldLot?>

    /// Begins with a sale that was made before, or without one.
    init(_ first: SoldLot? = nil) {
        record = Locked(first)
    }

    /// The first sale; nil before it.
    var first: SoldLot? { record.withLock { $0 } }

    /// Notes the winner of a lot, if it was sold.
    func note(_ sale: SoldLot?) {
        record.withLock { $0 = $0 ?? sale }
    }
}

/// The signals that the server handles, on its loop.
private final class Signals {
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
