import DiskSupport
import Storage
import TestSupport
import Testing

@Suite(.serialized) struct DamageTests {
    private static let lines = (1...12).map { Told.event($0) }

    private static func journal(batches: [[Told]]) -> [UInt8] {
        var forge = Forge()
        forge.begin(first: 1)
        for batch in batches { forge.batch(batch) }
        return forge.bytes
    }

    @Test(
        "a bit that flipped is damage, or the lines before it are what is left",
        arguments: [1, 4, 12])
    func bits(linesPerBatch: Int) async throws {
        let batches = stride(from: 0, to: 12, by: linesPerBatch).map {
            Array(Self.lines[$0..<($0 + linesPerBatch)])
        }
        let bytes = Self.journal(batches: batches)
        try await onThread {
            for bit in 0..<bytes.count * 8 {
                var flipped = bytes
                flipped[bit / 8] ^= 1 << (bit % 8)
                let disk = MemoryDisk([fileName(1): flipped])
                let intact = bytes[..<(bit / 8)].count { $0 == UInt8(ascii: "\n") } - 1
                do throws(JournalError) {
                    let told = try recover(disk).told
                    #expect(told == Array(Self.lines.prefix(max(0, intact))), "bit \(bit)")
                } catch {
                    guard case .damage(let damage) = error else { throw error }
                    #expect(damage.line == intact + 2, "bit \(bit)")
                    #expect(disk.contents[fileName(1)] == flipped)
                }
            }
        }
    }

    @Test("a flip in a line behind which another batch was begun is damage, in whichever part")
    func proven() {
        let bytes = Self.journal(batches: Self.lines.map { [$0] })
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        for index in 0..<ends[10] where !ends.contains(index) {
            var flipped = bytes
            flipped[index] ^= 1
            #expect(throws: JournalError.self, "byte \(index)") {
                try recover(MemoryDisk([fileName(1): flipped]))
            }
        }
    }

    @Test("a flipped sum is damage when notes alone were kept behind the line")
    func notes() {
        let note = Told(mark: .note, words: "NAME alice x")
        var bytes = Self.journal(batches: [[.event(1)], [.event(2)], [note]])
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        bytes[ends[1] + 1 + "2 ".utf8.count] ^= 1
        #expect(throws: JournalError.self) { try recover(MemoryDisk([fileName(1): bytes])) }
    }

    @Test("a head that is torn with whole events behind it is damage")
    func head() {
        var bytes = Self.journal(batches: [Self.lines])
        // The header's line feed, so that the first event and its star are lost with it.
        let feed = bytes.firstIndex(of: UInt8(ascii: "\n"))
        bytes[feed ?? 0] ^= 1
        #expect(throws: JournalError.self) { try recover(MemoryDisk([fileName(1): bytes])) }
    }

    static let disorders: [([Told], [Told], String)] = [
        ([], [.event(2)], "event 2 comes after event 0"),
        ([], [.event(1), .event(1)], "event 1 comes after event 1"),
        ([], [.event(1), Told(mark: .restated(1), words: "LOT")], "restated"),
    ]

    @Test("whole lines in an order that cannot be are damage", arguments: disorders)
    func order(state: [Told], lines: [Told], reason: String) {
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
        forge.line("-", "JOURNAL auction/1 first=1 after=00000000 state=2\t*")
        forge.line("-", "NAME")
        forge.line("1", "PRICE 1\t*")
        #expect(throws: JournalError.self) { try recover(MemoryDisk([fileName(1): forge.bytes])) }
    }

    @Test(
        "a header of another version or another file is damage",
        arguments: ["auction/2 first=1", "auction/1 first=2"])
    func header(words: String) {
        var forge = Forge()
        forge.line("-", "JOURNAL \(words) after=00000000 state=0\t*")
        let error = #expect(throws: JournalError.self) {
            try recover(MemoryDisk([fileName(1): forge.bytes]))
        }
        #expect(
            error?.description
                == "000000000001.journal, byte 0, line 1: "
                + "this is no header of auction/1 for a file of this name")
    }

    @Test("a line that nobody understands is damage, and nothing is cut for it")
    func nonsense() {
        let bytes = Self.journal(batches: [Self.lines]) + Array("13".utf8)
        let disk = MemoryDisk([fileName(1): bytes])
        #expect(throws: JournalError.self) {
            try Journal.open(disk) { mark, _, _ in mark != .event(12) }
        }
        #expect(disk.contents[fileName(1)] == bytes)
    }
}
