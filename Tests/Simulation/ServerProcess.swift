import Auction
import Basics
import DiskSupport
import House
import Journal
import Server
import TestSupport
import Transport
import Wire

/// One run of the server's process, from its start to its end or crash.
///
/// It drives the `House` as `AuctionServer` does: read, step, publish, send; and writes the
/// journal as `WatchedLoop` and the journal's thread do.
final class ServerProcess {
    let world: World
    let oracle: Oracle
    let disk: MemoryDisk
    let journal: Journal
    private let log: ObservedLog
    private(set) var house: House
    var dice: SplitMix64
    private var newcomers: [Connection] = []
    /// The connections of the actor's own loop.
    private let shard: SimulatedShard
    /// The other loops.
    private(set) var simulated: [SimulatedLoop] = []
    /// All loops, as the server sees them.
    private var loops: Loops
    /// The events of each loop that the house was given or is to be given, and has not handled.
    private var unhandled: [[ConnectionEvents.Event]]
    /// The connections that the house knows.
    private var known: [SessionID: Connection] = [:]
    private var descriptors: Int32 = 0
    private(set) var timer: LoopTimer?
    /// Until when no thread of the process runs.
    private(set) var standsStillUntil = Duration.zero
    /// What is being written.
    var group: Journal.Group?
    var isWriting = false
    /// Whether something was decided since the journal was replayed.
    private var isReplayDue = true
    private var isShutDown = false
    private(set) var isGone = false

    /// Starts with what the disk holds.
    ///
    /// - Throws: `JournalError` when that is damaged.
    init(_ world: World, _ disk: MemoryDisk, seed: UInt64) throws(JournalError) {
        (self.world, self.disk, oracle) = (world, disk, world.oracle)
        dice = SplitMix64(seed: seed)
        var tokens = SplitMix64(seed: dice.next())
        let terms = world.plan.terms
        var replay = ServerReplay()
        (journal, _) = try Journal.open(
            disk, segmentLimit: terms.segmentBytes, retention: terms.retention,
            timeOfDay: { 0 }, clock: { 0 }
        ) {
            replay.replay($0, $1, $2)
        }
        var lobbyOptions = terms.lobbyOptions
        lobbyOptions.serverID = Identity(using: &tokens)
        lobbyOptions.makeToken = { Token(using: &tokens) }
        lobbyOptions.makeSeed = { Seed(tokens.next()) }
        var lobby = Lobby(
            lobbyOptions, resuming: replay, at: world.instant, timeOfDay: world.timeOfDay)
        lobby.auctioneerToken = AuctioneerToken(Client.auctioneerToken)
        var options = House.Options()
        (options.loops, options.unsentEffectLimit) = (terms.loops, terms.mostUnsent)
        options.openLimit = terms.openLimit
        options.trustedProxies = [AddressBlock("\(Header.proxy)")].compactMap { $0 }
        log =
            terms.logMode == .immediate
            ? ObservedLog(journal) { [oracle] in oracle.read(disk.syncedContents) }
            : ObservedLog(journal)
        house = House(
            lobby, CommitQueue(log, lastEvent: replay.eventNumber), options)
        shard = SimulatedShard(0, world)
        loops = Loops(shard, [])
        unhandled = Array(repeating: [], count: terms.loops)
        timer = LoopTimer(self, world, seed: ~seed)
        simulated = (1..<terms.loops).map { number in
            SimulatedLoop(number, self, world, seed: seed &+ UInt64(number))
        }
        loops = Loops(
            shard, simulated.map { loop in Loops.Other(loop.mailbox, wake: { loop.wake() }) })
        journal.allowInline(terms.logMode == .inline)
    }

    // What comes from outside

    func accept(_ connection: Connection) {
        newcomers.append(connection)
        wake()
    }

    func standStill(for duration: Duration) {
        standsStillUntil = max(standsStillUntil, world.now + duration)
    }

