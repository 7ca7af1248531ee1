import AuctionRules
import Wire

/// What a live view wants done by whoever has the terminal and the network.
public enum Wish: Equatable, Sendable {
    /// Connects to the server, and tells the view what became of it.
    case connect
    /// Gives up the connection, or the attempt.
    case disconnect
    /// Says a line to the server.
    case send(String)
    /// Stores the token of a name in a game; the game is nil from an older server.
    case keep(token: String, of: Bidder, in: GameID?)
    /// Draws the whole screen anew, whatever is on it.
    case redraw
    /// Stops the program until it is continued, as Ctrl-Z does elsewhere.
    case suspend
    /// Ends, with a line of complaint if something went wrong.
    case leave(ExitCode, complaint: String?)
}
