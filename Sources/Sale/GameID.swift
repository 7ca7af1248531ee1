/// The identity of a game: a random word, chosen with the journal and never changed.
///
/// Clients store tokens by it, so that two games on one port are not confused.
public struct GameID: Hashable, Sendable {
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

    /// Parses an identity of 4 to 8 characters of `a` to `z` and `0` to `9`; nil if it is not one.
    public init?(_ word: some StringProtocol) {
        guard Self.lengths.contains(word.utf8.count),
            word.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) })
        else { return nil }
        self.word = String(word)
    }
}

extension GameID: CustomStringConvertible {
    /// The word, such as `k3v9`.
    public var description: String { word }
}
