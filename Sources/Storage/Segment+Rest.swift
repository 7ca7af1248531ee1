import EventLog

/// What stands behind the whole lines: the torn tail of the last batch, or proof of damage.
///
/// Of the batch that was not synced any part may be missing after a power cut, in any order of its
/// pages, and bytes of an older segment may stand in its place. Whatever was synced is there, and a
/// star says that everything before it was. The last batch has but one star, on its first line, so
/// a star behind the first line of the rest is proof, unless it may be that of an older segment.
extension Segment {
    /// Bytes of a torn line up to which it is mended; more than any line of ours and the next have.
    private static let mendedBytes = 1024

    /// What is wrong with the first line of the rest; nil if the rest is a torn tail.
    func restFault(by checksum: CRC32C) -> String? {
        bytes.withUnsafeBytes { bytes in
            guard end < bytes.count else { return nil }
            let first = Line(in: bytes, from: end)
            guard
                isStarLater(in: bytes, by: checksum)
                    || first.map({ isStarred(behind: $0, in: bytes, by: checksum) }) == true
                    || isStarAfterMending(in: bytes, by: checksum)
            else { return nil }
            return first == nil ? "this is no line of a journal" : "the check sum is wrong"
        }
    }

    /// Whether a star behind the first line belongs to a number that is later than the whole lines.
    private func isStarLater(in bytes: UnsafeRawBufferPointer, by checksum: CRC32C) -> Bool {
        var before = Line(in: bytes, from: end)
        var evidence = Evidence(after: lastEvent)
        var start = end
        while let feed = bytes.offset(of: UInt8(ascii: "\n"), in: start..<bytes.count) {
            start = feed + 1
            let line = Line(in: bytes, from: start)
            if line?.follows(before, in: bytes, by: checksum) != true {
                evidence = Evidence(after: lastEvent)
            }
            if let line { evidence.take(line) }
            if evidence.isProof { return true }
            before = line
        }
        return false
    }

    /// Whether the first line has the next number, and the rest goes on from it with a star.
    ///
    /// All of the rest must, for a torn number and that of an older line may look like the next.
    private func isStarred(
        behind first: Line, in bytes: UnsafeRawBufferPointer, by checksum: CRC32C
    ) -> Bool {
        guard first.kind == .event(lastEvent + 1) else { return false }
        let run = run(from: first.end + 1, after: first, in: bytes, by: checksum)
        return run.isStarred && run.end == bytes.count
    }

    /// Whether the first line is ours but for a bit or its line feed, and has a star behind it.
    ///
    /// Finds what numbers do not tell: damage before a star with notes alone, or in a line feed.
    private func isStarAfterMending(in bytes: UnsafeRawBufferPointer, by checksum: CRC32C) -> Bool {
        let feed = UInt8(ascii: "\n")
        var window = Array(bytes[end...].prefix(2 * Self.mendedBytes))
        guard let last = window.prefix(Self.mendedBytes).firstIndex(of: feed) else { return false }
        for index in 0...last {
            let byte = window[index]
            for mended in (0..<8).map({ byte ^ 1 << $0 }) + [feed] {
                window[index] = mended
                let line = window.withUnsafeBytes { wholeLine(in: $0, by: checksum) }
                guard let line else { continue }
                let next = end + line.end + 1
                if run(from: next, after: line, in: bytes, by: checksum).isStarred { return true }
            }
            window[index] = byte
        }
        return false
    }

    /// The first line of the bytes, if it goes on after the whole lines.
    private func wholeLine(in bytes: UnsafeRawBufferPointer, by checksum: CRC32C) -> Line? {
        guard let line = Line(in: bytes, from: 0),
            line.sum(after: sum, in: bytes, by: checksum) == line.sum
        else { return nil }
        return line
    }

    /// Whether there is a star in the lines that go on from the first, and where they end.
    private func run(
        from start: Int, after first: Line, in bytes: UnsafeRawBufferPointer, by checksum: CRC32C
    ) -> (isStarred: Bool, end: Int) {
        var (before, end, isStarred) = (first, start, false)
        var number = first.kind.number ?? lastEvent
        while end < bytes.count, let line = Line(in: bytes, from: end),
            line.follows(before, in: bytes, by: checksum)
        {
            if let next = line.kind.number {
                guard next == number + 1 else { break }
                number = next
            }
            if line.isStarred { isStarred = true }
            (before, end) = (line, line.end + 1)
        }
        return (isStarred, end)
    }
}

extension Line {
    /// Whether its sum is the one behind the line given, if that is one.
    fileprivate func follows(
        _ before: Line?, in bytes: UnsafeRawBufferPointer, by checksum: CRC32C
    ) -> Bool {
        guard let before else { return false }
        return sum == sum(after: before.sum, in: bytes, by: checksum)
    }
}

/// What a run of lines tells, each of which but the first has the sum that follows from the last.
private struct Evidence {
    private let lastEvent: Int
    private var isLater = false
    private var isStarred = false

    init(after lastEvent: Int) {
        self.lastEvent = lastEvent
    }

    /// Whether something was synced that is not whole any more.
    ///
    /// Lines left from an older segment have lower numbers.
    var isProof: Bool { isLater && isStarred }

    mutating func take(_ line: Line) {
        if line.isStarred { isStarred = true }
        if case .event(let number) = line.kind, number > lastEvent { isLater = true }
    }
}
