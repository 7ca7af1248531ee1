import AuctionRules

/// What the auctioneer can order, and nobody else.
public enum AuctioneerCommand: Equatable, Sendable {
    /// To take no bids for a while.
    case pause
    /// To go on after that.
    case resume
    /// To let the hammer fall now.
    case hammer
    /// To take the last bid back.
    case void
    /// To send somebody away, for a reason that everybody is told.
    case kick(Bidder, reason: String)
    /// To end the lot without a winner.
    case close
    /// To end the server.
    case stop

    /// The word that orders it.
    public enum Verb: String, CaseIterable, Sendable {
        /// Takes no bids for a while.
        case pause
        /// Goes on after that.
        case resume
        /// Lets the hammer fall.
        case hammer
        /// Takes the last bid back.
        case void
        /// Sends somebody away.
        case kick
        /// Ends the lot without a winner.
        case close
        /// Ends the server.
        case stop
    }

    /// The word that orders it.
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
