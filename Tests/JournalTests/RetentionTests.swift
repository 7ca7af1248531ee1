import DiskSupport
import Journal
import Posix
import TestSupport
import Testing

@Suite(.serialized) struct RetentionTests {
    private static let day: Int64 = 86_400_000

    /// Sizes and ages in days of segments 1, 2 and so on, the limits, and the segments to remove.
    @Test(
        "the oldest segments are removed by size and age, never the newest, without a gap",
        arguments: [
            ([], [], 1, 1, []),
            ([100], [90], 1, 1, []),
            ([100, 100], [2, 0], nil, nil, []),
            ([100, 100], [2, 0], 200, nil, []),
            ([100, 100], [2, 0], 199, nil, [1]),
            ([100, 100, 100], [3, 2, 0], 200, nil, [1]),
            ([100, 100, 100], [3, 2, 0], 199, nil, [1, 2]),
            ([100, 100, 100], [3, 2, 0], 1, nil, [1, 2]),
            ([10, 100, 100], [3, 2, 0], 100, nil, [1, 2]),
            ([100, 10, 100], [3, 2, 0], 110, nil, [1]),
            ([100, 100, 100], [3, 2, 1], nil, 3, []),
            ([100, 100, 100], [4, 2, 1], nil, 3, [1]),
            ([100, 100, 100], [9, 8, 7], nil, 3, [1, 2]),
            ([100, 100, 100], [2, 9, 0], nil, 3, []),
            ([100, 100, 100], [4, 2, 0], 199, 3, [1, 2]),
            ([100, 100, 100], [9, 9, 0], 250, 3, [1, 2]),
            ([100, 100], [-5, -5], nil, 1, []),
        ] as [([Int], [Int64], Int?, Int64?, [Int])])
    func excess(sizes: [Int], days: [Int64], bytes: Int?, age: Int64?, removed: [Int]) {
        let now = 1_000 * Self.day
        let segments = zip(sizes, days).enumerated().map { index, segment in
            StoredSegment(
                first: index + 1, bytes: segment.0, written: now - segment.1 * Self.day)
        }
        let retention = Retention(bytes: bytes, age: age.map { $0 * Self.day })
        let names = retention.excess(of: segments, at: now).map(\.name)
        #expect(names == removed.map { fileName($0) })
    }

    /// Writes events; a segment begins before every second one.
    private func write(_ events: ClosedRange<Int>, to running: RunningJournal) {
        for number in events {
            if number > 1, number % 2 == 1 {
                running.wait(for: running.journal.beginSegment { logBatch([]) })
            }
            running.write([.event(number)])
        }
    }

    private func firsts(_ disk: MemoryDisk) -> [Int] {
        disk.contents.keys.sorted().compactMap { Int($0.prefix(12)) }
    }

