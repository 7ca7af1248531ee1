import Saleroom
import Server
import TestSupport

extension House {
    func turn() {
        world.trace("turn")
        catchUp()
        hearUnheard()
        hearEverybody()
        room.expire(at: world.instant, isHeard: isHeard)
        repeat {
            record()
            speakDurable()
            for connection in connections { connection.flush() }
        } while attendToFallen()
        noteSent()
        connections.removeAll { lost.contains($0.id) }
        lost = []
        if room.isStopped { shutDown() }
        if clerk.isIdle { world.witness.checkReplay(room) }
        writeSoon()
        lastTurn = world.now
        goOn()
    }

    func catchUp() {
        clerk.catchUp()
        if clerk.failure != nil { abandon() }
    }

    func record() {
        let effects = room.takeEffects()
        world.witness.decide(effects, at: world.now) { id in connection(id) }
        world.witness.unseat(lost)
        clerk.record(effects, state: { room.state })
    }

    func attendToFallen() -> Bool {
        let fallen = connections.filter { $0.takeFallen() }
        for connection in fallen { room.resync(connection.id, at: world.instant) }
        return !fallen.isEmpty
    }

    func goOn() {
        if isClosing { return closeIfDone() }
        if let due = room.deadline {
            let late = dice.chance(in: 20) ? 900_000_000 : 300_000
            wake(
                at: .nanoseconds(due.nanoseconds) + .random(in: 0...Int64(late), using: &dice))
        }
        if let due = backlog.deadline { wake(at: .nanoseconds(due.nanoseconds)) }
        if backlog.hasReady || connections.contains(where: isReadable) { wake() }
    }

    func connection(_ id: SessionID) -> Connection? {
        connections.first { $0.id == id }
    }
}
