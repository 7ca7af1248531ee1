/// What stands behind the whole lines: the torn tail of the last batch, or proof of damage.
///
/// Of the batch that was not synced any part may be missing after a power cut, in any order of its
/// pages, and bytes of an older segment may stand in its place. Whatever was synced is there, and a
/// star says that everything before it was.
extension Segment {
    /// What is wrong with the first line of the rest; nil if the rest is a torn tail.
    func restFault(by checksum: CRC32C) -> String? {
        bytes.withUnsafeBytes { bytes in
            guard end < bytes.count else { return nil }
            let torn = Line(in: bytes, from: end)
            var evidence = Evidence(lastEvent: lastEvent, isHeadWhole: isHeadWhole)
            // A torn line may be bad in its sum alone: then the next goes on from what it should be.
            var meant = torn?.sum(after: sum, in: bytes, by: checksum)
            var before = torn
            var start = end
            while let feed = bytes.offset(of: UInt8(ascii: "\n"), in: start..<bytes.count) {
                start = feed + 1
                let line = Line(in: bytes, from: start)
                if let line, let before,
                    line.sum == line.sum(after: before.sum, in: bytes, by: checksum)
                {
                    evidence.take(line)
                } else if let line, let meant,
                    line.sum == line.sum(after: meant, in: bytes, by: checksum)
                {
                    evidence.take(line, isOurs: true)
                } else {
                    evidence = Evidence(lastEvent: lastEvent, isHeadWhole: isHeadWhole)
                }
                if evidence.isProof {
                    return torn == nil ? "this is no line of a journal" : "the check sum is wrong"
                }
                (before, meant) = (line, nil)
            }
            return nil
        }
    }
}

/// What a run of lines tells, each of which has the sum that follows from the line before it.
private struct Evidence {
    let lastEvent: Int
    let isHeadWhole: Bool
    private var isLater = false
    private var isStarred = false

    init(lastEvent: Int, isHeadWhole: Bool) {
        (self.lastEvent, self.isHeadWhole) = (lastEvent, isHeadWhole)
    }

    /// Whether something was synced that is not whole any more.
    ///
    /// Events are only written behind a head that is synced, and a batch only behind one that is.
    /// Lines left from an older segment have lower numbers.
    var isProof: Bool { isLater && (isStarred || !isHeadWhole) }

    /// Adds a line; it is `isOurs` if its sum follows from the whole lines, whatever its number.
    mutating func take(_ line: Line, isOurs: Bool = false) {
        if line.isStarred { isStarred = true }
        if isOurs { isLater = true }
        if case .event(let number) = line.mark, number > lastEvent { isLater = true }
    }
}
