import Basics
import Journal
import Posix
import Testing

/// What was read, in the order of the folder.
final class Reader {
    private(set) var lines: [TestEntry] = []

    func take(_ kind: EntryKind, _ words: Span<UInt8>, _ metadata: Int64?) -> Bool {
        var bytes: [UInt8] = []
        for index in words.indices { bytes.append(words[index]) }
        lines.append(
            TestEntry(kind: kind, words: String(decoding: bytes, as: UTF8.self), metadata: metadata)
        )
        return true
    }

    /// All but the headers.
    var entries: [TestEntry] { lines.filter { !$0.words.hasPrefix("JOURNAL ") } }

    var events: [TestEntry] {
        lines.filter { if case .event = $0.kind { true } else { false } }
    }
}

/// Opens a journal and closes it again.
func recover(_ disk: any Disk) throws(JournalError) -> (entries: [TestEntry], recovery: Recovery) {
    let reader = Reader()
    let (journal, recovery) = try Journal.open(disk) { reader.take($0, $1, $2) }
    journal.close()
    return (reader.entries, recovery)
}

/// Every event of a folder, oldest first.
func allEvents(_ disk: any Disk) throws(JournalError) -> (events: [TestEntry], report: Report) {
    let reader = Reader()
    let report = try Journal.verify(disk) { reader.take($0, $1, $2) }
    return (reader.events, report)
}

func logBatch(_ lines: [TestEntry]) -> LogBatch {
    var batch = LogBatch()
    for line in lines {
        _ = batch.append(line.kind, metadata: line.metadata) { text in
            text.append(contentsOf: line.words.utf8)
            text.append(UInt8(ascii: "\n"))
        }
    }
    return batch
}

/// A journal with its thread, for which a test can wait.
final class RunningJournal: Sendable {
    let journal: Journal
    private let wakes = Locked(0)

    init(
        _ disk: any Disk, segmentLimit: Int = 64 << 20, retention: Retention = Retention(),
        now: Int64? = nil, isStarted: Bool = true
    ) throws {
        journal = try Journal.open(
            disk, segmentLimit: segmentLimit, retention: retention,
            timeOfDay: { now ?? wallClockMilliseconds() }
        ) { _, _, _ in true }.journal
        if isStarted { try start() }
    }

    /// Starts the journal's thread.
    func start() throws {
        try journal.start { [weak self] in
            self?.wakes.withLock { $0 += 1 }
            self?.wakes.signal()
        }
    }

    var wakeCount: Int { wakes.withLock { $0 } }

    /// Waits until a batch is durable; false if it never will be.
    @discardableResult
    func wait(for batch: Int) -> Bool {
        wakes.withLock(when: { _ in
            journal.progress.durable >= batch || journal.progress.failure != nil
        }) { _ in journal.progress.durable >= batch }
    }

    /// Waits until that many things were done about old segments, and returns them.
    func waitForUpkeep(_ count: Int) -> [Upkeep] {
        var upkeep: [Upkeep] = []
        wakes.withLock(when: { _ in
            upkeep += journal.takeUpkeep()
            return upkeep.count >= count
        }) { _ in }
        return upkeep
    }

    /// Appends a batch and waits until it is durable; false if it never will be.
    @discardableResult
    func write(_ entries: [TestEntry]) -> Bool {
        wait(for: journal.append(logBatch(entries)))
    }
}
