import EventLog
import Posix

extension Journal {
    /// Requires that a segment continues the one before.
    ///
    /// A running server may have written the closing note since the segment was read.
    private static func check(
        _ segment: Segment, before next: Segment, on disk: any Disk
    ) throws(JournalError) {
        guard segment.closed == nil, next.hasLinesBehindHead else {
            _ = try segment.missingClosing(before: next)
            return
        }
        let again = try read(segment.first, isOnly: false, on: disk)
        _ = try again.missingClosing(before: next)
    }

    /// Reads every segment of a folder, oldest first, and changes nothing.
    ///
    /// Each line is given to `replay` as by `open`. The oldest segments may be missing, and the end
    /// of the newest may be what a crash left. Takes the memory of two segments.
    ///
    /// - Throws: `damage` at the first line that cannot stand where it stands.
    public static func verify(
        _ disk: any Disk, replay: (EntryKind, Span<UInt8>, Int64?) -> Bool
    ) throws(JournalError) -> Report {
        let firsts = segments(try JournalError.of(try disk.names()))
        var before: Segment?
        for first in firsts {
            let segment = try read(first, isOnly: firsts.count == 1, on: disk)
            if let before { try check(before, before: segment, on: disk) }
            try segment.replay(replay)
            before = segment
        }
        try before?.requireNewest()
        return Report(
            segments: firsts.count, firstEvent: firsts.first ?? 1,
            lastEvent: before?.lastEvent ?? 0, wholeLines: before?.lines ?? 0,
            tornBytes: before?.tornBytes ?? 0)
    }
}
