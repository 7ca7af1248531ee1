import Basics

/// A parsed line of a segment and where it is in the bytes; its sum may be wrong.
struct Line {
    let kind: EntryKind
    /// The sum that it states.
    let sum: Sum
    let words: Range<Int>
    let metadata: Int64?
    let isStarred: Bool
    /// The offset of its line feed.
    let end: Int
    private let start: Int

    /// Parses the line that begins at `start`; nil if it has no end, or not the form of a line.
    init?(in bytes: UnsafeRawBufferPointer, from start: Int) {
        guard let end = bytes.offset(of: UInt8(ascii: "\n"), in: start..<bytes.count),
            let space = bytes.offset(of: UInt8(ascii: " "), in: start..<end),
            let kind = EntryKind(bytes: bytes[start..<space]),
            space + 1 + Sum.length < end, bytes[space + 1 + Sum.length] == UInt8(ascii: " ")
        else { return nil }
        let wordsStart = space + 2 + Sum.length
        let tab = bytes.offset(of: UInt8(ascii: "\t"), in: wordsStart..<end)
        let metadata = tab.map { bytes[($0 + 1)..<end] }
        guard let (number, isStarred) = parseMetadata(metadata) else { return nil }
        (self.start, self.end, self.kind) = (start, end, kind)
        sum = Sum(text: bytes.loadUnaligned(fromByteOffset: space + 1, as: UInt64.self))
        words = wordsStart..<(tab ?? end)
        (self.metadata, self.isStarred) = (number, isStarred)
    }

    /// Returns the sum that it should have after a line with the given sum.
    func sum(after before: Sum, in bytes: UnsafeRawBufferPointer, by checksum: CRC32C)
        -> Sum
    {
        let mark = bytes[start..<(words.lowerBound - Sum.length - 1)]
        return checksum.sum(
            after: before, mark: UnsafeRawBufferPointer(rebasing: mark),
            rest: UnsafeRawBufferPointer(rebasing: bytes[words.lowerBound..<end]))
    }
}

/// Parses the metadata and the star after a line's tab; nil if it is anything else.
private func parseMetadata(
    _ bytes: Slice<UnsafeRawBufferPointer>?
) -> (number: Int64?, isStarred: Bool)? {
    guard var bytes else { return (nil, false) }
    let isStarred = bytes.last == UInt8(ascii: "*")
    if isStarred {
        bytes = bytes.dropLast()
        if bytes.isEmpty { return (nil, true) }
        guard bytes.last == UInt8(ascii: " ") else { return nil }
        bytes = bytes.dropLast()
    }
    guard let number = Int64(digits: bytes, below: LogBatch.metadataBound) else { return nil }
    return (number, isStarred)
}

extension EntryKind {
    /// Parses the mark of a line.
    fileprivate init?(bytes: Slice<UnsafeRawBufferPointer>) {
        if bytes.first == UInt8(ascii: "-") {
            guard bytes.count == 1 else { return nil }
            self = .note
        } else if bytes.first == UInt8(ascii: "=") {
            guard let number = Int64(digits: bytes.dropFirst(), below: LogBatch.numberBound)
            else { return nil }
            self = .restated(Int(number))
        } else {
            guard let number = Int64(digits: bytes, below: LogBatch.numberBound)
            else { return nil }
            self = .event(Int(number))
        }
    }
}
