/// The last line of a segment behind which another one follows: a note that names its file.
///
/// It is written once the next segment is whole on the disk under its name, and before anything is
/// written behind the state of that. So a segment that has it and is the newest says that a newer
/// one is missing; and only a segment whose successor holds nothing but its head may lack it.
enum Closing {
    private static let verb = "NEXT "

    /// The words of the note, such as `NEXT 000000000042.journal`.
    static func words(next first: Int) -> [UInt8] {
        Array((verb + Header.fileName(first: first)).utf8)
    }

    /// The number of the first event of the segment that words name; nil if they are no such note.
    ///
    /// 0 if they are one that names no segment.
    static func next(words: UnsafeRawBufferPointer) -> Int? {
        guard words.starts(with: verb.utf8) else { return nil }
        let name = String(decoding: words.dropFirst(verb.utf8.count), as: UTF8.self)
        return Header.first(fileName: name) ?? 0
    }
}

extension SealedLines {
    /// Appends the last line of a segment.
    mutating func appendClosing(next first: Int) {
        Closing.words(next: first).withUnsafeBytes {
            append(.note, words: $0, aside: nil, isStarred: true)
        }
    }
}

/// How the end of a segment fits to the beginning of the next.
extension Segment {
    /// The closing note that is still to be written, behind what is whole; nil if it is there.
    ///
    /// - Throws: `damage` when the next segment does not go on where this one ends, or holds lines
    ///   that are written only behind the note.
    func missingClosing(before next: Segment) throws(JournalError) -> [UInt8]? {
        if next.first != lastEvent + 1 {
            throw next.startDamage("it begins with event \(next.first), but after \(lastEvent)")
        }
        var closing = SealedLines(after: sum)
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

    /// Requires that no segment follows that is not there.
    func requireNewest() throws(JournalError) {
        guard let closed else { return }
        let next = closed > 0 ? Header.fileName(first: closed) : "another"
        throw damage("a newer segment is missing: this one says that \(next) follows")
    }

    func startDamage(_ reason: String) -> JournalError {
        .damage(Damage(file: name, offset: 0, line: 1, reason: reason))
    }
}
