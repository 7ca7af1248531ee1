import Basics
import Posix

/// The end of a journal that writes; it belongs to the thread that has taken it from the queue.
final class Writer {
    private let disk: any Disk
    private let queue: WriterQueue
    private let clock: @Sendable () -> Int64
    private var file: Int32
    /// The size of the segment as it is on the disk.
    private var size: SegmentSize
    private var lines: ChecksummedLines
    private var group = BatchGroup()
    /// Removes old segments; nil if every segment is kept.
    private var trimmer: Trimmer?
    private var freeSpace: FreeSpace
    /// How many entries of the group, and bytes of its text, are encoded.
    private var (entry, byte) = (0, 0)
    private var figures = JournalFigures()
    /// Whether `figures` counts a batch of the group.
    private var hasCounted = false

    /// `clock` is the monotonic clock in nanoseconds.
    init(
        _ disk: any Disk, file: Int32, size: SegmentSize, after sum: Sum, trimmer: Trimmer?,
        queue: WriterQueue, clock: @escaping @Sendable () -> Int64
    ) {
        (self.disk, self.file, self.size) = (disk, file, size)
        (self.queue, self.clock, self.trimmer) = (queue, clock, trimmer)
        lines = ChecksummedLines(after: sum)
        freeSpace = FreeSpace(of: disk, at: clock())
        queue.report(freeBytes: freeSpace.bytes)
    }

    /// Writes what is queued until the journal closes or the disk fails.
    ///
    /// Removes one old segment at most between two groups. Calls `wake` when the queue has news.
    func run(wake: () -> Void) {
        while queue.acquire() {
            var nanoseconds: Int64?
            if let number = queue.takePending(into: &group) {
                nanoseconds = write(upTo: number, wake: wake)
                if nanoseconds == nil { return }
            }
            report(trimmer?.step(), wake: wake)
            finish(nanoseconds: nanoseconds, wake: wake)
        }
    }

    /// Takes what is pending, and returns the number of its newest batch.
    ///
    /// Nil if nothing is pending, or another thread is writing.
    func takePending() -> Int? {
        queue.tryAcquire() ? queue.takePending(into: &group) : nil
    }

    /// Writes what `takePending` took; false if the disk has failed.
    func writeTaken(upTo number: Int) -> Bool {
        guard let nanoseconds = write(upTo: number, wake: {}) else { return false }
        finish(nanoseconds: nanoseconds, wake: {})
        return true
    }

    /// Removes at most one old segment; false if nothing is due, or another thread is writing.
    func removeOldSegment() -> Bool {
        guard queue.tryAcquireForUpkeep() else { return false }
        report(trimmer?.step(), wake: {})
        finish(nanoseconds: nil, wake: {})
        return true
    }

    func close() {
        disk.close(file)
    }

    private func finish(nanoseconds: Int64?, wake: () -> Void) {
        report(trimmer?.warning(newest: size.bytes), wake: wake)
        report(freeSpace.check(at: clock()), wake: wake)
        queue.report(freeBytes: freeSpace.bytes)
        queue.release(
            isUpkeepDue: trimmer?.isDue == true, nanoseconds: nanoseconds, isCounted: hasCounted)
    }

    private func report(_ upkeep: Upkeep?, wake: () -> Void) {
        guard let upkeep else { return }
        queue.report(upkeep)
        wake()
    }

    /// Writes the group and waits until it is durable.
    ///
    /// Returns how long that took, in nanoseconds, or nil if the disk has failed.
    private func write(upTo number: Int, wake: () -> Void) -> Int64? {
        let start = clock()
        do throws(JournalError) {
            try writeGroup(upTo: number, wake: wake)
            return clock() - start
        } catch {
            takeBack()
            queue.fail(LogFailure(error.description))
            wake()
            return nil
        }
    }

    private func writeGroup(upTo number: Int, wake: () -> Void) throws(JournalError) {
        (entry, byte) = (0, 0)
        hasCounted = false
        for beginning in group.beginnings {
            if entry < beginning.entry {
                try writeEntries(upTo: beginning.entry)
                queue.report(durable: beginning.number - 1, figures: figures)
                wake()
            }
            try begin(beginning)
            queue.report(durable: beginning.number, figures: figures)
            wake()
        }
        if entry < group.entries.count { try writeEntries(upTo: group.entries.count) }
        queue.report(durable: number, figures: figures)
        if size.isFull { queue.reportFullSegment() }
        wake()
    }

    /// Writes entries and waits until they are durable.
    private func writeEntries(upTo end: Int) throws(JournalError) {
        lines.removeAll()
        let eventBytes = encode(upTo: end)
        try disk.appendSynced(lines.bytes, to: file)
        size.bytes += lines.count
        // What is without events may be secret: a sealed bid is a note.
        guard eventBytes > 0 else { return }
        figures.batches += 1
        figures.bytes += eventBytes
        hasCounted = true
    }

    /// Makes a segment, which counts from when its head and its name are on the disk.
    ///
    /// Its header and state are synced first, then the closing note of the segment before. Nothing
    /// else is written until that note is synced.
    private func begin(_ beginning: BatchGroup.Beginning) throws(JournalError) {
        lines.removeAll()
        lines.appendClosing(next: beginning.first)
        let head = encodeHead(first: beginning.first, after: lines.sum)
        let new = try disk.createSegment(first: beginning.first, head: head)
        do throws(JournalError) {
            try disk.appendSynced(lines.bytes, to: file)
        } catch {
            disk.close(new)
            throw error
        }
        disk.close(file)
        file = new
        figures.batches += 1
        hasCounted = true
        size.restart(head: head.count)
        lines = ChecksummedLines(after: head.sum)
        trimmer?.noteBeginning()
    }

