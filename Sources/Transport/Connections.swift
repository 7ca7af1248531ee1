import Basics
import Posix

/// How much waits for one connection, and for how long.
public struct ConnectionLimits: Equatable, Sendable {
    /// The most private bytes that wait for one connection.
    ///
    /// With more than half of them waiting, it is not read from until all are sent. So the owner
    /// may add at most half of them to a connection that is not paused.
    public var outputBytes = 64 * 1024
    /// The most private bytes that wait for all connections together; nil for no limit.
    ///
    /// Above it, the connections that have gone longest without taking any are closed.
    public var allOutputBytes: Int? = 64 << 20
    /// The bytes of news of all feeds together above which a feed does not grow beyond 256 KiB.
    public var allNewsBytes = 64 << 20
    /// A connection that takes none of its output for this long is closed; nil for never.
    public var stallTime: Duration? = .seconds(30)
    /// The most bytes that are read from a connection at a time.
    public var readBytes = Connections.readBytes

    /// Makes the limits that hold where nothing else is chosen.
    public init() {}
}

/// The open connections of a loop: it reads from them, and closes them.
///
/// Belongs to the thread of its loop. A call with a stale handle does nothing, so the owner may
/// close a connection at any time. In each turn the owner reads what is readable, reports what is
/// writable, gives `output` what is to be sent, and flushes; then it takes the connections that
/// have fallen behind and those that have ended, and flushes again if it replied to any.
public final class Connections {
    /// At most this many bytes are read from one connection in one turn: 16 KiB.
    ///
    /// A thousand short commands: more of them wait, so that no connection keeps a turn for long.
    public static let readBytes = 16 * 1024
    /// The bytes that a connection's state takes, without its outbox.
    package static let stateBytes = MemoryLayout<Connection>.stride

    /// What the connections are to be sent.
    public let output: Output
    /// The order in which they are read.
    public private(set) var rounds = ReadingRounds()
    private let limits: ConnectionLimits
    private let table: ConnectionTable
    private let timers: StallTimers
    private var ended: [Ending] = []

    /// Creates an empty table.
    ///
    /// The newest `ringBytes`, a power of two, of each feed are kept for followers that are behind.
    public init(
        loop: EventLoop, ringBytes: Int = 4 << 20, limits: ConnectionLimits = ConnectionLimits()
    ) {
        precondition(limits.readBytes <= Self.readBytes, "a read is at most 16 KiB")
        self.limits = limits
        table = ConnectionTable(loop: loop)
        timers = StallTimers(stallTime: limits.stallTime, connections: table)
        output = Output(table, timers, ringBytes: ringBytes, limits: limits)
    }

    // MARK: Opening and closing

    /// Takes over a connected, non-blocking socket and waits for it to become readable.
    ///
    /// - Throws: `SystemError` when it cannot be waited for; it is closed then.
    public func adopt(_ descriptor: Int32) throws(SystemError) -> Handle {
        try table.adopt(descriptor)
    }

    /// Closes a connection now, whatever it has yet to send.
    public func close(_ handle: Handle) {
        guard let slot = table.slot(of: handle) else { return }
        output.remove(slot)
        table.close(slot)
        timers.dropClosed()
    }

    /// Whether the handle still names a connection.
    public func isOpen(_ handle: Handle) -> Bool {
        table.slot(of: handle) != nil
    }

    /// Closes a connection once its peer has everything that was meant for it.
    ///
    /// Nothing more is read from it. What is queued is sent, then the sending side is shut down,
    /// and what the peer still sends is thrown away until it ends too: a plain close could take the
    /// last bytes from it. It follows no feed any more; call `unfollow` first to learn what it
    /// misses. The connection closes after 30 s in any case, and 2 s after its peer has received
    /// everything. It appears in `takeEnded`, unless the owner closes it first. A `now` before that
    /// of an earlier call counts as that one.
    ///
    /// Source: shutdown(2), RFC 1122 section 4.2.2.13.
    public func finish(_ handle: Handle, at now: Instant) {
        guard let slot = table.slot(of: handle), table[slot].enter(.finishing) else { return }
        unsilence(handle)
        _ = output.unfollow(handle)
        timers.advance(to: now)
        timers.finish(slot)
        output.markDirty(slot)
    }

    /// Closes one of the connections that are finishing, the next to be checked; false if none is.
    ///
    /// For the owner to make room: a connection after `BYE` must not keep others out.
    public func closeOneFinishing() -> Bool {
        guard let slot = timers.nextFinishing else { return false }
        table.leave(slot, .expired)
        closeLeaving()
        return true
    }

    /// When `expire` is next due; nil while nothing is finishing, and everything is taken.
    public var deadline: Instant? { timers.deadline }

