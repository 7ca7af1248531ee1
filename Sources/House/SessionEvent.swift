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

    /// Creates an event of a connection that has no name, in `main`.
    public init(_ kind: Kind, of id: SessionID, from address: PeerAddress) {
        (self.kind, self.id, self.address) = (kind, id, address)
        (bidder, room) = (nil, .main)
    }

    /// Creates an event of a connection in a room.
    init(_ kind: Kind, of sender: Sender, in room: RoomName) {
        (self.kind, id, address) = (kind, sender.id, sender.address)
        (bidder, self.room) = (sender.bidder, room)
    }
}

/// A limit or a rule that closed or refused something, by its word in the log.
public enum LimitReached: String, CaseIterable, Sendable {
    /// Too many connections were open, so a new one was refused.
    case full
    /// Too many connections were open, so the one silent for longest was closed.
    case silent
    /// Too many connections from one address were open, so a new one was refused.
    case addressFull = "address-full"
    /// Too many connections came from one address in a short time, so a new one was refused.
    case connects
    /// Too many names were new from one address, so another was refused.
    case names
    /// Too many names were owned, so another was refused.
    case namesFull = "names-full"
    /// A name was opened too often, so another opening was refused.
    case openings
    /// Too many tokens from one address were wrong, so the next wrong one was refused.
    case wrongTokens = "wrong-tokens"
    /// A bidder sent too many messages, so another was refused.
    case messages
    /// As many rooms were open as the server, or one address, may have, so another was refused.
    case rooms
    /// The lines of an address added too much to the journal, so the next ones wait.
    case journal
    /// A connection began with a TLS handshake, and was closed.
    case tls
}
