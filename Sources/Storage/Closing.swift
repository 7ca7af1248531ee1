/// The note at the end of a segment that names the file of the next segment.
///
/// It is written when the next segment is on the disk under its name with its whole state, and
/// before anything else is written to it. So if the newest segment has this note, a newer one is
/// missing. A segment may lack it only if the next one has just a header and a state.
enum Closing {
    private static let verb = "NEXT "

    /// The words of the note, such as `NEXT 000000000042.journal`.
    static func words(next first: Int) -> [UInt8] {
        Array((verb + Header.fileName(first: first)).utf8)
    }

    /// Returns the first event number of the named segment; nil if the words are no such note.
    ///
    /// 0 for such a note with a bad name.
    static func next(words: UnsafeRawBufferPointer) -> Int? {
        guard words.starts(with: verb.utf8) else { return nil }
        let name = String(decoding: words.dropFirst(verb.utf8.count), as: UTF8.self)
        return Header.first(fileName: name) ?? 0
    }
}

extension ChecksummedLines {
    /// Appends the last line of a segment.
    mutating func appendClosing(next first: Int) {
        Closing.words(next: first).withUnsafeBytes {
            append(.note, words: $0, metadata: nil, isStarred: true)
        }
    }
}

/// Checks that the next segment continues this one.
extension Segment {
    /// The closing note that must still be appended; nil if the segment has it.
    ///
    /// - Throws: `damage` if the next segment does not continue this one, or has lines that are
    ///   written only after the note.
    func missingClosing(before next: Segment) throws(JournalError) -> [UInt8]? {
        if next.first != lastEvent + 1 {
            throw next.startDamage("it begins with event \(next.first), but after \(lastEvent)")
        }
        var closing = ChecksummedLines(after: sum)
        if let closed {
            guard closed == next.first else { throw damage("it names another segment as the next") }
        } else {
            closing.appendClosing(next: next.first)
            guard !next.hasLinesBehindHead, tornBytes <= closing.count else {
                throw damage("the segment breaks off, and a later one was begun")
            }
        }
        if let header = next.header, header.after != closing.sum {
            throw next.startDamage("it does not go on after the last line of \(name)")
        }
        return closed == nil ? Array(closing.bytes) : nil
    }

    /// Requires that no newer segment is missing.
    func requireNewest() throws(JournalError) {
        guard let closed else { return }
        let next = closed > 0 ? Header.fileName(first: closed) : "another"
        throw damage("a newer segment is missing: this one says that \(next) follows")
    }

    func startDamage(_ reason: String) -> JournalError {
        .damage(Damage(file: name, offset: 0, line: 1, reason: reason))
    }
}
