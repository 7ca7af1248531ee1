/// Compresses bytes into the gzip format, for files that are compressed once and sent often.
///
/// Source: RFC 1952.
public enum Gzip {
    /// The compressed bytes; O(n).
    public static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        // Neither a time, nor a name, nor a system.
        var bits = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        DeflateBlock(of: bytes).write(to: &bits)
        bits.fillByte()
        bits.write(Int(checksum(of: bytes)), count: 32)
        bits.write(Int(UInt32(truncatingIfNeeded: bytes.count)), count: 32)
        return bits.bytes
    }

    /// The CRC-32 of the bytes.
    ///
    /// Source: RFC 1952, section 8.
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        var rest = ~UInt32(0)
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest >> 1 ^ (rest & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
        return ~rest
    }
}

/// All bytes as one compressed block, with codes made for them.
///
/// Source: RFC 1951, section 3.2.7.
private struct DeflateBlock {
    /// The symbol after the last token.
    private static let end = 256
    /// The order in which the lengths of the codes for lengths are written.
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private let tokens: [Token]
    /// The codes of bytes and lengths, and those of distances.
    private let codes: PrefixCode
    private let distanceCodes: PrefixCode

    init(of bytes: [UInt8]) {
        tokens = Token.tokens(of: bytes)
        var counts = [Int](repeating: 0, count: 286)
        var distanceCounts = [Int](repeating: 0, count: 30)
        counts[Self.end] = 1
        for token in tokens {
            switch token {
            case .byte(let byte): counts[Int(byte)] += 1
            case .copy(let length, let distance):
                counts[Span.length(length).symbol] += 1
                distanceCounts[Span.distance(distance).symbol] += 1
            }
        }
        codes = PrefixCode(counts: counts, longest: 15)
        distanceCodes = PrefixCode(counts: distanceCounts, longest: 15)
    }

    func write(to bits: inout BitWriter) {
        // The last block, with codes of its own.
        bits.write(0b101, count: 3)
        writeCodes(to: &bits)
        for token in tokens {
            switch token {
            case .byte(let byte): codes.write(Int(byte), to: &bits)
            case .copy(let length, let distance):
                write(.length(length), codes, to: &bits)
                write(.distance(distance), distanceCodes, to: &bits)
            }
        }
        codes.write(Self.end, to: &bits)
    }

    private func write(_ span: Span, _ codes: PrefixCode, to bits: inout BitWriter) {
        codes.write(span.symbol, to: &bits)
        bits.write(span.extra, count: span.extraBits)
    }

    private func writeCodes(to bits: inout BitWriter) {
        let lengths = codes.lengths(atLeast: Self.end + 1)
        let distanceLengths = distanceCodes.lengths(atLeast: 1)
        let runs = Run.runs(in: lengths + distanceLengths)
        var counts = [Int](repeating: 0, count: Self.order.count)
        for run in runs { counts[run.symbol] += 1 }
        let runCodes = PrefixCode(counts: counts, longest: 7)
        let runLengths = runCodes.lengths(atLeast: counts.count)
        let last = Self.order.lastIndex { runLengths[$0] > 0 } ?? 0
        let orderCount = max(4, last + 1)
        bits.write(lengths.count - 257, count: 5)
        bits.write(distanceLengths.count - 1, count: 5)
        bits.write(orderCount - 4, count: 4)
        for symbol in Self.order.prefix(orderCount) { bits.write(runLengths[symbol], count: 3) }
        for run in runs {
            runCodes.write(run.symbol, to: &bits)
            bits.write(run.extra, count: run.extraBits)
        }
    }
}

/// A length or a distance: the symbol of the interval that has it, and its place in that.
private struct Span {
    let symbol: Int
    let extra: Int
    let extraBits: Int

    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
        131, 163, 195, 227, 258,
    ]
    private static let distances = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
        2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ]

    private init(_ value: Int, _ starts: [Int], firstSymbol: Int, extraBits: (Int) -> Int) {
        let index = starts.lastIndex { $0 <= value } ?? 0
        symbol = firstSymbol + index
        extra = value - starts[index]
        self.extraBits = extraBits(index)
    }

    static func length(_ length: Int) -> Span {
        Span(length, lengths, firstSymbol: 257) { $0 < 8 || $0 == 28 ? 0 : $0 / 4 - 1 }
    }

    static func distance(_ distance: Int) -> Span {
        Span(distance, distances, firstSymbol: 0) { max(0, $0 / 2 - 1) }
    }
}

/// A length of codes, or how often one is repeated.
private struct Run {
    let symbol: Int
    var extra = 0
    var extraBits = 0

    static func runs(in lengths: [Int]) -> [Run] {
        var runs: [Run] = []
        var rest = lengths[...]
        while let length = rest.first {
            var count = rest.prefix { $0 == length }.count
            rest = rest.dropFirst(count)
            if length > 0 {
                runs.append(Run(symbol: length))
                count -= 1
            }
            while count >= 3 {
                let run = longest(of: length, count)
                runs.append(run.run)
                count -= run.count
            }
            for _ in 0..<count { runs.append(Run(symbol: length)) }
        }
        return runs
    }

    /// Repeats a length, at least 3 times.
    private static func longest(of length: Int, _ count: Int) -> (run: Run, count: Int) {
        let (symbol, least, bits) =
            length > 0 ? (16, 3, 2) : count < 11 ? (17, 3, 3) : (18, 11, 7)
        let count = min(count, least + 1 << bits - 1)
        return (Run(symbol: symbol, extra: count - least, extraBits: bits), count)
    }
}
