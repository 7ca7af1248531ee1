import EventLog

/// A file of a journal as it was read: the lines that are whole, and what stands behind them.
struct Segment {
    let name: String
    let bytes: [UInt8]
    private(set) var header: Header?
    /// How many lines are whole.
    private(set) var lines = 0
    /// Where the last of them ends.
    private(set) var end = 0
    /// Where the header and the state end; 0 until they are whole.
    private(set) var headBytes = 0
    /// The number of the newest event in it, or before it.
    private(set) var lastEvent: Int
    /// The sum of the last whole line.
    private(set) var sum = Sum.zero
    /// The first event of the segment that the closing note names; nil without a note.
    private(set) var closed: Int?
    /// The number in the name.
    let first: Int

    /// Reads the lines of a segment up to the first that is not whole.
    ///
    /// - Throws: `damage` when a line is whole and not one that can stand there, or when something
    ///   behind the whole ones proves that more of them was synced.
    init(name: String, first: Int, bytes: [UInt8]) throws(JournalError) {
        (self.name, self.first, self.bytes) = (name, first, bytes)
        lastEvent = first - 1
        let checksum = CRC32C()
        var fault: String?
        bytes.withUnsafeBytes { fault = read($0, by: checksum) }
        if let fault { throw damage(fault) }
        if let fault = restFault(by: checksum) { throw damage(fault) }
    }

    /// Whether the header and all of the state are there.
    var isHeadWhole: Bool { headBytes > 0 }

    /// Whether any line follows the header and the state.
    var hasLinesBehindHead: Bool { bytes.count > headBytes }

    /// Whether it may be what a crash left of a journal that had no header yet.
    ///
    /// The size is that of a page of memory; whatever is larger had got further.
    var mayBeginAnew: Bool { first == 1 && header == nil && bytes.count <= 4096 }

    /// How many events it holds.
    var events: Int { lastEvent - first + 1 }

    /// How many bytes stand behind the last whole line.
    var tornBytes: Int { bytes.count - end }

    /// Damage behind the last whole line.
    func damage(_ reason: String) -> JournalError {
        .damage(Damage(file: name, offset: end, line: lines + 1, reason: reason))
    }

    /// Gives each whole line except a closing note to `replay`, the header first.
    ///
    /// - Throws: `damage` at the first that it does not understand.
    func replay(
        _ replay: (EntryKind, Span<UInt8>, Int64?) -> Bool
    ) throws(JournalError) {
        let fault = bytes.withUnsafeBytes { firstNotUnderstood(in: $0, by: replay) }
        if let fault { throw .damage(fault) }
    }

    private func firstNotUnderstood(
        in bytes: UnsafeRawBufferPointer, by replay: (EntryKind, Span<UInt8>, Int64?) -> Bool
    ) -> Damage? {
        var (start, number) = (0, 1)
        while start < end, let line = Line(in: bytes, from: start) {
            let kind = start == 0 ? .segment(first: first, state: header?.state ?? 0) : line.kind
            let words = UnsafeRawBufferPointer(rebasing: bytes[line.words])
            let isClosing = closed != nil && line.end + 1 == end
            let isUnderstood =
                isClosing
                || words.withMemoryRebound(to: UInt8.self) {
                    replay(kind, $0.span, line.metadata)
                }
            guard isUnderstood else {
                return Damage(
                    file: name, offset: start, line: number,
                    reason: "the line is whole, but makes no sense here")
            }
            (start, number) = (line.end + 1, number + 1)
        }
        return nil
    }

    /// Reads on until a line is not whole; what it returns is wrong with a line that is.
    private mutating func read(
        _ bytes: UnsafeRawBufferPointer, by checksum: CRC32C
    ) -> String? {
        while end < bytes.count, let line = Line(in: bytes, from: end) {
            let before = lines == 0 ? Header.after(words: Array(bytes[line.words])) : sum
            guard let before, line.sum(after: before, in: bytes, by: checksum) == line.sum
            else { return nil }
            if let fault = take(line, in: bytes) { return fault }
            (sum, end, lines) = (line.sum, line.end + 1, lines + 1)
            if lines - 1 == header?.state { headBytes = end }
        }
        return nil
    }

    /// Takes note of a whole line; what it returns is wrong with it.
    private mutating func take(_ line: Line, in bytes: UnsafeRawBufferPointer) -> String? {
        if closed != nil { return "a line follows the note that names the next segment" }
        guard header != nil else {
            let words = Array(bytes[line.words])
            header = Header(words: words)
            guard header?.first == first, line.kind == .note, line.isStarred else {
                return Header.isFormer(words: words)
                    ? "an older version wrote it, whose journals this one does not read"
                    : "this is no header of auction/2 for a file of this name"
            }
            return nil
        }
        switch line.kind {
        case .note, .segment:
            let words = UnsafeRawBufferPointer(rebasing: bytes[line.words])
            if isHeadWhole { closed = Closing.next(words: words) }
            return nil
        case .restated: return isHeadWhole ? "an event is restated behind the state" : nil
        case .event(let number): return take(event: number)
        }
    }

    private mutating func take(event number: Int) -> String? {
        guard isHeadWhole else { return "event \(number) stands where state should" }
        guard number == lastEvent + 1 else {
            return "event \(number) comes after event \(lastEvent)"
        }
        lastEvent = number
        return nil
    }
}

/// How large a segment is, and from when on a new one should begin.
struct SegmentSize {
    /// The bytes that are wanted in a segment at most, more or less.
    let limit: Int
    /// The bytes of its header and its state.
    private(set) var head: Int
    /// The bytes of all its lines.
    var bytes: Int

    init(limit: Int, head: Int, bytes: Int) {
        (self.limit, self.head, self.bytes) = (limit, head, bytes)
    }

    /// Whether a new segment should begin.
    ///
    /// A state that is larger than the limit would else begin one segment after the other.
    var isFull: Bool { bytes >= max(limit, 2 * head) }

    /// Goes on with a segment that holds nothing but its head.
    mutating func restart(head: Int) {
        (self.head, bytes) = (head, head)
    }
}
