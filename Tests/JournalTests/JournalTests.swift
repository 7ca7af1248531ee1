import DiskSupport
import Journal
import TestSupport
import Testing

@Suite struct JournalTests {
    @Test("batches that are appended during a sync are written together")
    func groups() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk)
            disk.holdSyncs(true)
            let first = running.journal.append(logBatch([.event(1)]))
            disk.waitForSyncs(2)
            var last = 0
            for number in 2...100 { last = running.journal.append(logBatch([.event(number)])) }
            #expect(first == 1 && last == 100)
            #expect(running.journal.progress.durable == 0)
            disk.holdSyncs(false)
            #expect(running.wait(for: last))
            let figures = running.journal.figures
            #expect(figures.events == 100 && figures.batches == 2)
            running.journal.close()
            #expect(running.journal.syncTimes.count == 2)
        }
        #expect(try recover(disk).entries == (1...100).map { .event($0) })
    }

    @Test("notes are not counted, because they may be secret")
    func notes() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk)
            let last = running.journal.append(logBatch([TestEntry(kind: .note, words: "BID al 5")]))
            #expect(running.wait(for: last))
            #expect(running.journal.figures == JournalFigures())
            running.journal.close()
            #expect(running.journal.syncTimes.count == 0)
        }
    }

    @Test("closing waits for all that was appended")
    func closes() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk)
            for number in 1...50 { _ = running.journal.append(logBatch([.event(number)])) }
            running.journal.close()
            #expect(running.journal.progress.durable == 50)
            #expect(running.wakeCount > 0)
        }
        #expect(try recover(disk).entries.count == 50)
    }

    @Test("an empty batch is durable when those before it are, and writes nothing")
    func empty() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk)
            #expect(running.write([]))
            #expect(running.journal.figures == JournalFigures())
            running.journal.close()
        }
    }

    @Test("what is appended before the start is written after it")
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
