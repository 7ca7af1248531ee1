/// What the connections of a loop are to be sent: the feeds they follow, and replies to each.
///
/// A record of a feed is kept once, however many follow: each connection is a cursor. Private bytes
/// of a connection wait in its outbox, with their place in the feed. Nothing is sent before
/// `Connections.flush`; then everything a connection has goes in one system call.
///
/// A call with a stale handle does nothing.
public final class Output {
    /// With more than this waiting in a feed for followers, a flush takes further slices: 64 KiB.
    private static let waitingBytes = 64 * 1024
    /// With more than this to be sent, a connection that was replied to may wait: 4 KiB.
    private static let shortBytes = 4 * 1024
    /// What a flush of a slice sends to all such connections together: 1 MiB, about a millisecond.
    private static let longBytes = 1 << 20
    /// A flush takes at most this many slices.
    private static let mostSlices = 4
    /// A feed is sent to this many followers before the next has its turn.
    private static let sendsPerTurn = 16

    private let limits: ConnectionLimits
    private let table: ConnectionTable
    // Not checked for exclusive access at run time: a check costs about 90 instructions, and a
    // delivery in all 150. No closure runs during an access.
    @exclusivity(unchecked) private var state: State

    private struct State: ~Copyable {
        var feeds: FeedTable
        var pool = OutboxPool()
        var sender: Sender
        /// The slots that the next flush visits.
        var dirty: [Int32] = []
    }

    init(
        _ table: ConnectionTable, _ timers: StallTimers, ringBytes: Int, limits: ConnectionLimits
    ) {
        (self.table, self.limits) = (table, limits)
        state = State(
            feeds: FeedTable(
                ringBytes: ringBytes, allBytes: limits.allNewsBytes, connections: table),
            sender: Sender(table, timers, pauseBytes: limits.outputBytes / 2))
    }

    // MARK: Feeds

    /// Whether a connection follows a feed.
    public func isFollowed(_ feed: FeedKey) -> Bool { state.feeds.index(of: feed) != nil }

    /// The feed that a connection follows; nil if it follows none.
    public func feed(of handle: Handle) -> FeedKey? {
        table.slot(of: handle).flatMap { state.feeds.feed(of: $0)?.key }
    }

    /// The number of connections that follow the feeds of each format.
    public var followerCounts: SIMD4<Int32> { state.feeds.followerCounts }

    /// The bytes of news that all feeds have memory for.
    package var feedBytes: Int { state.feeds.bytes }

    /// Sends a connection everything that is appended to a feed from now on.
    ///
    /// The first follower creates the feed, and the last one that leaves ends it; there may be
    /// 65,535 feeds. Unsent records of the feed that it followed before are sent first. If they are
    /// more than 64 KiB, or have been overwritten, the connection has fallen behind instead.
    /// Following the same feed again changes nothing; neither does following when the connection is
    /// to finish.
    public func follow(_ handle: Handle, feed: FeedKey) {
        guard let slot = table.slot(of: handle), state.feeds.feed(of: slot)?.key != feed,
            table[slot].phase == .open
        else { return }
        let missed = leaveFeed(slot)
        state.feeds.follow(slot, feed, missed: missed)
    }

    /// Appends one record, which is sent whole or not at all, for all followers of a feed.
    ///
    /// Nothing happens if there are none. The bytes must fit the ring. While more than a quarter of
    /// what the feed may keep waits for a flush, this sends to some followers itself: to all of
    /// them for each quarter that is appended. Otherwise records could be dropped before they were
    /// offered to the last followers.
    public func append(_ record: ArraySlice<UInt8>, feed: FeedKey) {
        guard !record.isEmpty, let target = target(feed, for: record.count) else { return }
        record.withUnsafeBytes { target.append($0) }
    }

    /// The feed to append to; nil if no connection follows it.
    private func target(_ key: FeedKey, for bytes: Int) -> Feed? {
        guard let index = state.feeds.index(of: key), let feed = state.feeds[index] else {
            return nil
        }
        let quarter = state.feeds.mostBytes(of: feed) / 4
        if feed.unservedBytes + bytes > quarter {
            serve(feed, visits: feed.followerCount * bytes / quarter + 1)
        }
        if !feed.hasRoom(for: bytes) { state.feeds.makeRoom(for: bytes, in: feed) }
        if !feed.isQueued { state.feeds.enqueue(index) }
        return feed
    }

