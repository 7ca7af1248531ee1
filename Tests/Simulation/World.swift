import Auction
import Basics
import DiskSupport
import Journal
import Posix
import Reactive
import TestSupport

/// A server, its clients and their machine, on one timeline.
final class World {
    /// How long everything works at the end, beyond what a lot takes.
    private static let calm = Duration.seconds(60)
    /// With more turns in a row that do nothing, loops keep each other awake.
    private static let mostIdleTurns = 100

    /// The disk as it was right before a call.
    private final class DiskSnapshot: Sendable {
        private let state = Locked<MemoryDisk?>(nil)

        var disk: MemoryDisk? { state.withLock { $0 } }

        /// Copies what a crash in the n-th call from now on would leave.
        init(of disk: MemoryDisk, call: Int, _ crash: Crash) {
            disk.before(call: call) { [self] in
                state.withLock { $0 = crash.remains(of: disk) }
            }
        }
    }

    let plan: Plan
    let oracle: Oracle
    private let timeline = Timeline()
    private var subscriptions: [Subscription] = []
    private let keepsTrace: Bool
    private(set) var lines: [String] = []

    /// The server that runs; nil while none does.
    private(set) var server: ServerProcess?
    private(set) var disk = MemoryDisk()
    private var starts: UInt64 = 0
    private(set) var clients: [Client] = []

    /// How long writes take at most, and until when.
    var slowness: (each: Duration, until: Duration) = (.zero, .zero)
    /// How long the next write takes; nil for as long as others.
    var stall: Duration?
    /// The number of newcomers' sockets that will fail.
    var failingSockets = 0
    var clockOffset = Duration.zero
    /// A crash in a call to the disk that has not come.
    private var pendingCrash: (crash: Crash, snapshot: DiskSnapshot)?
    private var idleTurns = 0
    /// Whether nothing goes wrong any more.
    private(set) var isQuiet = false

    init(_ plan: Plan, keepsTrace: Bool) {
        (self.plan, self.keepsTrace) = (plan, keepsTrace)
        oracle = Oracle(plan.terms)
    }

    var now: Duration { timeline.now }
    var instant: Instant { Instant(nanoseconds: now.nanoseconds) }
    /// Milliseconds since 1970, as the wall clock shows them.
    var timeOfDay: Int64 { 1_790_000_000_000 + (now + clockOffset).nanoseconds / 1_000_000 }

    func at(_ time: Duration, _ action: @escaping () -> Void) {
        subscriptions.append(timeline.schedule(at: time, action))
    }

    func trace(_ text: @autoclosure () -> String) {
        guard keepsTrace else { return }
        lines.append("\(now.stopwatch)  \(text())")
    }

    /// Lets everything happen, up to the first promise that is broken.
    func run() {
        clients = (0..<plan.terms.clients).map { Client($0, self) }
        start(MemoryDisk(), again: nil)
        for action in plan.actions { at(action.at) { [self] in perform(action) } }
        let end = plan.actions.last?.at ?? .zero
        at(end + .seconds(30)) { [self] in calmDown() }
        let last = end + Self.calm + .seconds(30)
        while oracle.violation == nil, let next = timeline.nextDeadline, next <= last {
            timeline.advance(to: next)
        }
        if oracle.violation == nil { oracle.checkEnd(self) }
        // They refer to the world.
        (clients, subscriptions, server) = ([], [], nil)
    }

    private func perform(_ action: Action) {
        let client = clients[action.client]
        oracle.count(action.kind.name)
        trace("-- \(client.name): \(action.kind.name)")
        var dice = SplitMix64(seed: action.seed)
        action.kind.perform(client, &dice)
    }

    private func calmDown() {
        (slowness, stall, failingSockets, isQuiet) = ((.zero, .zero), nil, 0, true)
        for client in clients { client.behave() }
        guard plan.terms.classPlan != nil else { return }
        for client in clients { client.attendOrderly(until: now + .seconds(40)) }
    }

    // The machine's loops

