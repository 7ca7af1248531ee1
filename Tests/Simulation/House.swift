import AuctionRules
import DiskSupport
import Lobby
import Sale
import Server
import ServerCore
import Storage
import TestSupport
import Transport
import Wire

/// One run of the server's process, from its start to its end or crash.
///
/// It drives the server's own core as `AuctionServer` does: read, step, publish, send.
final class House {
    private let world: World
    private let disk: MemoryDisk
    private let journal: Journal
    private(set) var core: ServerCore
    private var dice: SplitMix64
    private var newcomers: [Connection] = []
    /// The connections of the actor's own loop.
    private let shard: SimulatedShard
    /// The other loops, and the actor's side of their mailboxes.
    private(set) var loops: [Loop] = []
    private var shards: Shards
    /// The events of each loop that the core was given or is to be given, and has not handled.
    private var unhandled: [[ConnectionEvents.Event]]
    /// The connections that the core knows.
    private var known: [SessionID: Connection] = [:]
    private var descriptors: Int32 = 0

    private var nextTurn: Duration?
    /// When the poll ended whose turn has not begun; nil while the poll waits.
    private var polledAt: Duration?
    /// When the last turn ended and the poll began.
    private var lastTurn = Duration.zero
    private(set) var standsStillUntil = Duration.zero
    private var batch: Journal.Group?
    private var isTaking = false
    private var isShutDown = false
    private(set) var isGone = false

    /// Starts with what the disk holds.
    ///
    /// - Throws: `JournalError` when that is damaged.
    init(_ world: World, _ disk: MemoryDisk, seed: UInt64) throws(JournalError) {
        (self.world, self.disk) = (world, disk)
        dice = SplitMix64(seed: seed)
        var tokens = SplitMix64(seed: dice.next())
        let terms = world.plan.terms
        var replay = SaleReplay()
        (journal, _) = try Journal.open(disk, segmentLimit: terms.segmentBytes) {
            replay.replay($0, $1, $2)
        }
        var room = Lobby(
            rules: terms.rules, catalogue: terms.catalogue, limits: terms.limits,
            resuming: replay.sale, at: world.instant, timeOfDay: world.timeOfDay,
            game: GameID(using: &tokens)
        ) { Token(using: &tokens) }
        room.auctioneerToken = AuctioneerToken(Visitor.auctioneerToken)
        var options = ServerCore.Options()
        (options.loops, options.unsentEffectLimit) = (terms.loops, terms.mostUnsent)
        core = ServerCore(room, CommitQueue(journal), options)
        shard = SimulatedShard(0, world)
        shards = Shards(shard, [])
        unhandled = Array(repeating: [], count: terms.loops)
        loops = (1..<terms.loops).map { number in
            Loop(number, self, world, seed: seed &+ UInt64(number))
        }
        shards = Shards(
            shard, loops.map { loop in RemoteShard(loop.mailbox, wake: { loop.wake() }) })
    }

