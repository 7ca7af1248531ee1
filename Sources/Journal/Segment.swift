import Basics

/// A segment as it was read: its whole lines, and what follows them.
struct Segment {
    /// The name of its file.
    let name: String
    /// All bytes of its file.
    let bytes: [UInt8]
    /// Its header, if that is whole.
    private(set) var header: Header?
    /// The number of whole lines.
    private(set) var lines = 0
    /// Where the last of them ends.
    private(set) var end = 0
    /// Where the header and the state end; 0 until they are whole.
    private(set) var headBytes = 0
    /// The number of the newest event in it, or before it.
    private(set) var lastEvent: Int
    /// The sum of the last whole line.
    private(set) var sum = Sum.zero
    /// The number of the segment that the closing note names; nil without a note.
    private(set) var closed: Int?
    /// Whether the format is newer than those that are read, or older; nil if it is one of those.
    private var isNewer: Bool?
    /// The number in the name.
    let first: Int

    /// Reads the lines of a segment up to the first that is not whole.
    ///
    /// - Throws: `damage` when a whole line cannot be in its place, or when the rest proves that
    ///   more was synced; `otherVersion` when the format is another one.
    init(name: String, first: Int, bytes: [UInt8]) throws(JournalError) {
        (self.name, self.first, self.bytes) = (name, first, bytes)
        lastEvent = first - 1
        let checksum = CRC32C()
        var fault: String?
        bytes.withUnsafeBytes { fault = read($0, by: checksum) }
        if let isNewer { throw .otherVersion(file: name, isNewer: isNewer) }
        if let fault { throw damage(fault) }
        let tail = TornTail(
            in: bytes, from: end, after: sum, lastEvent: lastEvent, by: checksum)
        if let fault = tail.damage { throw damage(fault) }
    }

    /// Whether the header and all of the state are there.
    var isHeadWhole: Bool { headBytes > 0 }

    /// Whether anything follows the header and the state.
    var hasLinesAfterHead: Bool { bytes.count > headBytes }

    /// Whether it may be what a crash left of a new journal before its header was durable.
    ///
    /// The bound is a page of memory: a larger file has more than a header.
    var mayBeginAnew: Bool { first == 1 && header == nil && bytes.count <= 4096 }

    /// The number of its events.
    var events: Int { lastEvent - first + 1 }

    /// The number of bytes after the last whole line.
    var tornBytes: Int { bytes.count - end }

    /// Damage after the last whole line.
    func damage(_ reason: String) -> JournalError {
        .damage(Damage(file: name, offset: end, line: lines + 1, reason: reason))
    }

    /// Calls `replay` with each whole line except a closing note, the header first.
    ///
    /// - Throws: `damage` at the first line for which it returns false.
    func replay(
        _ replay: (EntryKind, Span<UInt8>, Int64?) -> Bool
    ) throws(JournalError) {
        let fault = bytes.withUnsafeBytes { firstDamage(in: $0, by: replay) }
        if let fault { throw .damage(fault) }
    }

    private func firstDamage(
        in bytes: UnsafeRawBufferPointer, by replay: (EntryKind, Span<UInt8>, Int64?) -> Bool
    ) -> Damage? {
        var (start, number) = (0, 1)
        while start < end, let line = Line(in: bytes, from: start) {
            let kind = start == 0 ? .segment(first: first, state: header?.state ?? 0) : line.kind
            let words = UnsafeRawBufferPointer(rebasing: bytes[line.words])
            let isClosing = closed != nil && line.end + 1 == end
            let makesSense =
                isClosing
                || words.withMemoryRebound(to: UInt8.self) {
                    replay(kind, $0.span, line.metadata)
                }
            guard makesSense else {
                return Damage(
                    file: name, offset: start, line: number,
                    reason: "the line is whole, but it cannot be read or applied here")
            }
            (start, number) = (line.end + 1, number + 1)
        }
        return nil
    }

    /// Reads up to the first line that is not whole; returns what is wrong with a whole one.
    private mutating func read(
        _ bytes: UnsafeRawBufferPointer, by checksum: CRC32C
    ) -> String? {
        while end < bytes.count, let line = Line(in: bytes, from: end) {
            let before = lines == 0 ? Header.after(words: Array(bytes[line.words])) : sum
            guard let before, line.sum(after: before, in: bytes, by: checksum) == line.sum
            else { return nil }
            if let fault = add(line, in: bytes) { return fault }
            (sum, end, lines) = (line.sum, line.end + 1, lines + 1)
            if lines - 1 == header?.state { headBytes = end }
        }
        return nil
    }

    /// Adds a whole line; returns what is wrong with it.
    private mutating func add(_ line: Line, in bytes: UnsafeRawBufferPointer) -> String? {
        if closed != nil { return "a line follows the note that names the next segment" }
        guard header != nil else {
            let words = Array(bytes[line.words])
            header = Header(words: words)
            guard header?.first == first, line.kind == .note, line.isStarred else {
                isNewer = Header.isNewer(words: words)
                return
                    "this is no header of auction/\(Header.version) for a file of this name"
            }
            return nil
        }
        switch line.kind {
        case .note, .segment:
            let words = UnsafeRawBufferPointer(rebasing: bytes[line.words])
            if isHeadWhole { closed = ClosingNote.next(words: words) }
            return nil
        case .restated: return isHeadWhole ? "an event is restated after the state" : nil
        case .event(let number): return add(event: number)
        }
    }

    private mutating func add(event number: Int) -> String? {
        guard isHeadWhole else { return "event \(number) stands where state should" }
        guard number == lastEvent + 1 else {
            return "event \(number) comes after event \(lastEvent)"
        }
        lastEvent = number
        return nil
    }
}