    /// Notes that a loop has a reason for a turn.
    func noteEvent() {
        idleTurns = 0
    }

    /// Notes a turn of any loop, and whether it did nothing.
    func noteTurn(isIdle: Bool) {
        idleTurns = isIdle ? idleTurns + 1 : 0
        if idleTurns > Self.mostIdleTurns {
            oracle.report(.restful, "\(idleTurns) turns in a row did nothing")
        }
    }

    /// How long a thread does not run between its poll and its turn; nil for not at all.
    ///
    /// The poll has not found what arrives meanwhile. Often something becomes due in that time.
    func preemption(due: Instant?, _ dice: inout SplitMix64) -> Duration? {
        let short = Duration.random(in: 1000...1_000_000, using: &dice)
        if let left = due.map({ instant.duration(to: $0) }), left > .zero,
            left < .milliseconds(100), dice.chance(in: 4)
        {
            return left + short
        }
        return dice.chance(in: 16) ? short * 100 : nil
    }

    /// How long it takes until a loop beside the actor's has its next turn.
    func loopDelay(_ dice: inout SplitMix64) -> Duration {
        let isLate = !isQuiet && !plan.terms.isCalm && dice.chance(in: 8)
        return .random(in: 1000...(isLate ? plan.terms.loopLag.nanoseconds : 200_000), using: &dice)
    }

    /// How long the disk takes to write and sync.
    func diskDelay(_ dice: inout SplitMix64) -> Duration {
        if let stall = stall.take() { return stall }
        guard !plan.terms.isCalm else { return .microseconds(100) }
        guard now < slowness.until else { return .random(in: 50_000...4_000_000, using: &dice) }
        return .random(in: 0...slowness.each.nanoseconds, using: &dice)
    }

    // Starts and ends of the server

    /// Crashes the server now, or in a later call to the disk.
    func suffer(_ crash: Crash) {
        guard server != nil else { return }
        if let call = crash.duringCall {
            pendingCrash = (crash, DiskSnapshot(of: disk, call: call, crash))
        } else {
            end(crash, leaving: crash.remains(of: disk))
        }
    }

    /// Whether the server crashed in the middle of what the disk has just done.
    func crashedInCall() -> Bool {
        guard let (crash, snapshot) = pendingCrash, let left = snapshot.disk else { return false }
        end(crash, leaving: left)
        return true
    }

    private func end(_ crash: Crash, leaving left: MemoryDisk) {
        trace("-- the server crashes")
        if oracle.roomCount > 1 { oracle.count(.crashWithRooms) }
        let connections = server?.connections ?? []
        server?.crash()
        (server, pendingCrash) = (nil, nil)
        for (connection, delay) in zip(connections, crash.delays()) {
            at(now + delay) { connection.client.lose(connection, "its server crashed") }
        }
        at(now + crash.downtime) { [self] in start(left, again: crash) }
    }

    /// Starts another server after one that has ended in good order.
    func restart() {
        for connection in server?.connections ?? [] { connection.shut() }
        (server, pendingCrash) = (nil, nil)
        at(now + .milliseconds(200)) { [self] in start(disk.afterKill, again: nil) }
    }

    private func start(_ found: MemoryDisk, again crash: Crash?) {
        (disk, starts) = (found, starts + 1)
        let second = crash.flatMap { crash in
            crash.againDuringCall.map { (crash, DiskSnapshot(of: found, call: $0, crash)) }
        }
        do throws(JournalError) {
            let opened = try ServerProcess(self, found, seed: plan.seed &+ starts &* 7919)
            if let (crash, snapshot) = second, let left = snapshot.disk {
                trace("-- the server crashes while it starts")
                oracle.count(.crashInRecovery)
                return at(now + crash.downtime) { [self] in start(left, again: nil) }
            }
            oracle.recover(found.contents, at: now)
            server = opened
            trace("-- a server starts after event \(oracle.log.last)")
            opened.wake()
        } catch {
            oracle.report(.recovers, "\(error)")
        }
    }
}
