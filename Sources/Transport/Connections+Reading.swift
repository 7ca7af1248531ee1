import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What became of one attempt to read.
public enum ReadOutcome: Equatable, Sendable {
    /// The number of bytes read, at least one.
    case bytes(Int)
    /// Nothing has arrived, or the handle is stale.
    case wouldBlock
    /// The peer will send no more, but may still be reading.
    case end
    /// The peer has gone altogether.
    case reset
}

extension Connections {
    /// Reads once from a connection that was reported readable.
    ///
    /// At most the buffer and at most `readBytes`, at first less: twice as much each time that more
    /// was there. A connection that is to finish reads as would-block, and what it sent is thrown
    /// away. After the end it is reported readable only when the peer has gone altogether.
    ///
    /// Source: recv(2).
    public func read(_ handle: Handle, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let index = index(of: handle) else { return .wouldBlock }
        let room = min(buffer.count, Int(states[index].readBytes))
        let outcome = receive(index, UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
        if outcome == .bytes(room) {
            states[index].readBytes = UInt16(min(2 * room, limits.readBytes))
        } else if outcome == .end {
            states[index].flags.insert(.hasEnded)
            updateInterest(index)
        }
        guard states[index].flags.contains(.finishing) else { return outcome }
        if outcome == .reset { leave(index, .broken(SystemError(code: ECONNRESET, call: "recv"))) }
        if outcome == .end && states[index].flags.contains(.isShut) { leave(index, .finished) }
        closeLeaving()
        return .wouldBlock
    }

    private func receive(_ index: Int, _ buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        let count = uninterrupted {
            recv(states[index].descriptor, buffer.baseAddress, buffer.count, receiveFlags)
        }
        if count > 0 { return .bytes(count) }
        // Once the end was read nothing is waited for but a hang-up: this is one.
        if count == 0 { return states[index].flags.contains(.hasEnded) ? .reset : .end }
        return errno == EAGAIN ? .wouldBlock : .reset
    }

    /// Begins the next round of reading, unless one is under way; this turn's poll began at
    /// `instant`, in monotonic nanoseconds.
    public func beginRound(at instant: Int64) {
        rounds.begin(at: instant)
    }

    /// The instant until which everything that arrived has been read; nil while the round is under
    /// way.
    ///
    /// It is the beginning of the poll that found the round.
    public var readUntil: Int64? { rounds.readUntil }

    /// Whether what this turn's poll found may be read now, and need not be held.
    public var mayReadReady: Bool { rounds.mayReadReady }

    /// Whether there may be connections that are held.
    public var hasHeld: Bool { rounds.hasHeld }

    /// Does not read from a connection until `takeHeld` returns it.
    ///
    /// False if it is held already: all that is reported of it then is that its peer has gone.
    public func hold(_ handle: Handle) -> Bool {
        guard let index = index(of: handle), !states[index].flags.contains(.held) else {
            return false
        }
        states[index].flags.insert(.held)
        rounds.hold(handle)
        updateInterest(index)
        return true
    }

    /// Takes the next held connection of the round, to be read now; nil when there is none.
    ///
    /// Skips connections that have closed, or must no longer be read from.
    public func takeHeld() -> Handle? {
        while let handle = rounds.takeHeld() {
            guard let index = index(of: handle) else { continue }
            states[index].flags.remove(.held)
            updateInterest(index)
            if states[index].interest.contains(.readable) { return handle }
        }
        return nil
    }

    /// Reads no more from one connection until `unsilence`, for not all that it said is heard yet.
    ///
    /// From then on less is read from it at a time, as from a newcomer. While it lasts all that is
    /// reported of it is room, and that its peer has gone.
    public func silence(_ handle: Handle) {
        guard let index = index(of: handle) else { return }
        states[index].flags.insert(.silenced)
        states[index].readBytes = UInt16(min(Self.firstReadBytes, limits.readBytes))
        updateInterest(index)
    }

    /// Reads from a connection again.
    public func unsilence(_ handle: Handle) {
        guard let index = index(of: handle), states[index].flags.remove(.silenced) != nil else {
            return
        }
        updateInterest(index)
    }

    /// Whether a connection is not read from, because not all that it said is heard yet.
    public func isSilenced(_ handle: Handle) -> Bool {
        index(of: handle).map { states[$0].flags.contains(.silenced) } ?? false
    }
}
