import Testing
import Transport

@Suite struct RingTests {
    @Test("positions and lines count everything ever appended")
    func counting() {
        var ring = Ring(capacity: 16)
        ring.append("one\ntwo\n")
        ring.append("three\n")
        ring.append("four\n")
        #expect(ring.end == 19)
        #expect(ring.lines == 4)
        #expect(ring.start == 3)
    }

    @Test("a range that wraps comes in two pieces")
    func wrapping() {
        var ring = Ring(capacity: 16)
        ring.append("0123456789\n")
        ring.append("abcdefgh\n")
        let (first, second) = ring.pieces(11..<20)
        #expect(String(decoding: first, as: UTF8.self) == "abcde")
        #expect(String(decoding: second, as: UTF8.self) == "fgh\n")
    }

    @Test("lines are counted across the wrap")
    func lineCount() {
        var ring = Ring(capacity: 16)
        ring.append("0123456789\n")
        ring.append("a\nb\nc\nd\n")
        #expect(ring.lineCount(in: 11..<19) == 4)
        #expect(ring.lineCount(in: 11..<12) == 0)
        #expect(ring.lineCount(in: 12..<13) == 1)
    }

    @Test(
        "the end of a line is found from anywhere in it",
        arguments: [(12, 20), (16, 20), (17, 20), (19, 20), (20, 20), (21, 22), (22, 22)])
    func lineEnd(position: Int, expected: Int) {
        var ring = Ring(capacity: 16)
        ring.append("0123456789\n")
        ring.append("abcdefgh\nx\n")
        #expect(ring.lineEnd(at: position) == expected)
    }

    @Test("a ring takes as much as it holds at once")
    func full() {
        var ring = Ring(capacity: 8)
        ring.append("a\n")
        ring.append("bcdefgh\n")
        #expect(ring.start == 2)
        let (first, second) = ring.pieces(2..<10)
        #expect(String(decoding: Array(first) + Array(second), as: UTF8.self) == "bcdefgh\n")
    }
}

extension Ring {
    mutating func append(_ lines: String) {
        Array(lines.utf8).withUnsafeBytes { append($0) }
    }
}
