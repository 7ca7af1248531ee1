import AuctionRules
import Posix
import Saleroom
import Transport
import Wire

extension AuctionServer {
    /// Attends to what needs no waiting any more.
    func hear(_ readiness: Readiness, at now: Instant) throws {
        let handle = readiness.handle
        if handle == doors.handle { return try letIn(at: now) }
        if handle == signals?.handle { return heedSignal() }
        if readiness.isWritable { shard.connections.writable(handle) }
        guard readiness.isReadable else { return }
        let id = SessionID(handle, shard: 0)
        if isFull {
            if !shard.connections.hold(handle) { try lose(id) }
        } else if unheard[id] == nil {
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
        case .end: room.end(id, at: now)
        case .reset: try lose(id)
        }
    }

    /// Hears bytes, and keeps what the room does not take of them until there is room for the
    /// answers.
    func hear(_ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant) {
        let taken = room.receive(bytes.span, from: id, at: now)
        if taken < bytes.count { keep(Unheard(bytes: Array(bytes.dropFirst(taken))), from: id) }
    }

    /// Keeps what cannot be heard now; a shard elsewhere is to tell when it can.
    func keep(_ rest: Unheard, from id: SessionID) {
        var rest = rest
        if id.shard > 0 {
            rest.isAwaited = true
            others[id.shard - 1].await(id.handle)
        }
        unheard[id] = rest
    }

    /// Hears what was kept of those who have been sent what they asked for.
    func hearUnheard(at now: Instant) {
        for (id, kept) in unheard where !isFull && isReady(id, kept) {
            unheard[id] = nil
            hear(kept.bytes[...], from: id, at: now)
            if unheard[id] != nil {
                unheard[id]?.hasEnded = kept.hasEnded
            } else {
                if id.shard > 0 { others[id.shard - 1].resume(id.handle) }
                if kept.hasEnded { room.end(id, at: now) }
            }
        }
    }

    private func isReady(_ id: SessionID, _ kept: Unheard) -> Bool {
        id.shard > 0 ? !kept.isAwaited : !shard.connections.isPaused(id.handle)
    }

    /// Whether something that there was no room for can be heard without waiting.
    var canHearMore: Bool {
        !isFull && (areOthersUnheard || unheard.contains { isReady($0.key, $0.value) })
    }

    /// Learns what is durable by now, or that nothing more will be, and who is behind.
    ///
    /// - Throws: What ended one of the other loops.
    func catchUp() throws {
        for other in others { try other.catchUp() }
        clerk.catchUp()
        if clerk.failure != nil { abandon() }
    }

    /// Seats newcomers where the fewest are.
    private func letIn(at now: Instant) throws {
        try doors.letIn(log: log) { socket, address throws(SystemError) in
            let other = others.min { $0.count < $1.count }
            if let other, other.count < shard.connections.count {
                other.adopt(socket, from: address)
            } else {
                let handle = try shard.connections.adopt(socket)
                room.join(SessionID(handle, shard: 0), from: address, at: now)
            }
        }
    }

    /// Ends the server in good order; a second signal ends it at once.
    private func heedSignal() {
        signals?.drain()
        guard closing != nil else { return shutDown() }
        closing?.isForced = true
        loop.stop()
    }
}
