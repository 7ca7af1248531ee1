import Saleroom
import Server
import TestSupport
import Transport

// Who is heard, and when: as `AuctionServer` does it with those of its own loop.
extension House {
    /// Hears those for whom there was no room in an earlier turn, and then all that is ready.
    func hearEverybody(polledAt: Duration) {
        let wereOthersUnheard = areOthersUnheard
        if wereOthersUnheard { hearOthers() }
        letIn()
        rounds.begin(at: lastTurn.nanoseconds)
        let ready = connections.filter {
            $0.isFound(byPollAt: polledAt) && ($0.hasBroken || isReadable($0) && !$0.isHeld)
        }
        while !isFull, let connection = takeHeld() { hear(connection) }
        // Whoever the kernel names first is heard first.
        let first = ready.isEmpty ? 0 : Int.random(in: ready.indices, using: &dice)
        for connection in Array(ready[first...] + ready[..<first]) { hearReady(connection) }
        if !wereOthersUnheard { hearOthers() }
    }

    private func letIn() {
        for connection in newcomers {
            let loop = loops.isEmpty ? 0 : Int.random(in: 0...loops.count, using: &dice)
            guard loop == 0 else {
                giveAway(connection, to: loop)
                continue
            }
            connections.append(connection)
            connection.beginsToBeRead(at: world.now)
            world.witness.seat(connection)
            room.join(connection.id, from: connection.visitor.address, at: world.instant)
        }
        newcomers = []
    }

    /// Whether so much has not been told yet that no more is heard.
    var isFull: Bool { hearingLimits.isFull(untold: untoldCount) }

    var hearingLimits: HearingLimits { HearingLimits(mostUntold: world.plan.terms.mostUntold) }

    private var untoldCount: Int { commits.waitingCount + room.effectCount }

    /// Whether something that there was no room for can be heard without waiting.
    var canHearMore: Bool {
        !isFull && (areOthersUnheard || inputBuffer.hasReady || rounds.hasHeld)
    }

    private func takeHeld() -> Connection? {
        while let handle = rounds.takeHeld() {
            guard let connection = connections.first(where: { $0.id.handle == handle }),
                !lost.contains(connection.id)
            else { continue }
            connection.isHeld = false
            if connection.hasBroken || isReadable(connection) { return connection }
        }
        return nil
    }

    private func hearReady(_ connection: Connection) {
        guard isFull || !rounds.mayReadReady else { return hear(connection) }
        guard !connection.isHeld else { return lose(connection.id) }
        connection.isHeld = true
        rounds.hold(connection.id.handle)
    }

    private func hear(_ connection: Connection) {
        hasWorked = true
        if connection.hasBroken { return lose(connection.id) }
        guard isReadable(connection) else { return }
        let bytes = connection.takeArrived()
        connection.unheard.take(bytes.count)
        if !keepRest(of: bytes[...], from: connection.id), connection.hasEnded {
            connection.hasEnded = false
            end(connection.id)
        }
    }

    /// Hears that a connection will say no more, and keeps it while the last answer is not complete.
    private func end(_ id: SessionID) {
        room.end(id, at: world.instant)
        guard room.isAnswering(id) else { return }
        room.askToConfirm(id, number: inputBuffer.keep([], of: id, until: nil))
        connection(id)?.isKept = true
    }

    /// Hears what another loop has read.
    func hear(_ bytes: ArraySlice<UInt8>, from id: SessionID) {
        if keepRest(of: bytes, from: id) { remotes[id.shard - 1].silence(id.handle) }
    }

    /// Hears that a connection of another loop will say no more.
    func endOther(_ id: SessionID) {
        end(id)
        if inputBuffer.holds(id) { remotes[id.shard - 1].silence(id.handle) }
    }

    /// Whether something is there to be heard of a connection that is read from.
    func isReadable(_ connection: Connection) -> Bool {
        guard connection.hasEnded || !connection.arrived.isEmpty else { return false }
        return isHeard(connection.id)
    }

    /// Whether we hear all that a connection says, as far as we know.
    func isHeard(_ id: SessionID) -> Bool {
        !inputBuffer.holds(id)
            && (id.shard > 0
                ? !remotes[id.shard - 1].isPaused(id.handle) : connection(id)?.isPaused != true)
    }

    /// Hears what was kept of those whose time has come, and who have been sent what they asked for.
    func hearUnheard() {
        inputBuffer.expire(at: world.instant)
        var hasHeard = false
        while hearingLimits.mayHearStored(untold: untoldCount, hasHeard: hasHeard),
            room.answerBudget > 0,
            let (id, kept) = inputBuffer.popReady()
        {
            (hasHeard, hasWorked) = (true, true)
            checkDue(id)
            connection(id)?.isKept = false
            let wasAnswering = room.isAnswering(id)
            let left = kept.bytes.count
            if keepRest(of: kept.bytes[...], from: id, kept) {
                if !wasAnswering, left > 0, inputBuffer.byteCount(of: id) == left {
                    world.witness.report(.due, "nothing of \(id) is heard")
                }
            } else if id.shard > 0 {
                remotes[id.shard - 1].unsilence(id.handle)
                if kept.hasEnded { endOther(id) }
            }
        }
    }

    /// Holds that this is the first turn in which somebody is due, and comes when they are.
    private func checkDue(_ id: SessionID) {
        guard let due = dues.removeValue(forKey: id), due > lastTurn, !wasFull, !isClosing
        else { return }
        if world.now > max(due, standsStillUntil) {
            world.witness.report(.due, "\(id) is heard late, which was due at \(due.stopwatch)")
        }
    }

    /// Hears bytes and keeps what the room does not take; false if it takes everything.
    private func keepRest(
        of bytes: ArraySlice<UInt8>, from id: SessionID, _ kept: InputBuffer.Input? = nil
    ) -> Bool {
        let received = room.receive(
            bytes.span, from: id, at: world.instant, isConfirmed: kept != nil)
        guard received.mustWait else { return false }
        let due = room.due(of: id, at: world.instant)
        let number = inputBuffer.keep(
            Array(bytes.dropFirst(received.count)), of: id, until: due,
            hasEnded: kept?.hasEnded ?? false)
        room.askToConfirm(id, number: number)
        connection(id)?.isKept = true
        dues[id] = due.map { .nanoseconds($0.nanoseconds) }
        return true
    }

    /// Notes who has been sent what they asked for.
    func noteSent() {
        for (id, number) in askedWhenSent where connection(id)?.isPaused != true {
            inputBuffer.sent(id, number: number)
        }
        askedWhenSent.removeAll { connection($0.id)?.isPaused != true }
    }

    func lose(_ id: SessionID) {
        room.leave(id, at: world.instant)
        inputBuffer.remove(id)
        lost.insert(id)
    }
}
