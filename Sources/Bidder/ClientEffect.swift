import Auction
import Wire

/// An action that a client leaves to its owner, which has the connection, terminal and files.
package enum ClientEffect: Equatable, Sendable {
    /// Connects to the server, and reports the result.
    case connect
    /// Closes the connection, or cancels the attempt to connect.
    case disconnect
    /// Sends a line to the server.
    case send(String)
    /// Stores the token of a name on a server; the identity is nil if the server did not say it.
    case keep(token: String, of: Bidder, on: Identity?)
    /// Prints a line of the server.
    case show(ReceivedLine)
    /// Prints a line for a person, in place of lines of the server.
    case say(Sentence)
    /// Prints a line about the progress of a run, beside its output.
    case note(String)
    /// Rings the bell of the terminal.
    case bell
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
package enum ExitCode: Int32, Sendable {
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

/// Why a request or the connection failed.
package enum ClientError: Error, Equatable {
    /// The server refused the request.
    case refused(ErrorReply)
    /// The server closed the connection with `BYE`.
    case closed(ServerMessage.CloseReason)
    /// There is no connection, or it failed.
    case lost(String)

    /// The reason in plain words.
    package var reason: String {
        switch self {
        case .refused(let error): error.reason
        case .closed(.shutdown): "the server has stopped"
        case .closed(.journal): "the server can no longer store bids, and has stopped"
        case .closed(.replaced): "another connection took over the name"
        case .closed(.kicked): "the auctioneer has removed you"
        case .closed(.roomEnded): "the auctioneer has ended the room"
        case .closed(.moved): "this node cannot go on"
        case .closed(.full): "the server is full"
        case .closed(.idle): "the server waited too long for the end of a line"
        case .closed(let reason): "the server closed the connection: \(reason.rawValue)"
        case .lost(let reason): reason
        }
    }
}

extension ServerMessage.CloseReason {
    /// The exit code of a client that does not connect again.
    package var exitCode: ExitCode {
        switch self {
        case .quit: .done
        case .replaced, .kicked: .refused
        default: .lost
        }
    }
}

extension ErrorReply {
    /// The error in plain words, for a user who does not see the lines of the protocol.
    package var reason: String {
        switch code {
        case .tooLow: tooLowReason
        case .badAmount: "an amount is a whole number from 1 to \(Price.highest.grouped)"
        case .nameTaken:
            "the name is in use, maybe by you on another machine: choose another one, or bring its "
                + "token here with --token-file FILE"
        case .otherLot: "this was for the lot before: \(advice)"
        case .leading: "you already lead"
        case .overPurse: overPurseReason
        case .closed where advice == ErrorReply.closed.advice: "no lot is open, wait for the next"
        case .paused: "the sale is paused, wait until it resumes"
        case .unknownCommand: "unknown command, ? for help"
        case .noRoom: "no such room, rooms lists all"
        default: advice
        }
    }

    /// Why a program does not begin in its room, for a user of the shell.
    package func complaint(about room: RoomName) -> String {
        code == .noRoom
            ? "there is no room \(room), auction-client rooms lists all"
            : "cannot join the room \(room): \(reason)"
    }

    private var tooLowReason: String {
        let minimum = facts.first { $0.name == "minimum" }.flatMap { Price($0.value) }
        return minimum.map { "too low: bid at least \($0.grouped)" } ?? advice
    }

    private var overPurseReason: String {
        let most = facts.first { $0.name == "left" }.flatMap { Price($0.value) }
        return most.map { "over your purse: bid at most \($0.grouped)" } ?? advice
    }
}
