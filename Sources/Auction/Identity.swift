/// The identity of a server or of the sale in a room: a random word that never changes.
///
/// The identity of a server is chosen with its journal; the protocol and the journal call it
/// `game`. Clients store tokens by it, so that two servers at one address are not confused. That of
/// a sale distinguishes rooms that had the same name.
public struct Identity: Hashable, Sendable {
    /// The characters of a new identity, without those that look alike.
    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")
    private static let drawnLength = 6
    private static let lengths = 4...8

    private let word: String

    /// Creates a random identity of six characters, one of 887 million.
    public init(using generator: inout some RandomNumberGenerator) {
        word = String(
            (0..<Self.drawnLength).map { _ in
                Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &generator)]
            })
    }

    /// Creates the identity of the sale in a room that was opened with the key of this hash.
    ///
    /// It is the same after a restart, and does not reveal the key.
    package init(ofSaleWithKey keyHash: TokenHash) {
        var number = keyHash.prefix
        word = String(
            (0..<Self.drawnLength).map { _ in
                let (rest, index) = number.quotientAndRemainder(
                    dividingBy: UInt64(Self.alphabet.count))
                number = rest
                return Self.alphabet[Int(index)]
            })
    }

    /// Parses an identity of 4 to 8 characters of `a` to `z` and `0` to `9`; nil if it is not one.
    public init?(_ word: some StringProtocol) {
        guard Self.lengths.contains(word.utf8.count),
            word.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) })
        else { return nil }
        self.word = String(word)
    }
}

extension Identity: CustomStringConvertible {
    /// The word, such as `k3v9`.
    public var description: String { word }
}
