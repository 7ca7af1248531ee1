/// Lines that are to be kept: their words as they are told, and what the journal alone knows.
public struct Draft: Sendable {
    struct Line: Sendable {
        let mark: Mark
        let aside: Int64?
        /// Without the line feed.
        let length: Int
    }

    /// Above any number that is written or read, so that nobody who counts on overflows.
    static let markBound: Int64 = 1_000_000_000_000_000
    static let asideBound: Int64 = 1_000_000_000_000

    private static let (reservedBytes, reservedLines) = (256 * 1024, 8_192)

    /// The words of each line, each with its line feed, one after the other and nothing else.
    public private(set) var text: [UInt8] = []
    private(set) var lines: [Line] = []
    /// The numbers of its events, which go on by one.
    private(set) var events: ClosedRange<Int>?
    private(set) var restates = false

    /// Creates a draft without lines.
    public init() {}

    /// Whether there are no lines.
    public var isEmpty: Bool { lines.isEmpty }

    /// Appends a line, and returns where its words stand in `text`, their line feed included.
    ///
    /// `write` appends the words with one line feed, at their end, and without a tab. The number of
    /// an event has at most 15 digits, an aside at most 12.
    public mutating func append(
        _ mark: Mark, aside: Int64? = nil, words write: (inout [UInt8]) -> Void
    ) -> Range<Int> {
        let start = text.count
        write(&text)
        let length = text.count - start - 1
        let isLine = text.withUnsafeBytes { holdsLine($0, from: start) }
        precondition(isLine, "one line with its feed, and no tab")
        precondition(0..<Self.asideBound ~= aside ?? 0, "an aside has at most 12 digits")
        note(mark)
        lines.append(Line(mark: mark, aside: aside, length: length))
        return start..<text.count
    }

    /// Removes all lines, and returns their text.
    ///
    /// Reserves memory for as many lines again, up to a bound: one turn is much like the next.
    public mutating func removeAll() -> [UInt8] {
        let taken = text
        text = []
        text.reserveCapacity(min(taken.count, Self.reservedBytes))
        lines.removeAll(keepingCapacity: lines.count <= Self.reservedLines)
        (events, restates) = (nil, false)
        return taken
    }

    private mutating func note(_ mark: Mark) {
        let number = Int64(mark.number ?? 0)
        precondition(0..<Self.markBound ~= number, "a number has at most 15 digits")
        switch mark {
        case .event(let number):
            precondition(number == (events?.upperBound ?? number - 1) + 1, "events go on by one")
            events = (events?.lowerBound ?? number)...number
        case .restated: restates = true
        case .note: break
        case .segment: preconditionFailure("a journal writes its headers itself")
        }
    }
}

/// Whether the bytes from `start` on are one line with its line feed, without a tab.
private func holdsLine(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    bytes.offset(of: UInt8(ascii: "\n"), in: start..<bytes.count) == bytes.count - 1
        && bytes.offset(of: UInt8(ascii: "\t"), in: start..<bytes.count) == nil
}

/// What a line of a journal is.
public enum Mark: Equatable, Sendable {
    /// The event of that number, counted from 1.
    case event(Int)
    /// An older event told again, in the state at the beginning of a segment.
    case restated(Int)
    /// A line that is no event.
    case note
    /// The header of a segment, with the number of its first event and the number of its state
    /// lines.
    case segment(first: Int, state: Int)

    /// The number of the event that is told, or told again; nil for neither.
    public var number: Int? {
        switch self {
        case .event(let number), .restated(let number): number
        case .note, .segment: nil
        }
    }
}
