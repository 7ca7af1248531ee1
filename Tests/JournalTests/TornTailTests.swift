import DiskSupport
import Journal
import TestSupport
import Testing

@Suite(.serialized) struct TornTailTests {
    enum Tail: CaseIterable {
        case nothing, garbage, zeros, older
    }

    /// Two segments with events 1 to 60 and 61 to 90, in batches of one to nine lines.
    private static let (older, newer, state, lines) = forge()

    private static func forge() -> ([UInt8], [UInt8], [TestEntry], [TestEntry]) {
        var generator = SplitMix64(seed: 7)
        var forge = Forge()
        var next = 1
        func fill(to last: Int) -> [TestEntry] {
            var all: [TestEntry] = []
            while next <= last {
                let count = Int.random(in: 1...9, using: &generator)
                var batch = (next..<min(next + count, last + 1)).map { TestEntry.event($0) }
                next += batch.count
                if count == 5 { batch.append(TestEntry(kind: .note, words: "TIME")) }
                forge.batch(batch)
                all += batch
            }
            return all
        }
        forge.begin(first: 1)
        _ = fill(to: 60)
        forge.close(next: 61)
        let older = forge.bytes
        let state = [
            TestEntry(kind: .restated(60), words: "LOT 1"), TestEntry(kind: .note, words: "NAME"),
        ]
        forge.begin(first: 61, state: state)
        let lines = fill(to: 90)
        return (older, forge.bytes, state, lines)
    }

    private func bytes(_ tail: Tail, using generator: inout SplitMix64) -> [UInt8] {
        switch tail {
        case .nothing: return []
        case .zeros: return [UInt8](repeating: 0, count: 700)
        case .garbage:
            return (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
        case .older:
            let start = Int.random(in: 0..<Self.older.count - 700, using: &generator)
            return Array(Self.older[start..<(start + 700)])
        }
    }

    @Test(
        "at every length all whole lines are recovered, whatever follows them",
        arguments: Tail.allCases)
    func everyLength(tail: Tail) async throws {
        try await onThread {
            var generator = SplitMix64(seed: 11)
            let all = Self.state + Self.lines
            for length in 0...Self.newer.count {
                let bytes = Self.newer[..<length] + bytes(tail, using: &generator)
                let disk = MemoryDisk([fileName(1): Self.older, fileName(61): Array(bytes)])
                // The bytes after the cut may be, by chance, those that were there.
                let same = zip(bytes, Self.newer).prefix { $0 == $1 }
                let whole = same.count { $0.0 == UInt8(ascii: "\n") } - 1
                guard whole >= Self.state.count else {
                    #expect(throws: JournalError.self) { try recover(disk) }
                    #expect(disk.contents[fileName(61)] == Array(bytes))
                    continue
                }
                let (entries, recovery) = try recover(disk)
                #expect(entries == Array(all.prefix(whole)), "length \(length)")
                #expect(recovery.file == fileName(61))
                #expect(disk.contents[fileName(61)]?.count == recovery.segmentBytes)
            }
        }
    }

    @Test("a recovery names the file and the bytes of the tail that was cut")
    func cut() throws {
        let open = Self.older.dropLast("- 01234567 NEXT 000000000061.journal\t*\n".utf8.count)
        let disk = MemoryDisk([fileName(1): open + Array("61 000".utf8)])
        let cut = try #require(try recover(disk).recovery.cut)
        #expect(cut.file == fileName(1) && cut.bytes == 6 && !cut.isWholeFile)
        #expect(try recover(disk).recovery.cut == nil)
    }

    @Test(
        "a journal whose header was cut begins anew, and the recovery says so",
        arguments: [Tail.nothing, .garbage, .zeros])
    func anew(tail: Tail) throws {
        var generator = SplitMix64(seed: 13)
        let header = Self.older.prefix { $0 != UInt8(ascii: "\n") }
        for length in 0...header.count {
            let bytes = header[..<length] + bytes(tail, using: &generator)
            let disk = MemoryDisk([fileName(1): Array(bytes)])
            let report = try allEvents(disk).report
            #expect(report.lastEvent == 0 && report.tornBytes == bytes.count)
            let (entries, recovery) = try recover(disk)
            #expect(entries.isEmpty && recovery.isNew && recovery.nextEvent == 1)
            let cut = try #require(recovery.cut)
            #expect(cut.file == fileName(1) && cut.bytes == bytes.count && cut.isWholeFile)
            #expect(try recover(disk).recovery.cut == nil)
        }
    }

    static let damagedBeginnings: [(String, [UInt8])] = [
        ("more than a page", [UInt8](repeating: 0, count: 4097)),
        ("a lost header", Array(older.drop { $0 != UInt8(ascii: "\n") })),
        ("a header and events behind zeros", [UInt8](repeating: 0, count: 512) + older),
    ]

    @Test(
        "a beginning that may have had more than its header is damage", arguments: damagedBeginnings
    )
    func beginning(name: String, bytes: [UInt8]) {
        let disk = MemoryDisk([fileName(1): bytes])
        #expect(throws: JournalError.self) { try recover(disk) }
        #expect(throws: JournalError.self) { try allEvents(disk) }
        #expect(disk.contents == [fileName(1): bytes])
    }
}
