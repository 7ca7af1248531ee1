import Posix
import Queues

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Connections {
    /// How long a finishing connection that has everything may wait with its own end: two seconds.
    public static let lingerNanoseconds: Int64 = 2_000_000_000
    /// How long it may take to have everything: half a minute.
    public static let finishNanoseconds: Int64 = 30_000_000_000

    /// Closes a connection once its peer has everything that was meant for it.
    ///
    /// Nothing more is heard from it. What is queued is sent, then the peer is told that there is
    /// no more, and what it still sends is thrown away until it ends too: a plain close could take
    /// the last line from it. It follows no feed any more; what it misses by that `unfollow` tells
    /// beforehand. `now` is in monotonic nanoseconds; a time before that of an earlier call counts
    /// as that. After `finishNanoseconds` the connection closes whatever remains, and if its peer
    /// has had everything for `lingerNanoseconds`; that is looked at as often. It appears in
    /// `takeEnded`, unless the owner closes it first.
    ///
    /// Source: shutdown(2), RFC 1122 section 4.2.2.13.
    public func finish(_ handle: Handle, at now: Int64) {
        guard let index = index(of: handle), !slots[index].state.contains(.finishing) else {
            return
        }
        slots[index].state.insert(.finishing)
        unsilence(handle)
        _ = unfollow(handle)
        self.now = max(now, self.now)
        linger(index)
        markDirty(index)
    }

    /// When `expire` is next due; nil while nothing is finishing, and everything is taken.
    public var deadline: Int64? {
        guard let finish = nextLingering?.due else { return watched.deadline }
        return watched.deadline.map { min($0, finish) } ?? finish
    }

    /// Closes what should have finished by now, and what has stalled; what is sent after this is
    /// sent at this time.
    public func expire(at now: Int64) {
        self.now = max(now, self.now)
        expireWatched()
        expireLingering()
        closeLeaving()
    }

    /// Reads once from a connection that was reported readable.
    ///
    /// At most the buffer and at most `readBytes`, at first less: twice as much each time that more
    /// was there. A connection that is to finish reads as
    /// would-block: what it sent is thrown away. After the end it is reported readable only when
    /// the peer has gone altogether.
    ///
    /// Source: recv(2).
    public func read(_ handle: Handle, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let index = index(of: handle) else { return .wouldBlock }
        let room = min(buffer.count, Int(slots[index].readBytes))
        let outcome = receive(index, UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
        if outcome == .bytes(room) {
            slots[index].readBytes = UInt16(min(2 * room, limits.readBytes))
        } else if outcome == .end {
            slots[index].state.insert(.hasEnded)
            updateInterest(index)
        }
        guard slots[index].state.contains(.finishing) else { return outcome }
        if outcome == .reset { leave(index, .broken(SystemError(code: ECONNRESET, call: "recv"))) }
        if outcome == .end && slots[index].state.contains(.isShut) { leave(index, .finished) }
        closeLeaving()
        return .wouldBlock
    }

    private func receive(_ index: Int, _ buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        let count = uninterrupted {
            recv(slots[index].descriptor, buffer.baseAddress, buffer.count, receiveFlags)
        }
        if count > 0 { return .bytes(count) }
        // Once the end was read nothing is waited for but a hang-up: this is one.
        if count == 0 { return slots[index].state.contains(.hasEnded) ? .reset : .end }
        return errno == EAGAIN ? .wouldBlock : .reset
    }

    /// Tells the peer that there is no more, if that is so and it was to finish.
    func shutDownIfFinishing(_ index: Int) {
        guard slots[index].state.contains(.finishing),
            slots[index].state.isDisjoint(with: [.isShut, .leaving])
        else { return }
        if shutdown(slots[index].descriptor, shutdownOfWriting) == -1 {
            leave(index, .broken(SystemError(code: errno, call: "shutdown")))
        } else if slots[index].state.contains(.hasEnded) {
            leave(index, .finished)
        } else {
            slots[index].state.insert(.isShut)
        }
    }
}
