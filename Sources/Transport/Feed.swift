/// A place in a feed, always between two lines.
struct Cursor {
    /// The position of the next byte to send.
    var position = 0
    /// How many lines of the feed lie before it.
    var line = 0
}

/// One log of encoded lines, and the connections that read it.
final class Feed {
    var ring: Ring
    /// The slots of the connections that follow, in no order that means anything.
    private(set) var followers: [Int32] = []
    /// How far the last flush went.
    var flushed = 0

    init(capacity: Int) {
        ring = Ring(capacity: capacity)
    }

    /// The place of a newcomer: after all there is.
    var newest: Cursor { Cursor(position: ring.end, line: ring.lines) }

    /// Whether what a cursor should read next has been written over.
    func hasLost(_ cursor: Cursor) -> Bool { cursor.position < ring.start }

    /// Adds a follower and returns its place among them.
    func add(_ slot: Int) -> Int {
        followers.append(Int32(slot))
        return followers.count - 1
    }

    /// Removes the follower at a place, and returns the slot of the one that takes its place.
    func remove(at place: Int) -> Int? {
        let last = followers.removeLast()
        guard place < followers.count else { return nil }
        followers[place] = last
        return Int(last)
    }
}
