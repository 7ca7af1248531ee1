import Basics
import House
import Posix
import Transport

/// The connections of one loop, which execute commands and report what happened.
package protocol LoopConnections: AnyObject {
    /// Executes a command of the actor.
    func execute(_ command: LoopCommand)
    /// Performs an effect on its connection, as the command for it does, without making a command.
    func perform(_ effect: Effect)
    /// Adds to a report what happened since the last call.
    func report(into report: inout LoopReport)
}

/// The loops of a server: the actor sends them commands and takes their reports.
///
/// The connections of the actor's own loop, number 0, are called directly. The others execute their
/// commands and report in their own turns, through a mailbox. Only the thread of the actor's loop
/// uses this object.
package final class Loops {
    /// A loop with a thread of its own.
    package struct Other {
        fileprivate let mailbox: Mailbox
        fileprivate let wake: () -> Void
        /// The commands since the last hand-over.
        fileprivate var commands: [LoopCommand] = []

        /// Makes the actor's side of a mailbox; `wake` wakes the loop.
        package init(_ mailbox: Mailbox, wake: @escaping () -> Void) {
            (self.mailbox, self.wake) = (mailbox, wake)
        }
    }

    private let own: any LoopConnections
    private var others: [Other]
    /// What each loop has reported and the house has not taken.
    package var reports: [LoopReport]

    package init(_ own: any LoopConnections, _ others: [Other]) {
        (self.own, self.others) = (own, others)
        reports = Array(repeating: LoopReport(), count: 1 + others.count)
    }

    /// What was sent to all connections, according to the last reports.
    package var figures: LoopFigures { reports.map(\.figures).reduce(LoopFigures(), +) }

    /// Gives a command to its loop, or to all loops if it is for all.
    package func tell(_ command: LoopCommand) {
        switch command.loop {
        case 0: own.execute(command)
        case let loop?: others[loop - 1].commands.append(command)
        case nil:
            own.execute(command)
            for index in others.indices { others[index].commands.append(command) }
        }
    }

    /// Tells the loop of a connection to perform an effect on it.
    package func perform(_ effect: Effect) {
        switch effect.session?.loop {
        case 0: own.perform(effect)
        case let loop?: others[loop - 1].commands.append(.perform(effect))
        case nil: break
        }
    }

    /// Puts the commands since the last call into the mailboxes, and wakes the loops.
    package func handOver() {
        for index in others.indices where !others[index].commands.isEmpty {
            others[index].mailbox.add(&others[index].commands)
            others[index].wake()
        }
    }

    /// Adds to the reports what happened on all loops.
    ///
    /// The report of another loop is taken only when its last one was handled.
    ///
    /// - Throws: What ended another loop.
    package func collectReports() throws {
        own.report(into: &reports[0])
        for (index, other) in others.enumerated() {
            if try other.mailbox.take(&reports[index + 1]) { other.wake() }
        }
    }
}

