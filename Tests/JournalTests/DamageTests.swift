import DiskSupport
import Journal
import TestSupport
import Testing

@Suite(.serialized) struct DamageTests {
    private static let lines = (1...12).map { TestEntry.event($0) }

    private static func journal(batches: [[TestEntry]]) -> [UInt8] {
        var forge = Forge()
        forge.begin(first: 1)
        for batch in batches { forge.batch(batch) }
        return forge.bytes
    }

    private static func note(_ words: String) -> TestEntry { TestEntry(kind: .note, words: words) }

    /// Events alone, in batches of three sizes; the last note of a server; notes alone.
    static let batches: [[[TestEntry]]] =
        [1, 4, 12].map { size in
            stride(from: 0, to: 12, by: size).map { Array(lines[$0..<($0 + size)]) }
        } + [
            [[.event(1), .event(2, metadata: 3217)], [note("TIME")]],
            [[.event(1), note("NAME alice x")], [note("TIME")]],
            [[note("TIME"), note("NAME alice x")], [note("NAME bob y")], [note("TIME")]],
        ]

    @Test("a bit that flipped before the last star is damage, one after it a torn tail or damage")
    func bits() async throws {
        try await onThread { for batches in Self.batches { try Self.flipBits(of: batches) } }
    }

    private static func flipBits(of batches: [[TestEntry]]) throws {
        let bytes = journal(batches: batches)
        let proven = journal(batches: batches.dropLast()).count
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            let disk = MemoryDisk([fileName(1): flipped])
            let intact = bytes[..<(bit / 8)].count { $0 == UInt8(ascii: "\n") } - 1
            do throws(JournalError) {
                let entries = try recover(disk).entries
                #expect(entries == Array(batches.joined().prefix(max(0, intact))), "bit \(bit)")
                #expect(bit / 8 >= proven, "bit \(bit) of \(batches)")
            } catch {
                guard case .damage(let damage) = error else { throw error }
                #expect(damage.line == intact + 2, "bit \(bit)")
                #expect(disk.contents[fileName(1)] == flipped)
            }
        }
    }

    @Test("bytes that were lost before the last star are damage", arguments: [0, 0x20, 0x0A])
    func lost(value: UInt8) {
        let bytes = Self.journal(batches: Self.batches[0])
        let starts = bytes.indices.filter { $0 == 0 || bytes[$0 - 1] == UInt8(ascii: "\n") }
        for start in 0..<starts[11] {
            for count in [1, 3, 8] {
                var damaged = bytes
                let range = start..<min(start + count, starts[12] - 1)
                for index in range { damaged[index] = value }
                guard damaged != bytes else { continue }
                #expect(throws: JournalError.self, "\(count) bytes from \(start)") {
                    try recover(MemoryDisk([fileName(1): damaged]))
                }
            }
        }
    }

    @Test("lost words of the last event are damage if the server ended well after them")
    func lastWords() {
        var bytes = Self.journal(batches: [[.event(1)], [.event(2)], [Self.note("TIME")]])
        let time = Self.journal(batches: [[.event(1)], [.event(2)]]).count
        for index in time - 6..<time - 3 { bytes[index] = 0 }
        #expect(throws: JournalError.self) { try recover(MemoryDisk([fileName(1): bytes])) }
    }

    @Test("a torn head with whole events after it is damage")
    func head() {
        var bytes = Self.journal(batches: [Self.lines])
        // The header's line feed, so that the first event and its star are lost with it.
        let feed = bytes.firstIndex(of: UInt8(ascii: "\n"))
        bytes[feed ?? 0] ^= 1
        #expect(throws: JournalError.self) { try recover(MemoryDisk([fileName(1): bytes])) }
    }

    static let disorders: [([TestEntry], [TestEntry], String)] = [
        ([], [.event(2)], "event 2 comes after event 0"),
        ([], [.event(1), .event(1)], "event 1 comes after event 1"),
        ([], [.event(1), TestEntry(kind: .restated(1), words: "LOT")], "restated"),
    ]

    @Test("whole lines in an impossible order are damage", arguments: disorders)
    func order(state: [TestEntry], lines: [TestEntry], reason: String) {
        var forge = Forge()
        forge.begin(first: 1, state: state)
        forge.batch(lines)
        let error = #expect(throws: JournalError.self) {
            try recover(MemoryDisk([fileName(1): forge.bytes]))
        }
        #expect(error?.description.contains(reason) == true)
    }

    @Test("state that breaks off before an event is damage")
    func state() {
        var forge = Forge()
        forge.line("-", "JOURNAL auction/5 first=1 after=00000000 state=2\t*")
        forge.line("-", "NAME")
        forge.line("1", "PRICE 1\t*")
        #expect(throws: JournalError.self) { try recover(MemoryDisk([fileName(1): forge.bytes])) }
    }

    @Test(
        "a header of another file, or without a version, is damage",
        arguments: [
            "auction/5 first=2", "auction/ first=1", "auction/05 first=1",
            "auction/x first=1", "auction/12345 first=1", "auctions/5 first=1",
        ])
    func header(words: String) {
        var forge = Forge()
        forge.line("-", "JOURNAL \(words) after=00000000 state=0\t*")
        let error = #expect(throws: JournalError.self) {
            try recover(MemoryDisk([fileName(1): forge.bytes]))
        }
        #expect(
            error?.description
                == "000000000001.journal, byte 0, line 1: "
                + "this is no header of auction/5 for a file of this name")
    }

    @Test(
        "a journal of a version that is not read is refused with that reason, and not as damaged",
        arguments: [(1, "an older"), (4, "an older"), (6, "a newer"), (17, "a newer")])
    func otherVersion(version: Int, age: String) {
        var forge = Forge()
        forge.begin(first: 1, version: version)
        forge.batch([.event(1)])
        let error = #expect(throws: JournalError.self) {
            try recover(MemoryDisk([fileName(1): forge.bytes]))
        }
        #expect(
            error?.description
                == "\(age) version wrote 000000000001.journal, whose journals this one does not read"
        )
    }

    @Test("a line that makes no sense is damage, and nothing is cut for it")
    func nonsense() {
        let bytes = Self.journal(batches: [Self.lines]) + Array("13".utf8)
        let disk = MemoryDisk([fileName(1): bytes])
        #expect(throws: JournalError.self) {
            try Journal.open(disk) { kind, _, _ in kind != .event(12) }
        }
        #expect(disk.contents[fileName(1)] == bytes)
    }
}
