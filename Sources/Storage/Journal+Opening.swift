import Posix

extension Journal {
    /// Recovers what the folder holds, and opens it to go on.
    ///
    /// The newest segment is read whole, and each of its lines given to `replay`, which returns
    /// false if it does not understand a line; that is damage too. What a
    /// crash left unfinished is cut off after that. Takes the memory of one segment.
    ///
    /// - Throws: `damage` when lines are gone that were on the disk; then nothing has been changed.
    public static func open(
        _ disk: any Disk, segmentLimit: Int = 64 << 20,
        replay: (Mark, Span<UInt8>, Int64?) -> Bool
    ) throws(JournalError) -> (journal: Journal, recovery: Recovery) {
        let found = try newestSegment(disk)
        guard let segment = found.segment else {
            return try begin(disk, segmentLimit: segmentLimit, torn: found.torn, replay: replay)
        }
        try segment.replay(replay)
        if let torn = found.torn { try JournalError.of(try disk.remove(torn.name)) }
        let file = try JournalError.of(try repair(segment, on: disk))
        let recovery = Recovery(
            file: segment.name, segmentBytes: segment.end, lines: segment.lines,
            events: segment.events, nextEvent: segment.lastEvent + 1,
            cut: found.torn?.cutWhole ?? segment.cutTail, isNew: false)
        let journal = Journal(
            disk, file: file, segmentLimit: segmentLimit, recovery: recovery, after: segment.sum)
        return (journal, recovery)
    }

    /// The numbers of the segments in a folder, oldest first.
    static func segments(_ disk: any Disk) throws(JournalError) -> [Int] {
        let names = try JournalError.of(try disk.names())
        return names.compactMap { Header.first(fileName: $0) }.sorted()
    }

    static func read(_ first: Int, on disk: any Disk) throws(JournalError) -> Segment {
        let name = Header.fileName(first: first)
        let bytes = try JournalError.of(try disk.read(name))
        return try Segment(name: name, first: first, bytes: bytes)
    }

    /// The newest segment that has a whole head, and the newer one that has none, if there is one.
    private static func newestSegment(
        _ disk: any Disk
    ) throws(JournalError) -> (segment: Segment?, torn: Segment?) {
        let firsts = try segments(disk)
        guard let newest = firsts.last else { return (nil, nil) }
        let segment = try read(newest, on: disk)
        if segment.isHeadWhole { return (segment, nil) }
        guard let older = firsts.dropLast().last else {
            if newest == 1 { return (nil, segment) }
            throw segment.damage("the segment is torn, and the one before it is not there")
        }
        let before = try read(older, on: disk)
        try before.checkEnd()
        try segment.checkGoesOn(after: before)
        return (before, segment)
    }

    /// Makes the first segment of a journal, in the place of one that never got its head.
    private static func begin(
        _ disk: any Disk, segmentLimit: Int, torn: Segment?,
        replay: (Mark, Span<UInt8>, Int64?) -> Bool
    ) throws(JournalError) -> (journal: Journal, recovery: Recovery) {
        var sealed = SealedLines(after: .zero)
        sealed.append(Header(first: 1, after: .zero, state: 0))
        let segment = try Segment(
            name: Header.fileName(first: 1), first: 1, bytes: Array(sealed.bytes))
        try segment.replay(replay)
        let file = try create(segment.name, holding: sealed.bytes, on: disk, torn: torn)
        let recovery = Recovery(
            file: segment.name, segmentBytes: segment.end, lines: segment.lines, events: 0,
            nextEvent: 1, cut: torn?.cutWhole, isNew: true)
        let journal = Journal(
            disk, file: file, segmentLimit: segmentLimit, recovery: recovery, after: segment.sum)
        return (journal, recovery)
    }

    private static func create(
        _ name: String, holding bytes: UnsafeRawBufferPointer, on disk: any Disk, torn: Segment?
    ) throws(JournalError) -> Int32 {
        if let torn {
            try JournalError.of(try disk.remove(torn.name))
            try JournalError.of(try disk.syncFolder())
        }
        let file = try JournalError.of(try disk.create(name))
        do throws(JournalError) {
            try disk.append(bytes, to: file)
            try JournalError.of(try disk.sync(file))
            try JournalError.of(try disk.syncFolder())
            return file
        } catch {
            disk.close(file)
            throw error
        }
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

extension Segment {
    fileprivate var cutWhole: Recovery.Cut {
        Recovery.Cut(file: name, bytes: bytes.count, isWholeFile: true)
    }

    fileprivate var cutTail: Recovery.Cut? {
        guard tornBytes > 0 else { return nil }
        return Recovery.Cut(file: name, bytes: tornBytes, isWholeFile: false)
    }
}
