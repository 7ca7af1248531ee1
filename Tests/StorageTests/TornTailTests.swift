import DiskSupport
import Storage
import TestSupport
import Testing

@Suite(.serialized) struct TornTailTests {
    enum Tail: CaseIterable {
        case nothing, garbage, zeros, older
    }

    /// Two segments with events 1 to 220 and 221 to 300, in batches of one to nine lines.
    private static let (older, newer, state, lines) = forge()

    private static func forge() -> ([UInt8], [UInt8], [Told], [Told]) {
        var generator = SplitMix64(seed: 7)
        var forge = Forge()
        var next = 1
        func fill(to last: Int) -> [Told] {
            var all: [Told] = []
            while next <= last {
                let count = Int.random(in: 1...9, using: &generator)
                var batch = (next..<min(next + count, last + 1)).map { Told.event($0) }
                next += batch.count
                if count == 5 { batch.append(Told(mark: .note, words: "TIME")) }
                forge.batch(batch)
                all += batch
            }
            return all
        }
        forge.begin(first: 1)
        _ = fill(to: 220)
        let older = forge.bytes
        let state = [Told(mark: .restated(220), words: "LOT 1"), Told(mark: .note, words: "NAME")]
        forge.begin(first: 221, state: state)
        let lines = fill(to: 300)
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
        "of every length all whole lines are recovered, whatever stands behind",
        arguments: Tail.allCases)
    func everyLength(tail: Tail) async throws {
        try await onThread {
            var generator = SplitMix64(seed: 11)
            let all = Self.state + Self.lines
            for length in 0...Self.newer.count {
                let bytes = Self.newer[..<length] + bytes(tail, using: &generator)
                let disk = MemoryDisk([fileName(1): Self.older, fileName(221): Array(bytes)])
                // What stands behind the cut may be, by chance, what stood there.
                let same = zip(bytes, Self.newer).prefix { $0 == $1 }
                let whole = same.count { $0.0 == UInt8(ascii: "\n") } - 1
                let (told, recovery) = try recover(disk)
                if whole >= Self.state.count {
                    #expect(told == Array(all.prefix(whole)), "length \(length)")
                    #expect(recovery.file == fileName(221))
                    #expect(disk.contents[fileName(221)]?.count == recovery.segmentBytes)
                } else {
                    #expect(recovery.file == fileName(1) && recovery.nextEvent == 221)
                    #expect(disk.contents[fileName(221)] == nil)
                }
            }
        }
    }

    @Test("a tail that was cut is told, with its file and its bytes")
    func cut() throws {
        let disk = MemoryDisk([fileName(1): Self.older + Array("221 00".utf8)])
        let cut = try #require(try recover(disk).recovery.cut)
        #expect(cut.file == fileName(1) && cut.bytes == 6 && !cut.isWholeFile)
        #expect(try recover(disk).recovery.cut == nil)
    }

    @Test("a head that was cut is told, and the first of all begins anew")
    func cutHead() throws {
        let head = Array(Self.older[..<20])
        let first = MemoryDisk([fileName(1): head])
        let recovery = try recover(first).recovery
        #expect(recovery.isNew && recovery.cut?.isWholeFile == true && recovery.cut?.bytes == 20)
        let alone = MemoryDisk([fileName(221): head])
        #expect(throws: JournalError.self) { try recover(alone) }
        let gap = MemoryDisk([fileName(1): Self.older, fileName(250): head])
        #expect(throws: JournalError.self) { try recover(gap) }
    }
}
