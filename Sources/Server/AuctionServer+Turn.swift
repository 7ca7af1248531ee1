import AuctionRules
import Saleroom
import Transport

extension AuctionServer {
    /// After so many sends those who bid meanwhile are heard: a quarter of a millisecond.
    private static let sendsPerTurn = 128

    /// Serves one turn: hear, decide, make durable, then speak.
    ///
    /// Returns when the next is due, in nanoseconds of the monotonic clock.
    func turn(_ ready: [Readiness]) throws -> Int64? {
        let now = Instant.now
        catchUp()
        hearUnheard(at: now)
        for readiness in ready { try hear(readiness, at: now) }
        // Whoever is held may have bid in time: they are heard before a hammer falls.
        if !isFull { room.expire(at: now) }
        connections.expire(at: now.nanoseconds)
        try doors.expire(at: now.nanoseconds)
        try settle()
        if !isFull { connections.releaseHeld() }
        if endsWithFirstLot, sales.first != nil || room.isOver { shutDown() }
        if canHearUnheard || connections.isBehind { return now.nanoseconds }
        return [
            isFull ? nil : room.deadline?.nanoseconds, connections.deadline, doors.deadline,
            closingDeadline(at: now),
        ].compactMap { $0 }.min()
    }

    /// Makes what has happened durable, speaks and sends, until nothing comes of that any more.
    private func settle() throws {
        repeat {
            clerk.record(room.takeEffects(), state: { room.state })
            speakDurable()
            connections.flush(slice: Self.sendsPerTurn)
        } while try attendToFallenAndEnded()
    }

    private func attendToFallenAndEnded() throws -> Bool {
        let fallen = connections.takeFallen()
        for handle in fallen { room.resync(SessionID(handle), at: .now) }
        let ended = connections.takeEnded()
        for ending in ended { try lose(ending.handle) }
        return !(fallen.isEmpty && ended.isEmpty)
    }

    /// Forgets a connection that has gone, and closes it if that is still to be done; there is room
    /// for another now.
    func lose(_ handle: Handle) throws {
        room.leave(SessionID(handle))
        connections.close(handle)
        formats[handle] = nil
        unheard[handle] = nil
        try doors.reopen()
    }
}
