import DiskSupport
import Posix
import Storage
import TestSupport
import Testing

@Suite(.serialized) struct RetentionTests {
    private static let day: Int64 = 86_400_000

    /// Sizes and ages in days of the segments 1, 2 and so on, the limits, and which segments go.
    @Test(
        "the oldest segments go by size and by age, never the newest, and without a gap",
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

    /// Writes events, of which every second begins a segment.
    private func write(_ events: ClosedRange<Int>, to keeper: Keeper) {
        for number in events {
            if number > 1, number % 2 == 1 {
                keeper.wait(for: keeper.journal.beginSegment(state: logBatch([])))
            }
            keeper.keep([.event(number)])
        }
    }

    private func firsts(_ disk: MemoryDisk) -> [Int] {
        disk.contents.keys.sorted().compactMap { Int($0.prefix(12)) }
    }

    @Test("past the limit the oldest segments are removed, and the folder is sound")
    func bySize() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let keeper = try Keeper(disk, retention: Retention(bytes: 400))
            write(1...9, to: keeper)
            let told = keeper.waitForUpkeep(2)
            #expect(told.first == .removed(file: fileName(1), bytes: 143))
            keeper.journal.close()
        }
        let (events, report) = try allEvents(disk)
        #expect(report.lastEvent == 9 && report.firstEvent == firsts(disk).first)
        #expect(events.count == 10 - report.firstEvent && report.firstEvent >= 5)
        #expect(try recover(disk).recovery.nextEvent == 10)
    }

    @Test("a start removes what has become too old, all but the newest segment")
    func byAge() async throws {
        let disk = MemoryDisk()
        try await onThread {
            var keeper = try Keeper(disk)
            disk.time = 100 * Self.day
            write(1...4, to: keeper)
            disk.time = 105 * Self.day
            write(5...8, to: keeper)
            keeper.journal.close()
            let limit = Retention(age: 10 * Self.day)
            // The note that closes a segment is its last line.
            for (now, left) in [(110, [1, 3, 5, 7]), (111, [3, 5, 7]), (200, [7])] as [(Int64, _)] {
                keeper = try Keeper(disk, retention: limit, now: now * Self.day)
                if left.count < 4 { _ = keeper.waitForUpkeep(left.count == 3 ? 1 : 2) }
                keeper.journal.close()
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

    /// Lets the power go before the n-th call, and checks what is left; false if there were fewer.
    private func cut(before number: Int) throws -> Bool {
        let disk = MemoryDisk()
        let before = try Keeper(disk)
        write(1...8, to: before)
        before.journal.close()
        let keeper = try Keeper(disk, retention: Retention(bytes: 1), isStarted: false)
        let left = Locked<(disks: [MemoryDisk], durable: Int)?>(nil)
        let journal = keeper.journal
        disk.before(call: number) {
            var generator = SplitMix64(seed: UInt64(number))
            let disks = (0..<8).map { seed in
                let loss = MemoryDisk.Loss.allCases[seed % 2]
                return disk.powerCut(loss, using: &generator)
            }
            left.withLock { $0 = (disks, journal.progress.durable) }
        }
        try keeper.start()
        // Three segments go one after the other, and one after each that begins.
        _ = keeper.waitForUpkeep(3)
        write(9...14, to: keeper)
        keeper.journal.close()
        guard let (disks, durable) = left.withLock({ $0 }) else { return false }
        for left in disks {
            let (events, report) = try allEvents(left)
            // Of three commits the first begins a segment, and the others are events.
            #expect(report.lastEvent >= 8 + durable - (durable + 2) / 3, "call \(number)")
            let expected = (report.firstEvent..<report.lastEvent + 1).map { Told.event($0) }
            #expect(events == expected, "call \(number)")
            #expect(try recover(left).recovery.nextEvent == report.lastEvent + 1)
            #expect(try allEvents(left).events == events)
        }
        return true
    }

    @Test(
        "a removal that fails is told, ends nothing, and is tried again after the next segment",
        arguments: [MemoryDisk.Call.remove, .syncFolder, .status, .names])
    func failure(call: MemoryDisk.Call) async throws {
        let disk = MemoryDisk()
        try await onThread {
            let before = try Keeper(disk)
            write(1...6, to: before)
            before.journal.close()
            let keeper = try Keeper(disk, retention: Retention(bytes: 1), isStarted: false)
            disk.fail(call, number: 1, with: .error(5))
            try keeper.start()
            let told = keeper.waitForUpkeep(1)
            let error = SystemError(code: 5, call: "\(call)")
            let file = call == .names ? "." : fileName(1)
            #expect(told.first == .failed(file: file, error))
            write(7...8, to: keeper)
            _ = keeper.waitForUpkeep(call == .syncFolder ? 2 : 3)
            #expect(keeper.journal.progress.failure == nil)
            keeper.journal.close()
        }
        #expect(firsts(disk) == [7])
        #expect(try allEvents(disk).report.lastEvent == 8)
    }

    @Test("a segment is full at a quarter of what is kept")
    func segmentLimit() async throws {
        try await onThread {
            let keeper = try Keeper(MemoryDisk(), retention: Retention(bytes: 800))
            let long = String(repeating: "x", count: 150)
            keeper.keep([.event(1)])
            #expect(!keeper.journal.progress.isSegmentFull)
            keeper.keep([Told(kind: .event(2), words: long)])
            #expect(keeper.journal.progress.isSegmentFull)
            keeper.journal.close()
        }
    }

    @Test("the newest segment is warned of once when it alone is 80 % of what is kept")
    func nearlyFull() async throws {
        try await onThread {
            let keeper = try Keeper(MemoryDisk(), retention: Retention(bytes: 1_000))
            let long = String(repeating: "x", count: 300)
            for number in 1...4 { keeper.keep([Told(kind: .event(number), words: long)]) }
            let first = keeper.waitForUpkeep(1)
            #expect(first.count == 1)
            guard case .nearlyFull(let bytes, limit: 1_000) = first.first else {
                Issue.record("\(first)")
                return
            }
            #expect((800..<1_150).contains(bytes))
            keeper.wait(for: keeper.journal.beginSegment(state: logBatch([])))
            #expect(keeper.waitForUpkeep(1).map(\.isRemoval) == [true])
            for number in 5...8 { keeper.keep([Told(kind: .event(number), words: long)]) }
            #expect(keeper.waitForUpkeep(1).map(\.isRemoval) == [false])
            keeper.journal.close()
        }
    }

    @Test("a folder of the file system has the size and the time of each segment, and loses them")
    func posix() async throws {
        let temporary = TemporaryFolder()
        let disk = PosixDisk(folder: temporary.path)
        try await onThread {
            let start = wallClockMilliseconds()
            let keeper = try Keeper(disk, retention: Retention(bytes: 300))
            write(1...2, to: keeper)
            let (bytes, written) = try disk.status(fileName(1))
            #expect(try bytes == disk.read(fileName(1)).count)
            #expect((start - 2_000...wallClockMilliseconds() + 2_000).contains(written))
            write(3...9, to: keeper)
            _ = keeper.waitForUpkeep(2)
            keeper.journal.close()
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
