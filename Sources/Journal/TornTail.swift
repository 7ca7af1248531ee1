/// What follows the whole lines of a segment: the torn tail of the last group, or proof of damage.
///
/// After a power cut, any part of the group that was not synced may be missing, in any order of its
/// pages, and bytes of an older segment may be in its place. Everything that was synced is there,
/// and a star states that everything before it was. The last group has only one star, on its first
/// line. So a star after the first line of the tail is proof of damage, unless it may be one of an
/// older segment.
struct TornTail {
    /// The bytes of a torn line up to which it is mended: more than two of our lines have.
    private static let mendedBytes = 1024

    private let bytes: [UInt8]
    /// Where the whole lines end.
    private let start: Int
    /// The sum of the last whole line.
    private let sum: Sum
    /// The number of the last event in the whole lines, or before them.
    private let lastEvent: Int
    private let checksum: CRC32C

    /// `bytes` are those of the whole segment.
    init(
        in bytes: [UInt8], from start: Int, after sum: Sum, lastEvent: Int, by checksum: CRC32C
    ) {
        (self.bytes, self.start, self.sum) = (bytes, start, sum)
        (self.lastEvent, self.checksum) = (lastEvent, checksum)
    }

    /// What is wrong with the first line; nil if nothing proves that it was synced.
    var damage: String? {
        bytes.withUnsafeBytes { bytes in
            guard start < bytes.count else { return nil }
            let first = Line(in: bytes, from: start)
            guard
                hasLaterStar(in: bytes) || first.map({ hasStar(after: $0, in: bytes) }) == true
                    || hasStarAfterMending(in: bytes)
            else { return nil }
            return first == nil ? "this is no line of a journal" : "the check sum is wrong"
        }
    }

    /// Whether a star after the first line belongs to a number that is later than the whole lines.
    ///
    /// Both stand in one run of lines, each of which continues the one before. Lines that are left
    /// from an older segment have lower numbers.
    private func hasLaterStar(in bytes: UnsafeRawBufferPointer) -> Bool {
        var before = Line(in: bytes, from: start)
        var (isLater, hasStar) = (false, false)
        var start = start
        while let feed = bytes.offset(of: UInt8(ascii: "\n"), in: start..<bytes.count) {
            start = feed + 1
            let line = Line(in: bytes, from: start)
            if line?.follows(before, in: bytes, by: checksum) != true {
                (isLater, hasStar) = (false, false)
            }
            if let line {
                if line.isStarred { hasStar = true }
                if case .event(let number) = line.kind, number > lastEvent { isLater = true }
            }
            if isLater && hasStar { return true }
            before = line
        }
        return false
    }

    /// Whether the first line has the next number, and all others continue it, with a star.
    ///
    /// All must, for a torn number and that of an older line may look like the next.
    private func hasStar(after first: Line, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard first.kind == .event(lastEvent + 1) else { return false }
        let run = run(from: first.end + 1, after: first, in: bytes)
        return run.hasStar && run.end == bytes.count
    }

    /// Whether the first line is whole but for one bit or its line feed, and a star follows it.
    ///
    /// Finds what numbers do not show: damage before a star with notes alone, or in a line feed.
    private func hasStarAfterMending(in bytes: UnsafeRawBufferPointer) -> Bool {
        let feed = UInt8(ascii: "\n")
        var window = Array(bytes[start...].prefix(2 * Self.mendedBytes))
        guard let last = window.prefix(Self.mendedBytes).firstIndex(of: feed) else { return false }
        for index in 0...last {
            let byte = window[index]
            for mended in (0..<8).map({ byte ^ 1 << $0 }) + [feed] {
                window[index] = mended
                guard let line = window.withUnsafeBytes(firstWholeLine) else { continue }
                if run(from: start + line.end + 1, after: line, in: bytes).hasStar { return true }
            }
            window[index] = byte
        }
        return false
    }

    /// The first line of the bytes, if it continues the whole lines.
    private func firstWholeLine(in bytes: UnsafeRawBufferPointer) -> Line? {
        guard let line = Line(in: bytes, from: 0),
            line.sum(after: sum, in: bytes, by: checksum) == line.sum
        else { return nil }
        return line
    }

    /// Whether there is a star in the lines that continue the first, and where they end.
    private func run(
        from start: Int, after first: Line, in bytes: UnsafeRawBufferPointer
    ) -> (hasStar: Bool, end: Int) {
        var (before, end, hasStar) = (first, start, false)
        var number = first.kind.number ?? lastEvent
        while end < bytes.count, let line = Line(in: bytes, from: end),
            line.follows(before, in: bytes, by: checksum)
        {
            if let next = line.kind.number {
                guard next == number + 1 else { break }
                number = next
            }
            if line.isStarred { hasStar = true }
            (before, end) = (line, line.end + 1)
        }
        return (hasStar, end)
    }
}

extension Line {
    /// Whether its sum is the one after the other line, if there is one.
    fileprivate func follows(
        _ before: Line?, in bytes: UnsafeRawBufferPointer, by checksum: CRC32C
    ) -> Bool {
        guard let before else { return false }
        return sum == sum(after: before.sum, in: bytes, by: checksum)
    }
}
