import Basics

/// The feeds of a loop, and which connections have fallen behind them or suspended them.
///
/// A connection's own part, its cursor, is in the `Connection` that is passed in.
struct FeedTable {
    /// The most bytes of a feed that a connection still receives after it has left: 64 KiB.
    private static let flattenBytes = 64 * 1024
    /// A feed may keep as much as this, however much all feeds keep.
    private static let sureBytes = 256 * 1024

    /// A place in a feed at which sending to a connection is suspended.
    private struct Suspension {
        let end: Int
        /// Whether the connection has fallen behind meanwhile; reported when the feed is resumed.
        var hasFallen = false
    }

    /// The indexes of the feeds of a topic by their formats; -1 where no connection follows.
    private typealias Topic = SIMD4<Int32>

    private let ringBytes: Int
    /// With more than this kept for all feeds together, a feed may keep `sureBytes`.
    private let allBytes: Int
    private let connections: ConnectionTable
    /// The feeds by their indexes, which are used again; nil where there is none.
    private var feeds: [Feed?] = []
    private var freeIndexes: [Int] = []
    private var topics: [UInt32: Topic] = [:]
    /// The topic that was looked up last: the next is often the same, and a dictionary costs more.
    private var recent = (number: UInt32(0), topic: Topic(repeating: -1))
    /// The feeds with unserved followers, in the order of their turns.
    private var queue = Queue<Int>()
    /// The number of followers of all feeds of a format.
    private(set) var followerCounts = SIMD4<Int32>()
    private var fallen: [Handle] = []
    /// By the slot of the connection.
    private var suspensions: [Int: Suspension] = [:]

    /// The memory of the rings of all feeds, in bytes.
    private(set) var bytes = 0

    /// Creates an empty table; it keeps at most `ringBytes` of a feed, and about `allBytes` of all.
    init(ringBytes: Int, allBytes: Int, connections: ConnectionTable) {
        (self.ringBytes, self.allBytes, self.connections) = (ringBytes, allBytes, connections)
    }

    /// A feed by its index.
    subscript(index: Int) -> Feed? { feeds[index] }

    /// Returns the index of a feed; nil if no connection follows it.
    mutating func index(of key: FeedKey) -> Int? {
        let index = topic(key.topic)[Int(key.format)]
        return index < 0 ? nil : Int(index)
    }

    private mutating func topic(_ number: UInt32) -> Topic {
        if recent.number != number { recent = (number, topics[number] ?? Topic(repeating: -1)) }
        return recent.topic
    }

    private mutating func setIndex(_ index: Int?, of key: FeedKey) {
        var topic = topic(key.topic)
        topic[Int(key.format)] = Int32(index ?? -1)
        recent.topic = topic
        topics[key.topic] = topic == Topic(repeating: -1) ? nil : topic
    }

    /// The most bytes that a feed may keep now.
    func mostBytes(of feed: Feed) -> Int {
        bytes <= allBytes ? ringBytes : min(max(feed.ring.capacity, Self.sureBytes), ringBytes)
    }

    /// Lets a feed grow, as far as it may, if `count` bytes would overwrite what is yet to be sent.
    mutating func makeRoom(for count: Int, in feed: Feed) {
        let before = feed.ring.capacity
        feed.makeRoom(for: count, upTo: mostBytes(of: feed), connections)
        bytes += feed.ring.capacity - before
    }

    /// The feed that a connection follows.
    func feed(of slot: Int) -> Feed? {
        connections[slot].feed.flatMap { feeds[$0] }
    }

    /// The bytes of its feed and of its outbox that a connection has not been sent.
    func pendingBytes(of slot: Int) -> Int {
        guard connections[slot].isOpen else { return 0 }
        let end = feed(of: slot)?.ring.end
        let behind = end.map { $0 - connections[slot].cursor.position } ?? 0
        return behind + connections[slot].pendingReplies
    }

    /// Makes a connection a follower, which has missed some records of the feed before.
    ///
    /// The first one makes the feed.
    mutating func follow(_ slot: Int, _ key: FeedKey, missed: Int) {
        let (index, feed) =
            index(of: key).flatMap { index in feeds[index].map { (index, $0) } }
            ?? makeFeed(key)
        var cursor = feed.newest
        cursor.record &-= UInt32(truncatingIfNeeded: missed)
        connections[slot].follow(index, place: feed.add(slot), from: cursor)
        followerCounts[Int(key.format)] += 1
    }

    private mutating func makeFeed(_ key: FeedKey) -> (Int, Feed) {
        let feed = Feed(key, ringBytes: ringBytes)
        bytes += feed.ring.capacity
        let index = freeIndexes.popLast() ?? feeds.count
        if index == feeds.count { feeds.append(feed) } else { feeds[index] = feed }
        setIndex(index, of: key)
        return (index, feed)
    }

    /// Removes a feed that nobody follows, and frees its memory.
    private mutating func removeFeed(_ index: Int) {
        guard let feed = feeds[index] else { return }
        feeds[index] = nil
        bytes -= feed.ring.capacity
        setIndex(nil, of: feed.key)
        freeIndexes.append(index)
        if feed.isQueued { queue.removeAll { $0 == index } }
    }

