/// The shortest code for symbols that occur this often, with codes of a limited length.
///
/// Source: RFC 1951, section 3.2.2; Larmore and Hirschberg, "A fast algorithm for optimal
/// length-limited Huffman codes", 1990.
struct PrefixCode {
    /// The number of bits of each symbol's code; 0 if the symbol does not occur.
    private let lengths: [Int]
    /// The codes, whose first bit is the lowest.
    private let codes: [Int]

    init(counts: [Int], longest: Int) {
        lengths = Self.lengths(counts: counts, longest: longest)
        codes = Self.codes(lengths)
    }

    /// The lengths without unused symbols at the end, but at least `count` of them.
    func lengths(atLeast count: Int) -> [Int] {
        let last = lengths.lastIndex { $0 > 0 } ?? 0
        return Array(lengths.prefix(max(count, last + 1)))
    }

    func write(_ symbol: Int, to bits: inout BitWriter) {
        bits.write(codes[symbol], count: lengths[symbol])
    }

    /// Symbols that are one bit longer each time they are in a chosen package.
    private struct Package {
        let count: Int
        let symbols: [Int]
    }

    private static func lengths(counts: [Int], longest: Int) -> [Int] {
        let leaves = counts.indices.filter { counts[$0] > 0 }
            .map { Package(count: counts[$0], symbols: [$0]) }
        var lengths = [Int](repeating: 0, count: counts.count)
        // A single symbol has a code of one bit.
        guard leaves.count > 1 else {
            for leaf in leaves { lengths[leaf.symbols[0]] = 1 }
            return lengths
        }
        var packages: [Package] = []
        for _ in 0..<longest {
            let all = (leaves + packages).sorted { $0.count < $1.count }
            packages = stride(from: 1, to: all.count, by: 2).map { index in
                let (first, second) = (all[index - 1], all[index])
                return Package(
                    count: first.count + second.count, symbols: first.symbols + second.symbols)
            }
        }
        for package in packages.prefix(leaves.count - 1) {
            for symbol in package.symbols { lengths[symbol] += 1 }
        }
        return lengths
    }

    /// Codes in the order of their lengths, then of their symbols.
    private static func codes(_ lengths: [Int]) -> [Int] {
        var codes = [Int](repeating: 0, count: lengths.count)
        var code = 0
        for length in 1...max(1, lengths.max() ?? 1) {
            for symbol in lengths.indices where lengths[symbol] == length {
                codes[symbol] = reversed(code, count: length)
                code += 1
            }
            code <<= 1
        }
        return codes
    }

    private static func reversed(_ code: Int, count: Int) -> Int {
        (0..<count).reduce(0) { $0 << 1 | code >> $1 & 1 }
    }
}

/// Writes bits into bytes, from the lowest bit of each byte on.
struct BitWriter {
    private(set) var bytes: [UInt8]
    private var rest = 0
    private var restCount = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Writes the lowest bits of a value, at most 32.
    mutating func write(_ value: Int, count: Int) {
        rest |= value << restCount
        restCount += count
        while restCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
            restCount -= 8
        }
    }

    /// Fills the last byte with zeros.
    mutating func fillByte() {
        if restCount > 0 { write(0, count: 8 - restCount) }
    }
}
