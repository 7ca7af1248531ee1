import AuctionRules
import Posix
import Saleroom
import Transport

extension AuctionServer {
    /// Serves one turn: hear, decide, make durable, then speak.
    ///
    /// Everything that one poll found is read, in this turn or, if there is no room, in the next
    /// ones. Then time advances to `polledAt`, the instant at which that poll began: it has found
    /// everything that arrived until then. What is heard in the turn has the time of now. So a
    /// turn's work is finite, whatever arrives meanwhile.
    ///
    /// Returns when the next is due, in nanoseconds of the monotonic clock. That may be an instant
    /// between `polledAt` and now; then the next poll does not sleep.
    func turn(_ ready: [Readiness], polledAt: Instant) throws -> Int64? {
        let now = Instant.now
        try catchUp()
        room.setTimeOfDay(wallClockMilliseconds(), at: now)
        room.answerBudget = hearingLimits.answersPerTurn
        hearUnheard(at: now)
        try hearRound(ready, polledAt: polledAt, at: now)
        if let heard = shard.connections.readUntil {
            passTime(to: Instant(nanoseconds: heard), at: now)
        }
        shard.connections.expire(at: now.nanoseconds)
        try acceptor.expire(at: now.nanoseconds)
        try settle(at: now)
        noteSent()
        keepLog(at: now)
        if room.isStopped || endsWithFirstLot && (sales.first != nil || room.isOver) { shutDown() }
        if shard.connections.isBehind || canHearMore { return now.nanoseconds }
        return deadline(at: now)
    }

    /// When something is due that nobody has to say; time in the room may have to wait for others.
    private func deadline(at now: Instant) -> Int64? {
        let isRoundDone = shard.connections.readUntil != nil
        let due = isTimeHeld || !isRoundDone ? nil : room.deadline?.nanoseconds
        let hearing = earliest(
            isFull ? nil : inputBuffer.deadline?.nanoseconds,
            isRoundDone ? handshakes.deadline?.nanoseconds : nil)
        let withheld = log.hasWithheld ? now.advanced(by: .seconds(1)).nanoseconds : nil
        return earliest(
            earliest(earliest(earliest(due, withheld), hearing), shard.connections.deadline),
            earliest(
                earliest(acceptor.deadline, limitLog.deadline?.nanoseconds),
                closingDeadline(at: now)))
    }

    /// Writes whom the limits stopped, and hands over what the turn has written.
    private func keepLog(at now: Instant) {
        for (limit, count) in room.takeLimitsReached() { limitLog.note(limit, count: count) }
        limitLog.expire(at: now, log)
        log.handOver()
    }

    /// Makes what has happened durable, speaks and sends, until nothing comes of that any more.
    private func settle(at now: Instant) throws {
        repeat {
            for passage in room.takePassages() { log.write(passage) }
            commits.record(room.takeEffects(), state: { room.state })
            speakDurable()
            for other in others { other.handOver() }
            shard.flush()
        } while try attendToFallenAndEnded(at: now)
    }

    private func attendToFallenAndEnded(at now: Instant) throws -> Bool {
        let fallen = shard.connections.takeFallen()
        for handle in fallen { room.resync(SessionID(handle, shard: 0), at: now) }
        let ended = shard.connections.takeEnded()
        for ending in ended {
            let reason: Passage.Reason = ending.cause == .stalled ? .stalled : .reset
            try lose(SessionID(ending.handle, shard: 0), because: reason, at: now)
        }
        return !(fallen.isEmpty && ended.isEmpty)
    }

    /// Forgets a connection that has gone, and closes it if that is still to be done; there is room
    /// for another now.
    func lose(
        _ id: SessionID, because reason: Passage.Reason = .reset, at now: Instant
    ) throws {
        if !endHandshake(of: id, because: "reset") { room.leave(id, because: reason, at: now) }
        if id.shard == 0 { shard.close(id.handle) }
        inputBuffer.remove(id)
        try acceptor.resume()
    }
}

/// The earlier of two times, of which either may not be.
private func earliest(_ first: Int64?, _ second: Int64?) -> Int64? {
    guard let first, let second else { return first ?? second }
    return min(first, second)
}
