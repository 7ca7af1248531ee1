/// A place in a feed, always between two records.
struct Cursor {
    /// The position of the next byte to send.
    var position = 0
    /// The number of records before it.
    var record = 0
}

/// One log of encoded records, and the connections that read it.
final class Feed {
    // Not checked for exclusive access at run time, like the state of `Connections`.
    @exclusivity(unchecked) var ring: Ring
    /// The slots of the connections that follow, in no order that means anything.
    @exclusivity(unchecked) private(set) var followers: [Int32] = []
    /// How many followers have not been served since the newest record was appended.
    private(set) var unserved = 0
    /// Up to where everybody has been served, as far as they took it.
    private(set) var served = 0
    /// The place of the follower to serve next.
    private var turn = 0
    /// How many were served in the round under way, and how long the feed was when it began.
    @exclusivity(unchecked) private var round = (steps: 0, start: 0)

    init(capacity: Int) {
        ring = Ring(capacity: capacity)
    }

    /// The place of a newcomer: after all there is.
    var newest: Cursor { Cursor(position: ring.end, record: ring.records) }

    /// Whether what a cursor should read next has been written over.
    func hasLost(_ cursor: Cursor) -> Bool { cursor.position < ring.start }

    /// Appends one record, which all followers are yet to be served.
    func append(_ record: UnsafeRawBufferPointer) {
        beginRound()
        ring.append(record)
    }

    /// Appends records that stand one behind the other.
    func append(_ bytes: UnsafeRawBufferPointer, lengths: some Sequence<Int>) {
        beginRound()
        ring.append(bytes, lengths: lengths)
    }

    /// Begins with somebody else each time, or the same would always hear it last.
    ///
    /// Steps of the golden section spread the places of each over the round, however few the times.
    private func beginRound() {
        defer { unserved = followers.count }
        guard unserved == 0 else { return }
        (served, round) = (ring.end, (0, ring.end))
        turn += (followers.count * 618 + 500) / 1000
        if turn >= followers.count { turn -= followers.count }
    }

    /// The slot of the follower who has waited longest; nil when all have been served.
    func next() -> Int? {
        guard unserved > 0 else { return nil }
        if turn >= followers.count { turn = 0 }
        if round.steps == followers.count { (served, round) = (round.start, (0, ring.end)) }
        defer { advance() }
        return Int(followers[turn])
    }

    private func advance() {
        turn += 1
        round.steps += 1
        unserved -= 1
    }

    /// Adds a follower and returns its place among them.
    func add(_ slot: Int) -> Int {
        // The round under way passes the newcomer too.
        if unserved > 0 { unserved += 1 }
        followers.append(Int32(slot))
        return followers.count - 1
    }

    /// Removes the follower at a place, and returns the slot of the one that takes its place.
    func remove(at place: Int) -> Int? {
        let last = followers.removeLast()
        // The one that moves may miss its turn, so all have another.
        if unserved > 0 { (unserved, round.steps) = (followers.count, 0) }
        guard place < followers.count else { return nil }
        followers[place] = last
        return Int(last)
    }
}
