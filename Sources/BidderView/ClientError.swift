import AuctionRules
import Wire

/// Why a request or the connection failed.
enum ClientError: Error, Equatable {
    /// The server refused the request.
    case refused(ErrorReply)
    /// The server closed the connection with `BYE`.
    case closed(ServerMessage.CloseReason)
    /// There is no connection, or it failed.
    case lost(String)

    /// The reason in plain words.
    var reason: String {
        switch self {
        case .refused(let error): error.reason
        case .closed(.shutdown): "the server has ended"
        case .closed(.journal): "the server can no longer keep what happens, and has ended"
        case .closed(.replaced): "another connection took over the name"
        case .closed(.kicked): "the auctioneer kicked you out"
        case .closed(.full): "the server is full"
        case .closed(.idle): "the server waited too long for the end of a line"
        case .closed(let reason): "the server closed the connection: \(reason.rawValue)"
        case .lost(let reason): reason
        }
    }
}

extension ErrorReply {
    /// The error in plain words, for a user who does not see the lines of the protocol.
    var reason: String {
        switch code {
        case .tooLow: tooLowReason
        case .badAmount: "an amount is a whole number from 1 to \(Price.highest.grouped)"
        case .nameTaken: "somebody else has this name"
        case .leading: "you lead already"
        case .closed where advice == ErrorReply.closed.advice: "no lot is open, wait for the next"
        case .paused: "the sale is paused, wait until it goes on"
        case .unknownCommand: "no such command, ? shows them all"
        case .slowDown: slowDownReason
        default: advice
        }
    }

    /// The advice with the seconds to wait in place of "so long".
    private var slowDownReason: String {
        guard let seconds = facts.first(where: { $0.name == "seconds" })?.value else {
            return advice
        }
        return "\(advice.prefix { $0 != "," }), wait \(seconds) s"
    }

    private var tooLowReason: String {
        let minimum = facts.first { $0.name == "minimum" }.flatMap { Price($0.value) }
        return minimum.map { "too low: bid at least \($0.grouped)" } ?? advice
    }
}
