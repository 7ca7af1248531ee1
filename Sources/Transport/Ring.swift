#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The newest bytes of a feed, and the count of all that ever were.
///
/// Positions count bytes from the first one appended and are never used again. The bytes from
/// `start` to `end` are still here; older ones have been written over. Memory is touched only as it
/// is written.
package struct Ring: ~Copyable {
    private static let lineFeed = UInt8(ascii: "\n")

    package let capacity: Int
    /// The position after the newest byte; always the end of a line.
    package private(set) var end = 0
    /// How many lines were appended in all.
    package private(set) var lines = 0
    private let memory: UnsafeMutableRawPointer

    /// Bytes; a power of two.
    package init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a power of two")
        self.capacity = capacity
        memory = .allocate(byteCount: capacity, alignment: 64)
    }

    deinit {
        memory.deallocate()
    }

    /// The oldest position whose byte is still here.
    package var start: Int { max(0, end - capacity) }

    /// Appends one or more whole lines, writing over the oldest.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= capacity, "more than the ring holds")
        precondition(bytes.last == Self.lineFeed, "whole lines only")
        let offset = end & (capacity - 1)
        let first = min(bytes.count, capacity - offset)
        let target = UnsafeMutableRawBufferPointer(start: memory, count: capacity)
        target[offset..<offset + first].copyBytes(from: bytes[..<first])
        target[..<(bytes.count - first)].copyBytes(from: bytes[first...])
        end += bytes.count
        lines += bytes.lineFeeds
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

    /// How many lines end within the range.
    package func lineCount(in range: Range<Int>) -> Int {
        let (first, second) = pieces(range)
        return first.lineFeeds + second.lineFeeds
    }

    /// The position after the line that the byte before `position` belongs to.
    package func lineEnd(at position: Int) -> Int {
        let (first, second) = pieces(position - 1..<end)
        if let index = first.firstLineFeed { return position + index }
        guard let index = second.firstLineFeed else {
            preconditionFailure("the ring ends with a line")
        }
        return position + first.count + index
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var firstLineFeed: Int? {
        guard let baseAddress, let found = memchr(baseAddress, 10, count) else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }

    fileprivate var lineFeeds: Int {
        var rest = self
        var lines = 0
        while let index = rest.firstLineFeed {
            lines += 1
            rest = UnsafeRawBufferPointer(rebasing: rest[(index + 1)...])
        }
        return lines
    }
}
