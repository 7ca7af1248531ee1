/// The first line of a segment, and the name of its file.
struct Header {
    private static let start = "JOURNAL auction/2 first="
    private static let formerStart = "JOURNAL auction/1 "
    private static let suffix = ".journal"
    private static let draftSuffix = ".new"
    private static let digits = 12

    /// The number of the first event that the segment may hold.
    let first: Int
    /// The sum after which its lines go on.
    let after: Sum
    /// How many lines of state follow.
    let state: Int

    init(first: Int, after: Sum, state: Int) {
        (self.first, self.after, self.state) = (first, after, state)
    }

    /// Reads the words of a header; nil if they are others.
    init?(words: [UInt8]) {
        guard let text = String(validating: words, as: UTF8.self), text.hasPrefix(Self.start),
            let after = Self.after(words: words)
        else { return nil }
        let fields = text.split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count == 5, let first = Int(fields[2].dropFirst("first=".count)),
            fields[4].hasPrefix("state="), let state = Int(fields[4].dropFirst("state=".count))
        else { return nil }
        self.init(first: first, after: after, state: state)
        guard self.words == words, first > 0, state >= 0 else { return nil }
    }

    /// Whether these are the words of a header that an older version wrote.
    static func isFormer(words: [UInt8]) -> Bool { words.starts(with: formerStart.utf8) }

    /// The sum after which a header says that it goes on, of whatever version it is.
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

    var words: [UInt8] {
        Array("\(Self.start)\(first) after=".utf8) + after.withBytes { Array($0) }
            + Array(" state=\(state)".utf8)
    }

    /// The name of the file whose first event has that number.
    static func fileName(first: Int) -> String {
        let number = String(first)
        precondition(number.count <= digits, "a journal ends before its names do")
        return String(repeating: "0", count: digits - number.count) + number + suffix
    }

    /// The name of that file until its header and its state are on the disk.
    static func draftName(first: Int) -> String { fileName(first: first) + draftSuffix }

    /// Whether a file of that name is a segment that never got as far as its own name.
    static func isDraft(fileName: String) -> Bool {
        fileName.hasSuffix(draftSuffix)
            && first(fileName: String(fileName.dropLast(draftSuffix.count))) != nil
    }

    /// The number of the first event in the file of that name; nil if it is no segment.
    static func first(fileName: String) -> Int? {
        guard let first = Int(fileName.dropLast(suffix.count)), first > 0,
            String(first).count <= digits, self.fileName(first: first) == fileName
        else { return nil }
        return first
    }
}