    // What comes from outside.

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
        core.shutDown(at: world.instant)
        wake()
    }

    /// Ends without a word; nothing that was scheduled happens any more.
    func crash() {
        isGone = true
        for connection in everybody { connection.cut() }
    }

    /// Ends with everything said.
    func leave() {
        isGone = true
    }

    /// The connections that are cut by a crash, or told that the server ended.
    var everybody: [Connection] {
        newcomers + shard.everybody + loops.flatMap { $0.shard.everybody }
    }

    /// Has a turn soon on the loop of a connection.
    func wake(for connection: Connection) {
        if loops.indices.contains(connection.loop - 1) {
            loops[connection.loop - 1].wake()
        } else {
            wake()
        }
    }

    /// Has a turn soon.
    func wake() {
        wake(at: world.now + .random(in: 1000...200_000, using: &dice))
    }

    private func wake(at time: Duration) {
        let time = max(time, standsStillUntil)
        if let nextTurn, nextTurn <= time { return }
        nextTurn = time
        world.at(time) { [self] in
            guard !isGone, nextTurn == time else { return }
            nextTurn = nil
            if world.now < standsStillUntil { return wake(at: standsStillUntil) }
            if polledAt == nil {
                polledAt = world.now
                if let preemption = world.preemption(due: core.input.room.deadline, &dice) {
                    standStill(for: preemption)
                    return wake(at: standsStillUntil)
                }
            }
            turn(polledAt: polledAt.take() ?? world.now)
        }
    }

    // The turn.

    private func turn(polledAt: Duration) {
        world.trace("turn")
        read(polledAt: polledAt)
        let isFull = core.isFull || shards.reports.contains { $0.hasBacklog }
        let ready = isFull ? nil : core.nextStoredInput(at: world.instant)
        let (due, first) = (core.input.room.deadline, core.loops.current)
        let outputs = core.step(&shards.reports, at: world.instant, timeOfDay: world.timeOfDay)
        if core.input.room.deadline != due { world.noteEvent() }
        check(outputs, ready, firstLoop: first)
        for batch in outputs.durable { publish(batch) }
        for effect in outputs.effects { perform(effect) }
        shards.finish(outputs.commands)
        shard.send()
        writeSoon()
        lastTurn = world.now
        goOn(outputs)
    }

    private func read(polledAt: Duration) {
        shard.read(
            polledAt: polledAt, lastTurn: lastTurn,
            isAhead: core.isFull || !shards.reports[0].events.isEmpty
        ) { ready in
            // The kernel may name any connection first.
            let first = ready.isEmpty ? 0 : Int.random(in: ready.indices, using: &dice)
            return Array(ready[first...] + ready[..<first])
        }
        letIn()
        let before = shards.reports.map(\.events.list.count)
        do {
            try shards.collectReports { core.connectionCount(of: $0) }
        } catch {
            preconditionFailure("a simulated loop does not fail")
        }
        for (loop, report) in shards.reports.enumerated() {
            unhandled[loop] += report.events.list[before[loop]...]
        }
    }

    private func letIn() {
        for connection in newcomers {
            guard !core.isClosing else {
                connection.visitor.lose(connection, "nobody listens any more")
                continue
            }
            guard let loop = core.placeNewcomer(isLocal: false) else {
                connection.shut()
                continue
            }
            descriptors += 1
            (loop == 0 ? shard : loops[loop - 1].shard).expect(connection, as: descriptors)
            shards[loop].adopt(descriptors, from: connection.visitor.address)
        }
        newcomers = []
    }

    // What the witness is shown.

    private func check(
        _ outputs: StepOutputs, _ ready: (id: SessionID, byteCount: Int)?, firstLoop: Int
    ) {
        var (lost, handled): (Set<SessionID>, Int) = ([], 0)
        for loop in unhandled.indices.map({ ($0 + firstLoop) % unhandled.count }) {
            let left = core.loops.unhandledCount(of: loop) + shards.reports[loop].events.list.count
            handled += unhandled[loop].count - left
            for event in unhandled[loop].dropLast(left) {
                note(event)
                if case .lost(let id) = event { lost.insert(id) }
            }
            unhandled[loop] = unhandled[loop].suffix(left)
        }
        if let until = core.loops.handledUntil {
            world.witness.handledUntil = .nanoseconds(until.nanoseconds)
        }
        if let batch = outputs.decided {
            world.witness.decide(batch.effects, at: world.now) { known[$0] }
        }
        world.witness.unseat(lost)
        for id in lost { known[id] = nil }
        if core.isLogIdle { world.witness.checkReplay(core.input.room.state) }
        checkStoredInput(outputs, ready)
        let isIdle = handled == 0 && outputs.decided == nil && outputs.durable.isEmpty
        world.noteTurn(isIdle: isIdle && ready == nil)
    }

    private func note(_ event: ConnectionEvents.Event) {
        switch event {
        case .joined(let id, _):
            let shard = id.loop == 0 ? shard : loops[id.loop - 1].shard
            guard let connection = shard.connection(id) else { return }
            known[id] = connection
            // A server that ends gives nobody a place.
            if !core.isClosing { world.witness.seat(connection) }
        case .received(let id, let count): known[id]?.unheard.take(count)
        case .refused, .ended, .lost, .fallen, .paused, .unpaused, .finishing, .stalled,
            .drained:
            break
        }
    }

    /// Requires that stored input is handled when it is due, some of it in each step.
    private func checkStoredInput(
        _ outputs: StepOutputs, _ ready: (id: SessionID, byteCount: Int)?
    ) {
        if let (id, byteCount) = ready, byteCount > 0, !isShutDown,
            core.input.storedByteCount(of: id) == byteCount
        {
            world.witness.report(.due, "nothing of \(id) is handled")
        }
        guard !core.isFull else { return }
        if !outputs.canContinue, core.nextStoredInput(at: world.instant) != nil {
            world.witness.report(.due, "stored input waits for nothing")
        }
        if let due = core.input.storedInputDeadline, core.deadline.map({ $0 > due }) ?? true {
            world.witness.report(.due, "stored input is due before the next step")
        }
    }

    // What is said.

    private func publish(_ batch: Batch) {
        var lines = batch.news.makeIterator()
        var newest: Int?
        for effect in batch.effects {
            world.witness.speak(effect, at: world.now)
            if case .news(let message, let seq) = effect, let line = lines.next() {
                broadcast(message, seq, batch.text[line])
                newest = seq
            } else {
                perform(effect)
            }
        }
        core.published(batch, at: world.instant)
        if let newest { world.witness.toldPrices(upTo: newest, at: world.now) }
    }

    private func broadcast(_ message: ServerMessage, _ seq: Int, _ text: ArraySlice<UInt8>) {
        world.trace("  \(seq) \(message.words)")
        let json = message.line(.json, seq: seq, at: world.timeOfDay)
        for loop in unhandled.indices {
            let shard = loop == 0 ? shard : loops[loop - 1].shard
            for (format, line) in [(Format.text, text), (.json, json[...])]
            where shards[loop].isFollowed(in: format) {
                shard.expect(seq, as: format)
                shards[loop].append(line, as: format)
            }
        }
        world.newestTold = seq
    }

    private func perform(_ effect: Effect) {
        if case .admit(let id) = effect { known[id]?.admittedAfter = world.newestTold }
        shards.perform(effect)
    }

    private func goOn(_ outputs: StepOutputs) {
        if core.isFinished { return world.restart() }
        let goesOn = shard.isBusy || outputs.canContinue || !core.isFull && shard.isHolding
        checkDeadline(goesOn)
        if let due = core.deadline {
            let late = dice.chance(in: 20) ? 900_000_000 : 300_000
            wake(
                at: max(world.now, .nanoseconds(due.nanoseconds))
                    + .random(in: 0...Int64(late), using: &dice))
        }
        if goesOn { wake() }
    }

    /// Requires that a loop which sleeps wakes when the room is due.
    private func checkDeadline(_ goesOn: Bool) {
        guard !goesOn, !core.isFull, !core.isTimeHeld, let due = core.input.room.deadline,
            core.deadline.map({ $0 > due }) ?? true
        else { return }
        world.witness.report(.due, "the room is due, and the loop sleeps longer")
    }

    // The disk.

    /// Lets the journal's thread, when it is free, take what is there, and write it for a while.
    private func writeSoon() {
        guard !isTaking, journal.progress.failure == nil else { return }
        isTaking = true
        world.at(later(by: .random(in: 1000...100_000, using: &dice))) { [self] in
            guard !isGone else { return }
            batch = journal.takeGroup()
            guard batch != nil else { return isTaking = false }
            world.at(later(by: world.diskDelay(&dice))) { [self] in keep() }
        }
    }

    private func later(by delay: Duration) -> Duration {
        max(world.now + delay, standsStillUntil)
    }

    private func keep() {
        guard !isGone, let batch = batch.take() else { return }
        if world.now < standsStillUntil {
            self.batch = consume batch
            return world.at(standsStillUntil) { [self] in keep() }
        }
        let isKept = journal.write(batch)
        if world.crashedInCall() { return }
        world.trace(isKept ? "the disk has kept a batch" : "the disk has failed")
        world.witness.read(disk.syncedContents)
        isTaking = false
        world.noteEvent()
        wake()
        if isKept { writeSoon() }
    }
}
