import Auction
import Basics

/// A buffer for bytes that are appended to an array.
///
/// It collects the fields of a line in fixed memory, because appending one field to an array costs
/// as much as formatting it.
package struct LineBuffer: ~Copyable {
    private static let capacity = 256

    private let memory: UnsafeMutablePointer<UInt8>
    private var count = 0
    /// The target array, which outlives the buffer.
    private let bytes: UnsafeMutablePointer<[UInt8]>
    /// The format of a line of the protocol.
    let format: Format

    private init(
        _ memory: UnsafeMutablePointer<UInt8>, _ bytes: UnsafeMutablePointer<[UInt8]>,
        _ format: Format
    ) {
        (self.memory, self.bytes, self.format) = (memory, bytes, format)
    }

    /// Appends the output of `write` to an array.
    fileprivate static func append(
        to bytes: inout [UInt8], _ format: Format, _ write: (inout LineBuffer) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { memory in
            guard let start = memory.baseAddress else { return }
            withUnsafeMutablePointer(to: &bytes) { bytes in
                var buffer = LineBuffer(start, bytes, format)
                write(&buffer)
                buffer.flush()
            }
        }
    }

    // Inlined, so that the bytes of a literal are constants of the code that appends them.
    @inline(__always)
    package mutating func append(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        claim(count).update(from: text.utf8Start, count: count)
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        claim(1).pointee = byte
    }

    package mutating func append(_ bidder: Bidder) {
        let length = bidder.write(to: claim(Bidder.longest))
        count -= Bidder.longest - length
    }

    package mutating func append(_ room: RoomName) {
        let length = room.write(to: claim(RoomName.longest))
        count -= RoomName.longest - length
    }

    /// Appends a non-negative whole number, padded with zeros to `width` digits.
    package mutating func append(_ number: Int64, width: Int = 1) {
        precondition(number >= 0, "the number must not be negative")
        var rest = UInt64(number)
        let digits = max(width, Self.digitCount(rest))
        let start = claim(digits)
        var offset = digits
        while offset >= 2 {
            offset -= 2
            let pair = UInt32(truncatingIfNeeded: rest % 100)
            rest /= 100
            start[offset] = Self.digit(pair / 10)
            start[offset + 1] = Self.digit(pair % 10)
        }
        if offset == 1 { start[0] = Self.digit(UInt32(truncatingIfNeeded: rest)) }
    }

    package mutating func append(_ number: Int) {
        append(Int64(number))
    }

    /// Appends a whole number, which may be negative.
    package mutating func append(signed number: Int64) {
        guard number < 0 else { return append(number) }
        append("-")
        // The lowest number has no positive one: its last digit is apart.
        if number <= -10 { append(-(number / 10)) }
        append(lastDigitOf: -(number % 10))
    }

    /// Appends a non-negative number of seconds, without needless digits after the point.
    package mutating func append(seconds: Duration) {
        let (whole, attoseconds) = seconds.components
        append(whole)
        var (fraction, digits) = (attoseconds / 1_000_000_000, 9)
        guard fraction > 0 else { return }
        while fraction % 10 == 0 { (fraction, digits) = (fraction / 10, digits - 1) }
        append(".")
        append(fraction, width: digits)
    }

    /// Appends the last digit of a non-negative number.
    @inline(__always)
    mutating func append(lastDigitOf number: Int64) {
        claim(1).pointee = Self.digit(UInt32(truncatingIfNeeded: number % 10))
    }

    /// Appends a text.
    ///
    /// It is not called `append`, which would be chosen for literals too.
    package mutating func appendText(_ text: String) {
        flush()
        bytes.pointee.append(text)
    }

    package mutating func append(_ text: [UInt8]) {
        flush()
        bytes.pointee.append(contentsOf: text)
    }

    /// Appends a text as a JSON string.
    mutating func append(quoted text: String) {
        flush()
        text.appendQuotedJSON(to: &bytes.pointee)
    }

    @inline(__always)
    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
    }

    /// Reserves `needed` bytes and returns their start.
    @inline(__always)
    private mutating func claim(_ needed: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(needed <= Self.capacity, "a field fits into the buffer")
        if count + needed > Self.capacity { flush() }
        defer { count += needed }
        return memory + count
    }

    private mutating func flush() {
        bytes.pointee.append(contentsOf: UnsafeBufferPointer(start: memory, count: count))
        count = 0
    }

    /// The powers of ten that fit, from 1 on.
    private static let powers: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
        10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
        100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
        100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    /// The number of digits, from that of bits: 1233/4096 is the logarithm of 2.
    private static func digitCount(_ number: UInt64) -> Int {
        let fewest = ((64 - (number | 1).leadingZeroBitCount) * 1233) >> 12
        return number < powers[fewest] ? max(fewest, 1) : fewest + 1
    }
}

extension [UInt8] {
    /// Appends the output of `write`.
    package mutating func appendBuffered(_ write: (inout LineBuffer) -> Void) {
        LineBuffer.append(to: &self, .text, write)
    }

    /// Appends the output of `write` as a line of this format.
    mutating func appendBuffered(as format: Format, _ write: (inout LineBuffer) -> Void) {
        LineBuffer.append(to: &self, format, write)
    }
}

extension [UInt8] {
    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    package mutating func append(_ bidder: Bidder) {
        appendBuffered { $0.append(bidder) }
    }

    /// Appends a non-negative whole number, padded with zeros to `width` digits.
    package mutating func append(_ number: Int64, width: Int = 1) {
        appendBuffered { $0.append(number, width: width) }
    }

    package mutating func append(_ number: Int) {
        append(Int64(number))
    }

    mutating func appendLineFeed() {
        append(UInt8(ascii: "\n"))
    }
}

/// The format of the lines that the server sends on a connection.
public enum Format: String, CaseIterable, Sendable {
    /// Lines of words, for people and simple programs.
    case text
    /// One JSON object a line.
    case json
}
