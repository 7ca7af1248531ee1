import MonotonicTime
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// All open connections of a loop, and the feeds they follow.
///
/// A record of a feed is kept once, however many follow: each connection is a cursor. Private bytes
/// of a connection wait in its outbox, with their place in the feed. Nothing is sent before `flush`;
/// then everything a connection has goes in one system call.
///
/// Belongs to the thread of its loop. A call with a stale handle does nothing, so the owner may
/// close a connection at any time. In each turn the owner reads what is readable, reports what is
/// writable, appends and replies, and flushes; then it takes `takeFallen` and `takeEnded`, and
/// flushes again if it replied to any connection.
public final class Connections {
    /// At most this many bytes are read from one connection in one turn: 16 KiB.
    ///
    /// A thousand short commands: more of them wait, so that no connection keeps a turn for long.
    public static let readBytes = 16 * 1024
    /// How long a finishing connection that has everything may wait with its own end: 2 s.
    public static let lingerTime = StallTimers.lingerTime
    /// How long a finishing connection may take to have everything: 30 s.
    public static let finishTime = StallTimers.finishTime
    /// The bytes that a connection's state takes, without its outbox.
    package static let stateBytes = MemoryLayout<Connection>.stride
    /// A flush does not pause while more of a feed than this waits for followers: 64 KiB.
    private static let waitingBytes = 64 * 1024

    private let loop: EventLoop
    private let limits: ConnectionLimits
    private let table = ConnectionTable()
    // Properties that every delivery or every turn accesses are not checked for exclusive access at
    // run time: a check costs about 90 instructions, and a delivery in all 250. No closure runs
    // during an access to one of them.
    @exclusivity(unchecked) private var feeds: FeedTable
    @exclusivity(unchecked) private var pool = OutboxPool()
    @exclusivity(unchecked) private var sender = Sender()
    @exclusivity(unchecked) private var timers: StallTimers
    @exclusivity(unchecked) private var rounds = ReadingRounds()
    /// The slots that the next flush visits.
    @exclusivity(unchecked) private var dirty: [Int32] = []
    @exclusivity(unchecked) private var leaving: [Ending] = []
    @exclusivity(unchecked) private var ended: [Ending] = []
    @exclusivity(unchecked) private var pauseChanges: [Handle] = []
    @exclusivity(unchecked) private var unpaused: [Handle] = []

    /// Creates an empty table with `feeds` feeds, which take memory when they are first followed.
    ///
    /// The newest `ringBytes`, a power of two, of each feed are kept for followers that are behind.
    public init(
        loop: EventLoop, feeds: Int, ringBytes: Int = 4 << 20,
        limits: ConnectionLimits = ConnectionLimits()
    ) {
        precondition(limits.readBytes <= Self.readBytes, "no more than the most")
        (self.loop, self.limits) = (loop, limits)
        self.feeds = FeedTable(count: feeds, ringBytes: ringBytes, connections: table)
        timers = StallTimers(stallTime: limits.stallTime, connections: table)
    }

    deinit {
        for slot in 0..<table.slots where table[slot].isOpen {
            loop.deregister(table.handle(at: slot))
            closeSocket(table[slot].descriptor)
        }
    }

    // MARK: Opening and closing

    /// The number of open connections, finishing ones included.
    public var count: Int { table.count }

    /// Takes over a connected, non-blocking socket and waits for it to become readable.
    ///
    /// - Throws: `SystemError` when it cannot be waited for; it is closed then.
    public func adopt(_ descriptor: Int32) throws(SystemError) -> Handle {
        do {
            try silenceBrokenPipe(of: descriptor)
            let handle = try loop.register(descriptor, for: .readable)
            table.insert(descriptor, as: handle)
            return handle
        } catch {
            closeSocket(descriptor)
            throw error
        }
    }

    /// Closes a connection now, whatever it has yet to send.
    public func close(_ handle: Handle) {
        guard let slot = table.slot(of: handle) else { return }
        feeds.remove(slot)
        pool.remove(&table[slot].outbox)
        loop.deregister(handle)
        closeSocket(table[slot].descriptor)
        table.remove(at: slot)
        timers.dropClosed()
    }

