import DiskSupport
import Storage
import TestSupport
import Testing

@Suite struct JournalTests {
    @Test("commits that come during a sync are the next batch")
    func groups() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let keeper = try Keeper(disk)
            disk.holdSyncs(true)
            let first = keeper.journal.append(logBatch([.event(1)]))
            disk.waitForSyncs(2)
            var last = 0
            for number in 2...100 { last = keeper.journal.append(logBatch([.event(number)])) }
            #expect(first == 1 && last == 100)
            #expect(keeper.journal.progress.durable == 0)
            disk.holdSyncs(false)
            #expect(keeper.wait(for: last))
            #expect(keeper.journal.figures == (events: 100, batches: 2))
            keeper.journal.close()
        }
        #expect(try recover(disk).told == (1...100).map { .event($0) })
    }

    @Test("closing waits for all that was committed")
    func closes() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let keeper = try Keeper(disk)
            for number in 1...50 { _ = keeper.journal.append(logBatch([.event(number)])) }
            keeper.journal.close()
            #expect(keeper.journal.progress.durable == 50)
            #expect(keeper.wakeCount > 0)
        }
        #expect(try recover(disk).told.count == 50)
    }

    @Test("a commit without lines is durable when those before it are, and writes nothing")
    func empty() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let keeper = try Keeper(disk)
            #expect(keeper.keep([]))
            #expect(keeper.journal.figures == (events: 0, batches: 0))
            keeper.journal.close()
        }
    }

    @Test("what is committed before the start is written after it")
    func early() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let journal = try Journal.open(disk) { _, _, _ in true }.journal
            _ = journal.append(logBatch([.event(1)]))
            try journal.start {}
            journal.close()
            #expect(journal.progress.durable == 1)
        }
    }
}
