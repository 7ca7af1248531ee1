import Auction
import Basics
import Wire

/// The names of a roster: only their tokens open them, also before anybody has taken them.
///
/// The tokens follow from the names and a secret, so that they need not be stored.
public struct ReservedNames: Sendable {
    /// The names, in the order of the roster.
    let bidders: [Bidder]
    private let owners: [Bidder: (bidder: Bidder, tokenHash: TokenHash)]
    private let displays: [Bidder: String]
    /// The names by themselves and by their display names, in lower case.
    private let forms: [String: Bidder]

    /// Reserves the names of a roster.
    ///
    /// The owner of a token can try guesses of the secret on it, without the server: it must be
    /// random.
    public init(_ roster: Roster, secret: String) {
        let students = roster.students
        bidders = students.map(\.bidder)
        owners = Dictionary(
            uniqueKeysWithValues: Self.tokens(of: roster, secret: secret).map { bidder, token in
                (bidder, (bidder, TokenHash(of: token)))
            })
        displays = Dictionary(
            uniqueKeysWithValues: students.compactMap { student in
                student.display.map { (student.bidder, $0) }
            })
        forms = Dictionary(
            students.flatMap { student in
                ["\(student.bidder)", student.display ?? "\(student.bidder)"].map {
                    ($0.lowercased(), student.bidder)
                }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The names of a roster with their tokens, in its order.
    public static func tokens(
        of roster: Roster, secret: String
    ) -> [(bidder: Bidder, token: Token)] {
        roster.students.map { ($0.bidder, token(of: $0.bidder, secret: secret)) }
    }

    /// A name as the roster has it, and the hash of its token; nil if it is not there.
    func owner(of bidder: Bidder) -> (bidder: Bidder, tokenHash: TokenHash)? { owners[bidder] }

    /// The display name of a name; nil if the roster has none.
    func display(of bidder: Bidder) -> String? { displays[bidder] }

    /// Whether a text is the name or the display name of somebody else, who need not be here.
    func isOfAnother(_ display: String, than bidder: Bidder) -> Bool {
        forms[display.lowercased()].map { $0 != bidder } ?? false
    }

    /// The token is the same for all spellings of a name.
    private static func token(of bidder: Bidder, secret: String) -> Token {
        let message = "name \(bidder)".lowercased()
        let digest = SHA1.digest(of: Array(message.utf8), key: Array(secret.utf8))
        let words = [digest[..<8], digest[8..<16]].map { bytes in
            bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return Token(high: words[0], low: words[1])
    }
}