    /// Whether the handle still names a connection.
    public func isOpen(_ handle: Handle) -> Bool {
        table.slot(of: handle) != nil
    }

    /// Closes a connection once its peer has everything that was meant for it.
    ///
    /// Nothing more is read from it. What is queued is sent, then the sending side is shut down, and
    /// what the peer still sends is thrown away until it ends too: a plain close could take the last
    /// bytes from it. It follows no feed any more; `unfollow` before tells what it misses by that.
    /// After `finishTime` the connection closes whatever remains, and if its peer has had
    /// everything for `lingerTime`. It appears in `takeEnded`, unless the owner closes it
    /// first. A `now` before that of an earlier call counts as that one.
    ///
    /// Source: shutdown(2), RFC 1122 section 4.2.2.13.
    public func finish(_ handle: Handle, at now: Instant) {
        guard let slot = table.slot(of: handle), table[slot].enter(.finishing) else { return }
        unsilence(handle)
        _ = unfollow(handle)
        timers.advance(to: now)
        timers.finish(slot)
        markDirty(slot)
    }

    /// Closes one of the connections that are finishing, the next to be checked; false if none is.
    ///
    /// For the owner to make room: a connection after `BYE` must not keep others out.
    public func closeOneFinishing() -> Bool {
        guard let slot = timers.nextFinishing else { return false }
        leave(slot, .expired)
        closeLeaving()
        return true
    }

    /// When `expire` is next due; nil while nothing is finishing, and everything is taken.
    public var deadline: Instant? { timers.deadline }

    /// Closes what should have finished by now, and what has stalled; what is sent after this is
    /// sent at this time.
    public func expire(at now: Instant) {
        timers.advance(to: now)
        for slot in timers.takeStalled() { leave(slot, .stalled) }
        for slot in timers.takeUnfinished() { leave(slot, .expired) }
        closeLeaving()
    }

    /// Takes the connections that closed without `close` since the last time.
    public func takeEnded() -> [Ending] {
        if ended.isEmpty { return [] }
        defer { ended.removeAll(keepingCapacity: true) }
        return ended
    }

    /// Closes a connection at the end of the flush, whose loops must not lose their place.
    private func leave(_ slot: Int, _ cause: Ending.Cause) {
        guard table[slot].enter(.leaving) else { return }
        leaving.append(Ending(handle: table.handle(at: slot), cause: cause))
    }

    private func closeLeaving() {
        if leaving.isEmpty { return }
        for ending in leaving where isOpen(ending.handle) {
            close(ending.handle)
            ended.append(ending)
        }
        leaving.removeAll(keepingCapacity: true)
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
        if outcome == .end { updateInterest(slot) }
        let phase = table[slot].phase
        if phase == .open { return outcome }
        if outcome == .reset { leave(slot, .broken(SystemError(code: ECONNRESET, call: "recv"))) }
        if outcome == .end && phase == .shut { leave(slot, .finished) }
        // A peer that goes on sending takes more from the others than one that is open.
        if case .bytes = outcome, !table[slot].mayDiscard() { leave(slot, .finished) }
        closeLeaving()
        return .wouldBlock
    }

    /// Begins the next round of reading, unless one is under way; this turn's poll began at
    /// `instant`.
    public func beginRound(at instant: Instant) {
        rounds.begin(at: instant)
    }

    /// The instant until which everything that arrived has been read; nil while the round is under
    /// way.
    ///
    /// It is the beginning of the poll that found the round.
    public var readUntil: Instant? { rounds.readUntil }

    /// Whether what this turn's poll found may be read now, and need not be held.
    public var mayReadReady: Bool { rounds.mayReadReady }

    /// Whether there may be connections that are held.
    public var hasHeld: Bool { rounds.hasHeld }

    /// Does not read from a connection until `takeHeld` returns it.
    ///
    /// False if it is held already: all that is reported of it then is that its peer has gone.
    public func hold(_ handle: Handle) -> Bool {
        guard let slot = table.slot(of: handle), table[slot].blockReading(.held) else {
            return false
        }
        rounds.hold(handle)
        updateInterest(slot)
        return true
    }

