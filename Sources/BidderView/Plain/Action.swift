import AuctionRules
import Wire

/// What a client wants done.
public enum Action: Equatable, Sendable {
    /// Says a line to the server.
    case send(String)
    /// Shows a line that the server said.
    case show(Line)
    /// Prints a message of the client itself, such as an error.
    case complain(Line)
    /// Stores the token of a name in a game; the game is nil from an older server.
    case keep(token: String, of: Bidder, in: GameID?)
    /// Ends with this code.
    case exit(ExitCode)
}

/// How a run of the client ends.
public enum ExitCode: Int32, Sendable {
    /// It was done, or the auction was won.
    case done = 0
    /// The server refused, or somebody else won.
    case refused = 1
    /// The command line was wrong.
    case usage = 2
    /// The server cannot be reached, or was lost.
    case lost = 3
    /// The output or the terminal of the client fails.
    case output = 4
}
