/// The secret that proves the ownership of a name: 128 bits that nobody can predict.
public struct Token: Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Draws a token from a generator, which must be unpredictable.
    public init(using generator: inout some RandomNumberGenerator) {
        high = generator.next()
        low = generator.next()
    }

    /// Makes a token of its two halves.
    package init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// Parses a token as it is printed; nil if the text is none.
    public init?(_ text: String) {
        guard text.utf8.count == 32, let high = Self.word(text.utf8.prefix(16)),
            let low = Self.word(text.utf8.suffix(16))
        else { return nil }
        self.high = high
        self.low = low
    }

    private static func word(_ digits: Substring.UTF8View) -> UInt64? {
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt64(Substring(digits), radix: 16)
    }
}

extension Token {
    /// Whether a text is this token as it is printed, in upper or lower case.
    ///
    /// The time depends neither on where it differs nor on whether it is a token at all.
    package func isSpelled(_ text: String) -> Bool {
        var (digits, difference) = (text.utf8.makeIterator(), UInt64(text.utf8.count ^ 32))
        for word in [high, low] {
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                difference |= Self.digit(digits.next() ?? 0) ^ (word >> shift & 15)
            }
        }
        return difference == 0
    }

    /// A hash from which the token cannot be found.
    var hash: UInt64 { KeyedHash(low: low, high: high).finish() }

    /// The value of a hexadecimal digit, without a branch; more than 15 for any other byte.
    private static func digit(_ byte: UInt8) -> UInt64 {
        let decimal = UInt64(byte) &- 0x30
        let letter = (UInt64(byte) | 0x20) &- 0x61
        // All bits where the difference to the bound is negative, else none.
        let isDecimal =
            UInt64(bitPattern: Int64(bitPattern: decimal &- 10) >> 63) & ~isNegative(decimal)
        let isLetter =
            UInt64(bitPattern: Int64(bitPattern: letter &- 6) >> 63) & ~isNegative(letter)
        return (decimal & isDecimal) | ((letter &+ 10) & isLetter) | (~(isDecimal | isLetter) & 16)
    }

    private static func isNegative(_ difference: UInt64) -> UInt64 {
        UInt64(bitPattern: Int64(bitPattern: difference) >> 63)
    }
}

extension Token: Equatable {
    /// Whether both are equal, in a time that does not depend on where they differ.
    public static func == (one: Token, other: Token) -> Bool {
        (one.high ^ other.high) | (one.low ^ other.low) == 0
    }
}

extension Token: CustomStringConvertible {
    /// The token as 32 hexadecimal digits.
    public var description: String {
        Self.digits(high) + Self.digits(low)
    }

    private static func digits(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
