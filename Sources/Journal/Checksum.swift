/// The CRC-32C (Castagnoli) checksum, eight bytes at a time.
///
/// An instance holds a pointer to the table, so a loop need not check a global's initialization.
///
/// Source: RFC 3720 B.4; Kounavis and Berry, "A systematic approach to building high performance
/// software-based CRC generators".
package struct CRC32C {
    /// The register before the first byte; a checksum is the inverted register after the last.
    package static let start: UInt32 = 0xFFFF_FFFF

    private static let polynomial: UInt32 = 0x82F6_3B78
    /// Initialized once, and never freed.
    private nonisolated(unsafe) static let sharedTable = makeTable()
    private let table = UnsafePointer(sharedTable)

    /// Creates an instance; the first one makes the table.
    package init() {}

    private static func makeTable() -> UnsafeMutablePointer<UInt32> {
        let table = UnsafeMutablePointer<UInt32>.allocate(capacity: 8 * 256)
        for index in 0..<256 {
            var entry = UInt32(index)
            for _ in 0..<8 { entry = entry >> 1 ^ (entry & 1 == 1 ? polynomial : 0) }
            table[index] = entry
        }
        for index in 256..<8 * 256 {
            let before = table[index - 256]
            table[index] = before >> 8 ^ table[Int(before & 0xFF)]
        }
        return table
    }

    /// Returns the register after eight more bytes, the first of which is the lowest of the word.
    @inline(__always)
    func extend(_ register: UInt32, by word: UInt64) -> UInt32 {
        let mixed = word ^ UInt64(register)
        let low =
            table[7 * 256 + Int(mixed & 0xFF)] ^ table[6 * 256 + Int(mixed >> 8 & 0xFF)]
            ^ table[5 * 256 + Int(mixed >> 16 & 0xFF)] ^ table[4 * 256 + Int(mixed >> 24 & 0xFF)]
        let high =
            table[3 * 256 + Int(mixed >> 32 & 0xFF)] ^ table[2 * 256 + Int(mixed >> 40 & 0xFF)]
            ^ table[256 + Int(mixed >> 48 & 0xFF)] ^ table[Int(mixed >> 56)]
        return low ^ high
    }

    /// Returns the register after one more byte.
    @inline(__always)
    func extend(_ register: UInt32, by byte: UInt8) -> UInt32 {
        register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)]
    }

    /// Returns the register after more bytes.
    @inline(__always)
    package func extend(_ register: UInt32, by bytes: UnsafeRawBufferPointer) -> UInt32 {
        var register = register
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            register = extend(register, by: UInt64(littleEndian: word))
            offset += 8
        }
        while offset < bytes.count {
            register = extend(register, by: bytes[offset])
            offset += 1
        }
        return register
    }
}

/// The checksum of a line as eight hexadecimal digits, which the next line's checksum includes.
struct Sum: Equatable {
    /// The sum before the first line of a journal.
    static let zero = Sum(value: 0)
    static let length = 8

    /// The digits, in their order in memory.
    let text: UInt64

    /// Creates a sum from eight bytes, which need not be digits.
    init(text: UInt64) {
        self.text = text
    }

    /// Creates the digits of a value: spreads its nibbles over eight bytes, and converts these.
    init(value: UInt32) {
        var nibbles = UInt64(value)
        nibbles = (nibbles << 16 | nibbles) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles << 8 | nibbles) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles << 4 | nibbles) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let distance = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
        text = (nibbles + 0x3030_3030_3030_3030 + letters * distance).bigEndian
    }

    /// Calls `body` with the eight digits.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: text, body)
    }
}

extension CRC32C {
    /// Returns the sum of a line; `mark` includes the space after it.
    @inline(__always)
    func sum(
        after before: Sum, mark: UnsafeRawBufferPointer, rest: UnsafeRawBufferPointer
    ) -> Sum {
        var register = extend(Self.start, by: UInt64(littleEndian: before.text))
        register = extend(register, by: UInt8(ascii: " "))
        register = extend(register, by: mark)
        return Sum(value: ~extend(register, by: rest))
    }
}
