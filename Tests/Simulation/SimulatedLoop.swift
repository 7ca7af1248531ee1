import House
import Server
import TestSupport

/// When the thread of a loop polls and turns.
///
/// A poll waits until something wakes the loop. The turn follows at once, or later if the thread is
/// preempted in between.
final class LoopTimer {
    private let world: World
    /// Gone when no turn follows.
    private weak let server: ServerProcess?
    private var dice: SplitMix64
    private var nextTurn: Duration?
    /// When the poll ended whose turn has not begun; nil while the poll waits.
    private var polledAt: Duration?
    private var standsStillUntil = Duration.zero
    /// When the last turn ended and the poll began.
    private(set) var lastTurn = Duration.zero

    init(_ server: ServerProcess, _ world: World, seed: UInt64) {
        (self.server, self.world) = (server, world)
        dice = SplitMix64(seed: seed)
    }

    func standStill(for duration: Duration) {
        standsStillUntil = max(standsStillUntil, world.now + duration)
    }

    /// Wakes the loop at a time, or when its thread runs again.
    func wake(at time: Duration, _ turn: @escaping (_ polledAt: Duration) -> Void) {
        let time = max(time, runsFrom)
        if let nextTurn, nextTurn <= time { return }
        nextTurn = time
        world.at(time) { [self] in
            guard server?.isGone == false, nextTurn == time else { return }
            nextTurn = nil
            if world.now < runsFrom || isPreempted() { return wake(at: world.now, turn) }
            turn(polledAt.take() ?? world.now)
            lastTurn = world.now
        }
    }

    /// When neither the thread nor the process stands still any more.
    private var runsFrom: Duration { max(standsStillUntil, server?.standsStillUntil ?? .zero) }

    /// Notes the end of a poll; true if the thread does not run at once.
    private func isPreempted() -> Bool {
        guard polledAt == nil else { return false }
        polledAt = world.now
        guard let pause = world.preemption(due: server?.house.lobby.deadline, &dice) else {
            return false
        }
        standStill(for: pause)
        return true
    }
}

/// A loop beside the actor's, with a thread of its own.
///
/// Its turn is that of `LoopThread`. It and the actor's loop exchange commands and events through a
/// real mailbox, and each has its next turn after a drawn delay.
final class SimulatedLoop {
    let mailbox = Mailbox()
    let shard: SimulatedShard
    private unowned let server: ServerProcess
    private let world: World
    private let timer: LoopTimer
    private var dice: SplitMix64
    private var report = LoopReport()
    private var commands: [LoopCommand] = []

    init(_ number: Int, _ server: ServerProcess, _ world: World, seed: UInt64) {
        (self.server, self.world) = (server, world)
        shard = SimulatedShard(number, world)
        dice = SplitMix64(seed: seed)
        timer = LoopTimer(server, world, seed: ~seed)
    }

    func standStill(for duration: Duration) {
        timer.standStill(for: duration)
    }

    /// Wakes the loop soon, or late where loops are slow.
    func wake() {
        timer.wake(at: world.now + world.loopDelay(&dice)) { [unowned self] in turn(polledAt: $0) }
    }

    private func turn(polledAt: Duration) {
        world.trace("turn of loop \(shard.number)")
        let (untaken, hadBacklog) = mailbox.take(&commands)
        if hadBacklog { server.wake() }
        for command in commands { shard.execute(command) }
        shard.read(
            polledAt: polledAt, lastTurn: timer.lastTurn,
            isAhead: untaken > world.plan.terms.mostRead)
        shard.send()
        shard.report(into: &report)
        world.noteTurn(isIdle: report.events.isEmpty && commands.isEmpty)
        let (isNews, mustTurn) = mailbox.add(&report)
        if isNews { server.wake() }
        if mustTurn || shard.isBusy { wake() }
    }
}
