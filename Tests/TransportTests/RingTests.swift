import Testing
import Transport

@Suite struct RingTests {
    @Test("positions and records count everything ever appended")
    func counting() {
        var ring = Ring(limit: 64)
        ring.append(bytes(40))
        for count in [8, 12] { ring.append(bytes(count)) }
        ring.append(bytes(7))
        #expect(ring.end == 67)
        #expect(ring.records == 4)
        #expect(ring.start == 3)
    }

    @Test("a range that wraps comes in two pieces")
    func wrapping() {
        var ring = Ring(limit: 64)
        ring.append(bytes(59))
        ring.append(Array("abcdefgh\n".utf8))
        let (first, second) = ring.pieces(59..<68)
        #expect(String(decoding: first, as: UTF8.self) == "abcde")
        #expect(String(decoding: second, as: UTF8.self) == "fgh\n")
    }

    @Test("a ring takes as much as it holds at once")
    func full() {
        var ring = Ring(limit: 64)
        ring.append(bytes(2))
        ring.append(Array(0..<64))
        #expect(ring.start == 2)
        let (first, second) = ring.pieces(2..<66)
        #expect(Array(first) + Array(second) == Array(0..<64))
        #expect(ring.recordCount(in: 2..<66) == 1)
    }

    @Test("the bytes of a record mean nothing: each may be a line feed, or none")
    func anyBytes() {
        var ring = Ring(limit: 64)
        ring.append([10, 10, 10])
        ring.append([0x81, 1, 10])
        ring.append([0x81, 1, 65])
        #expect(ring.recordCount(in: 0..<9) == 3)
        #expect((1...9).map { ring.recordEnd(at: $0) } == [3, 3, 3, 6, 6, 6, 9, 9, 9])
    }

    /// Records of one seed's lengths, lap after lap, against a list of where they end.
    @Test("the ends of records are found on every lap of the ring", arguments: 1...16)
    func laps(seed: Int) {
        var ring = Ring(limit: 64 << (seed % 3))
        var ends = [0]
        for number in 0..<600 {
            let lengths = (0...number % 3).map { 1 + (number * seed + $0 * 7) % 16 }
            for length in lengths {
                ring.append(bytes(length))
                ends.append(ends[ends.count - 1] + length)
            }
            let kept = ends.filter { $0 > ring.start }
            #expect(ring.recordCount(in: ring.start..<ring.end) == kept.count)
            let middle = (ring.start + ring.end) / 2
            #expect(ring.recordCount(in: middle..<ring.end) == kept.count { $0 > middle })
            #expect(ring.recordEnd(at: middle + 1) == kept.first { $0 > middle })
            #expect(ring.recordEnd(at: ring.end) == ring.end)
        }
        #expect(ring.records == ends.count - 1)
    }

    @Test("a ring that grows keeps its bytes and the ends of its records", arguments: 1...16)
    func growth(seed: Int) {
        var ring = Ring(limit: 1 << 20)
        var all: [UInt8] = []
        var ends: [Int] = []
        for number in 0..<900 {
            let record = [UInt8](repeating: UInt8(number % 251), count: 1 + number * seed % 61)
            ring.append(record)
            all += record
            ends.append(all.count)
            guard number % (40 * seed) == 30 * seed else { continue }
            ring.grow(toHold: ring.capacity + 1)
            let kept = ring.pieces(ring.start..<ring.end)
            #expect(Array(kept.first) + Array(kept.second) == Array(all[ring.start...]))
            #expect(
                ring.recordCount(in: ring.start..<ring.end) == ends.count { $0 > ring.start })
        }
        #expect(ring.recordEnd(at: ring.start + 1) == ends.first { $0 > ring.start })
    }

    @Test("a record that is longer than the ring makes it grow, up to the limit")
    func longRecord() {
        var ring = Ring(limit: 1 << 20)
        ring.append(bytes(100))
        #expect(ring.capacity == 2048)
        ring.append(bytes(5000))
        #expect(ring.capacity == 8192)
        #expect(ring.start == 0)
        ring.grow(toHold: 1 << 30)
        #expect(ring.capacity == 1 << 20)
    }

    private func bytes(_ count: Int) -> [UInt8] {
        [UInt8](repeating: 65, count: count)
    }
}

extension Ring {
    mutating func append(_ record: [UInt8]) {
        record.withUnsafeBytes { append($0) }
    }

    mutating func append(_ record: String) {
        append(Array(record.utf8))
    }
}
