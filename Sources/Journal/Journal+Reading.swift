import Basics
import Posix

extension Journal {
    /// Recovers what the folder has, and opens it to append to it.
    ///
    /// Reads the newest segment whole, and calls `replay` with each of its lines; it returns false
    /// for a line that cannot be read or applied, which is damage too. Then cuts off what a crash
    /// left unfinished. Takes the memory of one segment, or of two if the newest has no event yet.
    /// Segments that `retention` excludes are removed after `start`, and whenever a segment has
    /// begun.
    ///
    /// `timeOfDay` is the time in milliseconds since 1970, `clock` the monotonic clock in
    /// nanoseconds.
    ///
    /// - Throws: `damage` when lines are missing that were durable; then nothing has been changed.
    public static func open(
        _ disk: any Disk, segmentLimit: Int = 64 << 20, retention: Retention = Retention(),
        timeOfDay: @escaping @Sendable () -> Int64 = wallClockMilliseconds,
        clock: @escaping @Sendable () -> Int64 = monotonicNanoseconds,
        replay: (EntryKind, Span<UInt8>, Int64?) -> Bool
    ) throws(JournalError) -> (journal: Journal, recovery: Recovery) {
        let folder = try SegmentFolder(disk)
        let newest = try folder.readNewest()
        let isNew = newest?.isHeadWhole != true
        let segment =
            if let newest, !isNew { newest } else { try Segment.ofNewJournal() }
        try segment.requireNewest()
        let unclosed = try folder.unclosed(before: segment)
        try segment.replay(replay)
        let file = try folder.repair(newest: isNew ? nil : segment, unclosed)
        let recovery = Recovery(segment, cut: newest?.cut, isNew: isNew)
        let size = SegmentSize(
            limit: retention.segmentLimit(atMost: segmentLimit), head: segment.headBytes,
            bytes: segment.end)
        let trimmer =
            retention == Retention() ? nil : Trimmer(disk, retention, timeOfDay: timeOfDay)
        let journal = Journal(
            disk, file: file, size: size, recovery: recovery, after: segment.sum, trimmer: trimmer,
            clock: clock)
        return (journal, recovery)
    }

    /// Reads every segment of a folder, oldest first, and changes nothing.
    ///
    /// Calls `replay` with each line as `open` does. The oldest segments may be missing, and the
    /// end of the newest may be torn by a crash. Takes the memory of two segments.
    ///
    /// - Throws: `damage` at the first line that cannot be in its place.
    public static func verify(
        _ disk: any Disk, replay: (EntryKind, Span<UInt8>, Int64?) -> Bool
    ) throws(JournalError) -> Report {
        let folder = try SegmentFolder(disk)
        var before: Segment?
        for first in folder.firsts {
            let segment = try folder.read(first)
            if let before { try folder.check(before, before: segment) }
            try segment.replay(replay)
            before = segment
        }
        try before?.requireNewest()
        return Report(
            segments: folder.firsts.count, firstEvent: folder.firsts.first ?? 1,
            lastEvent: before?.lastEvent ?? 0, wholeLines: before?.lines ?? 0,
            tornBytes: before?.tornBytes ?? 0)
    }
}

extension Segment {
    /// The first segment as it is when it is made.
    fileprivate static func ofNewJournal() throws(JournalError) -> Segment {
        let head = ChecksummedLines.ofNewJournal()
        return try Segment(name: Header.fileName(first: 1), first: 1, bytes: Array(head.bytes))
    }

    /// What is cut off when the segment is opened.
    fileprivate var cut: Recovery.Cut? {
        guard isHeadWhole else {
            return Recovery.Cut(file: name, bytes: bytes.count, isWholeFile: true)
        }
        guard tornBytes > 0 else { return nil }
        return Recovery.Cut(file: name, bytes: tornBytes, isWholeFile: false)
    }

    /// Requires that no newer segment is missing.
    fileprivate func requireNewest() throws(JournalError) {
        guard let closed else { return }
        let next = closed > 0 ? Header.fileName(first: closed) : "another"
        throw damage("a newer segment is missing: this one says that \(next) follows")
    }
}

extension Recovery {
    fileprivate init(_ segment: Segment, cut: Cut?, isNew: Bool) {
        self.init(
            file: segment.name, segmentBytes: segment.end, events: segment.events,
            nextEvent: segment.lastEvent + 1, cut: cut, isNew: isNew)
    }
}

/// What a journal had when it was opened.
public struct Recovery: Sendable {
    /// The unfinished end of a segment, which was cut off.
    public struct Cut: Sendable {
        /// The name of the file in its folder.
        public let file: String
        /// How many bytes were cut off.
        public let bytes: Int
        /// Whether that was the whole file, which begins anew.
        public let isWholeFile: Bool
    }

    /// The name of the newest segment.
    package let file: String
    /// Its size in bytes.
    public let segmentBytes: Int
    /// The number of its events.
    public let events: Int
    /// The number of the next event.
    public let nextEvent: Int
    /// The unfinished end, if there was one.
    public let cut: Cut?
    /// Whether the folder had no journal, or only a part of its first line.
    package let isNew: Bool
}

/// What a journal had when it was verified.
public struct Report: Equatable, Sendable, CustomStringConvertible {
    /// The number of segments.
    public let segments: Int
    /// The number of the first event that they may have.
    public let firstEvent: Int
    /// The number of the last event; one less than the first if there is none.
    public let lastEvent: Int
    /// The number of whole lines in the newest segment, with its header.
    public let wholeLines: Int
    /// The bytes of an unfinished write at the end of the newest.
    public let tornBytes: Int

    /// A summary, such as `events 1 to 812 in 1 segment`.
    public var description: String {
        let files = segments == 1 ? "1 segment" : "\(segments) segments"
        let torn = tornBytes == 0 ? "" : ", and \(tornBytes) bytes of an unfinished write"
        return "events \(firstEvent) to \(lastEvent) in \(files)\(torn)"
    }
}
