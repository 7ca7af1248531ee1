import Server
import ServerCore
import TestSupport

/// A loop beside the actor's, with a thread of its own.
///
/// Its turn is that of `ShardLoop`. What it and the actor's loop exchange goes through a real
/// mailbox, and each has its next turn after a drawn delay.
final class Loop {
    let mailbox = Mailbox()
    let shard: SimulatedShard
    private let house: House
    private let world: World
    private var dice: SplitMix64
    private var report = LoopReport()
    private var commands = ShardCommands()
    private var nextTurn: Duration?
    /// When the last turn ended and the poll began.
    private var lastTurn = Duration.zero
    /// When the poll ended whose turn has not begun; nil while the poll waits.
    private var polledAt: Duration?
    private var standsStillUntil = Duration.zero

    init(_ number: Int, _ house: House, _ world: World, seed: UInt64) {
        (self.house, self.world) = (house, world)
        shard = SimulatedShard(number, world)
        dice = SplitMix64(seed: seed)
    }

    func standStill(for duration: Duration) {
        standsStillUntil = max(standsStillUntil, world.now + duration)
    }

    /// Has a turn soon, or late where loops are slow.
    func wake() {
        wake(at: world.now + world.loopDelay(&dice))
    }

    private func wake(at time: Duration) {
        let time = max(time, standsStillUntil, house.standsStillUntil)
        if let nextTurn, nextTurn <= time { return }
        nextTurn = time
        world.at(time) { [self] in
            guard !house.isGone, nextTurn == time else { return }
            nextTurn = nil
            if world.now < max(standsStillUntil, house.standsStillUntil) { return wake() }
            if polledAt == nil {
                polledAt = world.now
                if let preemption = world.preemption(due: house.core.input.room.deadline, &dice) {
                    standStill(for: preemption)
                    return wake(at: standsStillUntil)
                }
            }
            turn(polledAt: polledAt.take() ?? world.now)
        }
    }

    private func turn(polledAt: Duration) {
        world.trace("turn of loop \(shard.number)")
        let (untaken, hadBacklog) = mailbox.take(&commands)
        if hadBacklog { house.wake() }
        commands.execute(on: shard)
        shard.read(
            polledAt: polledAt, lastTurn: lastTurn,
            isAhead: untaken > world.plan.terms.mostRead)
        shard.send()
        shard.report(into: &report)
        world.noteTurn(isIdle: report.events.isEmpty && commands.isEmpty)
        let (isNews, mustTurn) = mailbox.report(
            &report.events, readUntil: report.readUntil?.nanoseconds, isHolding: shard.isHolding)
        lastTurn = world.now
        if isNews { house.wake() }
        if mustTurn || shard.isBusy { wake() }
    }
}
