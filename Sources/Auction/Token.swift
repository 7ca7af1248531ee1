import Basics

/// The secret that proves the ownership of a name or a room: 128 bits that nobody can predict.
///
/// Only its owner keeps it; the server keeps its `TokenHash`.
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

    /// Parses a token as it is printed, in upper or lower case; nil if the text is none.
    public init?(_ text: String) {
        guard let words = text.hexadecimalWords(count: 2) else { return nil }
        (high, low) = (words[0], words[1])
    }
}

extension Token: CustomStringConvertible {
    /// The token as 32 hexadecimal digits.
    public var description: String { high.hexadecimalDigits + low.hexadecimalDigits }
}

/// What is kept of a token: the SHA-256 hash of its 32 digits in lower case.
///
/// The token can be checked against the hash, but not computed from it. A person who reads the
/// journal or the memory of a sale cannot use a name or a room of others.
public struct TokenHash: Sendable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// Computes the hash of a token.
    public init(of token: Token) {
        let words = SHA256.digest(of: Array(token.description.utf8)).bigEndianWords
        (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
    }

    /// Parses a hash as it is printed; nil if the text is none.
    public init?(_ text: String) {
        guard let words = text.hexadecimalWords(count: 4) else { return nil }
        (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
    }

    /// Whether a text is the token of this hash, in upper or lower case.
    package func isSpelled(_ text: String) -> Bool {
        Token(text).map { Self(of: $0) == self } ?? false
    }

    /// The first 64 bits.
    var prefix: UInt64 { first }
}

extension TokenHash: Equatable {
    /// Whether both are equal, in a time that does not depend on where they differ.
    public static func == (one: TokenHash, other: TokenHash) -> Bool {
        (one.first ^ other.first) | (one.second ^ other.second) | (one.third ^ other.third)
            | (one.fourth ^ other.fourth) == 0
    }
}

extension TokenHash: CustomStringConvertible {
    /// The hash as 64 hexadecimal digits.
    public var description: String {
        [first, second, third, fourth].map(\.hexadecimalDigits).joined()
    }
}

extension String {
    /// The numbers of which these are the hexadecimal digits, 16 each; nil if they are not.
    fileprivate func hexadecimalWords(count: Int) -> [UInt64]? {
        let digits = Array(utf8)
        guard digits.count == 16 * count else { return nil }
        var words = [UInt64](repeating: 0, count: count)
        for (index, digit) in digits.enumerated() {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        return words
    }
}

extension UInt64 {
    fileprivate var hexadecimalDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension [UInt8] {
    /// The numbers of which these are the bytes, eight each, the most significant first.
    fileprivate var bigEndianWords: [UInt64] {
        stride(from: 0, to: count, by: 8).map { start in
            self[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
    }
}
