/// The secret that proves later that a name is yours: 128 random bits.
public struct Token: Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Draws a token; the generator must be one that nobody can predict.
    public init(using generator: inout some RandomNumberGenerator) {
        high = generator.next()
        low = generator.next()
    }

    /// Reads a token as it is printed; nil if it is none.
    init?(_ text: String) {
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

extension Token: Equatable {
    /// Tells whether both are the same, in a time that does not depend on where they differ.
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
