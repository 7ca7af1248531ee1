import Posix

/// How much of a journal stays on the disk.
public struct Retention: Equatable, Sendable {
    /// The size of all segments, in bytes, above which the oldest are removed; nil for no limit.
    ///
    /// - Invariant: positive.
    public let bytes: Int?
    /// The age, in milliseconds, above which a segment is removed; nil for no limit.
    ///
    /// The age is that of its last line.
    public let age: Int64?

    /// Sets the limits; with none, no segment is removed.
    public init(bytes: Int? = nil, age: Int64? = nil) {
        precondition(bytes ?? 1 > 0 && age ?? 0 >= 0, "limits are positive")
        (self.bytes, self.age) = (bytes, age)
    }

    /// Returns the segments to remove, oldest first; never the newest.
    ///
    /// `segments` are in order, the oldest first. What is left has no gap: a segment stays if an
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

    /// Returns the size at which a segment is full, in bytes.
    ///
    /// At most a quarter of the limit of all segments, so that there are older ones to remove.
    func segmentLimit(atMost limit: Int) -> Int {
        min(limit, (bytes ?? .max) / 4)
    }

    /// Whether a number of bytes is at least 80 % of the limit.
    func isNearlyFull(_ count: Int) -> Bool {
        bytes.map { count >= $0 - $0 / 5 } ?? false
    }
}

/// The name, size and age of a segment.
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

/// What was done about old segments, and warnings of a lack of space, for the log.
public enum Upkeep: Equatable, Sendable {
    /// A segment of this size, in bytes, was removed.
    case removed(file: String, bytes: Int)
    /// Segments could not be listed or removed; the next attempt follows the next segment.
    case failed(file: String, SystemError)
    /// The newest segment, which is never removed, has 80 % of the bytes that all may have.
    case nearlyFull(bytes: Int, limit: Int)
    /// The file system has less free bytes than the limit below which it is nearly full.
    case diskNearlyFull(free: Int, limit: Int)
}

extension Disk {
    /// The segments of the folder, oldest first; `look` is called with the name of each before.
    func segments(_ look: (String) -> Void) throws(SystemError) -> [StoredSegment] {
        var segments: [StoredSegment] = []
        for first in Header.segments(try names()) {
            let file = Header.fileName(first: first)
            look(file)
            let (bytes, written) = try status(file)
            segments.append(StoredSegment(first: first, bytes: bytes, written: written))
        }
        return segments
    }
}

/// Removes the oldest segments of a folder, one at a time.
///
/// Each segment but the newest may be removed: the newest begins with the whole state and is
/// durable under its name, and the one before it has its closing note. A removal is synced before
/// the next one begins, so a crash leaves no gap.
struct Trimmer {
    private let disk: any Disk
    private let retention: Retention
    private let timeOfDay: @Sendable () -> Int64
    /// Whether the folder must be listed: at the start, and when a segment has begun.
    private var isListingDue = true
    /// The segments to remove, oldest first.
    private var excess: ArraySlice<StoredSegment> = []
    /// The number of segments before the newest.
    private var olderCount = 0
    private var wasNearlyFull = false

    init(_ disk: any Disk, _ retention: Retention, timeOfDay: @escaping @Sendable () -> Int64) {
        (self.disk, self.retention, self.timeOfDay) = (disk, retention, timeOfDay)
    }

    /// Whether `step` has something to do.
    var isDue: Bool { isListingDue || !excess.isEmpty }

    /// Makes the next step list the folder, because a segment has begun.
    mutating func noteBeginning() {
        isListingDue = true
    }

    /// Removes at most one segment, and returns what was done.
    mutating func step() -> Upkeep? {
        if isListingDue {
            isListingDue = false
            if let failure = list() { return failure }
        }
        guard let oldest = excess.popFirst() else { return nil }
        do throws(SystemError) {
            try disk.remove(oldest.name)
            try disk.syncFolder()
        } catch {
            excess = []
            return .failed(file: oldest.name, error)
        }
        olderCount -= 1
        return .removed(file: oldest.name, bytes: oldest.bytes)
    }

    /// Returns a warning, once, when the newest segment comes near the limit and no other is left.
    mutating func warning(newest bytes: Int) -> Upkeep? {
        guard let limit = retention.bytes else { return nil }
        let isNearlyFull = olderCount == 0 && retention.isNearlyFull(bytes)
        defer { wasNearlyFull = isNearlyFull }
        return isNearlyFull && !wasNearlyFull ? .nearlyFull(bytes: bytes, limit: limit) : nil
    }

    /// Lists the segments, and finds those to remove; returns a failure.
    private mutating func list() -> Upkeep? {
        excess = []
        var file = "."
        do throws(SystemError) {
            let segments = try disk.segments { file = $0 }
            excess = retention.excess(of: segments, at: timeOfDay())
            olderCount = max(segments.count - 1, 0)
            return nil
        } catch {
            return .failed(file: file, error)
        }
    }
}