    /// Takes the next held connection of the round, to be read now; nil when there is none.
    ///
    /// Skips connections that have closed, or must no longer be read from.
    public func takeHeld() -> Handle? {
        while let handle = rounds.takeHeld() {
            guard let slot = table.slot(of: handle) else { continue }
            _ = table[slot].unblockReading(.held)
            updateInterest(slot)
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
        _ = table[slot].blockReading(.unhandledInput)
        table[slot].resetReadSize(atMost: limits.readBytes)
        updateInterest(slot)
    }

    /// Reads from a connection again.
    public func unsilence(_ handle: Handle) {
        guard let slot = table.slot(of: handle), table[slot].unblockReading(.unhandledInput) else {
            return
        }
        updateInterest(slot)
    }

    /// Whether a connection is not read from, because the owner stores input of it.
    public func isSilenced(_ handle: Handle) -> Bool {
        table.slot(of: handle).map { table[$0].isReadBlocked(by: .unhandledInput) } ?? false
    }

    /// Whether a connection is not read from, because it takes less than it asks for.
    public func isPaused(_ handle: Handle) -> Bool {
        table.slot(of: handle).map { table[$0].isReadBlocked(by: .unsentReplies) } ?? false
    }

    /// Returns the connections that were paused or resumed since the last call.
    public func takePauseChanges() -> [Handle] {
        if pauseChanges.isEmpty { return [] }
        defer { pauseChanges.removeAll(keepingCapacity: true) }
        return pauseChanges
    }

    /// Takes the connections that were paused, and have been sent everything since the last time.
    public func takeUnpaused() -> [Handle] {
        if unpaused.isEmpty { return [] }
        defer { unpaused.removeAll(keepingCapacity: true) }
        return unpaused
    }

    /// Sets what the loop waits for; no system call if that has not changed.
    private func updateInterest(_ slot: Int) {
        do {
            try loop.change(table.handle(at: slot), to: table[slot].interest)
        } catch {
            leave(slot, .broken(error))
        }
    }

    // MARK: Feeds

    /// Whether a connection follows a feed.
    public func isFollowed(_ feed: Int) -> Bool {
        feeds[feed]?.isFollowed ?? false
    }

    /// Sends a connection everything that is appended to a feed from now on.
    ///
    /// What it had not been sent of another feed still comes first. If that is more than 64 KiB, or
    /// has been overwritten, the connection has fallen behind instead. Following the same feed again
    /// changes nothing; neither does following when the connection is to finish.
    public func follow(_ handle: Handle, feed: Int) {
        guard let slot = table.slot(of: handle), table[slot].feed != feed,
            table[slot].phase == .open
        else { return }
        let missed = leaveFeed(slot)
        feeds.follow(slot, feed, missed: missed)
    }

    /// Appends one record, which is sent whole or not at all, for all followers of a feed.
    ///
    /// Nothing happens if there are none. A quarter of the ring is the most that waits for a flush:
    /// before it would be more, this flushes by itself. The bytes must fit the ring.
    public func append(_ record: ArraySlice<UInt8>, feed: Int) {
        guard !record.isEmpty, let target = target(feed, for: record.count) else { return }
        record.withUnsafeBytes { target.append($0) }
    }

    /// Appends several records at once, which stand one behind the other; their lengths add up.
    ///
    /// The same as to append each of them, but faster. All together must fit the ring.
    public func append(_ records: ArraySlice<UInt8>, lengths: some Sequence<Int>, feed: Int) {
        guard !records.isEmpty, let target = target(feed, for: records.count) else { return }
        records.withUnsafeBytes { target.append($0, lengths: lengths) }
    }

    /// The feed to append to; nil if no connection follows it.
    private func target(_ number: Int, for bytes: Int) -> Feed? {
        guard let feed = feeds[number], feed.isFollowed else { return nil }
        let waiting = feed.unservedBytes
        if waiting > 0 && waiting + bytes > feed.ring.capacity / 4 { flush() }
        return feed
    }

    /// Takes the connections that have fallen behind their feed since the last time.
    ///
    /// Nothing of the feed is sent to one of them until the owner calls `skip`.
    public func takeFallen() -> [Handle] {
        feeds.takeFallen()
    }

    /// Sets a fallen connection to the end of its feed, and returns how many records it missed.
    ///
    /// Replies it was given before still come first; those it is given now come before the next
    /// news. 0 for a connection that has not fallen.
    public func skip(_ handle: Handle) -> Int {
        guard let slot = table.slot(of: handle), table[slot].isFallen else { return 0 }
        markDirty(slot)
        return feeds.skip(slot)
    }

    /// Ends the following of a feed, and returns how many records are missed by that.
    ///
    /// What was not sent yet still comes, up to 64 KiB; if it is more, all of it is missed.
    public func unfollow(_ handle: Handle) -> Int {
        guard let slot = table.slot(of: handle) else { return 0 }
        let missed = leaveFeed(slot)
        table[slot].isFallen = false
        table[slot].cursor = Cursor()
        return missed
    }

    /// Suspends a connection's feed at its current end, until `resumeFeed`.
    ///
    /// Replies until then come right after that place, without news between them. What is appended
    /// to the feed meanwhile comes afterwards. A connection that falls behind is reported when its
    /// feed is resumed.
    public func suspendFeed(_ handle: Handle) {
        table.slot(of: handle).map { feeds.suspend($0) }
    }

    /// Resumes a connection's feed.
    public func resumeFeed(_ handle: Handle) {
        guard let slot = table.slot(of: handle), table[slot].isSuspended else { return }
        feeds.endSuspension(slot)
        markDirty(slot)
    }

    private func leaveFeed(_ slot: Int) -> Int {
        guard table[slot].feed != nil else { return 0 }
        markDirty(slot)
        let room = limits.outputBytes - table[slot].pendingReplies
        return feeds.leave(slot, room: room, &pool)
    }

    // MARK: Replies

    /// Adds private bytes, to be sent after everything that is in the connection's feed by now.
    public func reply(_ handle: Handle, _ bytes: [UInt8]) {
        guard !bytes.isEmpty, let slot = table.slot(of: handle) else { return }
        let due = feeds.replyPosition(of: slot)
        pool.change(&table[slot].outbox) { outbox in
            bytes.withUnsafeBytes { outbox.append($0, due: due) }
        }
        markDirty(slot)
    }

    /// The bytes that the kernel has not taken yet, of all connections together.
    ///
    /// O(connections).
    public var pendingBytes: Int {
        (0..<table.slots).reduce(0) { $0 + pendingBytes(at: $1) }
    }

    /// The bytes that the kernel has not taken yet of one connection; 0 when the handle is stale.
    package func pendingBytes(of handle: Handle) -> Int {
        table.slot(of: handle).map(pendingBytes(at:)) ?? 0
    }

    private func pendingBytes(at slot: Int) -> Int {
        guard table[slot].isOpen else { return 0 }
        let end = feeds.feed(of: slot)?.ring.end
        let behind = end.map { $0 - table[slot].cursor.position } ?? 0
        return behind + table[slot].pendingReplies
    }

    // MARK: Sending

    /// The number of system calls that sent something.
    package var sends: Int { sender.sends }

    /// Records that a connection has room again; the next flush sends.
    public func writable(_ handle: Handle) {
        guard let slot = table.slot(of: handle) else { return }
        if table[slot].room == .full { table[slot].room = .reported }
        markDirty(slot)
    }

    /// Sends every connection what it has yet to get, as far as the kernel takes it.
    ///
    /// One system call for each connection that has anything, unless that is more than 64 KiB in
    /// many pieces. First come those that were replied to or have room again, then in turns the
    /// followers of each feed to which records were appended. After `slice` system calls for a feed
    /// the rest of its followers wait for the next flush, so that the owner can read from others
    /// meanwhile; but not if it is more than 64 KiB that they wait for. Then `isBehind` holds.
    public func flush(slice: Int = .max) {
        for slot in dirty {
            table[Int(slot)].isDirty = false
            transmit(Int(slot))
        }
        dirty.removeAll(keepingCapacity: true)
        for number in feeds.numbers {
            if let feed = feeds[number] { serve(feed, slice) }
        }
        leaveIfTooMuchWaits()
        closeLeaving()
    }

    /// Whether some followers wait for the next flush.
    public var isBehind: Bool { feeds.isBehind }

    private func markDirty(_ slot: Int) {
        if table[slot].isDirty { return }
        table[slot].isDirty = true
        dirty.append(Int32(slot))
    }

    private func serve(_ feed: Feed, _ slice: Int) {
        let (limit, overflow) = sender.sends.addingReportingOverflow(slice)
        sender.begin()
        while overflow || sender.sends < limit || feed.unservedBytes > Self.waitingBytes,
            let slot = feed.next()
        {
            if table[slot].isPlain && !feed.hasLost(table[slot].cursor.position) {
                let outcome = sender.sendNews(to: &table[slot], of: feed, &pool, at: timers.now)
                if outcome != .complete { settle(slot, outcome) }
            } else {
                transmit(slot)
            }
        }
    }

    /// Sends what is due to one connection.
    private func transmit(_ slot: Int) {
        guard table[slot].isOpen, table[slot].phase != .leaving else { return }
        guard table[slot].room != .full else { return pauseIfFull(slot) }
        feeds.checkLoss(of: slot)
        let end = feeds.dueEnd(of: slot)
        let outcome = sender.send(
            to: &table[slot], of: feeds.feed(of: slot), upTo: end, &pool, at: timers.now)
        settle(slot, outcome)
    }

    /// Changes what to wait for after a send, and shuts down if it was the last one.
    private func settle(_ slot: Int, _ outcome: SendOutcome) {
        let pending = table[slot].pendingReplies
        if outcome == .complete && table[slot].isUnhindered && pending <= limits.pauseBytes {
            return
        }
        switch outcome {
        case .failed(let code):
            return leave(slot, .broken(SystemError(code: code, call: "send")))
        case .complete:
            table[slot].room = .free
        case .partial:
            table[slot].room = .full
            timers.watch(slot)
        }
        if pending > limits.pauseBytes {
            pause(slot)
        } else if pending == 0, table[slot].unblockReading(.unsentReplies) {
            unpaused.append(table.handle(at: slot))
            pauseChanges.append(table.handle(at: slot))
        }
        updateInterest(slot)
        if outcome == .complete && pending == 0 { shutDownIfFinishing(slot) }
    }

    /// Stops reading from a peer that asks for more than it takes.
    private func pauseIfFull(_ slot: Int) {
        guard table[slot].pendingReplies > limits.pauseBytes else { return }
        pause(slot)
        updateInterest(slot)
    }

    /// Pauses reading from a connection until all its output is sent.
    private func pause(_ slot: Int) {
        guard table[slot].blockReading(.unsentReplies) else { return }
        pauseChanges.append(table.handle(at: slot))
    }

    /// Shuts down the sending side of a connection that is finishing and has been sent everything.
    private func shutDownIfFinishing(_ slot: Int) {
        guard table[slot].phase == .finishing else { return }
        if shutdown(table[slot].descriptor, shutdownOfWriting) == -1 {
            leave(slot, .broken(SystemError(code: errno, call: "shutdown")))
        } else if table[slot].isReadBlocked(by: .ended) {
            leave(slot, .finished)
        } else {
            _ = table[slot].enter(.shut)
        }
    }

    /// Closes connections while the private bytes of all exceed the limit.
    ///
    /// Those that have gone longest without taking any are closed first. O(n log n) if the limit is
    /// exceeded; then an eighth of the limit becomes free.
    private func leaveIfTooMuchWaits() {
        guard let most = limits.allOutputBytes, pool.bytes > most else { return }
        var excess = pool.bytes - (most - most / 8)
        let waiting = (0..<table.slots).filter { table[$0].outbox != nil }
        for slot in waiting.sorted(by: { table[$0].progress < table[$1].progress }) {
            guard excess > 0 else { return }
            excess -= table[slot].pendingReplies
            leave(slot, .stalled)
        }
    }
}