    /// Ends the following of a feed, and returns how many of its records the connection misses.
    ///
    /// The rest of the feed goes to the outbox if it is at most 64 KiB and at most `room`. Then
    /// everything in the outbox is due at once, because the feed's positions mean nothing to it.
    mutating func leave(_ slot: Int, room: Int, _ pool: inout OutboxPool) -> Int {
        guard let feed = feed(of: slot) else { return 0 }
        endSuspension(slot)
        let cursor = connections[slot].cursor
        let behind = feed.ring.end - cursor.position
        let isKept = behind <= min(Self.flattenBytes, room) && !feed.hasLost(cursor.position)
        defer { stopFollowing(slot) }
        if isKept && !connections[slot].marks.contains(.fallen) {
            if behind > 0 {
                pool.change(&connections[slot].outbox) {
                    $0.flatten(feed.ring, from: cursor.position)
                }
            }
            connections[slot].outbox?.makeAllDue()
            return 0
        }
        connections[slot].outbox?.makeAllDue()
        markFallen(slot)
        return cursor.records(to: feed.newest)
    }

    /// Forgets a connection that closes.
    mutating func remove(_ slot: Int) {
        stopFollowing(slot)
        endSuspension(slot)
    }

    private mutating func stopFollowing(_ slot: Int) {
        guard let index = connections[slot].feed, let feed = feeds[index] else { return }
        let place = Int(connections[slot].place)
        if let moved = feed.remove(at: place) { connections[moved].move(toPlace: place) }
        connections[slot].leaveFeed()
        followerCounts[Int(feed.key.format)] -= 1
        if !feed.isFollowed { removeFeed(index) }
    }

    // MARK: Turns

    /// Whether some followers have yet to be served.
    var hasUnservedFollowers: Bool { !queue.isEmpty }

    /// Gives a feed a turn after all that wait for one.
    mutating func enqueue(_ index: Int) {
        feeds[index]?.isQueued = true
        queue.append(index)
    }

    /// Takes the feed whose turn is next; nil if there is nothing to serve.
    mutating func takeTurn() -> Int? { queue.popFirst() }

    /// Gives a feed another turn after all that wait for one, if it has unserved followers.
    mutating func endTurn(of index: Int) {
        guard let feed = feeds[index] else { return }
        feed.isQueued = feed.hasUnservedFollowers
        if feed.isQueued { queue.append(index) }
    }

    /// Whether more bytes than this wait in one feed for followers; O(feeds with any).
    func hasFeed(waitingWith bytes: Int) -> Bool {
        queue.contains { (feeds[$0]?.unservedBytes ?? 0) > bytes }
    }

    // MARK: Falling behind

    /// The position up to which the feed is due; a connection that has fallen is due nothing of it.
    func dueEnd(of slot: Int) -> Int {
        guard let feed = feed(of: slot), !connections[slot].marks.contains(.fallen) else {
            return connections[slot].cursor.position
        }
        return suspensionEnd(of: slot) ?? feed.ring.end
    }

    /// The position in the feed at which a reply given now is due.
    func replyPosition(of slot: Int) -> Int {
        suspensionEnd(of: slot) ?? feed(of: slot)?.ring.end ?? 0
    }

    /// Marks a connection as fallen if what it should read next has been overwritten.
    mutating func checkLoss(of slot: Int) {
        guard let feed = feed(of: slot), feed.hasLost(connections[slot].cursor.position) else {
            return
        }
        markFallen(slot)
    }

    private mutating func markFallen(_ slot: Int) {
        if connections[slot].marks.contains(.fallen) { return }
        connections[slot].marks.insert(.fallen)
        if let end = suspensionEnd(of: slot) {
            // Its replies are sent at this place; the record it is at shows later what it missed.
            connections[slot].cursor.position = end
            suspensions[slot]?.hasFallen = true
        } else {
            fallen.append(connections.handle(at: slot))
        }
    }

    /// Sets a fallen connection to the end of its feed, and returns how many records it missed.
    func skip(_ slot: Int) -> Int {
        let newest = feed(of: slot)?.newest ?? Cursor()
        let missed = connections[slot].cursor.records(to: newest)
        connections[slot].cursor = newest
        connections[slot].marks.remove(.fallen)
        return missed
    }

    /// Takes the connections that have fallen since the last time, and still are.
    mutating func takeFallen() -> [Handle] {
        if fallen.isEmpty { return [] }
        defer { fallen.removeAll(keepingCapacity: true) }
        return fallen.filter {
            connections.slot(of: $0).map { connections[$0].marks.contains(.fallen) } ?? false
        }
    }

    // MARK: Suspension

    /// Suspends a connection's feed at its current end.
    mutating func suspend(_ slot: Int) {
        guard !connections[slot].marks.contains(.suspended), let feed = feed(of: slot) else {
            return
        }
        connections[slot].marks.insert(.suspended)
        suspensions[slot] = Suspension(end: feed.ring.end)
        if connections[slot].marks.contains(.fallen) {
            connections[slot].cursor.position = feed.ring.end
        }
    }

    /// Ends a suspension, and reports a fall that happened in it.
    mutating func endSuspension(_ slot: Int) {
        guard connections[slot].marks.remove(.suspended) != nil,
            suspensions.removeValue(forKey: slot)?.hasFallen == true
        else { return }
        fallen.append(connections.handle(at: slot))
    }

    private func suspensionEnd(of slot: Int) -> Int? {
        connections[slot].marks.contains(.suspended) ? suspensions[slot]?.end : nil
    }
}
