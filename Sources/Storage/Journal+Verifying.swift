import Posix

extension Journal {
    /// Reads every segment of a folder, oldest first, and changes nothing.
    ///
    /// Each line is given to `replay` as by `open`. The oldest segments may be missing, and the end
    /// of the newest may be what a crash left. Takes the memory of two segments.
    ///
    /// - Throws: `damage` at the first line that cannot stand where it stands.
    public static func verify(
        _ disk: any Disk, replay: (Mark, Span<UInt8>, Int64?) -> Bool
    ) throws(JournalError) -> Report {
        let firsts = segments(try JournalError.of(try disk.names()))
        var before: Segment?
        for first in firsts {
            let segment = try read(first, isOnly: firsts.count == 1, on: disk)
            try before?.checkEnd()
            if let before { try segment.checkGoesOn(after: before) }
            try segment.replay(replay)
            before = segment
        }
        return Report(
            segments: firsts.count, firstEvent: firsts.first ?? 1,
            lastEvent: before?.lastEvent ?? 0, tornBytes: before?.tornBytes ?? 0)
    }
}

extension Segment {
    /// Holds that nothing is torn, for another segment was begun after this.
    fileprivate func checkEnd() throws(JournalError) {
        if tornBytes > 0 { throw damage("the line is torn, and a later segment was begun") }
    }

    /// Holds that it goes on where the one before ended.
    fileprivate func checkGoesOn(after before: Segment) throws(JournalError) {
        if first != before.lastEvent + 1 {
            throw startDamage("it begins with event \(first), but after \(before.lastEvent)")
        }
        if let header, header.after != before.sum {
            throw startDamage("it does not go on after the last line of \(before.name)")
        }
    }

    private func startDamage(_ reason: String) -> JournalError {
        .damage(Damage(file: name, offset: 0, line: 1, reason: reason))
    }
}
