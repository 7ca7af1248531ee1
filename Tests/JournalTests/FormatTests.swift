import Basics
import DiskSupport
import Journal
import Posix
import TestSupport
import Testing

@Suite struct FormatTests {
    @Test(
        "the checksum is the published one",
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
            TestEntry(kind: .restated(3), words: "LOT 1 Vase"),
            TestEntry(kind: .note, words: "NAME al x", metadata: 0),
        ]
        let batches: [[TestEntry]] = [
            [.event(1), .event(2, metadata: 3217), TestEntry(kind: .note, words: "TIME")],
            [TestEntry(kind: .note, words: ""), .event(3)],
            [.event(4, metadata: 999_999_999_999)],
        ]
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk)
            running.write(batches[0])
            running.write(batches[1])
            running.wait(for: running.journal.beginSegment { logBatch(state) })
            running.write(batches[2])
            running.journal.close()
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
        #expect(try recover(disk).entries == state + batches[2])
    }

    @Test(
        "a line with a number that is too long is no line",
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
            TestEntry(
                kind: .event(number), words: String(repeating: "w", count: number % 40),
                metadata: Int64.random(in: 0..<1_000_000_000_000, using: &generator)
                    >> (number % 40))
        }
        let disk = MemoryDisk()
        try await onThread {
            let running = try RunningJournal(disk)
            running.write(words)
            running.journal.close()
        }
        #expect(try recover(disk).entries == words)
    }

    @Test("the example on the page of the format is a journal")
    func example() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let page = try readFile("/\(root)/Sources/Journal/Journal.docc/Journal.md", atMost: 1 << 20)
        let blocks = String(decoding: page, as: UTF8.self).split(separator: "```text\n")
        let example = try #require(blocks.dropFirst().first?.split(separator: "```").first)
        let disk = MemoryDisk(["000000000001.journal": Array(example.utf8)])
        let (entries, recovery) = try recover(disk)
        #expect(recovery.cut == nil)
        #expect(entries.contains { $0.words == "PRICE 120 alice 00:00.2 1" && $0.metadata == 298 })
        #expect(recovery.nextEvent == 5)
    }
}
