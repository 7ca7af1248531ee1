import AuctionRules
import Wire

/// Why something could not be loaded or done.
enum Trouble: Error, Equatable {
    /// The server refused it.
    case refused(ErrorReply)
    /// The server took its leave.
    case parted(ServerMessage.CloseReason)
    /// There is no connection, or it broke.
    case lost(String)

    /// The reason in plain words.
    var reason: String {
        switch self {
        case .refused(let fault): fault.reason
        case .parted(.shutdown): "the server has ended"
        case .parted(.journal): "the server can no longer keep what happens, and has ended"
        case .parted(.replaced): "another call took over the name"
        case .parted(.kicked): "the auctioneer kicked you out"
        case .parted(.full): "the server is full"
        case .parted(.idle): ServerMessage.CloseReason.idleReason
        case .parted(let farewell): "the server closed the connection: \(farewell.rawValue)"
        case .lost(let reason): reason
        }
    }
}

extension ErrorReply {
    /// The fault in plain words, for somebody who does not see the lines of the protocol.
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

    /// The seconds in the place of "so long", for what is too much stands before them.
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

extension ServerMessage.CloseReason {
    static let idleReason = "the server waited too long for the end of a line"
}
