import DiskSupport
import Journal
import Posix
import TestSupport
import Testing

@Suite(.serialized) struct FaultTests {
    static let faults: [(MemoryDisk.Call, MemoryDisk.Fault)] =
        MemoryDisk.Call.allCases.flatMap { call in
            [(call, .error(4)), (call, .error(5)), (call, .error(28))]
        } + [(.write, .shortWrite)]

    private static let batches: [[TestEntry]] = [
        [.event(2), .event(3)], [.event(4)], [.event(5), .event(6), .event(7)],
        [.event(8)], [.event(9)],
    ]

    /// A disk that gives every kind of call something to do.
    private func disk(hasUnfinished: Bool) -> MemoryDisk {
        var forge = Forge()
        forge.begin(first: 1)
        forge.batch([.event(1)])
        let torn = Array("2 0000".utf8)
        return hasUnfinished
            ? MemoryDisk([fileName(1): forge.bytes, unfinishedName(2): torn])
            : MemoryDisk([fileName(1): forge.bytes + torn])
    }

    /// Runs until the end or the fault, and returns the number of the newest durable event.
    private func run(_ disk: MemoryDisk) throws -> Int {
        let running: RunningJournal
        do { running = try RunningJournal(disk) } catch is JournalError { return 1 }
        var durable = 1
        for (index, batch) in Self.batches.enumerated() {
            if index == 2 {
                running.wait(for: running.journal.beginSegment { logBatch([]) })
            }
            guard running.write(batch) else { break }
            durable += batch.count
        }
        running.journal.close()
        #expect((running.journal.progress.failure == nil) == (durable == 9))
        return durable
    }

    private func check(_ disk: MemoryDisk, durable: Int) throws {
        let events = try allEvents(disk).events
        _ = try recover(disk)
        #expect(events.count >= durable)
        #expect(events == (1...9).map { TestEntry.event($0) }.dropLast(9 - events.count))
        #expect(try allEvents(disk).events == events)
    }

    @Test("whatever call fails, nothing counts as durable that is not synced", arguments: faults)
    func everyCall(call: MemoryDisk.Call, fault: MemoryDisk.Fault) async throws {
        try await onThread {
            for hasUnfinished in [true, false] {
                var number = 1
                while true {
                    let disk = disk(hasUnfinished: hasUnfinished)
                    disk.fail(call, number: number, with: fault)
                    let durable = try run(disk)
                    for seed in 0..<4 {
                        var generator = SplitMix64(seed: UInt64(seed))
                        for loss in MemoryDisk.Loss.allCases {
                            let left = disk.powerCut(loss, using: &generator)
                            try check(left, durable: durable)
                        }
                    }
                    disk.fail(call, number: 0, with: fault)
                    try check(disk, durable: durable)
                    if !disk.hasFailed { break }
                    number += 1
                }
            }
        }
    }

    @Test(
        "what was not synced does not come back after a power cut",
        arguments: MemoryDisk.Loss.allCases)
    func takesBack(loss: MemoryDisk.Loss) async throws {
        try await onThread {
            let disk = MemoryDisk()
            let running = try RunningJournal(disk)
            running.write([.event(1)])
            disk.fail(.sync, number: 1, with: .error(5))
            #expect(!running.write([.event(2), .event(3)]))
            running.journal.close()
            for seed in 0..<20 {
                var generator = SplitMix64(seed: UInt64(seed))
                let left = disk.powerCut(loss, using: &generator)
                #expect(try recover(left).entries == [.event(1)])
            }
        }
    }

    @Test("a short write fails the journal, with the number of bytes")
    func shortWrite() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk)
            disk.fail(.write, number: 1, with: .shortWrite)
            #expect(!running.write([.event(1)]))
            let failure = running.journal.progress.failure
            #expect(failure?.description == "write: only 10 of 21 bytes")
            #expect(running.journal.append(logBatch([.event(2)])) == 2)
            running.journal.close()
            #expect(running.journal.progress.durable == 0)
        }
    }
}
