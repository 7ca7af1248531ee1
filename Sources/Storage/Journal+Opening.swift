import EventLog
import Posix

extension Journal {
    /// Recovers what the folder holds, and opens it to go on.
    ///
    /// The newest segment is read whole, and each of its lines given to `replay`, which returns
    /// false if it does not understand a line; that is damage too. What a crash left unfinished is
    /// cut off after that. Takes the memory of one segment. What `retention` does not keep is removed
    /// once the journal has started, and whenever a segment has begun.
    ///
    /// - Throws: `damage` when lines are gone that were on the disk; then nothing has been changed.
    public static func open(
        _ disk: any Disk, segmentLimit: Int = 64 << 20, retention: Retention = Retention(),
        timeOfDay: @escaping @Sendable () -> Int64 = wallClockMilliseconds,
        clock: @escaping @Sendable () -> Int64 = monotonicNanoseconds,
        replay: (EntryKind, Span<UInt8>, Int64?) -> Bool
    ) throws(JournalError) -> (journal: Journal, recovery: Recovery) {
        let names = try JournalError.of(try disk.names())
        let newest = try newestSegment(names, on: disk)
        let isNew = newest?.isHeadWhole != true
        let segment =
            if let newest, newest.isHeadWhole { newest } else { try Segment.ofNewJournal() }
        try segment.requireNewest()
        let unclosed = try unclosedSegment(names, before: segment, on: disk)
        try segment.replay(replay)
        let file = try change(disk, holding: names, to: segment, isNew: isNew)
        if let unclosed {
            do throws(JournalError) { try unclosed.close(on: disk) } catch {
                disk.close(file)
                throw error
            }
        }
        let recovery = Recovery(segment, cut: newest?.cut, isNew: isNew)
        let size = SegmentSize(
            limit: retention.segmentLimit(atMost: segmentLimit), head: segment.headBytes,
            bytes: segment.end)
        let trimmer =
            retention == Retention()
            ? nil : Trimmer(disk, retention, timeOfDay: timeOfDay)
        let journal = Journal(
            disk, file: file, size: size, recovery: recovery, after: segment.sum, trimmer: trimmer,
            clock: clock)
        return (journal, recovery)
    }

    /// The numbers of the segments in a folder, oldest first.
    static func segments(_ names: [String]) -> [Int] {
        names.compactMap { Header.first(fileName: $0) }.sorted()
    }

    /// Reads a segment, which has a whole head unless it may be the beginning of a journal.
    static func read(
        _ first: Int, isOnly: Bool, on disk: any Disk
    ) throws(JournalError) -> Segment {
        let name = Header.fileName(first: first)
        let bytes = try JournalError.of(try disk.read(name))
        let segment = try Segment(name: name, first: first, bytes: bytes)
        if !segment.isHeadWhole && !(isOnly && segment.mayBeginAnew) {
            throw segment.damage("the header and the state of the segment are not whole")
        }
        return segment
    }

    private static func newestSegment(
        _ names: [String], on disk: any Disk
    ) throws(JournalError) -> Segment? {
        let firsts = segments(names)
        guard let newest = firsts.last else { return nil }
        return try read(newest, isOnly: firsts.count == 1, on: disk)
    }

    /// The segment before the newest, if a crash may have prevented its closing note.
    private static func unclosedSegment(
        _ names: [String], before newest: Segment, on disk: any Disk
    ) throws(JournalError) -> UnclosedSegment? {
        guard !newest.hasLinesBehindHead,
            let first = segments(names).last(where: { $0 < newest.first })
        else { return nil }
        let segment = try read(first, isOnly: false, on: disk)
        guard let note = try segment.missingClosing(before: newest) else { return nil }
        return UnclosedSegment(segment: segment, note: note)
    }

    /// Makes the folder what was found sound in it; nothing has been changed before.
    private static func change(
        _ disk: any Disk, holding names: [String], to segment: Segment, isNew: Bool
    ) throws(JournalError) -> Int32 {
        for name in names where Header.isDraft(fileName: name) {
            try JournalError.of(try disk.remove(name))
        }
        guard isNew else { return try JournalError.of(try repair(segment, on: disk)) }
        return try disk.createSegment(first: 1, head: .ofNewJournal())
    }

    /// Cuts the tail, and syncs what a crash may have left in memory before a star is put behind it.
    private static func repair(
        _ segment: Segment, on disk: any Disk
    ) throws(SystemError) -> Int32 {
        let file = try disk.open(segment.name)
        do throws(SystemError) {
            if segment.tornBytes > 0 { try disk.truncate(file, to: segment.end) }
            try disk.sync(file)
            try disk.syncFolder()
            return file
        } catch {
            disk.close(file)
            throw error
        }
    }
}

/// A segment that lacks its closing note, and the note.
private struct UnclosedSegment {
    let segment: Segment
    let note: [UInt8]

    /// Writes the note over what a crash left of it.
    func close(on disk: any Disk) throws(JournalError) {
        let file = try JournalError.of(try disk.open(segment.name))
        defer { disk.close(file) }
        if segment.tornBytes > 0 {
            try JournalError.of(try disk.truncate(file, to: segment.end))
        }
        try disk.appendSynced(note, to: file)
    }
}

extension Segment {
    /// The first segment as it is when it is made.
    fileprivate static func ofNewJournal() throws(JournalError) -> Segment {
        let head = ChecksummedLines.ofNewJournal()
        return try Segment(name: Header.fileName(first: 1), first: 1, bytes: Array(head.bytes))
    }

    /// What is taken away when the journal goes on.
    fileprivate var cut: Recovery.Cut? {
        guard isHeadWhole else {
            return Recovery.Cut(file: name, bytes: bytes.count, isWholeFile: true)
        }
        guard tornBytes > 0 else { return nil }
        return Recovery.Cut(file: name, bytes: tornBytes, isWholeFile: false)
    }
}

extension ChecksummedLines {
    /// The header of a journal that holds nothing yet.
    fileprivate static func ofNewJournal() -> ChecksummedLines {
        var sealed = ChecksummedLines(after: .zero)
        sealed.append(Header(first: 1, after: .zero, state: 0))
        return sealed
    }
}

extension Recovery {
    fileprivate init(_ segment: Segment, cut: Cut?, isNew: Bool) {
        self.init(
            file: segment.name, segmentBytes: segment.end, lines: segment.lines,
            events: segment.events, nextEvent: segment.lastEvent + 1, cut: cut, isNew: isNew)
    }
}
