import Posix

/// How much of a journal is kept.
public struct Retention: Equatable, Sendable {
    /// The bytes of all segments together past which the oldest are removed; nil for no limit.
    ///
    /// - Invariant: positive.
    public let bytes: Int?
    /// The milliseconds since the last line of a segment after which it is removed; nil for no
    /// limit.
    public let age: Int64?

    /// Sets the limits; without any, every segment is kept.
    public init(bytes: Int? = nil, age: Int64? = nil) {
        precondition(bytes ?? 1 > 0 && age ?? 0 >= 0, "limits are positive")
        (self.bytes, self.age) = (bytes, age)
    }

    /// The segments to remove, oldest first; never the newest.
    ///
    /// `segments` stand in order, the oldest first. What is left has no gap: a segment stays if an
    /// older one stays.
    package func excess(
        of segments: [StoredSegment], at now: Int64
    ) -> ArraySlice<StoredSegment> {
        var left = segments.reduce(0) { $0 + $1.bytes }
        let older = segments.dropLast()
        let bySize = older.prefix { segment in
            guard let bytes, left > bytes else { return false }
            left -= segment.bytes
            return true
        }
        let byAge = older.prefix { segment in
            guard let age else { return false }
            return now - segment.written > age
        }
        return bySize.count > byAge.count ? bySize : byAge
    }

    /// The size at which a segment is full: a quarter of all at most, so that there is something
    /// to remove.
    func segmentLimit(atMost limit: Int) -> Int {
        min(limit, (bytes ?? .max) / 4)
    }

    /// Whether this number of bytes is at least 80 % of the limit.
    func isNearlyFull(_ count: Int) -> Bool {
        bytes.map { count >= $0 - $0 / 5 } ?? false
    }
}

/// A segment as the folder lists it.
package struct StoredSegment: Equatable, Sendable {
    /// The number in its name.
    package let first: Int
    package let bytes: Int
    /// When its last line was written, in milliseconds since 1970.
    package let written: Int64

    package init(first: Int, bytes: Int, written: Int64) {
        (self.first, self.bytes, self.written) = (first, bytes, written)
    }

    /// The name of its file.
    package var name: String { Header.fileName(first: first) }
}

/// What the journal's thread did about old segments, for the log.
public enum Upkeep: Equatable, Sendable {
    /// A segment of this size, in bytes, was removed.
    case removed(file: String, bytes: Int)
    /// Segments could not be listed or removed; the next attempt follows the next segment.
    case failed(file: String, SystemError)
    /// The newest segment, which stays, has 80 % of the bytes of all.
    case nearlyFull(bytes: Int, limit: Int)
}
