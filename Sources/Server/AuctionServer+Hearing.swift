import AuctionRules
import Posix
import Saleroom
import Transport
import Wire

extension AuctionServer {
    /// Reads the connections that were held in an earlier turn, and then those that this turn's
    /// poll found.
    ///
    /// The other loops come first if they had to wait the last time.
    func hearRound(_ ready: [Readiness], polledAt: Instant, at now: Instant) throws {
        let wereOthersUnheard = areOthersUnheard
        if wereOthersUnheard { try hearOthers(at: now) }
        shard.connections.beginRound(at: polledAt.nanoseconds)
        while !isFull, let handle = shard.connections.takeHeld() {
            try read(SessionID(handle, shard: 0), at: now)
        }
        for readiness in ready { try hear(readiness, at: now) }
        if !wereOthersUnheard { try hearOthers(at: now) }
    }

    private func hear(_ readiness: Readiness, at now: Instant) throws {
        let handle = readiness.handle
        if acceptor.contains(handle) { return try acceptConnections(from: handle, at: now) }
        if handle == signals?.handle { return heedSignals() }
        if readiness.isWritable { shard.connections.writable(handle) }
        guard readiness.isReadable else { return }
        let id = SessionID(handle, shard: 0)
        if shard.connections.isSilenced(handle) {
            try lose(id, at: now)
        } else if isFull || !shard.connections.mayReadReady {
            if !shard.connections.hold(handle) { try lose(id, at: now) }
        } else {
            try read(id, at: now)
        }
    }

    private func read(_ id: SessionID, at now: Instant) throws {
        let outcome = readBuffer.withUnsafeMutableBytes {
            shard.connections.read(id.handle, into: $0)
        }
        switch outcome {
        case .bytes(let count): hear(readBuffer[..<count], from: id, at: now)
        case .wouldBlock: break
        case .end: end(id, at: now)
        case .reset: try lose(id, at: now)
        }
    }

    /// Hears bytes, and keeps what the room does not take of them until it is due, and there is
    /// room for the answers; until then no more is read.
    func hear(_ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant) {
        if handshakes.contains(id) { return receiveHeader(bytes, from: id, at: now) }
        if keepRest(of: bytes, from: id, at: now) { silence(id) }
    }

    /// Hears what was kept of those whose time has come, and who have been sent what they asked for.
    ///
    /// That takes a part of the room: the rest is for those of whom nothing had to be kept. One at
    /// least is heard where there is any room, so that nobody waits for ever.
    func hearUnheard(at now: Instant) {
        inputBuffer.expire(at: now)
        var hasHeard = false
        while mayHearStored(hasHeard: hasHeard), room.answerBudget > 0,
            let (id, kept) = inputBuffer.popReady()
        {
            hasHeard = true
            let bytes = kept.bytes[...]
            guard !keepRest(of: bytes, from: id, at: now, kept) else { continue }
            unsilence(id)
            if kept.hasEnded { end(id, at: now) }
        }
    }

    /// Gives bytes to the room, and stores those that it does not take until the connection's
    /// output is sent; false if it took everything and the connection need not wait.
    ///
    /// `kept` is the stored input, if the bytes are from there.
    private func keepRest(
        of bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant,
        _ kept: InputBuffer.Input? = nil
    ) -> Bool {
        let isConfirmed = kept != nil || hasBeenSentAll(id)
        let received = room.receive(bytes.span, from: id, at: now, isConfirmed: isConfirmed)
        guard received.mustWait else { return false }
        let number = inputBuffer.keep(
            Array(bytes.dropFirst(received.count)), of: id, until: room.due(of: id, at: now),
            hasEnded: kept?.hasEnded ?? false)
        room.askToConfirm(id, number: number)
        return true
    }

    private func silence(_ id: SessionID) {
        if id.shard > 0 {
            others[id.shard - 1].silence(id.handle)
        } else {
            shard.connections.silence(id.handle)
        }
    }

    private func unsilence(_ id: SessionID) {
        if id.shard > 0 {
            others[id.shard - 1].unsilence(id.handle)
        } else {
            shard.connections.unsilence(id.handle)
        }
    }

    /// Whether a connection of our own loop has been sent every reply: nothing waits for the disk,
    /// nor for the connection.
    ///
    /// So a client that reads its replies is not made to wait for a confirmation.
    private func hasBeenSentAll(_ id: SessionID) -> Bool {
        id.shard == 0 && commits.isIdle && !shard.connections.hasPrivateBytes(id.handle)
    }

    /// Handles the end of a connection's input; the connection stays while its last answer is
    /// incomplete.
    func hearEnd(of id: SessionID, at now: Instant) {
        room.end(id, at: now)
        guard room.isAnswering(id) else { return }
        room.askToConfirm(id, number: inputBuffer.keep([], of: id, until: nil))
        silence(id)
    }

    /// Records which connections of our own loop have been sent their output.
    func noteSent() {
        for sent in shard.takeConfirmed() {
            inputBuffer.sent(SessionID(sent.handle, shard: 0), number: sent.number)
        }
        _ = shard.connections.takePauseChanges()
    }

    /// The number of connections of which input is stored until it can be heard.
    package var storedInputCount: Int { inputBuffer.count }

    /// Whether something that there was no room for can be heard without waiting.
    var canHearMore: Bool {
        !isFull && (areOthersUnheard || inputBuffer.hasReady || shard.connections.hasHeld)
    }

    /// Whether we hear all that a connection says, as far as we know.
    func isHeard(_ id: SessionID) -> Bool {
        if inputBuffer.holds(id) { return false }
        guard id.shard == 0 else { return !others[id.shard - 1].isPaused(id.handle) }
        return !shard.connections.isPaused(id.handle)
    }

    /// Learns what is durable by now, or that nothing more will be, and who is behind.
    ///
    /// - Throws: What ended one of the other loops.
    func catchUp() throws {
        for other in others { try other.catchUp() }
        commits.catchUp()
        for upkeep in journal?.takeUpkeep() ?? [] { log.write(upkeep) }
        if commits.failure != nil { abandon() }
    }

    /// Whether there is no place for a newcomer, and no finishing connection that can be closed to
    /// make one.
    ///
    /// Another loop closes its connection a moment later. Until then there is one more open than
    /// `capacity.crowd`.
    private func isCrowded() -> Bool {
        guard connectionCount >= capacity.crowd else { return false }
        return !shard.connections.closeOneFinishing() && !others.contains { $0.closeOneFinishing() }
    }

    /// Accepts connections, each on the loop that has the fewest.
    private func acceptConnections(from listener: Handle, at now: Instant) throws {
        try acceptor.accept(from: listener, log, isCrowded: isCrowded) {
            socket, address throws(SystemError) in
            let other = others.min { $0.count < $1.count }
            if let other, other.count < shard.connections.count {
                other.adopt(socket, from: address)
            } else {
                let handle = try shard.connections.adopt(socket)
                welcome(SessionID(handle, shard: 0), from: address, at: now)
            }
        }
        limitLog.note(.full, count: acceptor.takeRefused())
    }
}
