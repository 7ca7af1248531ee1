#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The newest records of a feed, and the count of all that were ever appended.
///
/// A record is any sequence of bytes that must be sent whole. Positions count bytes from the first
/// one appended and are never reused. The bytes from `start` to `end` are still here; older ones
/// have been overwritten. Memory is touched only as it is written: an eighth more than `capacity`.
package struct Ring: ~Copyable {
    package let capacity: Int
    /// The position after the newest byte; always the end of a record.
    package private(set) var end = 0
    /// The number of records that were appended in all.
    package private(set) var records = 0
    private let memory: UnsafeMutableRawPointer
    private var ends: RecordEnds

    /// Bytes; a power of two, at least 64.
    package init(capacity: Int) {
        precondition(capacity >= 64 && capacity & (capacity - 1) == 0, "a power of two from 64 on")
        self.capacity = capacity
        memory = .allocate(byteCount: capacity, alignment: 64)
        ends = RecordEnds(capacity: capacity)
    }

    deinit {
        memory.deallocate()
    }

    /// The oldest position whose byte is still here.
    package var start: Int { max(0, end - capacity) }

    /// Appends one record, and overwrites the oldest bytes.
    package mutating func append(_ record: UnsafeRawBufferPointer) {
        precondition(!record.isEmpty, "a record has at least one byte")
        write(record)
        ends.insert(end - 1)
        records += 1
    }

    /// Appends records that stand one behind the other; their lengths add up to all bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, lengths: some Sequence<Int>) {
        var position = end
        write(bytes)
        for length in lengths {
            precondition(length > 0 && length <= end - position, "records fill the bytes exactly")
            position += length
            ends.insert(position - 1)
            records += 1
        }
        precondition(position == end, "records fill the bytes exactly")
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) {
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

/// The positions of the last bytes of records: one bit for each byte of a ring.
///
/// Bits and not a list, so that its size does not depend on the size of the records.
private struct RecordEnds: ~Copyable {
    private let words: UnsafeMutablePointer<UInt64>
    private let wordMask: Int

    init(capacity: Int) {
        // Zeroed by the kernel, page by page as they are touched.
        guard let memory = calloc(capacity / 64, 8) else { fatalError("out of memory") }
        words = memory.bindMemory(to: UInt64.self, capacity: capacity / 64)
        wordMask = capacity / 64 - 1
    }

    deinit {
        free(words)
    }

    mutating func insert(_ position: Int) {
        words[position >> 6 & wordMask] |= 1 << UInt64(position & 63)
    }

    mutating func removeAll(in range: Range<Int>) {
        forEachWord(in: range) { words[$0] &= ~$1 }
    }

    func count(in range: Range<Int>) -> Int {
        var count = 0
        forEachWord(in: range) { count += (words[$0] & $1).nonzeroBitCount }
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
    private func forEachWord(in range: Range<Int>, _ body: (_ word: Int, _ mask: UInt64) -> Void) {
        var position = range.lowerBound
        while position < range.upperBound {
            let bit = position & 63
            let count = min(64 - bit, range.upperBound - position)
            body(position >> 6 & wordMask, (UInt64.max >> UInt64(64 - count)) << UInt64(bit))
            position += count
        }
    }
}
