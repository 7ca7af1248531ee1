import Posix

/// The segments of a folder when a journal is opened or verified.
struct SegmentFolder {
    private let disk: any Disk
    private let names: [String]
    /// The numbers of the segments, oldest first.
    let firsts: [Int]

    /// Lists the folder.
    init(_ disk: any Disk) throws(JournalError) {
        self.disk = disk
        names = try JournalError.of(try disk.names())
        firsts = Header.segments(names)
    }

    /// Reads a segment.
    ///
    /// - Throws: `damage` if its header and state are not whole, unless it is the only segment and
    ///   may be the beginning of a journal.
    func read(_ first: Int) throws(JournalError) -> Segment {
        let name = Header.fileName(first: first)
        let bytes = try JournalError.of(try disk.read(name))
        let segment = try Segment(name: name, first: first, bytes: bytes)
        if !segment.isHeadWhole && !(firsts.count == 1 && segment.mayBeginAnew) {
            throw segment.damage("the header and the state of the segment are not whole")
        }
        return segment
    }

    /// Reads the newest segment; nil if there is none.
    func readNewest() throws(JournalError) -> Segment? {
        guard let newest = firsts.last else { return nil }
        return try read(newest)
    }

    /// Requires that a segment continues the one before.
    ///
    /// A running server may have written the closing note since `segment` was read.
    func check(_ segment: Segment, before next: Segment) throws(JournalError) {
        let current =
            segment.closed == nil && next.hasLinesAfterHead ? try read(segment.first) : segment
        _ = try current.missingNote(before: next)
    }

    /// Makes the folder what was read of it, and opens the newest segment to append to it.
    ///
    /// Removes unfinished segments, cuts the torn tail, and writes a closing note that a crash
    /// prevented. `newest` is nil for a new journal. Nothing is changed before this.
    func repair(
        newest: Segment?, _ unclosed: (segment: Segment, note: [UInt8])?
    ) throws(JournalError) -> Int32 {
        for name in names where Header.isUnfinished(fileName: name) {
            try JournalError.of(try disk.remove(name))
        }
        guard let newest else {
            return try disk.createSegment(first: 1, head: .ofNewJournal())
        }
        let file = try JournalError.of(try cut(newest))
        do throws(JournalError) {
            if let unclosed { try close(unclosed.segment, with: unclosed.note) }
            return file
        } catch {
            disk.close(file)
            throw error
        }
    }

    /// The segment before the newest, and the part of its closing note that is missing.
    ///
    /// Nil unless a crash may have prevented that note. The part is empty if a killed server wrote
    /// the note and did not sync it.
    func unclosed(
        before newest: Segment
    ) throws(JournalError) -> (segment: Segment, note: [UInt8])? {
        guard !newest.hasLinesAfterHead,
            let first = firsts.last(where: { $0 < newest.first })
        else { return nil }
        let segment = try read(first)
        return (segment, try segment.missingNote(before: newest) ?? [])
    }

    /// Cuts the torn tail, and syncs what a crash may have left in memory before a star follows it.
    private func cut(_ segment: Segment) throws(SystemError) -> Int32 {
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

    /// Writes the missing part of the closing note, and syncs the note in any case.
    ///
    /// What follows in the newest segment must not be durable without it.
    private func close(_ segment: Segment, with note: [UInt8]) throws(JournalError) {
        let file = try JournalError.of(try disk.open(segment.name))
        defer { disk.close(file) }
        if segment.tornBytes > 0 {
            try JournalError.of(try disk.truncate(file, to: segment.end))
        }
        guard !note.isEmpty else { return try JournalError.of(try disk.sync(file)) }
        try disk.appendSynced(note, to: file)
    }
}

/// Checks that the next segment continues this one.
extension Segment {
    /// The closing note that must still be appended; nil if the segment has it.
    ///
    /// - Throws: `damage` if the next segment does not continue this one, or has lines that are
    ///   written only after the note.
    fileprivate func missingNote(before next: Segment) throws(JournalError) -> [UInt8]? {
        if next.first != lastEvent + 1 {
            throw next.startDamage("it begins with event \(next.first), but after \(lastEvent)")
        }
        var note = ChecksummedLines(after: sum)
        if let closed {
            guard closed == next.first else { throw damage("it names another segment as the next") }
        } else {
            note.appendClosing(next: next.first)
            guard !next.hasLinesAfterHead, tornBytes <= note.count else {
                throw damage("the segment breaks off, and a later one was begun")
            }
        }
        if let header = next.header, header.after != note.sum {
            throw next.startDamage("it does not go on after the last line of \(name)")
        }
        return closed == nil ? Array(note.bytes) : nil
    }

    private func startDamage(_ reason: String) -> JournalError {
        .damage(Damage(file: name, offset: 0, line: 1, reason: reason))
    }
}

extension ChecksummedLines {
    /// The header of a new journal.
    static func ofNewJournal() -> ChecksummedLines {
        var lines = ChecksummedLines(after: .zero)
        lines.append(Header(first: 1, after: .zero, state: 0))
        return lines
    }
}