    @Test("above the limit the oldest segments are removed, and the folder is sound")
    func bySize() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk, retention: Retention(bytes: 400))
            write(1...9, to: running)
            let upkeep = running.waitForUpkeep(2)
            #expect(upkeep.first == .removed(file: fileName(1), bytes: 143))
            running.journal.close()
        }
        let (events, report) = try allEvents(disk)
        #expect(report.lastEvent == 9 && report.firstEvent == firsts(disk).first)
        #expect(events.count == 10 - report.firstEvent && report.firstEvent >= 5)
        #expect(try recover(disk).recovery.nextEvent == 10)
    }

    @Test("a start removes segments that are too old, except the newest")
    func byAge() async throws {
        let disk = MemoryDisk()
        try await onThread {
            var running = try RunningJournal(disk)
            disk.time = 100 * Self.day
            write(1...4, to: running)
            disk.time = 105 * Self.day
            write(5...8, to: running)
            running.journal.close()
            let limit = Retention(age: 10 * Self.day)
            // The note that closes a segment is its last line.
            for (now, left) in [(110, [1, 3, 5, 7]), (111, [3, 5, 7]), (200, [7])] as [(Int64, _)] {
                running = try RunningJournal(disk, retention: limit, now: now * Self.day)
                if left.count < 4 { _ = running.waitForUpkeep(left.count == 3 ? 1 : 2) }
                running.journal.close()
                #expect(firsts(disk) == left)
                #expect(try allEvents(disk).report.lastEvent == 8)
            }
        }
    }

    @Test("after each power cut during a removal the folder is a whole journal, without a gap")
    func powerCuts() async throws {
        try await onThread {
            var (number, cuts) = (1, 0)
            while try cut(before: number) {
                number += 1
                cuts += 1
            }
            #expect(cuts > 40)
        }
    }

    /// Cuts the power before the n-th call, and checks the rest; false if there were fewer calls.
    private func cut(before number: Int) throws -> Bool {
        let disk = MemoryDisk()
        let before = try RunningJournal(disk)
        write(1...8, to: before)
        before.journal.close()
        let running = try RunningJournal(disk, retention: Retention(bytes: 1), isStarted: false)
        let left = Locked<(disks: [MemoryDisk], durable: Int)?>(nil)
        let journal = running.journal
        disk.before(call: number) {
            var generator = SplitMix64(seed: UInt64(number))
            let disks = (0..<8).map { seed in
                let loss = MemoryDisk.Loss.allCases[seed % 2]
                return disk.powerCut(loss, using: &generator)
            }
            left.withLock { $0 = (disks, journal.progress.durable) }
        }
        try running.start()
        // Three segments go one after the other, and one after each that begins.
        _ = running.waitForUpkeep(3)
        write(9...14, to: running)
        running.journal.close()
        guard let (disks, durable) = left.withLock({ $0 }) else { return false }
        for left in disks {
            let (events, report) = try allEvents(left)
            // Of three batches the first begins a segment, and the others are events.
            #expect(report.lastEvent >= 8 + durable - (durable + 2) / 3, "call \(number)")
            let expected = (report.firstEvent..<report.lastEvent + 1).map { TestEntry.event($0) }
            #expect(events == expected, "call \(number)")
            #expect(try recover(left).recovery.nextEvent == report.lastEvent + 1)
            #expect(try allEvents(left).events == events)
        }
        return true
    }

    @Test(
        "a removal that fails is reported, ends nothing, and is tried again after the next segment",
        arguments: [MemoryDisk.Call.remove, .syncFolder, .status, .names])
    func failure(call: MemoryDisk.Call) async throws {
        let disk = MemoryDisk()
        try await onThread {
            let before = try RunningJournal(disk)
            write(1...6, to: before)
            before.journal.close()
            let running = try RunningJournal(disk, retention: Retention(bytes: 1), isStarted: false)
            disk.fail(call, number: 1, with: .error(5))
            try running.start()
            let upkeep = running.waitForUpkeep(1)
            let error = SystemError(code: 5, call: "\(call)")
            let file = call == .names ? "." : fileName(1)
            #expect(upkeep.first == .failed(file: file, error))
            write(7...8, to: running)
            _ = running.waitForUpkeep(call == .syncFolder ? 2 : 3)
            #expect(running.journal.progress.failure == nil)
            running.journal.close()
        }
        #expect(firsts(disk) == [7])
        #expect(try allEvents(disk).report.lastEvent == 8)
    }

    @Test("a segment is full at a quarter of the limit")
    func segmentLimit() async throws {
        try await onThread {
            let running = try RunningJournal(MemoryDisk(), retention: Retention(bytes: 800))
            let long = String(repeating: "x", count: 150)
            running.write([.event(1)])
            #expect(!running.journal.progress.isSegmentFull)
            running.write([TestEntry(kind: .event(2), words: long)])
            #expect(running.journal.progress.isSegmentFull)
            running.journal.close()
        }
    }

    @Test("one warning says that the newest segment alone has 80 % of the limit")
    func nearlyFull() async throws {
        try await onThread {
            let running = try RunningJournal(MemoryDisk(), retention: Retention(bytes: 1_000))
            let long = String(repeating: "x", count: 300)
            for number in 1...4 { running.write([TestEntry(kind: .event(number), words: long)]) }
            let first = running.waitForUpkeep(1)
            #expect(first.count == 1)
            guard case .nearlyFull(let bytes, limit: 1_000) = first.first else {
                Issue.record("\(first)")
                return
            }
            #expect((800..<1_150).contains(bytes))
            running.wait(for: running.journal.beginSegment { logBatch([]) })
            #expect(running.waitForUpkeep(1).map(\.isRemoval) == [true])
            for number in 5...8 { running.write([TestEntry(kind: .event(number), words: long)]) }
            #expect(running.waitForUpkeep(1).map(\.isRemoval) == [false])
            running.journal.close()
        }
    }

    /// MiB that the journal had and that were free at the start, those that were free every five
    /// seconds from then on, the limit, and those of which there is a warning.
    @Test(
        "one warning says that a fifth of what was free or kept is left, until a quarter more is free",
        arguments: [
            (0, 10_240, [2_048, 2_047, 9, 2_559, 2_046, 2_560, 2_045], 2_048, [2_047, 2_045]),
            (5, 5_120, [5_120, 1_024], 1_025, [1_024]),
            // After a restart it is the same, and warns at once.
            (20, 1_020, [1_020], 1_024, [1_020]),
            (0, 5_000, [1_024, 1_023], 1_024, [1_023]),
        ])
    func diskNearlyFull(
        kept: Int, free: Int, later: [Int], limit: Int, warnings: [Int]
    ) throws {
        let disk = MemoryDisk([fileName(1): Array(repeating: 0, count: kept << 20)])
        disk.free = free << 20
        var space = FreeSpace(of: disk, at: 0)
        var found: [Upkeep] = []
        for (look, free) in later.enumerated() {
            let now = Int64(look) * 5_000_000_000
            disk.free = free << 20
            if let warning = space.check(at: now) { found.append(warning) }
            disk.free = 0
            #expect(space.check(at: now + 4_999_999_999) == nil && space.bytes == free << 20)
        }
        #expect(found == warnings.map { .diskNearlyFull(free: $0 << 20, limit: limit << 20) })
    }

    @Test("a folder of the file system has the size and the time of each segment, and loses them")
    func posix() async throws {
        let temporary = TemporaryFolder()
        let disk = PosixDisk(folder: temporary.path)
        try await onThread {
            let start = wallClockMilliseconds()
            let running = try RunningJournal(disk, retention: Retention(bytes: 300))
            write(1...2, to: running)
            let (bytes, written) = try disk.status(fileName(1))
            #expect(try bytes == disk.read(fileName(1)).count)
            #expect((start - 2_000...wallClockMilliseconds() + 2_000).contains(written))
            #expect(try disk.freeBytes() > 0)
            #expect(running.journal.freeBytes ?? 0 > 0)
            write(3...9, to: running)
            _ = running.waitForUpkeep(2)
            running.journal.close()
            #expect(throws: SystemError.self) { try disk.status(fileName(1)) }
            #expect(try allEvents(disk).report.lastEvent == 9)
        }
    }
}

extension Upkeep {
    fileprivate var isRemoval: Bool {
        if case .removed = self { true } else { false }
    }
}
