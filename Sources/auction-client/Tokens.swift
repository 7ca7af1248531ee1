import AuctionRules
import Client
import Posix
import Transport
import Wire

/// The tokens of the user's names, in a store by game or in one given file.
struct Tokens: Sendable {
    let server: ServerAddress
    /// The file of `--token-file`, used instead of the store.
    let file: String?

    /// The stored token of a name in a game, if there is one.
    func kept(of bidder: Bidder, in game: GameID?) -> String? {
        do {
            if let file { return try TokenFile(file).token() }
            return try store(of: game)?.token(of: bidder)
        } catch {
            complain("cannot read the token kept for \(bidder): \(error)")
            return nil
        }
    }

    /// Stores a token, or prints it if that fails, because it is needed to take the name again.
    ///
    /// A given file with a different token is not changed: that may belong to another game.
    func keep(
        _ token: String, of bidder: Bidder, in game: GameID?, complain: (String) -> Void
    ) {
        do {
            if let file {
                guard try !TokenFile(file).keep(token) else { return }
                return complain(
                    "\(file) has a different token and was not changed; the token of \(bidder) in "
                        + "this game is \(token)")
            }
            guard let store = store(of: game) else {
                return complain("no HOME to keep the token of \(bidder) in; it is \(token)")
            }
            try store.keep(token, of: bidder)
        } catch {
            complain("cannot keep the token of \(bidder): \(error); it is \(token)")
        }
    }

    private func store(of game: GameID?) -> TokenStore? {
        TokenStore(of: game, at: server, environment: environmentVariable)
    }
}