    /// Makes the next state, and encodes it after its header.
    ///
    /// Not into `lines`, which would keep the memory of a large state.
    private func encodeHead(first: Int, after sum: Sum) -> ChecksummedLines {
        let state = group.makeNextState()
        precondition(state.events == nil, "the state of a segment has no new event")
        var head = ChecksummedLines(after: sum)
        head.append(Header(first: first, after: sum, state: state.entries.count))
        head.append(state)
        return head
    }

    /// Removes what was written and is not durable, as far as the disk allows.
    ///
    /// No client received an `OK` for it, so the next start must not find it accepted, even after a
    /// power cut.
    private func takeBack() {
        try? disk.truncate(file, to: size.bytes)
        try? disk.sync(file)
    }

    /// Encodes entries up to an index, the first with a star; returns the bytes of the events.
    private func encode(upTo end: Int) -> Int {
        var (isStarred, eventBytes) = (true, 0)
        group.text.withUnsafeBytes { text in
            for entry in group.entries[entry..<end] {
                let words = UnsafeRawBufferPointer(rebasing: text[byte..<(byte + entry.length)])
                let before = lines.count
                lines.append(
                    entry.kind, words: words, metadata: entry.metadata, isStarred: isStarred)
                byte += entry.length + 1
                if case .event = entry.kind {
                    figures.events += 1
                    eventBytes += lines.count - before
                }
                isStarred = false
            }
        }
        entry = end
        return eventBytes
    }
}

/// The entries of several batches, which are written and synced together.
struct BatchGroup {
    /// The beginning of a new segment within a group.
    struct Beginning {
        /// The index of the first entry that is not in the segment before.
        let entry: Int
        /// The number of its first event.
        let first: Int
        /// Its number among the batches.
        let number: Int
    }

    private(set) var text: [UInt8] = []
    private(set) var entries: [LogBatch.Entry] = []
    private(set) var beginnings: [Beginning] = []
    /// What makes the states of `beginnings` that were not made yet, in order.
    private var states: [@Sendable () -> LogBatch] = []

    /// Adds the entries of a batch.
    mutating func append(_ batch: LogBatch) {
        text.append(contentsOf: batch.text)
        entries.append(contentsOf: batch.entries)
    }

    /// Begins a segment with a state, which is made when it is written.
    mutating func begin(first: Int, number: Int, state: @escaping @Sendable () -> LogBatch) {
        beginnings.append(Beginning(entry: entries.count, first: first, number: number))
        states.append(state)
    }

    /// Makes the next state, and releases what it is made of.
    mutating func makeNextState() -> LogBatch { states.removeFirst()() }

    /// Removes everything, and keeps the memory.
    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        if !beginnings.isEmpty { (beginnings, states) = ([], []) }
    }
}

/// The size of a segment, and when a new one should begin.
struct SegmentSize {
    /// The bytes at which a segment is full.
    let limit: Int
    /// The bytes of its header and its state.
    private(set) var head: Int
    /// The bytes of all its lines.
    var bytes: Int

    init(limit: Int, head: Int, bytes: Int) {
        (self.limit, self.head, self.bytes) = (limit, head, bytes)
    }

    /// Whether a new segment should begin.
    ///
    /// A segment is at least twice as large as its head. So a state above the limit does not begin
    /// one segment after another.
    var isFull: Bool { bytes >= max(limit, 2 * head) }

    /// Begins with a segment that has only its head.
    mutating func restart(head: Int) {
        (self.head, bytes) = (head, head)
    }
}

/// The free space of a disk, with a warning before it is used up.
package struct FreeSpace {
    /// Nanoseconds between two looks at the disk.
    private static let interval: Int64 = 5_000_000_000
    /// The least limit: about what three addresses can make the journal grow in a day.
    private static let least = 1 << 30

    private let disk: any Disk
    /// The free bytes below which the disk is nearly full; nil if the disk does not tell.
    private let limit: Int?
    /// The bytes that were free when it was looked at last; nil if the disk does not tell.
    package private(set) var bytes: Int?
    private var nextLook: Int64
    private var isLow = false

    /// Looks at a disk; `now` is of a monotonic clock, in nanoseconds.
    ///
    /// The limit is 20 % of the free space and the journal together: a restart does not change it.
    package init(of disk: any Disk, at now: Int64) {
        (self.disk, nextLook) = (disk, now)
        bytes = try? disk.freeBytes()
        let segments = (try? disk.segments { _ in }) ?? []
        let kept = segments.reduce(0) { $0 + $1.bytes }
        limit = bytes.map { max(($0 + kept) / 5, Self.least) }
    }

    /// Looks again after a while, and returns a warning, once, when less than the limit is free.
    ///
    /// The next warning can follow when a quarter more than the limit was free in between.
    package mutating func check(at now: Int64) -> Upkeep? {
        guard now >= nextLook, let limit else { return nil }
        nextLook = now + Self.interval
        bytes = try? disk.freeBytes()
        guard let bytes else { return nil }
        let wasLow = isLow
        isLow = bytes < (isLow ? limit / 4 * 5 : limit)
        return isLow && !wasLow ? .diskNearlyFull(free: bytes, limit: limit) : nil
    }
}
