import DiskSupport
import Posix
import Storage
import Testing

@Suite struct JournalPageTests {
    @Test("the journal on the page of its format is one")
    func example() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let page = try readFile("/\(root)/Sources/Storage/Storage.docc/Journal.md", atMost: 1 << 20)
        let blocks = String(decoding: page, as: UTF8.self).split(separator: "```text\n")
        let example = try #require(blocks.last?.split(separator: "```").first)
        let disk = MemoryDisk(["000000000001.journal": Array(example.utf8)])
        let (told, recovery) = try recover(disk)
        #expect(recovery.cut == nil)
        #expect(told.contains { $0.words == "PRICE 120 alice 00:00.2 1" && $0.metadata == 298 })
        #expect(recovery.nextEvent == 5)
    }
}
