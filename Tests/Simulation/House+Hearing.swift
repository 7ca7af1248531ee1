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
        if !keepRest(of: bytes[...], from: connection.id), connection.hasEnded {
            connection.hasEnded = false
            room.end(connection.id, at: world.instant)
            if room.isAnswering(connection.id) {
                backlog.keep([], of: connection.id, until: nil)
                room.askToConfirm(connection.id)
            }
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
            let wasAnswering = room.isAnswering(id)
            let left = kept.bytes.count
            if keepRest(of: kept.bytes[...], from: id, isConfirmed: true), !wasAnswering, left > 0,
                backlog.byteCount(of: id) == left
            {
                world.witness.report(.due, "nothing of \(id) is heard")
            }
        }
    }

    /// Holds that this is the first turn in which somebody is due, and comes when they are.
    private func checkDue(_ id: SessionID) {
        guard let due = dues.removeValue(forKey: id), due > lastTurn, !isClosing else { return }
        if world.now > max(due, standsStillUntil) {
            world.witness.report(.due, "\(id) is heard late, which was due at \(due.stopwatch)")
        }
    }

    /// Hears bytes and keeps what the room does not take; false if it takes everything.
    private func keepRest(
        of bytes: ArraySlice<UInt8>, from id: SessionID, isConfirmed: Bool = false
    ) -> Bool {
        let taken = room.receive(
            bytes.span, from: id, at: world.instant, isConfirmed: isConfirmed)
        guard taken < bytes.count || room.mustWait(id) else { return false }
        let due = room.due(of: id, at: world.instant)
        backlog.keep(Array(bytes.dropFirst(taken)), of: id, until: due)
        room.askToConfirm(id)
        dues[id] = due.map { .nanoseconds($0.nanoseconds) }
        return true
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
