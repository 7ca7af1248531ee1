/// A place in a feed, always between two records.
struct Cursor {
    /// The position of the next byte to send.
    var position = 0
    /// The number of records before it, modulo 2^32.
    var record: UInt32 = 0

    /// Returns the number of records from here to a later place.
    func records(to later: Cursor) -> Int { Int(later.record &- record) }
}

/// The name of a feed, whose meaning its owner chooses.
public struct FeedKey: Hashable, Sendable {
    /// The number of formats.
    public static let formats = 4

    /// The subject of the feed, for instance a room.
    public let topic: UInt32
    /// The form in which the feed is written, for instance an encoding.
    ///
    /// - Invariant: less than `formats`.
    public let format: UInt8

    /// Names a feed; `format` is less than `formats`.
    public init(topic: UInt32, format: Int) {
        precondition((0..<Self.formats).contains(format), "there are \(Self.formats) formats")
        (self.topic, self.format) = (topic, UInt8(format))
    }
}

/// One log of encoded records, and the connections that read it.
final class Feed {
    let key: FeedKey
    // Every delivery uses both, so they are not checked for exclusive access at run time.
    @exclusivity(unchecked) private(set) var ring: Ring
    @exclusivity(unchecked) private var followers = Followers()
    /// The position up to which the ring can be written without a look at the followers.
    private var safeEnd = 0
    /// Whether it is among those that `FeedTable` will serve.
    var isQueued = false

    /// An empty feed, of which at most `ringBytes` are kept.
    init(_ key: FeedKey, ringBytes: Int) {
        self.key = key
        ring = Ring(limit: ringBytes)
    }

    var isFollowed: Bool { !followers.isEmpty }

    /// The number of connections that follow.
    var followerCount: Int { followers.count }

    /// Whether a follower has yet to be served.
    var hasUnservedFollowers: Bool { followers.unserved > 0 }

    /// The bytes that some follower has not been served; 0 if all have been.
    var unservedBytes: Int { hasUnservedFollowers ? ring.end - followers.served : 0 }

    /// The place of a new follower: after everything that was appended.
    var newest: Cursor {
        Cursor(position: ring.end, record: UInt32(truncatingIfNeeded: ring.records))
    }

    /// Whether what a cursor should read next has been overwritten.
    func hasLost(_ position: Int) -> Bool { position < ring.start }

    /// Whether `count` more bytes certainly overwrite nothing that a follower has yet to be sent.
    func hasRoom(for count: Int) -> Bool { ring.end + count <= safeEnd }

    /// Lets the ring grow to about `limit` if `count` bytes would overwrite what is yet to be sent.
    ///
    /// So a feed whose followers have everything takes no more memory, however long it lasts. Looks
    /// at all followers, but only once for each lap of the ring.
    func makeRoom(for count: Int, upTo limit: Int, _ connections: ConnectionTable) {
        guard ring.capacity < limit else {
            ring.grow(toHold: count)
            safeEnd = ring.capacity < ring.limit ? ring.end + ring.capacity : .max
            return
        }
        var oldest = ring.end
        for slot in followers.slots where !connections[Int(slot)].marks.contains(.fallen) {
            oldest = min(oldest, connections[Int(slot)].cursor.position)
        }
        ring.grow(toHold: max(min(ring.end + count - oldest, limit), count))
        safeEnd = oldest + ring.capacity
    }

    /// Appends one record, for all followers; call `makeRoom` before.
    func append(_ record: UnsafeRawBufferPointer) {
        followers.beginRound(at: ring.end)
        ring.append(record)
    }

    /// Returns the slot of the follower that has waited longest; nil when all have been served.
    func next() -> Int? { followers.next(end: ring.end) }

    /// Adds a follower and returns its place among them.
    func add(_ slot: Int) -> Int { followers.add(slot) }

    /// Removes the follower at a place, and returns the slot of the one that takes its place.
    func remove(at place: Int) -> Int? { followers.remove(at: place) }
}

/// The followers of a feed, and whose turn it is to be served.
private struct Followers {
    /// The slots of the connections that follow, in no particular order.
    private(set) var slots: [Int32] = []
    /// The number of followers that were not served since the newest record was appended.
    private(set) var unserved = 0
    /// The position up to which every follower has been served.
    private(set) var served = 0
    /// The place of the follower to serve next.
    private var turn = 0
    /// The followers served in the current round, and the end of the feed when it began.
    private var round = (steps: 0, start: 0)

    var isEmpty: Bool { slots.isEmpty }

    var count: Int { slots.count }

    /// Begins with another follower each time, so that none is always the last.
    ///
    /// Steps of the golden section spread the turns of each follower evenly, even in few rounds.
    mutating func beginRound(at end: Int) {
        defer { unserved = slots.count }
        guard unserved == 0 else { return }
        (served, round) = (end, (0, end))
        turn += (slots.count * 618 + 500) / 1000
        if turn >= slots.count { turn -= slots.count }
    }

    mutating func next(end: Int) -> Int? {
        guard unserved > 0 else { return nil }
        if turn >= slots.count { turn = 0 }
        if round.steps == slots.count { (served, round) = (round.start, (0, end)) }
        let slot = Int(slots[turn])
        turn += 1
        round.steps += 1
        unserved -= 1
        return slot
    }

    mutating func add(_ slot: Int) -> Int {
        // The round under way passes the new follower too.
        if unserved > 0 { unserved += 1 }
        slots.append(Int32(slot))
        return slots.count - 1
    }

    mutating func remove(at place: Int) -> Int? {
        let last = slots.removeLast()
        // The one that moves may miss its turn, so the round begins again.
        if unserved > 0 { (unserved, round.steps) = (slots.count, 0) }
        guard place < slots.count else { return nil }
        slots[place] = last
        return Int(last)
    }
}
