import Basics
import DiskSupport
import Journal
import Posix
import TestSupport
import Testing

/// A journal without a thread, whose syncs take as long as the test says.
private final class TimedJournal {
    private struct Clock {
        var now: Int64 = 0
        var step: Int64 = 0
    }

    let disk = MemoryDisk()
    let journal: Journal
    private let clock: LockedClock
    private var next = 1

    private final class LockedClock: Sendable {
        let state = Locked(Clock())
    }

    init(isAllowed: Bool = true) throws {
        let clock = LockedClock()
        self.clock = clock
        journal = try Journal.open(
            disk,
            clock: {
                clock.state.withLock { clock in
                    clock.now += clock.step
                    return clock.now
                }
            }
        ) { _, _, _ in true }.journal
        if isAllowed { journal.allowInline(true) }
    }

    /// Appends a batch of events.
    func append(_ count: Int = 1) {
        let events = (next..<next + count).map { TestEntry.event($0) }
        _ = journal.append(logBatch(events))
        next += count
    }

    /// Writes what is pending with one sync of that length.
    func sync(nanoseconds: Int64) {
        clock.state.withLock { $0.step = nanoseconds }
        journal.writeInline()
    }

    /// Appends and syncs single events.
    func sync(_ count: Int, nanoseconds: Int64 = 100_000) {
        for _ in 0..<count {
            append()
            sync(nanoseconds: nanoseconds)
        }
    }
}

@Suite struct InlineTests {
    @Test("an event is written inline after 16 quick syncs in a row, and not before")
    func quickSyncs() throws {
        let timed = try TimedJournal()
        timed.sync(15)
        timed.append()
        #expect(!timed.journal.isInlineDue)
        timed.sync(nanoseconds: RecentSyncs.bound - 1)
        timed.append()
        #expect(timed.journal.isInlineDue)
        #expect(timed.journal.progress.durable == 16)
        timed.journal.writeInline()
        #expect(!timed.journal.isInlineDue)
        #expect(timed.journal.progress.durable == 17)
        #expect(timed.journal.figures.events == 17)
        #expect(timed.journal.figures.batches == 17)
    }

    @Test("after a slow sync the thread writes, until 16 were quick again")
    func slowSync() throws {
        let timed = try TimedJournal()
        timed.sync(20)
        timed.sync(1, nanoseconds: RecentSyncs.bound)
        timed.sync(15)
        timed.append()
        #expect(!timed.journal.isInlineDue)
        timed.sync(nanoseconds: 0)
        timed.append()
        #expect(timed.journal.isInlineDue)
    }

    @Test("the time of each sync is recorded, and the bytes that it wrote")
    func figures() throws {
        let timed = try TimedJournal()
        timed.sync(3, nanoseconds: 100_000)
        timed.sync(1, nanoseconds: 2_000_000_000)
        let times = timed.journal.syncTimes
        #expect(times.count == 4 && times.sum == 2_000_300_000)
        #expect(times.cumulativeCounts.prefix(2) == [0, 3] && times.cumulativeCounts.last == 3)
        #expect(timed.journal.figures.batches == 4)
        let before = timed.journal.figures.bytes
        timed.sync(1)
        #expect(timed.journal.figures.bytes > before && before > 0)
    }

    @Test("nothing is written inline unless that is allowed")
    func notAllowed() throws {
        let timed = try TimedJournal(isAllowed: false)
        timed.sync(20)
        timed.append()
        #expect(!timed.journal.isInlineDue)
        timed.journal.allowInline(true)
        timed.append()
        #expect(timed.journal.isInlineDue)
        timed.journal.allowInline(false)
        #expect(!timed.journal.isInlineDue)
    }

    @Test("a large group, and the beginning of a segment, are left to the thread")
    func large() throws {
        let timed = try TimedJournal()
        timed.sync(20)
        timed.append(16)
        #expect(timed.journal.isInlineDue)
        timed.append()
        #expect(!timed.journal.isInlineDue)
        timed.sync(nanoseconds: 0)
        timed.append()
        _ = timed.journal.beginSegment { logBatch([]) }
        #expect(!timed.journal.isInlineDue)
    }

    @Test("what is appended while a group is written waits for the thread")
    func busy() throws {
        let timed = try TimedJournal()
        timed.sync(20)
        timed.append()
        guard let group = timed.journal.takeGroup() else {
            Issue.record("nothing is pending")
            return
        }
        timed.append()
        #expect(!timed.journal.isInlineDue)
        let isWritten = timed.journal.write(group)
        #expect(isWritten)
        #expect(timed.journal.progress.durable == 21)
    }

    @Test("closing writes what waited to be written inline")
    func closes() throws {
        let timed = try TimedJournal()
        try timed.journal.start {}
        timed.sync(40)
        timed.append()
        timed.journal.close()
        #expect(timed.journal.progress.durable == 41)
        #expect(try allEvents(timed.disk).events.count == 41)
    }

    @Test("a disk that fails in an inline write fails the journal, and takes back what it wrote")
    func fails() throws {
        let timed = try TimedJournal()
        timed.sync(20)
        timed.append()
        timed.disk.fail(.sync, number: 1, with: .error(5))
        timed.journal.writeInline()
        #expect(timed.journal.progress.failure != nil)
        timed.append()
        #expect(!timed.journal.isInlineDue)
        timed.journal.writeInline()
        #expect(timed.journal.progress.durable == 20)
        #expect(try allEvents(timed.disk).events.count == 20)
    }

    @Test("inline writes and the thread take turns, and every event stands in its place")
    func takeTurns() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk, segmentLimit: 2_000)
            running.journal.allowInline(true)
            for number in 1...2_000 {
                let last = running.journal.append(logBatch([.event(number)]))
                if running.journal.isInlineDue { running.journal.writeInline() }
                if number % 7 > 0 { running.wait(for: last) }
                if running.journal.progress.isSegmentFull {
                    _ = running.journal.beginSegment { logBatch([]) }
                }
            }
            running.journal.close()
            #expect(running.journal.figures.events == 2_000)
        }
        #expect(try allEvents(disk).events == (1...2_000).map { .event($0) })
    }
}
