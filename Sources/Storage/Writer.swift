import EventLog
import Posix

/// The end of a journal that writes; after the start it belongs to the journal's thread.
final class Writer {
    private let disk: any Disk
    private let queue: WriterQueue
    private var file: Int32
    /// Of the segment as it is on the disk.
    private var size: SegmentSize
    private var sealed: ChecksummedLines
    private var batch = PendingBatch()
    /// Removes old segments; nil where every segment is kept.
    private var trimmer: Trimmer?
    /// How many lines of the batch, and bytes of its text, are written.
    private var line = 0
    private var byte = 0
    private var events = 0
    private var batches = 0

    init(
        _ disk: any Disk, file: Int32, size: SegmentSize, after sum: Sum, trimmer: Trimmer?,
        queue: WriterQueue
    ) {
        (self.disk, self.file, self.size, self.queue) = (disk, file, size, queue)
        self.trimmer = trimmer
        sealed = ChecksummedLines(after: sum)
    }

    /// Writes what is queued until the journal closes or the disk fails.
    func run(wake: () -> Void) {
        trim(wake: wake)
        while let commit = take() {
            guard keep(upTo: commit, wake: wake) else { return }
            trim(wake: wake)
        }
    }

    /// Removes one segment that is to go, and further ones while no lines wait to be written.
    private func trim(wake: () -> Void) {
        while trimmer?.isDue == true {
            tell(trimmer?.step(), wake: wake)
            if queue.hasWork { break }
        }
        tell(trimmer?.warning(newest: size.bytes), wake: wake)
    }

    private func tell(_ upkeep: Upkeep?, wake: () -> Void) {
        guard let upkeep else { return }
        queue.state.withLock { $0.upkeep.append(upkeep) }
        wake()
    }

    /// Waits for lines to write, and returns the number of their last commit; nil if there will be
    /// none.
    func take() -> Int? { queue.take(&batch) }

    /// Writes what was taken, and waits until it is on the disk; false if the disk has failed.
    func keep(upTo commit: Int, wake: () -> Void) -> Bool {
        do throws(JournalError) {
            try keepAll(upTo: commit, wake: wake)
            return true
        } catch {
            takeBack()
            queue.state.withLock { $0.progress.failure = LogFailure(error.description) }
            wake()
            return false
        }
    }

    func close() {
        disk.close(file)
    }

    private func keepAll(upTo commit: Int, wake: () -> Void) throws(JournalError) {
        (line, byte) = (0, 0)
        for beginning in batch.beginnings {
            if line < beginning.line {
                try keepLines(upTo: beginning.line)
                report(durable: beginning.commit - 1)
                wake()
            }
            try begin(beginning)
            report(durable: beginning.commit)
            wake()
        }
        if line < batch.lines.count { try keepLines(upTo: batch.lines.count) }
        report(durable: commit)
        noteSize()
        wake()
    }

    /// Writes lines and waits until they are on the disk.
    private func keepLines(upTo end: Int) throws(JournalError) {
        sealed.removeAll()
        seal(upTo: end, isStarred: true)
        try disk.appendSynced(sealed.bytes, to: file)
        batches += 1
        size.bytes += sealed.count
    }

    /// Makes a segment, which counts from when its head and its name are on the disk.
    ///
    /// Its header and state are synced first, then the closing note of the segment before. Nothing
    /// else is written until that note is synced.
    private func begin(_ beginning: PendingBatch.Beginning) throws(JournalError) {
        sealed.removeAll()
        sealed.appendClosing(next: beginning.first)
        let closing = Array(sealed.bytes)
        sealed.removeAll()
        sealed.append(
            Header(first: beginning.first, after: sealed.sum, state: beginning.state))
        seal(upTo: beginning.line + beginning.state, isStarred: false)
        let new = try disk.createSegment(first: beginning.first, head: sealed)
        do throws(JournalError) {
            try disk.appendSynced(closing, to: file)
        } catch {
            disk.close(new)
            throw error
        }
        disk.close(file)
        file = new
        batches += 1
        size.restart(head: sealed.count)
        trimmer?.noteBeginning()
    }

    /// Takes back what was written and is not durable, as far as the disk lets it.
    ///
    /// Whoever waits is told that nothing was accepted, and the next start is not to find otherwise,
    /// not after a power cut either.
    private func takeBack() {
        try? disk.truncate(file, to: size.bytes)
        try? disk.sync(file)
    }

    private func seal(upTo end: Int, isStarred: Bool) {
        var isStarred = isStarred
        batch.text.withUnsafeBytes { text in
            for entry in batch.lines[line..<end] {
                let words = UnsafeRawBufferPointer(rebasing: text[byte..<(byte + entry.length)])
                sealed.append(
                    entry.kind, words: words, metadata: entry.metadata, isStarred: isStarred)
                byte += entry.length + 1
                if case .event = entry.kind { events += 1 }
                isStarred = false
            }
        }
        line = end
    }

    private func report(durable commit: Int) {
        queue.state.withLock { state in
            state.progress.durable = commit
            (state.events, state.batches) = (events, batches)
        }
    }

    /// Tells that the segment is full, unless a new one has been asked for in the meantime.
    private func noteSize() {
        guard size.isFull else { return }
        queue.state.withLock { state in
            guard state.pending.beginnings.isEmpty, state.hasEvents else { return }
            state.progress.isSegmentFull = true
        }
    }
}

extension ChecksummedLines {
    /// Appends the first line of a segment.
    mutating func append(_ header: Header) {
        header.words.withUnsafeBytes { append(.note, words: $0, metadata: nil, isStarred: true) }
    }
}
