/// The first line of a segment, and the name of its file.
struct Header {
    /// The version of the format, the only one that is read.
    static let version = 5

    private static let start = "JOURNAL auction/"
    private static let suffix = ".journal"
    private static let unfinishedSuffix = ".new"
    private static let digits = 12

    /// The number of the first event that the segment may have.
    let first: Int
    /// The sum of the last line of the segment before.
    let after: Sum
    /// The number of lines of its state.
    let state: Int

    init(first: Int, after: Sum, state: Int) {
        (self.first, self.after, self.state) = (first, after, state)
    }

    /// Parses the words of a header; nil if they are not a header of the version that is read.
    init?(words: [UInt8]) {
        guard let text = String(validating: words, as: UTF8.self),
            let after = Self.after(words: words)
        else { return nil }
        let fields = text.split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count == 5, let first = Int(fields[2].dropFirst("first=".count)),
            fields[4].hasPrefix("state="), let state = Int(fields[4].dropFirst("state=".count))
        else { return nil }
        self.init(first: first, after: after, state: state)
        guard self.words == words, first > 0, state >= 0 else { return nil }
    }

    /// Whether a header has a newer version than the one that is read; false for an older one.
    ///
    /// Nil if the words are no header, or have that version.
    static func isNewer(words: [UInt8]) -> Bool? {
        guard words.starts(with: start.utf8) else { return nil }
        let digits = words.dropFirst(start.utf8.count).prefix { $0 != UInt8(ascii: " ") }
        guard digits.count <= 4, let other = Int(String(decoding: digits, as: UTF8.self)),
            other != version
        else { return nil }
        return other > version
    }

    /// Returns the sum in the `after` field of a header of any version.
    static func after(words: [UInt8]) -> Sum? {
        let field = Array(" after=".utf8)
        for start in words.indices.dropLast(field.count + Sum.length - 1)
        where words[start...].starts(with: field) {
            return words.withUnsafeBytes {
                Sum(text: $0.loadUnaligned(fromByteOffset: start + field.count, as: UInt64.self))
            }
        }
        return nil
    }

    /// The words of the header, such as `JOURNAL auction/5 first=1 after=00000000 state=0`.
    var words: [UInt8] {
        Array("\(Self.start)\(Self.version) first=\(first) after=".utf8)
            + after.withBytes { Array($0) }
            + Array(" state=\(state)".utf8)
    }

    /// The name of the segment whose first event has this number.
    static func fileName(first: Int) -> String {
        let number = String(first)
        precondition(number.count <= digits, "the number of a segment has at most 12 digits")
        return String(repeating: "0", count: digits - number.count) + number + suffix
    }

    /// The name of that segment until its header and its state are durable.
    static func unfinishedName(first: Int) -> String { fileName(first: first) + unfinishedSuffix }

    /// Whether this is the name of an unfinished segment.
    static func isUnfinished(fileName: String) -> Bool {
        fileName.hasSuffix(unfinishedSuffix)
            && first(fileName: String(fileName.dropLast(unfinishedSuffix.count))) != nil
    }

    /// Returns the number in the name of a segment; nil if it is no such name.
    static func first(fileName: String) -> Int? {
        guard let first = Int(fileName.dropLast(suffix.count)), first > 0,
            String(first).count <= digits, self.fileName(first: first) == fileName
        else { return nil }
        return first
    }

    /// Returns the numbers in the names that are segments', in ascending order.
    static func segments(_ names: [String]) -> [Int] {
        names.compactMap { first(fileName: $0) }.sorted()
    }
}

/// The note at the end of a segment that names the file of the next segment.
///
/// It is written when the next segment is durable under its name with its whole state, and before
/// anything else is written to that segment. So if the newest segment has this note, a newer one is
/// missing. A segment may lack it only if the next one has just a header and a state.
enum ClosingNote {
    private static let verb = "NEXT "

    /// The words of the note, such as `NEXT 000000000042.journal`.
    static func words(next first: Int) -> [UInt8] {
        Array((verb + Header.fileName(first: first)).utf8)
    }

    /// Returns the number in the name of the next segment; nil if the words are not such a note.
    ///
    /// 0 for such a note with a bad name.
    static func next(words: UnsafeRawBufferPointer) -> Int? {
        guard words.starts(with: verb.utf8) else { return nil }
        let name = String(decoding: words.dropFirst(verb.utf8.count), as: UTF8.self)
        return Header.first(fileName: name) ?? 0
    }
}

extension ChecksummedLines {
    /// Appends the first line of a segment.
    mutating func append(_ header: Header) {
        header.words.withUnsafeBytes { append(.note, words: $0, metadata: nil, isStarred: true) }
    }

    /// Appends the last line of a segment.
    mutating func appendClosing(next first: Int) {
        ClosingNote.words(next: first).withUnsafeBytes {
            append(.note, words: $0, metadata: nil, isStarred: true)
        }
    }
}
