import Saleroom
import Server
import TestSupport

// Who is heard, and when: as `AuctionServer` does it with those of its own loop.
extension House {
    func hearEverybody() {
        letIn()
        // Whoever the kernel names first is heard first.
        let first = connections.isEmpty ? 0 : Int.random(in: connections.indices, using: &dice)
        for connection in Array(connections[first...] + connections[..<first]) { hear(connection) }
    }

    private func letIn() {
        for connection in newcomers {
            connections.append(connection)
            world.witness.seat(connection)
            room.join(connection.id, from: connection.visitor.address, at: world.instant)
        }
        newcomers = []
    }

    private func hear(_ connection: Connection) {
        if connection.hasBroken { return lose(connection) }
        guard isReadable(connection) else { return }
        let bytes = connection.arrived
        connection.arrived = []
        if keepRest(of: bytes[...], from: connection.id) > 0 {
            askedWhenSent.append(connection.id)
        } else if connection.hasEnded {
            connection.hasEnded = false
            room.end(connection.id, at: world.instant)
        }
    }

    /// Whether something is there to be heard of a connection that is read from.
    func isReadable(_ connection: Connection) -> Bool {
        guard connection.hasEnded || !connection.arrived.isEmpty else { return false }
        return isHeard(connection.id)
    }

    /// Whether we hear all that a connection says, as far as we know.
    func isHeard(_ id: SessionID) -> Bool {
        !backlog.holds(id) && connection(id)?.isPaused != true
    }

    /// Hears what was kept of those whose time has come, and who have been sent what they asked for.
    func hearUnheard() {
        backlog.expire(at: world.instant)
        while let (id, kept) = backlog.takeReady() {
            checkDue(id)
            let left = keepRest(of: kept.bytes[...], from: id)
            if left > 0 { askedWhenSent.append(id) }
            if left == kept.bytes.count { world.witness.report(.due, "nothing of \(id) is heard") }
        }
    }

    /// Holds that this is the first turn in which somebody is due, and comes when they are.
    private func checkDue(_ id: SessionID) {
        guard let due = dues.removeValue(forKey: id), due > lastTurn, !isClosing else { return }
        if world.now > max(due, standsStillUntil) {
            world.witness.report(.due, "\(id) is heard late, which was due at \(due.stopwatch)")
        }
    }

    /// Hears bytes and keeps what the room does not take, which is so many.
    private func keepRest(of bytes: ArraySlice<UInt8>, from id: SessionID) -> Int {
        let rest = Array(bytes.dropFirst(room.receive(bytes.span, from: id, at: world.instant)))
        guard !rest.isEmpty else { return 0 }
        let due = room.due(of: id, at: world.instant)
        backlog.keep(rest, of: id, until: due)
        dues[id] = due.map { .nanoseconds($0.nanoseconds) }
        return rest.count
    }

    /// Notes who has been sent what they asked for.
    func noteSent() {
        for id in askedWhenSent where connection(id)?.isPaused != true { backlog.sent(id) }
        askedWhenSent.removeAll { connection($0)?.isPaused != true }
    }

    private func lose(_ connection: Connection) {
        room.leave(connection.id, at: world.instant)
        backlog.remove(connection.id)
        lost.insert(connection.id)
    }
}