    func shutDown() {
        guard !isShutDown else { return }
        isShutDown = true
        house.shutDown(at: world.instant)
        wake()
    }

    /// Ends without a word: nothing that was scheduled happens any more.
    func crash() {
        isGone = true
        for connection in connections { connection.cut() }
    }

    /// All connections, with those that are not adopted yet.
    var connections: [Connection] {
        newcomers + shard.all + simulated.flatMap(\.shard.all)
    }

    /// Wakes the loop of a connection soon.
    func wake(for connection: Connection) {
        let loop = connection.id.loop
        if simulated.indices.contains(loop - 1) { simulated[loop - 1].wake() } else { wake() }
    }

    /// Wakes the actor's loop soon.
    func wake() {
        wake(at: world.now + .random(in: 1000...200_000, using: &dice))
    }

    private func wake(at time: Duration) {
        timer?.wake(at: time) { [self] in turn(polledAt: $0) }
    }

    // A turn

    private func turn(polledAt: Duration) {
        world.trace("turn")
        read(polledAt: polledAt)
        let (due, first) = (house.lobby.deadline, house.loops.current)
        let outputs = house.step(&loops.reports, at: world.instant, timeOfDay: world.timeOfDay)
        if house.lobby.deadline != due { world.noteEvent() }
        check(outputs, firstLoop: first)
        guard finishImmediateWrite(outputs) else { return }
        for batch in outputs.durable { publish(batch) }
        for effect in outputs.effects { loops.perform(effect) }
        for command in outputs.commands { loops.tell(command) }
        loops.handOver()
        shard.send()
        goOn(after: outputs)
        write()
    }

    private func read(polledAt: Duration) {
        shard.read(
            polledAt: polledAt, lastTurn: timer?.lastTurn ?? .zero,
            isAhead: house.isFull || !loops.reports[0].events.isEmpty
        ) { ready in
            // The kernel may name any connection first.
            let first = ready.isEmpty ? 0 : Int.random(in: ready.indices, using: &dice)
            return Array(ready[first...] + ready[..<first])
        }
        placeNewcomers()
        let before = loops.reports.map(\.events.list.count)
        do {
            try loops.collectReports()
        } catch {
            preconditionFailure("a simulated loop does not fail")
        }
        for (loop, report) in loops.reports.enumerated() {
            oracle.countClosings(in: report.events.list[before[loop]...])
            unhandled[loop] += report.events.list[before[loop]...]
        }
    }

    private func placeNewcomers() {
        for connection in newcomers {
            guard !house.isClosing else {
                connection.client.lose(connection, "the server listens no more")
                continue
            }
            let loop = house.placeNewcomer(isLocal: false)
            oracle.checkPlacing(isRefused: loop == nil)
            guard let loop else {
                connection.shut()
                continue
            }
            descriptors += 1
            shard(of: loop).expect(connection, as: descriptors)
            loops.tell(.adopt(descriptors, connection.peer, loop: loop))
        }
        newcomers = []
    }

    private func shard(of loop: Int) -> SimulatedShard {
        loop == 0 ? shard : simulated[loop - 1].shard
    }

