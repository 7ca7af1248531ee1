import AuctionRules
import Saleroom
import Transport

extension AuctionServer {
    /// Attends to what needs no waiting any more.
    func hear(_ readiness: Readiness, at now: Instant) throws {
        let handle = readiness.handle
        if handle == doors.handle { return try letIn(at: now) }
        if handle == signals?.handle { return heedSignal() }
        if readiness.isWritable { connections.writable(handle) }
        guard readiness.isReadable else { return }
        if isFull {
            if !connections.hold(handle) { try lose(handle) }
        } else if unheard[handle] == nil {
            try read(handle, at: now)
        }
    }

    /// Hears bytes, and keeps what the room does not take of them until there is room for the
    /// answers.
    private func hear(_ bytes: ArraySlice<UInt8>, from handle: Handle, at now: Instant) {
        let taken = room.receive(bytes.span, from: SessionID(handle), at: now)
        unheard[handle] = taken == bytes.count ? nil : Array(bytes.dropFirst(taken))
    }

    /// Hears what was kept of those who have been sent what they asked for.
    func hearUnheard(at now: Instant) {
        for (handle, bytes) in unheard where !isFull && !connections.isPaused(handle) {
            hear(bytes[...], from: handle, at: now)
        }
    }

    /// Whether something that was kept can be heard without waiting.
    var canHearUnheard: Bool {
        !isFull && unheard.keys.contains { !connections.isPaused($0) }
    }

    /// Learns what is durable by now, or that nothing more will be.
    func catchUp() {
        clerk.catchUp()
        if clerk.failure != nil { abandon() }
    }

    private func letIn(at now: Instant) throws {
        for handle in try doors.letIn(to: connections, log: log) {
            room.join(SessionID(handle), at: now)
        }
    }

    /// Ends the server in good order; a second signal ends it at once.
    private func heedSignal() {
        signals?.drain()
        guard closing != nil else { return shutDown() }
        closing?.isForced = true
        loop.stop()
    }

    private func read(_ handle: Handle, at now: Instant) throws {
        let outcome = readBuffer.withUnsafeMutableBytes { connections.read(handle, into: $0) }
        switch outcome {
        case .bytes(let count): hear(readBuffer[..<count], from: handle, at: now)
        case .wouldBlock: break
        case .end: room.end(SessionID(handle), at: now)
        case .reset: try lose(handle)
        }
    }
}
