import Addresses
import AuctionRules
import Wire

/// What a connection has done that nobody else is told: a matter for the log.
public struct Passage: Equatable, Sendable {
    /// What was done.
    public enum Step: Equatable, Sendable {
        /// It was given its name, or has taken it back.
        case named
        /// It proved to be the auctioneer's.
        case appointed
        /// It was granted an order of the auctioneer's.
        case ordered(AuctioneerCommand.Verb)
        /// It left the room.
        case left(Reason)
    }

    /// Why a connection left.
    public enum Reason: Equatable, Sendable {
        /// It was told goodbye in this word.
        case farewell(ServerMessage.CloseReason)
        /// A web browser had come to the wrong port.
        case browser
        /// A TLS client connected to this plain-text port.
        case tls
        /// It took nothing of its output for too long.
        case stalled
        /// The network lost it, or its peer went without a word.
        case reset
    }

    /// The connection.
    public let id: SessionID
    /// Where it comes from.
    public let address: PeerAddress
    /// What it is called, or was until then; nil for somebody who only watched.
    public let bidder: Bidder?
    /// What it has done.
    public let step: Step

    init(_ step: Step, by id: SessionID, _ session: Session) {
        self.id = id
        address = session.address
        bidder = session.bidder
        self.step = step
    }
}
