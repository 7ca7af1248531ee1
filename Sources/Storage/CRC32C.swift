/// The check sum of Castagnoli, eight bytes at a step.
///
/// An instance knows where the table is, so that a loop over lines never asks whether a global is
/// ready.
///
/// Source: RFC 3720 B.4; Kounavis and Berry, "A systematic approach to building high performance
/// software-based CRC generators".
package struct CRC32C {
    /// The register before the first byte; a sum is the register with every bit turned.
    package static let start: UInt32 = 0xFFFF_FFFF

    private static let polynomial: UInt32 = 0x82F6_3B78
    /// Written once, before anybody reads it, and there as long as the process.
    private nonisolated(unsafe) static let sharedTable = makeTable()
    private let table = UnsafePointer(sharedTable)

    /// Finds the table.
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

    /// The register after eight bytes more, of which the first is the lowest of the word.
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

    /// The register after a byte more.
    @inline(__always)
    func extend(_ register: UInt32, by byte: UInt8) -> UInt32 {
        register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)]
    }

    /// The register after more bytes.
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
