import Saleroom
import Server
import TestSupport

extension House {
    func turn() {
        world.trace("turn")
        catchUp()
        hearEverybody()
        room.expire(at: world.instant)
        repeat {
            record()
            speakDurable()
            for connection in connections { connection.flush() }
        } while attendToFallen()
        if room.isStopped { shutDown() }
        if clerk.isIdle { world.witness.checkReplay(room) }
        writeSoon()
        goOn()
    }

    func catchUp() {
        clerk.catchUp()
        if clerk.failure != nil { abandon() }
    }

    func hearEverybody() {
        for connection in newcomers {
            connections.append(connection)
            room.join(connection.id, from: connection.visitor.address, at: world.instant)
        }
        newcomers = []
        // Whoever the kernel names first is heard first.
        let first = connections.isEmpty ? 0 : Int.random(in: connections.indices, using: &dice)
        for connection in Array(connections[first...] + connections[..<first]) { hear(connection) }
    }

    func hear(_ connection: Connection) {
        if connection.hasBroken {
            room.leave(connection.id)
            connections.removeAll { $0 === connection }
            return
        }
        if !connection.arrived.isEmpty {
            let taken = room.receive(
                connection.arrived.span, from: connection.id, at: world.instant)
            connection.arrived.removeFirst(taken)
        }
        if connection.hasEnded, connection.arrived.isEmpty {
            connection.hasEnded = false
            room.end(connection.id, at: world.instant)
        }
    }

    func record() {
        let effects = room.takeEffects()
        world.witness.decide(effects, at: world.now) { id in connection(id) }
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
        if connections.contains(where: { !$0.arrived.isEmpty }) { wake() }
    }

    func connection(_ id: SessionID) -> Connection? {
        connections.first { $0.id == id }
    }
}
