import Posix

/// Removes the oldest segments of a folder, one at a time, for the journal's thread.
///
/// Each segment but the newest may go: the newest begins with the whole state and is synced under
/// its name, and the one before it was closed by its note, before the journal writes on. A removal
/// is synced before the next one begins, so a crash leaves no gap.
struct Trimmer {
    private let disk: any Disk
    private let retention: Retention
    private let timeOfDay: @Sendable () -> Int64
    /// Whether the folder is to be listed: at the start, and when a segment has begun.
    private var isListingDue = true
    /// The segments that are to be removed, oldest first.
    private var excess: ArraySlice<StoredSegment> = []
    /// The number of segments before the newest.
    private var olderCount = 0
    private var wasNearlyFull = false

    init(_ disk: any Disk, _ retention: Retention, timeOfDay: @escaping @Sendable () -> Int64) {
        (self.disk, self.retention, self.timeOfDay) = (disk, retention, timeOfDay)
    }

    /// Whether `step` has something to do.
    var isDue: Bool { isListingDue || !excess.isEmpty }

    /// Lists the folder in the next step, for a segment has begun.
    mutating func noteBeginning() {
        isListingDue = true
    }

    /// Removes one segment at most, and returns what there is to tell.
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

    /// Looks at the size of the newest segment, and returns a warning when it comes near the limit
    /// with nothing left to remove.
    mutating func warning(newest bytes: Int) -> Upkeep? {
        guard let limit = retention.bytes else { return nil }
        let isNearlyFull = olderCount == 0 && retention.isNearlyFull(bytes)
        defer { wasNearlyFull = isNearlyFull }
        return isNearlyFull && !wasNearlyFull ? .nearlyFull(bytes: bytes, limit: limit) : nil
    }

    /// Reads the sizes and times of all segments, and counts those to remove; returns a failure.
    private mutating func list() -> Upkeep? {
        excess = []
        var file = "."
        do throws(SystemError) {
            var segments: [StoredSegment] = []
            for first in Journal.segments(try disk.names()) {
                file = Header.fileName(first: first)
                let (bytes, written) = try disk.status(file)
                segments.append(StoredSegment(first: first, bytes: bytes, written: written))
            }
            excess = retention.excess(of: segments, at: timeOfDay())
            olderCount = max(segments.count - 1, 0)
            return nil
        } catch {
            return .failed(file: file, error)
        }
    }
}
