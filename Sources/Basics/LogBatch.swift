#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What an entry of a journal is.
public enum EntryKind: Equatable, Sendable {
    /// The event of that number, counted from 1.
    case event(Int)
    /// An older event once more, in the state at the beginning of a segment.
    case restated(Int)
    /// An entry that is no event.
    case note
    /// The header of a segment, with the number of its first event and the number of entries of its
    /// state. A journal writes it itself.
    case segment(first: Int, state: Int)

    /// The number of the event or the restated event; nil for the others.
    public var number: Int? {
        switch self {
        case .event(let number), .restated(let number): number
        case .note, .segment: nil
        }
    }
}

/// Entries that a journal makes durable together.
///
/// Each entry is a line of text, of which clients receive the same bytes, and metadata that only
/// the journal has.
public struct LogBatch: Sendable {
    /// An entry, apart from its text.
    public struct Entry: Sendable {
        /// What it is.
        public let kind: EntryKind
        /// A number that is not in the text; nil if there is none.
        public let metadata: Int64?
        /// The bytes of its text, without the line feed.
        public let length: Int
    }

    /// Entries of one room that follow each other.
    public struct Section: Equatable, Sendable {
        /// The name of the room; nil for entries that only say which room comes next.
        public let room: String?
        /// The index of its first entry; it ends where the next section begins.
        public let first: Int
    }

    /// The bound of event numbers, which have at most 15 digits, far from any overflow.
    package static let numberBound: Int64 = 1_000_000_000_000_000
    /// The bound of metadata, which has at most 12 digits.
    package static let metadataBound: Int64 = 1_000_000_000_000

    /// The most memory that is reserved for the next entries.
    private static let (reservedBytes, reservedEntries) = (256 * 1024, 8_192)

    /// The texts of all entries in order, each with its line feed.
    public private(set) var text: [UInt8] = []
    /// The entries, in the order of `text`.
    public private(set) var entries: [Entry] = []
    /// The numbers of the events, without a gap; nil if there is none.
    public private(set) var events: ClosedRange<Int>?
    /// Whether there is a restated event.
    public private(set) var hasRestatedEvents = false

    /// Where entries of another room begin; those before continue the last section of the batch
    /// before.
    public private(set) var sections: [Section] = []

    /// Creates a batch without entries.
    public init() {}

    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// Appends an entry, and returns the range of its line in `text`, with the line feed.
    ///
    /// `write` appends the line: one line feed, at its end, and no tab. The number of an event has
    /// at most 15 digits and follows the one before; metadata has at most 12 digits.
    public mutating func append(
        _ kind: EntryKind, metadata: Int64? = nil, line write: (inout [UInt8]) -> Void
    ) -> Range<Int> {
        let start = text.count
        write(&text)
        let length = text.count - start - 1
        let isLine = text.withUnsafeBytes { isOneLine($0, from: start) }
        precondition(isLine, "an entry is one line with its line feed, without a tab")
        precondition(0..<Self.metadataBound ~= metadata ?? 0, "metadata has at most 12 digits")
        count(kind)
        entries.append(Entry(kind: kind, metadata: metadata, length: length))
        return start..<text.count
    }

    /// Makes the next entries belong to a room, or to none.
    public mutating func beginSection(of room: String?) {
        sections.append(Section(room: room, first: entries.count))
    }

    /// Removes all entries, and returns their text.
    ///
    /// Reserves memory for as much again, up to a bound, as successive batches are of similar size.
    public mutating func removeAll() -> [UInt8] {
        let removed = text
        text = []
        text.reserveCapacity(min(removed.count, Self.reservedBytes))
        entries.removeAll(keepingCapacity: entries.count <= Self.reservedEntries)
        sections.removeAll(keepingCapacity: true)
        (events, hasRestatedEvents) = (nil, false)
        return removed
    }

    private mutating func count(_ kind: EntryKind) {
        let number = Int64(kind.number ?? 0)
        precondition(0..<Self.numberBound ~= number, "a number has at most 15 digits")
        switch kind {
        case .event(let number):
            precondition(number == (events?.upperBound ?? number - 1) + 1, "events go on by one")
            events = (events?.lowerBound ?? number)...number
        case .restated: hasRestatedEvents = true
        case .note: break
        case .segment: preconditionFailure("a log writes the headers of its segments itself")
        }
    }
}

/// Whether the bytes from `start` on are one line with its line feed, without a tab.
private func isOneLine(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    bytes.offset(of: UInt8(ascii: "\n"), in: start..<bytes.count) == bytes.count - 1
        && bytes.offset(of: UInt8(ascii: "\t"), in: start..<bytes.count) == nil
}

extension UnsafeRawBufferPointer {
    /// The offset of the first such byte in the range; nil if there is none.
    package func offset(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard let baseAddress,
            let found = memchr(baseAddress + range.lowerBound, Int32(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }
}

extension Int64 {
    /// Parses a number without a sign; nil if it is none, or not below the bound.
    package init?(digits: Slice<UnsafeRawBufferPointer>, below bound: Int64) {
        // 18 digits always fit.
        guard 1...18 ~= digits.count else { return nil }
        var number: Int64 = 0
        for byte in digits {
            let digit = Int64(byte) - Int64(UInt8(ascii: "0"))
            guard 0...9 ~= digit else { return nil }
            number = number * 10 + digit
        }
        guard number < bound else { return nil }
        self = number
    }
}