    /// Takes the connections that have fallen behind their feed since the last time.
    ///
    /// Nothing of the feed is sent to one of them until the owner calls `skip`.
    public func takeFallen() -> [Handle] {
        state.feeds.takeFallen()
    }

    /// Sets a fallen connection to the end of its feed, and returns how many records it missed.
    ///
    /// Replies it was given before still come first; those it is given now come before the next
    /// news. 0 for a connection that has not fallen.
    public func skip(_ handle: Handle) -> Int {
        guard let slot = table.slot(of: handle), table[slot].marks.contains(.fallen) else {
            return 0
        }
        markDirty(slot)
        return state.feeds.skip(slot)
    }

    /// Ends the following of a feed, and returns how many records are missed by that.
    ///
    /// What was not sent yet still comes, up to 64 KiB; if it is more, all of it is missed.
    public func unfollow(_ handle: Handle) -> Int {
        guard let slot = table.slot(of: handle) else { return 0 }
        let missed = leaveFeed(slot)
        table[slot].marks.remove(.fallen)
        table[slot].cursor = Cursor()
        return missed
    }

    /// Suspends a connection's feed at its current end, until `resumeFeed`.
    ///
    /// Replies until then come right after that place, without news between them. What is appended
    /// to the feed meanwhile comes afterwards. A connection that falls behind is reported when its
    /// feed is resumed.
    public func suspendFeed(_ handle: Handle) {
        if let slot = table.slot(of: handle) { state.feeds.suspend(slot) }
    }

    /// Resumes a connection's feed.
    public func resumeFeed(_ handle: Handle) {
        guard let slot = table.slot(of: handle), table[slot].marks.contains(.suspended) else {
            return
        }
        state.feeds.endSuspension(slot)
        markDirty(slot)
    }

    private func leaveFeed(_ slot: Int) -> Int {
        guard let feed = state.feeds.feed(of: slot) else { return 0 }
        let cursor = table[slot].cursor
        let (waiting, bytes) = (cursor.records(to: feed.newest), feed.ring.end - cursor.position)
        markDirty(slot)
        let room = limits.outputBytes - table[slot].pendingReplies
        let missed = state.feeds.leave(slot, room: room, &state.pool)
        if missed == 0 { state.sender.countDeliveries(waiting, bytes: bytes) }
        return missed
    }

    // MARK: Replies

    /// Adds private bytes, to be sent after everything that is in the connection's feed by now.
    public func reply(_ handle: Handle, _ bytes: [UInt8]) {
        guard !bytes.isEmpty, let slot = table.slot(of: handle) else { return }
        let due = state.feeds.replyPosition(of: slot)
        state.pool.change(&table[slot].outbox) { outbox in
            bytes.withUnsafeBytes { outbox.append($0, due: due) }
        }
        markDirty(slot)
    }

    /// Whether a connection is not read from, because it takes less than it asks for.
    public func isPaused(_ handle: Handle) -> Bool {
        table.slot(of: handle).map { table[$0].readBlocks.contains(.unsentReplies) } ?? false
    }

    /// Takes the connections that were paused or resumed since the last time.
    public func takePauseChanges() -> [Handle] {
        state.sender.takePauseChanges()
    }

    /// The bytes that the kernel has not taken yet, of all connections together; O(connections).
    public var pendingBytes: Int {
        (0..<table.slots).reduce(0) { $0 + state.feeds.pendingBytes(of: $1) }
    }

    /// The bytes that the kernel has not taken yet of one connection; 0 when the handle is stale.
    package func pendingBytes(of handle: Handle) -> Int {
        table.slot(of: handle).map(state.feeds.pendingBytes(of:)) ?? 0
    }

    // MARK: Sending

    /// The number of system calls that sent something.
    package var sends: Int { state.sender.figures.calls }

    /// What was sent so far.
    public var figures: SendFigures { state.sender.figures }

    /// Whether some connections wait for the next flush, because a slice ended before them.
    public var hasUnserved: Bool { state.feeds.hasUnservedFollowers || !state.dirty.isEmpty }

    /// Whether the next flush visits a connection, because a slice ended before it.
    public func isUnserved(_ handle: Handle) -> Bool {
        table.slot(of: handle).map { table[$0].marks.contains(.dirty) } ?? false
    }

    /// Makes the next flush visit a connection.
    func markDirty(_ slot: Int) {
        if table[slot].marks.contains(.dirty) { return }
        table[slot].marks.insert(.dirty)
        state.dirty.append(Int32(slot))
    }

