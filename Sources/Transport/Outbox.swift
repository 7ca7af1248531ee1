/// The private bytes of one connection, each with the place in the feed at which it is due.
///
/// What is due at a position is sent after all of the feed before it and before any of the feed
/// after it, so that replies and news make one order.
package final class Outbox {
    /// Bytes that are due at one position, without those that have been sent.
    package struct Entry: Equatable {
        package let due: Int
        package fileprivate(set) var count: Int
    }

    private static let smallestCapacity = 256

    // Raw memory and not an array: a batch points into it while it is sent.
    @exclusivity(unchecked) private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var head = 0
    private var tail = 0
    // Finished entries stay in the array until they are half of it: there may be thousands.
    @exclusivity(unchecked) private var kept: [Entry] = []
    private var finished = 0

    package init() {}

    deinit {
        memory.deallocate()
    }

    /// What has not been sent, place by place.
    ///
    /// - Invariant: in the order of their positions, none of them empty.
    package var entries: ArraySlice<Entry> { kept[finished...] }

    /// How many bytes have not been sent.
    package var count: Int { tail - head }
    package var isEmpty: Bool { head == tail }
    /// How much memory it keeps, sent or not.
    var capacity: Int { memory.count + kept.capacity * MemoryLayout<Entry>.stride }

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
            due >= kept.last?.due ?? due, "replies are due in the order they were given")
        write(bytes)
        if kept.last?.due == due {
            kept[kept.count - 1].count += bytes.count
        } else {
            kept.append(Entry(due: due, count: bytes.count))
        }
    }

    /// Adds a part of a feed before all others; its position may not come after that of the first.
    ///
    /// O(1) if as many bytes have been sent, which leave room for it.
    package func prepend(_ ring: borrowing Ring, _ range: Range<Int>, due: Int) {
        if range.isEmpty { return }
        precondition(due <= entries.first?.due ?? due, "the first bytes are due first")
        if head >= range.count {
            let end = tail
            head -= range.count
            tail = head
            write(ring, range)
            tail = end
        } else {
            let old = takeMemory(reserving: count + range.count)
            write(ring, range)
            write(old.unsent)
            old.memory.deallocate()
        }
        let first = Entry(due: due, count: range.count)
        if finished == 0 { return kept.insert(first, at: 0) }
        finished -= 1
        kept[finished] = first
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
        kept.removeAll(keepingCapacity: true)
        finished = 0
        if !isEmpty { kept.append(Entry(due: 0, count: count)) }
    }

    /// Forgets the first bytes, which have been sent.
    package func consume(_ count: Int) {
        precondition(count <= self.count, "only what is there can have been sent")
        if count == self.count { return removeAll() }
        head += count
        var left = count
        while left >= kept[finished].count {
            left -= kept[finished].count
            finished += 1
        }
        kept[finished].count -= left
        guard finished * 2 >= kept.count else { return }
        kept.removeFirst(finished)
        finished = 0
    }

    private func removeAll() {
        (head, tail, finished) = (0, 0, 0)
        kept.removeAll(keepingCapacity: true)
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

    /// Makes room after the last byte, with twice the memory unless half of it is sent already.
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

/// The outboxes of all connections: the bytes in them, and empty ones to use again.
struct OutboxPool {
    /// At most this many empty outboxes of at most this many bytes are kept.
    private static let (spareOutboxes, spareBytes) = (16, 256 * 1024)

    private var spares: [Outbox] = []
    /// The bytes in all outboxes.
    private(set) var bytes = 0

    /// Changes an outbox, which is made if there is none, and taken away if it is empty afterwards.
    mutating func change(_ place: inout Outbox?, _ body: (Outbox) -> Void) {
        let outbox = place ?? spares.popLast() ?? Outbox()
        bytes -= outbox.count
        body(outbox)
        bytes += outbox.count
        place = outbox
        if outbox.isEmpty { remove(&place) }
    }

    /// Takes an outbox away, with the bytes that are in it.
    mutating func remove(_ place: inout Outbox?) {
        guard let outbox = place.take() else { return }
        bytes -= outbox.count
        let isWorthKeeping = outbox.isEmpty && outbox.capacity <= Self.spareBytes
        if isWorthKeeping && spares.count < Self.spareOutboxes { spares.append(outbox) }
    }
}

/// The bytes that are due to one connection, in the order of sending: of its feed and its outbox.
package struct DuePieces: IteratorProtocol {
    /// A part of the feed by its positions, or of what the outbox has not sent.
    package enum Piece: Equatable {
        case feed(Range<Int>)
        case outbox(Range<Int>)
    }

    private var entries: ArraySlice<Outbox.Entry>.Iterator
    private var entry: Outbox.Entry?
    private var offset = 0
    private var position: Int
    private let limit: Int

    /// From a position in the feed up to another; replies that are due later are not due yet.
    package init(_ range: Range<Int>, _ outbox: Outbox?) {
        (position, limit) = (range.lowerBound, range.upperBound)
        entries = (outbox?.entries ?? []).makeIterator()
        entry = entries.next()
    }

    package mutating func next() -> Piece? {
        guard let entry, entry.due <= limit else { return feed(upTo: limit) }
        if let piece = feed(upTo: entry.due) { return piece }
        let start = offset
        offset += entry.count
        self.entry = entries.next()
        return .outbox(start..<offset)
    }

    /// How many of the first `sent` bytes were of the feed, and how many private.
    ///
    /// Consumes the pieces, for while they are there a change of the outbox copies its entries.
    package consuming func division(of sent: Int) -> (feed: Int, outbox: Int) {
        var left = sent
        var ofOutbox = 0
        while left > 0, let piece = next() {
            switch piece {
            case .feed(let range): left -= min(left, range.count)
            case .outbox(let range):
                ofOutbox += min(left, range.count)
                left -= min(left, range.count)
            }
        }
        return (sent - ofOutbox, ofOutbox)
    }

    private mutating func feed(upTo end: Int) -> Piece? {
        guard position < end else { return nil }
        defer { position = end }
        return .feed(position..<end)
    }
}
