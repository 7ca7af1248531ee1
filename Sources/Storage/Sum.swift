/// The check sum of a line as its eight digits, which is how the next line takes it in.
struct Sum: Equatable {
    /// What goes before the first line of all.
    static let zero = Sum(value: 0)
    static let length = 8

    /// The digits, in the order in which they stand in memory.
    let text: UInt64

    /// Takes eight bytes for digits, whatever they are.
    init(text: UInt64) {
        self.text = text
    }

    /// Spreads the eight nibbles of the value over bytes, and makes digits of all at once.
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
    /// The sum of a line, whose mark has its space behind it.
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
