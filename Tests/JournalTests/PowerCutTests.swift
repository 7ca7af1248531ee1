import Basics
import DiskSupport
import Journal
import Posix
import TestSupport
import Testing

@Suite(.serialized) struct PowerCutTests {
    private final class Cut: Sendable {
        struct Left {
            let disk: MemoryDisk
            let durable: Int
        }
        let left = Locked<Left?>(nil)
    }

    /// Appends at random and cuts the power before a random call; returns what is left.
    private func live(
        _ disk: MemoryDisk, from first: Int, _ loss: MemoryDisk.Loss,
        using generator: inout SplitMix64
    ) throws -> (left: MemoryDisk, durable: Int) {
        let running = try RunningJournal(disk)
        let journal = running.journal
        let cut = Cut()
        let seed = generator.next()
        disk.before(call: .random(in: 1...30, using: &generator)) {
            var generator = SplitMix64(seed: seed)
            // The journal's thread is the one that stands here, so that nothing moves meanwhile.
            let durable = journal.progress.durable
            let disk = disk.powerCut(loss, using: &generator)
            cut.left.withLock { $0 = .init(disk: disk, durable: durable) }
        }
        var lastOfCommit = [first - 1]
        for _ in 0..<20 {
            let last = lastOfCommit[lastOfCommit.count - 1]
            if last >= first, Int.random(in: 0..<6, using: &generator) == 0,
                last > lastOfCommit[lastOfCommit.count - 2]
            {
                let state = state(last, using: &generator)
                _ = journal.beginSegment { state }
                lastOfCommit.append(last)
            }
            let count = Int.random(in: 1...30, using: &generator)
            let batch = journal.append(logBatch((last + 1...last + count).map { .event($0) }))
            lastOfCommit.append(last + count)
            if Bool.random(using: &generator) { running.wait(for: batch) }
        }
        journal.close()
        let left = cut.left.withLock { $0 }
        guard let left else { return (disk, lastOfCommit[lastOfCommit.count - 1]) }
        return (left.disk, lastOfCommit[left.durable])
    }

    private func state(_ last: Int, using generator: inout SplitMix64) -> LogBatch {
        let count = Int.random(in: 0...40, using: &generator)
        return logBatch((0..<count).map { TestEntry(kind: .restated(last), words: "LAP \($0)") })
    }

    @Test(
        "what was durable survives every power cut, and nothing else is there",
        arguments: MemoryDisk.Loss.allCases)
    func cuts(loss: MemoryDisk.Loss) async throws {
        try await onThread {
            for seed in 0..<60 {
                var generator = SplitMix64(seed: UInt64(seed))
                var disk = MemoryDisk()
                var last = 0
                for life in 1...3 {
                    let (left, durable) = try live(disk, from: last + 1, loss, using: &generator)
                    let (entries, recovery) = try recover(left)
                    let events = try allEvents(left).events
                    #expect(events == (1..<events.count + 1).map { .event($0) })
                    #expect(events.count >= durable, "seed \(seed), life \(life)")
                    #expect(recovery.nextEvent == events.count + 1)
                    #expect(entries.suffix(recovery.events) == events.suffix(recovery.events))
                    (disk, last) = (left, events.count)
                }
            }
        }
    }

    @Test("what was recovered after a kill survives a power cut after that")
    func killThenCut() async throws {
        try await onThread {
            for seed in 0..<20 {
                let disk = MemoryDisk()
                let running = try RunningJournal(disk)
                disk.holdSync { _ = running.journal.append(logBatch([.event(1), .event(2)])) }
                let left = disk.afterKill
                disk.holdSyncs(false)
                running.journal.close()
                #expect(try recover(left).entries.count == 2)
                var generator = SplitMix64(seed: UInt64(seed))
                #expect(try recover(left.powerCut(.tail, using: &generator)).entries.count == 2)
            }
        }
    }

    @Test(
        "a closing note that a killed server did not sync survives a power cut after the next start"
    )
    func killBeforeSyncOfNote() async throws {
        let left = Locked<MemoryDisk?>(nil)
        try await onThread {
            let disk = MemoryDisk()
            let running = try RunningJournal(disk)
            running.write([.event(1)])
            disk.before(call: 7) { left.withLock { $0 = disk.afterKill } }
            running.wait(for: running.journal.beginSegment { logBatch([]) })
            running.journal.close()
            let killed = try #require(left.withLock { $0 })
            let next = try RunningJournal(killed)
            next.write([.event(2)])
            next.journal.close()
            for seed in 0..<20 {
                var generator = SplitMix64(seed: UInt64(seed))
                let cut = killed.powerCut(.tail, using: &generator)
                #expect(try allEvents(cut).events.count == 2)
            }
        }
    }

    /// The seven calls make a file, write, sync and name it, sync the folder, and write and sync
    /// the closing note of the segment before.
    @Test(
        "a segment is not durable before it, its name and the note before it are synced",
        arguments: 1...7)
    func segment(call number: Int) async throws {
        let durable = Locked<Int?>(nil)
        try await onThread {
            let disk = MemoryDisk()
            let running = try RunningJournal(disk)
            let journal = running.journal
            running.write([.event(1)])
            disk.before(call: number) {
                durable.withLock { $0 = journal.progress.durable }
            }
            let begun = journal.beginSegment { logBatch([]) }
            running.wait(for: begun)
            #expect(durable.withLock { $0 } == begun - 1)
            journal.close()
        }
    }
}