/// The commands and the report that the actor's loop and another loop exchange.
///
/// Guarded by one lock. The reader swaps its emptied arrays for the full ones, so no memory
/// is allocated.
package final class Mailbox: Sendable {
    /// The bytes of news and the number of commands above which the actor's loop handles no input.
    ///
    /// It continues when the other loop has taken them.
    private static let (backlogBytes, backlogCommands) = (64 * 1024, 32 * 1024)
    /// An array with more room than this is freed when it is emptied.
    private static let keptCommands = 4096

    private struct State {
        var commands: [LoopCommand] = []
        /// The bytes of news in the commands.
        var newsBytes = 0
        var report = LoopReport()
        /// The instant for which a report is requested; nil if none is.
        var requestedUntil: Instant?
        var failure: (any Error)?

        var hasBacklog: Bool {
            newsBytes > Mailbox.backlogBytes || commands.count > Mailbox.backlogCommands
        }
    }

    private let state = Locked(State())

    package init() {}

    // The actor's side

    /// Adds commands, and empties the list.
    ///
    /// A request for a report holds until a report answers it. A loop that waits for the actor's
    /// loop does not answer, so that two waiting loops do not wake each other.
    package func add(_ commands: inout [LoopCommand]) {
        state.withLock { state in
            for command in commands {
                switch command {
                case .append(let news): state.newsBytes += news.line.count
                case .report(_, let until): state.requestedUntil = until
                case .adopt, .perform, .silence, .unsilence, .closeOneFinishing, .drain: break
                }
            }
            if state.commands.isEmpty {
                swap(&state.commands, &commands)
            } else {
                state.commands += commands
            }
        }
        Self.empty(&commands)
    }

    /// Takes the report, unless events of the last one are still unhandled.
    ///
    /// Returns whether the loop must be woken, because it waits for this before it reads more.
    ///
    /// - Throws: What ended the loop.
    package func take(_ report: inout LoopReport) throws -> Bool {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            (report.hasBacklog, report.hasMore) = (state.hasBacklog, !report.events.isEmpty)
            guard !report.hasMore else { return false }
            report.add(&state.report)
            state.report.isHolding = false
            return report.isHolding
        }
    }

    // The side of the other loop

    /// Takes the commands.
    ///
    /// Returns how many bytes of the loop's events the actor's loop has not taken, and whether
    /// there was a backlog; then the actor's loop must be woken.
    package func take(_ commands: inout [LoopCommand]) -> (untaken: Int, hadBacklog: Bool) {
        Self.empty(&commands)
        return state.withLock { state in
            let hadBacklog = state.hasBacklog
            swap(&commands, &state.commands)
            state.newsBytes = 0
            return (state.report.events.bytes.count, hadBacklog)
        }
    }

    /// Adds a report; without a `readUntil` of its own it keeps that of the report before.
    ///
    /// Returns whether the actor's loop must be woken, and whether the loop should turn again at
    /// once: because it need not wait any more, or because a report for a later instant is
    /// requested.
    package func add(_ report: inout LoopReport) -> (isNews: Bool, mustTurn: Bool) {
        state.withLock { state in
            var (isReport, isEarly) = (false, false)
            if let requested = state.requestedUntil, let readUntil = report.readUntil {
                (isReport, isEarly) = (readUntil >= requested, readUntil < requested)
            }
            if isReport { state.requestedUntil = nil }
            let isNews = !report.events.isEmpty || isReport
            report.readUntil = report.readUntil ?? state.report.readUntil
            state.report.add(&report)
            return (isNews, isEarly || state.report.isHolding && state.report.events.isEmpty)
        }
    }

    /// Records that the loop has ended with an error.
    package func fail(_ error: any Error) {
        state.withLock { $0.failure = error }
    }

    private static func empty(_ commands: inout [LoopCommand]) {
        commands.removeAll(keepingCapacity: commands.capacity <= keptCommands)
    }
}

/// A loop beside the actor's, with a thread of its own.
///
/// Unchecked: from `start` to `stop`, only that thread uses anything but the mailbox and the loop.
final class LoopThread: @unchecked Sendable {
    /// The bytes not yet taken by the actor's loop above which this loop reads nothing.
    ///
    /// So about as much is read from a connection before the actor's loop silences it.
    private static let untakenByteLimit = 16 << 10

    let mailbox = Mailbox()
    let loop: EventLoop
    private let shard: Shard
    private let wakeActor: @Sendable () -> Void
    private var thread: Thread?
    private var commands: [LoopCommand] = []
    private var report = LoopReport()

    /// - Throws: `SystemError` if no descriptor is left.
    init(
        number: Int, poller: PollerKind, _ limits: ConnectionLimits,
        wakeActor: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        loop = try EventLoop(poller: poller)
        shard = Shard(loop, number: number, limits)
        self.wakeActor = wakeActor
    }

    /// The actor's side of the loop.
    var other: Loops.Other { Loops.Other(mailbox, wake: { [loop] in loop.wake() }) }

    /// Starts the thread.
    ///
    /// - Throws: `SystemError` if the machine has no thread left.
    func start() throws(SystemError) {
        thread = try Thread { self.run() }
    }

    /// Stops the thread and waits for its end; what is not sent by then is dropped.
    func stop() {
        loop.stop()
        thread.take()?.join()
    }

    private func run() {
        do {
            try loop.run { turn($0, polledAt: $1) }
        } catch {
            mailbox.fail(error)
            wakeActor()
        }
    }

    /// Runs one turn, and returns when the next is due.
    private func turn(_ ready: [Readiness], polledAt: Instant) -> Instant? {
        let now = Instant.now
        let (untaken, hadBacklog) = mailbox.take(&commands)
        if hadBacklog { wakeActor() }
        for command in commands { shard.execute(command) }
        shard.beginReading(polledAt: polledAt, isAhead: untaken > Self.untakenByteLimit)
        for readiness in ready { shard.heed(readiness) }
        shard.send(at: now)
        shard.report(into: &report)
        let (isNews, mustTurn) = mailbox.add(&report)
        if isNews { wakeActor() }
        return shard.isBusy || mustTurn ? now : shard.deadline
    }
}