    /// Forgets a connection that closes, and all it is to be sent.
    func remove(_ slot: Int) {
        state.feeds.remove(slot)
        state.pool.remove(&table[slot].outbox)
    }

    /// Sends what `Connections.flush` describes, and marks what is to be closed after it.
    func send(slice: Int = .max) {
        serveDirty(bytes: slice == .max ? .max : Self.longBytes)
        var slices = 0
        repeat {
            serveFeeds(sends: slice)
            slices += 1
        } while slices < Self.mostSlices && state.feeds.hasFeed(waitingWith: Self.waitingBytes)
        leaveIfTooMuchWaits()
    }

    /// Sends to the connections that were replied to, or have room again.
    ///
    /// When those with much to be sent have taken `bytes` bytes, the rest of them wait for the next
    /// flush. So replies to thousands of connections with much news to send make no long turn, and
    /// a short reply does not wait.
    private func serveDirty(bytes: Int) {
        var (left, kept) = (bytes, 0)
        for index in state.dirty.indices {
            let slot = Int(state.dirty[index])
            let isLong = state.feeds.pendingBytes(of: slot) > Self.shortBytes
            if isLong, left <= 0 {
                state.dirty[kept] = state.dirty[index]
                kept += 1
                continue
            }
            let before = state.sender.figures.bytes
            table[slot].marks.remove(.dirty)
            transmit(slot)
            if isLong { left -= state.sender.figures.bytes - before }
        }
        state.dirty.removeLast(state.dirty.count - kept)
    }

    /// Serves the followers of all feeds by turns, with at most this many system calls.
    private func serveFeeds(sends: Int) {
        let (limit, overflow) = state.sender.figures.calls.addingReportingOverflow(sends)
        let end = overflow ? .max : limit
        while state.sender.figures.calls < end, let index = state.feeds.takeTurn() {
            let left = end - state.sender.figures.calls
            // A feed alone need not stop for others.
            let turn = state.feeds.hasUnservedFollowers ? min(left, Self.sendsPerTurn) : left
            if let feed = state.feeds[index] {
                serve(feed, until: state.sender.figures.calls + turn)
            }
            state.feeds.endTurn(of: index)
        }
    }

    /// Serves followers of a feed until all are served, or `calls` system calls were made in all.
    private func serve(_ feed: Feed, until calls: Int) {
        state.sender.begin()
        while state.sender.figures.calls < calls, let slot = feed.next() { serve(slot, of: feed) }
    }

    /// Serves the next followers of a feed, until all are served.
    private func serve(_ feed: Feed, visits: Int) {
        state.sender.begin()
        for _ in 0..<visits {
            guard let slot = feed.next() else { return }
            serve(slot, of: feed)
        }
    }

    @inline(__always)
    private func serve(_ slot: Int, of feed: Feed) {
        if table[slot].isDueNewsAlone && !feed.hasLost(table[slot].cursor.position) {
            let outcome = state.sender.sendNews(to: &table[slot], of: feed, &state.pool)
            if outcome != .complete { state.sender.settle(slot, outcome) }
        } else {
            transmit(slot)
        }
    }

    /// Sends what is due to one connection.
    private func transmit(_ slot: Int) {
        guard table[slot].isOpen, table[slot].phase != .leaving else { return }
        guard table[slot].room != .full else { return state.sender.updatePause(slot) }
        state.feeds.checkLoss(of: slot)
        let (end, feed) = (state.feeds.dueEnd(of: slot), state.feeds.feed(of: slot))
        let outcome = state.sender.send(to: &table[slot], of: feed, upTo: end, &state.pool)
        state.sender.settle(slot, outcome)
    }

    /// Closes connections while the private bytes of all exceed the limit.
    ///
    /// Those that have gone longest without taking any are closed first. O(n log n) if the limit is
    /// exceeded; then an eighth of the limit becomes free.
    private func leaveIfTooMuchWaits() {
        guard let limit = limits.allOutputBytes, state.pool.bytes > limit else { return }
        var excess = state.pool.bytes - (limit - limit / 8)
        let waiting = (0..<table.slots).filter { table[$0].outbox != nil }
        for slot in waiting.sorted(by: { table[$0].progress < table[$1].progress }) {
            guard excess > 0 else { return }
            excess -= table[slot].pendingReplies
            table.leave(slot, .stalled)
        }
    }
}
