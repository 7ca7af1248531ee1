import Basics
import Testing

@Suite struct LogBatchTests {
    private func append(
        _ line: String, _ kind: EntryKind = .note, metadata: Int64? = nil, to batch: inout LogBatch
    ) -> Range<Int> {
        batch.append(kind, metadata: metadata) { $0 += Array((line + "\n").utf8) }
    }

    @Test("a batch has the lines of its entries one after the other, and returns their ranges")
    func lines() {
        var batch = LogBatch()
        #expect(batch.isEmpty)
        #expect(append("ab", to: &batch) == 0..<3)
        #expect(append("", to: &batch) == 3..<4)
        #expect(append("c", .event(1), metadata: 5, to: &batch) == 4..<6)
        #expect(batch.text == Array("ab\n\nc\n".utf8))
        #expect(batch.entries.map(\.kind) == [.note, .note, .event(1)])
        #expect(batch.entries.map(\.length) == [2, 0, 1])
        #expect(batch.entries.map(\.metadata) == [nil, nil, 5])
    }

    @Test("a batch has the range of its events, and says whether it restates older ones")
    func events() {
        var batch = LogBatch()
        _ = append("a", to: &batch)
        #expect(batch.events == nil && !batch.hasRestatedEvents)
        for number in 7...9 { _ = append("a", .event(number), to: &batch) }
        #expect(batch.events == 7...9 && !batch.hasRestatedEvents)
        _ = append("a", .restated(2), to: &batch)
        #expect(batch.events == 7...9 && batch.hasRestatedEvents)
    }

    @Test("a batch whose entries were removed is as new, and any event may be its first")
    func removes() {
        var batch = LogBatch()
        _ = append("a", .restated(1), to: &batch)
        _ = append("b", .event(2), to: &batch)
        #expect(batch.removeAll() == Array("a\nb\n".utf8))
        #expect(batch.isEmpty && batch.text.isEmpty)
        #expect(batch.events == nil && !batch.hasRestatedEvents)
        #expect(append("c", .event(9), to: &batch) == 0..<2)
    }
}

@Suite struct MemoryLogTests {
    @Test("every batch counts as durable at once")
    func durable() {
        let log = MemoryLog()
        #expect(log.progress.durable == 0)
        #expect(log.append(LogBatch()) == 1)
        #expect(log.beginSegment { LogBatch() } == 2)
        #expect(log.append(LogBatch()) == 3)
        #expect(log.progress.durable == 3)
        #expect(!log.progress.isSegmentFull && log.progress.failure == nil)
    }
}
