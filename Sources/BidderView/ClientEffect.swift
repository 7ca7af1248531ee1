import AuctionRules
import Sale
import Wire

/// What a client wants done by its owner, who has the connection, the terminal and the files.
public enum ClientEffect: Equatable, Sendable {
    /// Connects to the server, and reports the result.
    case connect
    /// Closes the connection, or ends the attempt.
    case disconnect
    /// Sends a line to the server.
    case send(String)
    /// Stores the token of a name in a game; the game is nil if the server did not name it.
    case keep(token: String, of: Bidder, in: GameID?)
    /// Prints a line of the server.
    case show(ReceivedLine)
    /// Prints a message of the client itself, such as an error.
    case complain(String)
    /// Draws the whole screen again.
    case redraw
    /// Stops the program until it is continued, as Ctrl-Z does in a shell.
    case suspend
    /// Ends the program.
    case exit(ExitCode)
}

/// The exit code of the client.
public enum ExitCode: Int32, Sendable {
    /// Done; with a bid, the auction was won.
    case done = 0
    /// The server refused, or another bidder won.
    case refused = 1
    /// The command line or the input was wrong.
    case usage = 2
    /// The server cannot be reached, or was lost.
    case lost = 3
    /// The output or the terminal failed.
    case output = 4
}
