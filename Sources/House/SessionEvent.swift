import Auction
import Basics
import Wire

/// Something that a connection did, for the server's log alone.
public struct SessionEvent: Equatable, Sendable {
    /// What it did.
    public enum Kind: Equatable, Sendable {
        /// It connected.
        case connected
        /// It received its name, or has taken it back.
        case named
        /// It opened the room in which it is.
        case opened
        /// It proved to be the auctioneer's.
        case appointed
        /// A command of the auctioneer was executed for it.
        case ordered(AuctioneerCommand.Verb)
        /// It left.
        case left(Reason)
        /// It ended before its PROXY header was complete.
        case handshakeEnded(HandshakeEnd)
    }

    /// Why a connection left.
    public enum Reason: Equatable, Sendable {
        /// It was sent `BYE` for this reason.
        case closed(ServerMessage.CloseReason)
        /// Its last HTTP request was answered, or it sent one in place of a line.
        case http
        /// A TLS client connected to this plain-text port.
        case tls
        /// It read none of its output for too long.
        case stalled
        /// The network lost it, or its peer reset it.
        case reset
    }

    /// Why a connection of a proxy ended before its header was complete.
    public enum HandshakeEnd: String, Sendable {
        /// The bytes are no header.
        case invalid = "no-proxy-header"
        /// The header took too long.
        case late = "late-proxy-header"
        /// The proxy closed its side.
        case end
        /// The network lost it, or the proxy reset it.
        case reset
    }

    /// The connection.
    public let id: SessionID
    /// Where it comes from; the proxy's own address during a handshake.
    public let address: PeerAddress
    /// Its name, or its last one; nil if it has none.
    public let bidder: Bidder?
    /// The room that it is in.
    public let room: RoomName
    /// What it did.
    public let kind: Kind

    /// Creates an event of a connection.
    public init(
        _ kind: Kind, of id: SessionID, from address: PeerAddress, bidder: Bidder? = nil,
        room: RoomName = .main
    ) {
        (self.kind, self.id, self.address) = (kind, id, address)
        (self.bidder, self.room) = (bidder, room)
    }
}
