import TestSupport
import Testing
import Web

@Suite struct GzipTests {
    private static let texts: [(what: String, bytes: [UInt8])] = [
        ("nothing", []),
        ("one byte", [7]),
        ("the same byte often", [UInt8](repeating: 7, count: 1_000)),
        ("a repetition that overlaps itself", Array("abcabcabcabcabcab".utf8)),
        ("a repetition from further away than a distance reaches", far(33_000)),
        ("a repetition from as far as a distance reaches", far(32_765)),
        ("bytes without repetitions", random(of: 0...255, count: 20_000)),
        ("few bytes, many of them", random(of: 0...3, count: 20_000)),
        ("counts like Fibonacci's, whose codes would be too long", skewed),
    ]

    private static func random(of bytes: ClosedRange<UInt8>, count: Int) -> [UInt8] {
        var chance = SplitMix64(seed: 1)
        return (0..<count).map { _ in .random(in: bytes, using: &chance) }
    }

    private static func far(_ distance: Int) -> [UInt8] {
        let middle = (0..<distance - 4).map { UInt8($0 / 3 % 100) }
        return [200, 201, 202, 203] + middle + [200, 201, 202, 203]
    }

    /// The byte n as often as the nth Fibonacci number, shuffled.
    private static var skewed: [UInt8] {
        var (bytes, count, next) = ([UInt8](), 1, 1)
        for byte in UInt8(0)..<20 {
            bytes += [UInt8](repeating: byte, count: count)
            (count, next) = (next, count + next)
        }
        var chance = SplitMix64(seed: 1)
        return bytes.shuffled(using: &chance)
    }

    @Test("what is compressed can be read again", arguments: texts)
    func roundTrip(what: String, bytes: [UInt8]) throws {
        let compressed = Gzip.compressed(bytes)
        var reader = BitReader(bytes: compressed.dropFirst(10).dropLast(8))
        #expect(try reader.inflate() == bytes)
        #expect(compressed.suffix(4).elementsEqual(littleEndian(bytes.count)))
    }

    @Test("the bytes begin with the format's mark, and end with checksum and length")
    func format() {
        let compressed = Gzip.compressed(Array("123456789".utf8))
        #expect(compressed.starts(with: [0x1F, 0x8B, 8]))
        #expect(compressed.suffix(8).elementsEqual(littleEndian(0xCBF4_3926) + littleEndian(9)))
    }

    @Test("repetitions take less than their bytes")
    func size() {
        #expect(Gzip.compressed([UInt8](repeating: 7, count: 100_000)).count < 200)
    }

    private func littleEndian(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// Reads a compressed block as RFC 1951, section 3.2, describes it.
private struct BitReader {
    private struct Malformed: Error {}

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    var bytes: ArraySlice<UInt8>
    private var bit = 0

    init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    private mutating func read(_ count: Int) throws -> Int {
        try (0..<count).reduce(0) { value, place in
            guard let byte = bytes.first else { throw Malformed() }
            let next = Int(byte) >> bit & 1
            bit = (bit + 1) % 8
            if bit == 0 { bytes.removeFirst() }
            return value | next << place
        }
    }

    /// The symbols by the bits of their codes, with a 1 before them.
    private func codes(_ lengths: [Int]) -> [Int: Int] {
        var (codes, code) = ([Int: Int](), 0)
        for length in 1...15 {
            for symbol in lengths.indices where lengths[symbol] == length {
                codes[1 << length | code] = symbol
                code += 1
            }
            code <<= 1
        }
        return codes
    }

    private mutating func symbol(_ codes: [Int: Int]) throws -> Int {
        var code = 1
        for _ in 0..<15 {
            code = try code << 1 | read(1)
            if let symbol = codes[code] { return symbol }
        }
        throw Malformed()
    }

    private mutating func lengths() throws -> (lengths: [Int], distances: [Int]) {
        guard try read(3) == 0b101 else { throw Malformed() }
        let counts = (try read(5) + 257, try read(5) + 1, try read(4) + 4)
        var runLengths = [Int](repeating: 0, count: 19)
        for symbol in Self.order.prefix(counts.2) { runLengths[symbol] = try read(3) }
        let runCodes = codes(runLengths)
        var all: [Int] = []
        while all.count < counts.0 + counts.1 {
            switch try symbol(runCodes) {
            case 16:
                guard let last = all.last else { throw Malformed() }
                all += [Int](repeating: last, count: 3 + (try read(2)))
            case 17: all += [Int](repeating: 0, count: 3 + (try read(3)))
            case 18: all += [Int](repeating: 0, count: 11 + (try read(7)))
            case let length: all.append(length)
            }
        }
        guard all.count == counts.0 + counts.1 else { throw Malformed() }
        return (Array(all.prefix(counts.0)), Array(all.dropFirst(counts.0)))
    }

    /// The start and the number of further bits of a symbol; both double after each few symbols.
    private mutating func value(_ symbol: Int, first: Int, group: Int) throws -> Int {
        guard symbol >= 2 * group else { return first + symbol }
        let bits = symbol / group - 1
        return first + (group + symbol % group) << bits + (try read(bits))
    }

    mutating func inflate() throws -> [UInt8] {
        let (lengths, distances) = try lengths()
        let (codes, distanceCodes) = (codes(lengths), codes(distances))
        var result: [UInt8] = []
        while true {
            switch try symbol(codes) {
            case let byte where byte < 256: result.append(UInt8(byte))
            case 256:
                guard bytes.count <= 1 else { throw Malformed() }
                return result
            case let symbol:
                let length = symbol == 285 ? 258 : try value(symbol - 257, first: 3, group: 4)
                let distance = try value(self.symbol(distanceCodes), first: 1, group: 2)
                guard distance <= result.count else { throw Malformed() }
                for _ in 0..<length { result.append(result[result.count - distance]) }
            }
        }
    }
}