    /// Shows the oracle what a step handled and decided.
    private func check(_ outputs: StepOutputs, firstLoop: Int) {
        var events: [ConnectionEvents.Event] = []
        for loop in unhandled.indices.map({ ($0 + firstLoop) % unhandled.count }) {
            let left = house.loops.unhandledCount(of: loop) + loops.reports[loop].events.list.count
            events += unhandled[loop].dropLast(left)
            unhandled[loop] = unhandled[loop].suffix(left)
        }
        for case .joined(let id, _) in events { known[id] = shard(of: id.loop).connection(id) }
        if let until = house.loops.handledUntil {
            oracle.handledUntil = .nanoseconds(until.nanoseconds)
        }
        oracle.check(events, outputs, isClosing: house.isClosing, at: world.now) { known[$0] }
        let lost = Set(
            events.compactMap { event in
                if case .lost(let id) = event { id } else { nil }
            })
        if outputs.limitsReached[.journal] != nil { oracle.count(.spentJournal) }
        oracle.losing = lost
        if let batch = outputs.decided {
            oracle.decide(batch.effects, at: world.now) { known[$0] }
            isReplayDue = true
        }
        oracle.endStep(
            losing: lost, isIdle: outputs.decided == nil, isClosing: house.isClosing, at: world.now)
        if log.takeBeginning() { oracle.beginSegment() }
        for id in lost { known[id] = nil }
        // What a failed journal has lost is in the state, and in no later one.
        if isReplayDue, house.commits.isIdle, journal.progress.failure == nil {
            isReplayDue = false
            oracle.checkReplay(house.lobby.state.flatMap(\.records))
        }
        world.noteTurn(
            isIdle: events.isEmpty && outputs.decided == nil && outputs.durable.isEmpty
                && outputs.commands.isEmpty)
    }

    private func publish(_ batch: Batch) {
        var news = batch.news.makeIterator()
        for effect in batch.effects {
            let room = oracle.checkPublished(effect)
            if case .news = effect, let item = news.next() {
                guard let room else { continue }
                broadcast(News(item, of: batch, time: world.timeOfDay), of: room)
            } else {
                if case .follow(let id, _) = effect, let room { known[id]?.output.admit(to: room) }
                loops.perform(effect)
            }
        }
        house.published(batch, at: world.instant)
        oracle.noteTold(at: world.now)
    }

    private func broadcast(_ news: News, of room: RoomReferee) {
        let message = news.message
        world.trace("  \(room.name) \(news.seq) \(message.words)")
        let line = message.bytes(as: .json, seq: news.seq, at: news.time)
        room.newsInJSON[news.seq] = String(decoding: line.dropLast(), as: UTF8.self)
        for loop in unhandled.indices { shard(of: loop).expect(news, of: room) }
        loops.tell(.append(news))
    }

    private func goOn(after outputs: StepOutputs) {
        if house.isFinished {
            isGone = true
            return world.restart()
        }
        let goesOn =
            shard.isBusy || outputs.canContinue || !house.isFull && loops.reports[0].isHolding
        let sleeps = !goesOn && !house.isFull && !house.isTimeHeld && !house.isClosing
        let deadline = house.deadline.map { Duration.nanoseconds($0.nanoseconds) }
        if sleeps { oracle.checkSleep(until: deadline, known.values, at: world.now) }
        if let deadline {
            let late: Int64 = dice.chance(in: 20) ? 900_000_000 : 300_000
            wake(at: max(world.now, deadline) + .random(in: 0...late, using: &dice))
        }
        if goesOn { wake() }
    }
}

/// A journal that records the beginning of segments, and may make each batch durable at once.
private final class ObservedLog: EventLog {
    private let journal: Journal
    /// What is done when a batch was written at once; nil if that is left to others.
    private let didWrite: (() -> Void)?
    private var hasBegun = false

    init(_ journal: Journal, didWrite: (() -> Void)? = nil) {
        (self.journal, self.didWrite) = (journal, didWrite)
    }

    /// Whether a segment was begun since the last call.
    func takeBeginning() -> Bool {
        defer { hasBegun = false }
        return hasBegun
    }

    var progress: LogProgress { journal.progress }

    func append(_ batch: LogBatch) -> Int { write(journal.append(batch)) }

    func beginSegment(state: @escaping @Sendable () -> LogBatch) -> Int {
        hasBegun = true
        return write(journal.beginSegment(state: state))
    }

    func close() {}

    private func write(_ number: Int) -> Int {
        guard let didWrite else { return number }
        if let group = journal.takeGroup() { _ = journal.write(group) }
        didWrite()
        while journal.removeOldSegment() {}
        return number
    }
}
