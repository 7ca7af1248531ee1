/// The secret that proves the auctioneer: one word of visible ASCII characters.
public struct AuctioneerToken: Sendable {
    /// The allowed lengths; 32 hexadecimal digits are 128 bits.
    public static let lengths = 32...256

    /// The characters, and zeros after them up to the greatest length.
    private let padded: [UInt8]
    private let length: Int

    /// Creates a token; nil if the word is too short or too long, or has other characters.
    public init?(_ word: String) {
        guard Self.lengths.contains(word.utf8.count),
            word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.init(padding: word)
    }

    private init(padding word: String) {
        length = word.utf8.count
        let beginning = word.utf8.prefix(Self.lengths.upperBound)
        padded =
            beginning + [UInt8](repeating: 0, count: Self.lengths.upperBound - beginning.count)
    }

    /// Whether a word is the token, compared in constant time.
    ///
    /// The time depends neither on where they differ nor on the length of the token.
    func isSpelled(_ word: String) -> Bool {
        self == AuctioneerToken(padding: word)
    }
}

extension AuctioneerToken: Equatable {
    /// Whether both are equal, in a time that does not depend on where they differ.
    public static func == (one: AuctioneerToken, other: AuctioneerToken) -> Bool {
        var difference = one.length ^ other.length
        for index in 0..<lengths.upperBound {
            difference |= Int(one.padded[index] ^ other.padded[index])
        }
        return difference == 0
    }
}
