import Saleroom
import Server
import TestSupport

extension House {
    func turn(polledAt: Duration) {
        world.trace("turn")
        let (before, waited) = (world.witness.position, commits.waitingCount)
        catchUp()
        room.answerBudget = hearingLimits.answersPerTurn
        hearUnheard()
        hearEverybody(polledAt: polledAt)
        passTime()
        repeat {
            record()
            speakDurable()
            handOver()
            for connection in connections { connection.flush() }
        } while attendToFallen()
        noteSent()
        connections.removeAll { lost.contains($0.id) }
        for id in lost { guests[id] = nil }
        lost = []
        if room.isStopped { shutDown() }
        if commits.isIdle { world.witness.checkReplay(room) }
        writeSoon()
        (lastTurn, wasFull) = (world.now, isFull)
        world.noteTurn(
            isIdle: world.witness.position == before && commits.waitingCount == waited && !hasWorked
        )
        hasWorked = false
        goOn()
    }

    func catchUp() {
        commits.catchUp()
        if commits.failure != nil { abandon() }
    }

    func record() {
        let effects = room.takeEffects()
        world.witness.decide(effects, at: world.now) { id in connection(id) }
        world.witness.unseat(lost)
        commits.record(effects, state: { room.state })
    }

    func attendToFallen() -> Bool {
        let fallen = connections.filter { $0.takeFallen() }
        for connection in fallen { room.resync(connection.id, at: world.instant) }
        return !fallen.isEmpty
    }

    func goOn() {
        if isClosing { return closeIfDone() }
        if !isTimeHeld, rounds.readUntil != nil, let due = room.deadline {
            let late = dice.chance(in: 20) ? 900_000_000 : 300_000
            wake(
                at: max(world.now, .nanoseconds(due.nanoseconds))
                    + .random(in: 0...Int64(late), using: &dice))
        }
        if !isFull, let due = inputBuffer.deadline { wake(at: .nanoseconds(due.nanoseconds)) }
        if canHearMore || connections.contains(where: { isReadable($0) && !$0.isHeld }) { wake() }
    }

    func connection(_ id: SessionID) -> Connection? {
        id.shard > 0 ? guests[id] : connections.first { $0.id == id }
    }
}
