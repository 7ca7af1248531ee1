import AuctionRules
import Client
import Posix
import Transport

/// The tokens of the user's names at one server, which a user who has no home must keep by hand.
struct Tokens {
    private let store: TokenStore?

    init(of server: ServerAddress) {
        store = TokenStore(of: server, environment: environmentVariable)
    }

    /// The token that was kept for a name, if there is one.
    func kept(of bidder: Bidder) -> String? {
        do {
            return try store?.token(of: bidder)
        } catch {
            complain("cannot read the token kept for \(bidder): \(error)")
            return nil
        }
    }

    /// Keeps a token, or shows it to the user: without it the name would be lost.
    func keep(_ token: String, of bidder: Bidder, complain: (String) -> Void) {
        do {
            guard let store else {
                return complain("no HOME to keep the token of \(bidder) in; it is \(token)")
            }
            try store.keep(token, of: bidder)
        } catch {
            complain("cannot keep the token of \(bidder): \(error); it is \(token)")
        }
    }
}
