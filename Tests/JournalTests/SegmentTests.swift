import DiskSupport
import Journal
import TestSupport
import Testing

@Suite struct SegmentTests {
    private static let state = [
        TestEntry(kind: .restated(2), words: "LOT 1 Vase"),
        TestEntry(kind: .note, words: "NAME alice x"),
    ]

    /// Three segments: events 1 to 3, 4 to 6 and 7 to 8.
    private func folder() async throws -> MemoryDisk {
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk)
            for number in 1...8 {
                if number == 4 || number == 7 {
                    running.wait(for: running.journal.beginSegment { logBatch(Self.state) })
                }
                running.write([.event(number)])
            }
            running.journal.close()
        }
        return disk
    }

    @Test("the newest segment is read with its state, then its events")
    func newest() async throws {
        let (entries, recovery) = try recover(try await folder())
        #expect(entries == Self.state + [.event(7), .event(8)])
        #expect(recovery.file == fileName(7) && recovery.nextEvent == 9 && recovery.events == 2)
        #expect(recovery.cut == nil && !recovery.isNew)
    }

    @Test("the events of all segments are verified as one")
    func verified() async throws {
        let (events, report) = try allEvents(try await folder())
        #expect(events == (1...8).map { .event($0) })
        #expect(report.segments == 3 && report.tornBytes == 0)
        #expect(report.firstEvent == 1 && report.lastEvent == 8)
    }

    @Test("the oldest segments may be removed")
    func removed() async throws {
        let disk = try await folder()
        try disk.remove(fileName(1))
        let (events, report) = try allEvents(disk)
        #expect(events == (4...8).map { .event($0) })
        #expect(report.firstEvent == 4 && report.segments == 2)
        #expect(try recover(disk).recovery.nextEvent == 9)
    }

    @Test(
        "a folder without its newest segments is damage, and nothing is changed", arguments: 1...2)
    func newestMissing(count: Int) async throws {
        let disk = try await folder()
        for first in [7, 4].prefix(count) { try disk.remove(fileName(first)) }
        let files = disk.contents
        let next = count == 1 ? 7 : 4
        for error in [
            #expect(throws: JournalError.self) { try allEvents(disk) },
            #expect(throws: JournalError.self) { try recover(disk) },
        ] {
            let reason = "a newer segment is missing: this one says that \(fileName(next)) follows"
            #expect(error?.description.hasSuffix(reason) == true)
        }
        #expect(disk.contents == files)
    }

    @Test(
        "a closing note that a crash cut off is written by the next start, whatever is left of it")
    func closingCutOff() async throws {
        let whole = try await folder()
        let closed = try #require(whole.contents[fileName(4)])
        let note = "- 01234567 NEXT 000000000007.journal\t*\n".utf8.count
        let newest = try head(of: try #require(whole.contents[fileName(7)]))
        for length in 0...note {
            let older = Array(closed.dropLast(note - length))
            let disk = MemoryDisk([fileName(4): older, fileName(7): newest])
            #expect(try allEvents(disk).report.lastEvent == 6)
            #expect(try recover(disk).recovery.nextEvent == 7)
            #expect(disk.contents[fileName(4)] == closed)
            #expect(try allEvents(disk).report.lastEvent == 6)
        }
    }

    /// The header and the two lines of state.
    private func head(of segment: [UInt8]) throws -> [UInt8] {
        let feeds = segment.indices.filter { segment[$0] == UInt8(ascii: "\n") }
        return Array(segment[...(try #require(feeds.dropFirst(2).first))])
    }

    @Test("after a segment without its closing note, a later one with lines is damage")
    func closingMissing() async throws {
        var files = try await folder().contents
        let note = "- 01234567 NEXT 000000000007.journal\t*\n".utf8.count
        files[fileName(4)]?.removeLast(note)
        let error = #expect(throws: JournalError.self) { try allEvents(MemoryDisk(files)) }
        #expect(error?.description.hasSuffix("breaks off, and a later one was begun") == true)
    }

    @Test("a segment that is missing between others is damage, at the one after it")
    func missing() async throws {
        let disk = try await folder()
        try disk.remove(fileName(4))
        let error = #expect(throws: JournalError.self) { try allEvents(disk) }
        #expect(
            error?.description
                == "000000000007.journal, byte 0, line 1: it begins with event 7, but after 3")
    }

    @Test("a segment of another journal is damage")
    func foreign() async throws {
        let disk = try await folder()
        var forge = Forge()
        forge.begin(first: 7)
        let files = disk.contents.merging([fileName(7): forge.bytes]) { $1 }
        #expect(throws: JournalError.self) { try allEvents(MemoryDisk(files)) }
    }

    @Test("an older segment that is torn is damage, the newest is not")
    func torn() async throws {
        var files = try await folder().contents
        files[fileName(7)]?.removeLast(3)
        #expect(try allEvents(MemoryDisk(files)).report.tornBytes > 0)
        files[fileName(4)]?.removeLast(3)
        #expect(throws: JournalError.self) { try allEvents(MemoryDisk(files)) }
    }

    @Test(
        "a segment without a whole head is damage, and nothing is changed", arguments: [0, 20, 90])
    func tornHead(length: Int) async throws {
        var files = try await folder().contents
        files[fileName(7)] = Array(files[fileName(7)]?.prefix(length) ?? [])
        files[unfinishedName(9)] = []
        let disk = MemoryDisk(files)
        let error = #expect(throws: JournalError.self) { try recover(disk) }
        #expect(error?.description.hasPrefix("000000000007.journal, byte ") == true)
        #expect(disk.contents == files)
        #expect(throws: JournalError.self) { try allEvents(disk) }
    }

    @Test("an unfinished segment is removed", arguments: [1, 9])
    func unnamed(first: Int) async throws {
        let files = try await folder().contents
        let disk = MemoryDisk(files.merging([unfinishedName(first): Array("- 0".utf8)]) { $1 })
        #expect(try allEvents(disk).report.lastEvent == 8)
        let recovery = try recover(disk).recovery
        #expect(recovery.file == fileName(7) && recovery.cut == nil)
        #expect(disk.contents == files)
    }

    @Test("files of other names are left alone")
    func strangers() throws {
        let disk = MemoryDisk(["1.journal.new": [], "000000000001.new": [], "a.journal.new": []])
        #expect(try recover(disk).recovery.isNew)
        #expect(disk.contents.count == 4)
    }

    @Test("a folder without segments is no damage")
    func empty() throws {
        let report = try allEvents(MemoryDisk()).report
        #expect(report.segments == 0 && report.firstEvent == 1 && report.lastEvent == 0)
    }

    @Test("a segment is full from its limit on, until a new one begins")
    func full() async throws {
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk, segmentLimit: 100)
            running.write([TestEntry(kind: .note, words: String(repeating: "x", count: 100))])
            #expect(!running.journal.progress.isSegmentFull)
            running.write([.event(1)])
            #expect(running.journal.progress.isSegmentFull)
            let begun = running.journal.beginSegment { logBatch([]) }
            #expect(!running.journal.progress.isSegmentFull)
            running.wait(for: begun)
            #expect(!running.journal.progress.isSegmentFull)
            running.journal.close()
        }
    }

    @Test("a segment that is mostly state is not full before as much follows it")
    func largeState() async throws {
        let lap = TestEntry(kind: .restated(1), words: "LAP " + String(repeating: "1", count: 100))
        let disk = MemoryDisk()
        try await onThread {
            var running = try RunningJournal(disk, segmentLimit: 100)
            running.write([.event(1)])
            running.wait(for: running.journal.beginSegment { logBatch([lap, lap]) })
            running.write([.event(2)])
            #expect(!running.journal.progress.isSegmentFull)
            running.journal.close()
            running = try RunningJournal(disk, segmentLimit: 100)
            #expect(!running.journal.progress.isSegmentFull)
            running.write([TestEntry(kind: .event(3), words: lap.words)])
            #expect(!running.journal.progress.isSegmentFull)
            running.write([TestEntry(kind: .event(4), words: lap.words + lap.words)])
            #expect(running.journal.progress.isSegmentFull)
            running.journal.close()
        }
    }
}
