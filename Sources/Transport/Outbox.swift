/// The private bytes of one connection, each with the place in the feed at which it is due.
///
/// What is due at a position is sent after all of the feed before it and before any of the feed
/// after it, so that replies and news make one order.
package final class Outbox {
    /// Bytes that are due at one position; as many as have not been sent.
    package struct Entry: Equatable {
        package let due: Int
        package fileprivate(set) var count: Int
    }

    private static let smallestCapacity = 256

    // Raw memory and not an array: a parcel points into it while it is sent.
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var head = 0
    private var tail = 0
    /// - Invariant: in the order of their positions, none of them empty.
    package private(set) var entries: [Entry] = []

    package init() {}

    deinit {
        memory.deallocate()
    }

    /// How many bytes have not been sent.
    package var count: Int { tail - head }
    package var isEmpty: Bool { head == tail }
    /// How much memory it keeps, sent or not.
    var capacity: Int { memory.count }

    /// Bytes that have not been sent, counted from the first; they stay there until the next
    /// change.
    package func unsent(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            rebasing: memory[head..<tail][head + range.lowerBound..<head + range.upperBound])
    }

    /// Adds bytes behind all others; their position may not come before that of the last.
    package func append(_ bytes: UnsafeRawBufferPointer, due: Int) {
        if bytes.isEmpty { return }
        precondition(
            due >= entries.last?.due ?? due, "replies are due in the order they were given")
        write(bytes)
        if entries.last?.due == due {
            entries[entries.count - 1].count += bytes.count
        } else {
            entries.append(Entry(due: due, count: bytes.count))
        }
    }

    /// Adds a part of a feed before all others; its position may not come after that of the first.
    package func prepend(_ ring: borrowing Ring, _ range: Range<Int>, due: Int) {
        if range.isEmpty { return }
        precondition(due <= entries.first?.due ?? due, "the first bytes are due first")
        let old = takeMemory(reserving: count + range.count)
        write(ring, range)
        write(old.unsent)
        old.memory.deallocate()
        entries.insert(Entry(due: due, count: range.count), at: 0)
    }

    /// Takes the rest of a feed into itself, each byte in its place, and makes all due at once.
    package func flatten(_ ring: borrowing Ring, from position: Int) {
        let old = takeMemory(reserving: count + ring.end - position)
        var position = position
        var rest = old.unsent
        for entry in entries {
            write(ring, position..<max(position, entry.due))
            position = max(position, entry.due)
            write(UnsafeRawBufferPointer(rebasing: rest[..<entry.count]))
            rest = UnsafeRawBufferPointer(rebasing: rest[entry.count...])
        }
        write(ring, position..<ring.end)
        old.memory.deallocate()
        makeAllDue()
    }

    /// Makes everything due at once, whatever feed the positions belonged to.
    package func makeAllDue() {
        entries = isEmpty ? [] : [Entry(due: 0, count: count)]
    }

    /// Forgets the first bytes, which have been sent.
    package func consume(_ count: Int) {
        precondition(count <= self.count, "only what is there can have been sent")
        head += count
        var left = count
        var finished = 0
        while left > 0 {
            let part = min(left, entries[finished].count)
            entries[finished].count -= part
            left -= part
            if entries[finished].count == 0 { finished += 1 }
        }
        entries.removeFirst(finished)
        if isEmpty { (head, tail) = (0, 0) }
    }

    private func write(_ ring: borrowing Ring, _ range: Range<Int>) {
        if range.isEmpty { return }
        let (first, second) = ring.pieces(range)
        write(first)
        write(second)
    }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty { return }
        makeRoom(for: bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: memory[tail...]).copyMemory(from: bytes)
        tail += bytes.count
    }

    /// Makes room behind the last byte, by twice the memory unless half of it is sent already.
    private func makeRoom(for additional: Int) {
        guard tail + additional > memory.count else { return }
        if head > memory.count / 2 && count + additional <= memory.count {
            memory.copyMemory(from: unsent(0..<count))
            (head, tail) = (0, count)
            return
        }
        let old = takeMemory(reserving: max(2 * memory.count, count + additional))
        write(old.unsent)
        old.memory.deallocate()
    }

    /// Puts empty memory in the place of the present one, which becomes the caller's.
    private func takeMemory(
        reserving bytes: Int
    ) -> (memory: UnsafeMutableRawBufferPointer, unsent: UnsafeRawBufferPointer) {
        let old = (memory, unsent(0..<count))
        memory = .allocate(byteCount: max(bytes, Self.smallestCapacity), alignment: 16)
        (head, tail) = (0, 0)
        return old
    }
}
