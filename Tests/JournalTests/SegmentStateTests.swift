import Basics
import DiskSupport
import Journal
import Posix
import Testing

/// What happened to the state of a segment, in order.
private final class History: Sendable {
    private let happened = Locked<[String]>([])

    var all: [String] { happened.withLock { $0 } }

    func note(_ what: String) { happened.withLock { $0.append(what) } }
}

/// What a state is made of, as long as it is needed.
private final class Source: Sendable {
    static let state = [TestEntry(kind: .restated(1), words: "LAP 1")]
    private let history: History

    init(_ history: History) {
        self.history = history
    }

    deinit {
        history.note("released")
    }

    func make() -> LogBatch {
        history.note("made")
        return logBatch(Self.state)
    }
}

@Suite struct SegmentStateTests {
    private let disk = MemoryDisk()
    private let history = History()

    /// A journal without a thread, with one event before the beginning of a segment and one after.
    private func journal() throws -> Journal {
        let journal = try Journal.open(disk) { _, _, _ in true }.journal
        _ = journal.append(logBatch([.event(1)]))
        let source = Source(history)
        _ = journal.beginSegment { source.make() }
        _ = journal.append(logBatch([.event(2)]))
        return journal
    }

    @Test("a state is made when its segment is written, and what it is made of is then released")
    func madeLate() throws {
        let journal = try journal()
        guard let group = journal.takeGroup() else {
            Issue.record("nothing is pending")
            return
        }
        #expect(history.all.isEmpty)
        _ = journal.append(logBatch([.event(3)]))
        let isWritten = journal.write(group)
        #expect(isWritten && journal.progress.durable == 3)
        #expect(history.all == ["made", "released"])
        journal.writeInline()
        journal.close()
        #expect(try recover(disk).entries == Source.state + [.event(2), .event(3)])
        #expect(try allEvents(disk).events == [.event(1), .event(2), .event(3)])
    }

    @Test("a state is not made if the disk fails before its segment is written")
    func notMade() throws {
        let journal = try journal()
        disk.fail(.sync, number: 1, with: .error(5))
        journal.writeInline()
        #expect(journal.progress.failure != nil)
        journal.close()
        #expect(!history.all.contains("made"))
    }
}
