import AuctionRules

/// A command that only the auctioneer may send.
public enum AuctioneerCommand: Equatable, Sendable {
    /// Pauses the sale.
    case pause
    /// Resumes the sale.
    case resume
    /// Sells the open lot now.
    case hammer
    /// Takes back the last bid.
    case void
    /// Removes a bidder, for a reason that is sent to all clients.
    case kick(Bidder, reason: String)
    /// Ends the open lot unsold.
    case close
    /// Stops the server.
    case stop

    /// The first word of the command.
    public enum Verb: String, CaseIterable, Sendable {
        /// Pauses the sale.
        case pause
        /// Resumes the sale.
        case resume
        /// Sells the open lot.
        case hammer
        /// Takes back the last bid.
        case void
        /// Removes a bidder.
        case kick
        /// Ends the open lot unsold.
        case close
        /// Stops the server.
        case stop
    }

    /// The first word of the command.
    public var verb: Verb {
        switch self {
        case .pause: .pause
        case .resume: .resume
        case .hammer: .hammer
        case .void: .void
        case .kick: .kick
        case .close: .close
        case .stop: .stop
        }
    }
}

extension AuctioneerCommand: CustomStringConvertible {
    /// The words of the command.
    public var description: String {
        switch self {
        case .kick(let bidder, let reason): "kick \(bidder) \(reason)"
        case .pause, .resume, .hammer, .void, .close, .stop: verb.rawValue
        }
    }
}
