import AuctionRules

/// Words and numbers of few bytes, written where there is room for all of them from the start.
package struct ShortText: ~Copyable {
    /// More than any line needs beside its title or its words: `PRICE` has 85.
    static let longest = 128

    private let memory: UnsafeMutablePointer<UInt8>
    private(set) var count = 0

    fileprivate init(_ memory: UnsafeMutablePointer<UInt8>) {
        self.memory = memory
    }

    package mutating func append(_ text: StaticString) {
        let start = claim(text.utf8CodeUnitCount)
        start.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    package mutating func append(_ bidder: Bidder) {
        bidder.forEachByte { claim(1).pointee = $0 }
    }

    /// Appends a whole number that is not negative, with zeros before it to make `width` digits.
    package mutating func append(_ number: Int64, width: Int = 1) {
        precondition(number >= 0, "only whole numbers that are not negative are told")
        var rest = UInt64(number)
        let digits = max(width, Self.digitCount(rest))
        let start = claim(digits)
        for offset in (0..<digits).reversed() {
            start[offset] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    package mutating func append(_ number: Int) {
        append(Int64(number))
    }

    /// Moves on by so many bytes, and returns where they begin.
    private mutating func claim(_ bytes: Int) -> UnsafeMutablePointer<UInt8> {
        precondition(count + bytes <= Self.longest, "a short text is short")
        defer { count += bytes }
        return memory + count
    }

    private static func digitCount(_ number: UInt64) -> Int {
        var digits = 1
        var bound: UInt64 = 10
        while digits < 19 && number >= bound { (digits, bound) = (digits + 1, bound * 10) }
        return digits
    }
}

extension [UInt8] {
    /// Appends what `write` writes, at most `ShortText.longest` bytes.
    package mutating func appendShort(_ write: (inout ShortText) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ShortText.longest) { memory in
            guard let start = memory.baseAddress else { return }
            var text = ShortText(start)
            write(&text)
            append(contentsOf: UnsafeBufferPointer(start: start, count: text.count))
        }
    }
}
