import DiskSupport
import EventLog
import Storage
import TestSupport
import Testing

@Suite struct FormatTests {
    @Test(
        "the check sum is that of the books",
        arguments: [("123456789", "e3069283"), ("", "00000000")])
    func vectors(text: String, sum: String) {
        let checksum = CRC32C()
        let register = Array(text.utf8).withUnsafeBytes { checksum.extend(CRC32C.start, by: $0) }
        #expect(Forge.sum(text) == sum)
        #expect(~register == UInt32(sum, radix: 16))
    }

    @Test("the bytes are those of the format")
    func bytes() async throws {
        let state = [
            Told(kind: .restated(3), words: "LOT 1 Vase"),
            Told(kind: .note, words: "NAME al x", metadata: 0),
        ]
        let batches: [[Told]] = [
            [.event(1), .event(2, metadata: 3217), Told(kind: .note, words: "TIME")],
            [Told(kind: .note, words: ""), .event(3)],
            [.event(4, metadata: 999_999_999_999)],
        ]
        let disk = MemoryDisk()
        try await onThread {
            let keeper = try Keeper(disk)
            keeper.keep(batches[0])
            keeper.keep(batches[1])
            keeper.wait(for: keeper.journal.beginSegment(state: logBatch(state)))
            keeper.keep(batches[2])
            keeper.journal.close()
        }
        var forge = Forge()
        forge.begin(first: 1)
        forge.batch(batches[0])
        forge.batch(batches[1])
        forge.close(next: 4)
        #expect(disk.contents[fileName(1)] == forge.bytes)
        forge.begin(first: 4, state: state)
        forge.batch(batches[2])
        #expect(disk.contents[fileName(4)] == forge.bytes)
        #expect(try recover(disk).told == state + batches[2])
    }

    @Test(
        "a line with a number too long to count with is none",
        arguments: [
            ("1000000000000000", "*"), ("=1000000000000000", "*"), ("1", "1000000000000 *"),
        ])
    func tooLong(mark: String, metadata: String) throws {
        var forge = Forge()
        forge.begin(first: 1)
        let whole = forge.bytes.count
        forge.line(mark, "PRICE\t\(metadata)")
        #expect(try recover(MemoryDisk([fileName(1): forge.bytes])).recovery.segmentBytes == whole)
    }

    @Test("numbers and sums of every length are read as they were written")
    func lengths() async throws {
        var generator = SplitMix64(seed: 1)
        let words = (1...1200).map { number in
            Told(
                kind: .event(number), words: String(repeating: "w", count: number % 40),
                metadata: Int64.random(in: 0..<1_000_000_000_000, using: &generator)
                    >> (number % 40))
        }
        let disk = MemoryDisk()
        try await onThread {
            let keeper = try Keeper(disk)
            keeper.keep(words)
            keeper.journal.close()
        }
        #expect(try recover(disk).told == words)
    }
}
