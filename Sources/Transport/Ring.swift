#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The newest records of a feed, and the count of all that were ever appended.
///
/// A record is any sequence of bytes that must be sent whole. Positions count bytes from the first
/// one appended and are never reused. The bytes from `start` to `end` are still here; older ones
/// have been overwritten. It has a page of memory at first, and grows as its owner needs.
package struct Ring: ~Copyable {
    /// A ring with this capacity and the ends of its records takes one page: 2 KiB.
    private static let firstCapacity = 2048

    /// The most bytes that it can hold.
    package let limit: Int
    /// The number of bytes that it holds now.
    package private(set) var capacity: Int
    /// The oldest position whose byte is still here.
    package private(set) var start = 0
    /// The position after the newest byte; always the end of a record.
    package private(set) var end = 0
    /// The number of records that were appended in all.
    package private(set) var records = 0
    private var pages: Pages
    private var ends: RecordEnds

    /// An empty ring; the limit is a power of two, at least 64.
    package init(limit: Int) {
        precondition(
            limit >= 64 && limit & (limit - 1) == 0, "a power of two from 64 on")
        self.limit = limit
        capacity = min(limit, Self.firstCapacity)
        pages = Pages(count: capacity + RecordEnds.bytes(for: capacity))
        ends = RecordEnds(pages.start + capacity, capacity: capacity)
    }

    private var memory: UnsafeMutableRawPointer { pages.start }

    /// Appends one record, and overwrites the oldest bytes.
    package mutating func append(_ record: UnsafeRawBufferPointer) {
        precondition(!record.isEmpty, "a record has at least one byte")
        write(record)
        ends.insert(end - 1)
        records += 1
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count > capacity { grow(toHold: bytes.count) }
        precondition(bytes.count <= capacity, "more than the ring holds")
        let offset = end & (capacity - 1)
        let first = min(bytes.count, capacity - offset)
        if let source = bytes.baseAddress {
            (memory + offset).copyMemory(from: source, byteCount: first)
            if first < bytes.count {
                memory.copyMemory(from: source + first, byteCount: bytes.count - first)
            }
        }
        ends.removeAll(in: end..<end + bytes.count)
        end += bytes.count
        start = max(start, end - capacity)
    }

    /// Doubles the capacity until it is at least `count`, or the limit; O(capacity) if it changes.
    ///
    /// Everything from `start` on stays.
    package mutating func grow(toHold count: Int) {
        var larger = capacity
        while larger < min(count, limit) { larger *= 2 }
        guard larger > capacity else { return }
        let new = Pages(count: larger + RecordEnds.bytes(for: larger))
        var position = start
        while position < end {
            let (from, to) = (position & (capacity - 1), position & (larger - 1))
            let piece = min(end - position, capacity - from, larger - to)
            (new.start + to).copyMemory(from: memory + from, byteCount: piece)
            position += piece
        }
        let newEnds = RecordEnds(new.start + larger, capacity: larger)
        newEnds.insert(start..<end, of: ends)
        pages = new
        (ends, capacity) = (newEnds, larger)
    }

    /// The bytes of a range that is still here: two pieces when it wraps, else the second is empty.
    package func pieces(
        _ range: Range<Int>
    ) -> (first: UnsafeRawBufferPointer, second: UnsafeRawBufferPointer) {
        precondition(range.lowerBound >= start && range.upperBound <= end, "no longer in the ring")
        let offset = range.lowerBound & (capacity - 1)
        let first = min(range.count, capacity - offset)
        return (
            UnsafeRawBufferPointer(start: memory + offset, count: first),
            UnsafeRawBufferPointer(start: memory, count: range.count - first)
        )
    }

    /// The number of records that end within a range that is still here.
    package func recordCount(in range: Range<Int>) -> Int {
        precondition(range.lowerBound >= start && range.upperBound <= end, "no longer in the ring")
        return ends.count(in: range)
    }

    /// The position after the record that the byte before `position` belongs to.
    package func recordEnd(at position: Int) -> Int {
        precondition(position > start && position <= end, "no longer in the ring")
        return ends.first(from: position - 1) + 1
    }
}

/// Zeroed memory, which goes back to the system when it is freed.
///
/// Not of the heap, which keeps what is freed: there may be thousands of rings, for a while.
private struct Pages: ~Copyable {
    let start: UnsafeMutableRawPointer
    private let count: Int

    init(count: Int) {
        self.count = count
        let access = PROT_READ | PROT_WRITE
        guard let memory = mmap(nil, count, access, MAP_PRIVATE | MAP_ANON, -1, 0),
            memory != MAP_FAILED
        else { fatalError("out of memory") }
        start = memory
    }

    deinit {
        munmap(start, count)
    }
}

/// The positions of the last bytes of records: one bit for each byte of a ring.
///
/// Bits and not a list, so that its size does not depend on the size of the records. The ring owns
/// the memory.
private struct RecordEnds {
    private let words: UnsafeMutablePointer<UInt64>
    private let wordMask: Int

    /// The memory that the bits for a ring take.
    static func bytes(for capacity: Int) -> Int { capacity / 8 }

    /// Zeroed memory for a ring with this capacity.
    init(_ memory: UnsafeMutableRawPointer, capacity: Int) {
        words = memory.bindMemory(to: UInt64.self, capacity: capacity / 64)
        wordMask = capacity / 64 - 1
    }

    func insert(_ position: Int) {
        words[position >> 6 & wordMask] |= 1 << UInt64(position & 63)
    }

    func removeAll(in range: Range<Int>) {
        forEachWord(in: range) { words[$0 & wordMask] &= ~$1 }
    }

    /// Inserts the positions of a range that are in another ring's.
    func insert(_ range: Range<Int>, of other: RecordEnds) {
        forEachWord(in: range) {
            words[$0 & wordMask] |= other.words[$0 & other.wordMask] & $1
        }
    }

    func count(in range: Range<Int>) -> Int {
        var count = 0
        forEachWord(in: range) { count += (words[$0 & wordMask] & $1).nonzeroBitCount }
        return count
    }

    /// The first position from here on; there must be one.
    func first(from start: Int) -> Int {
        var position = start
        while true {
            let rest = words[position >> 6 & wordMask] >> UInt64(position & 63)
            if rest != 0 { return position + rest.trailingZeroBitCount }
            position = (position | 63) + 1
        }
    }

    /// Calls `body` with each word that has bits of the range, and with a mask of these bits.
    ///
    /// Words are counted from the first lap on.
    private func forEachWord(in range: Range<Int>, _ body: (_ word: Int, _ mask: UInt64) -> Void) {
        var position = range.lowerBound
        while position < range.upperBound {
            let bit = position & 63
            let count = min(64 - bit, range.upperBound - position)
            body(position >> 6, (UInt64.max >> UInt64(64 - count)) << UInt64(bit))
            position += count
        }
    }
}