    /// Closes connections that should have finished by now, and those that have stalled.
    ///
    /// What is sent after this is sent at this time.
    public func expire(at now: Instant) {
        timers.advance(to: now)
        for slot in timers.takeStalled() { table.leave(slot, .stalled) }
        for slot in timers.takeUnfinished() { table.leave(slot, .expired) }
        closeLeaving()
    }

    /// Takes the connections that closed without `close` since the last time.
    public func takeEnded() -> [Ending] {
        if ended.isEmpty { return [] }
        defer { ended.removeAll(keepingCapacity: true) }
        return ended
    }

    private func closeLeaving() {
        for ending in table.takeLeaving() where isOpen(ending.handle) {
            close(ending.handle)
            ended.append(ending)
        }
    }

    // MARK: Sending

    /// Records that a connection has room again; the next flush sends.
    public func writable(_ handle: Handle) {
        guard let slot = table.slot(of: handle) else { return }
        if table[slot].room == .full { table[slot].room = .reported }
        output.markDirty(slot)
    }

    /// Sends every connection what it has yet to get, as far as the kernel takes it.
    ///
    /// Makes one system call for each connection with output, unless that is more than 64 KiB in
    /// many pieces. First come the connections that were replied to or have room again; with a
    /// `slice`, those of them with more than 4 KiB get 1 MiB together, and the rest wait. Then come
    /// the followers of feeds to which records were appended, in turns: 16 of one feed, then 16 of
    /// the next, so that the few followers of a feed do not wait for the many of another. After
    /// `slice` system calls the rest wait for the next flush, which begins with the next feed, so
    /// that the owner can read in between. While more than 64 KiB wait in a feed, a flush takes up
    /// to four slices, so its work is bounded, however many feeds have something to send.
    public func flush(slice: Int = .max) {
        output.send(slice: slice)
        closeLeaving()
    }

    // MARK: Reading

    /// Reads once from a connection that was reported readable.
    ///
    /// At most the buffer and at most `readBytes`, at first less: twice as much each time that more
    /// was there. A connection that is to finish reads as would-block, and what it sent is thrown
    /// away. After the end it is reported readable only when the peer has gone altogether.
    ///
    /// Source: recv(2).
    public func read(_ handle: Handle, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let slot = table.slot(of: handle) else { return .wouldBlock }
        let outcome = table[slot].read(into: buffer, atMost: limits.readBytes)
        if outcome == .end { table.updateInterest(slot) }
        let phase = table[slot].phase
        if phase == .open { return outcome }
        if outcome == .reset { table.leave(slot, .broken) }
        if outcome == .end && phase == .shut { table.leave(slot, .finished) }
        // A peer that goes on sending takes more from the others than one that is open.
        if case .bytes = outcome, !table[slot].mayDiscard() { table.leave(slot, .finished) }
        closeLeaving()
        return .wouldBlock
    }

    /// Begins the next round of reading, unless one is under way; this turn's poll began at
    /// `instant`.
    public func beginRound(at instant: Instant) {
        rounds.begin(at: instant)
    }

    /// Does not read from a connection until `takeHeld` returns it.
    ///
    /// False if it is held already: all that is reported of it then is that its peer has gone.
    public func hold(_ handle: Handle) -> Bool {
        guard let slot = table.slot(of: handle), table[slot].readBlocks.insert(.held).inserted
        else {
            return false
        }
        rounds.hold(handle)
        table.updateInterest(slot)
        return true
    }

    /// Takes the next held connection of the round, to be read now; nil when there is none.
    ///
    /// Skips connections that have closed, or must no longer be read from.
    public func takeHeld() -> Handle? {
        while let handle = rounds.takeHeld() {
            guard let slot = table.slot(of: handle) else { continue }
            table[slot].readBlocks.remove(.held)
            table.updateInterest(slot)
            if table[slot].interest.contains(.readable) { return handle }
        }
        return nil
    }

    /// Stops reading from a connection until `unsilence`, because the owner stores input of it.
    ///
    /// After that less is read from it at a time, as from a new connection. Until then all that is
    /// reported of it is room, and that its peer has gone.
    public func silence(_ handle: Handle) {
        guard let slot = table.slot(of: handle) else { return }
        table[slot].readBlocks.insert(.unhandledInput)
        table[slot].resetReadSize(atMost: limits.readBytes)
        table.updateInterest(slot)
    }

    /// Reads from a connection again.
    public func unsilence(_ handle: Handle) {
        guard let slot = table.slot(of: handle),
            table[slot].readBlocks.remove(.unhandledInput) != nil
        else {
            return
        }
        table.updateInterest(slot)
    }

    /// Whether a connection is not read from, because the owner stores input of it.
    public func isSilenced(_ handle: Handle) -> Bool {
        table.slot(of: handle).map { table[$0].readBlocks.contains(.unhandledInput) } ?? false
    }
}
