import Auction
import Basics
import Wire

/// A command to a loop about its connections.
public enum LoopCommand: Equatable, Sendable {
    /// Take over a connected socket of this peer.
    case adopt(Int32, PeerAddress, loop: Int)
    /// Append news to the feeds of its room, in each encoding that a connection of the loop uses.
    case append(News)
    /// Perform an effect on its connection.
    case perform(Effect)
    /// Stop reading from a connection.
    case silence(SessionID)
    /// Read from a connection again.
    case unsilence(SessionID)
    /// Close one of the connections of this loop that are finishing, if there is one.
    case closeOneFinishing(loop: Int)
    /// Report when everything has been sent to all connections of this loop.
    case drain(loop: Int)
    /// Report when this loop has read everything that arrived until an instant.
    case report(loop: Int, until: Instant)

    /// The loop that executes the command; nil for all loops.
    public var loop: Int? {
        switch self {
        case .append: nil
        case .perform(let effect): effect.session?.loop
        case .silence(let id), .unsilence(let id): id.loop
        case .adopt(_, _, let loop), .closeOneFinishing(let loop), .drain(let loop),
            .report(let loop, _):
            loop
        }
    }
}

/// An event for everybody in a room, and its number among the news of the room.
public struct News: Equatable, Sendable {
    private let batch: Batch
    private let item: Batch.Item
    /// When it was published, in milliseconds since 1970: the same in all encodings, on all loops.
    public let time: Int64

    /// Refers to an effect of a batch.
    public init(_ item: Batch.Item, of batch: Batch, time: Int64) {
        (self.item, self.batch, self.time) = (item, batch, time)
    }

    /// The number; it increases by one without a gap.
    public var seq: Int { item.seq }

    /// The room.
    public var room: RoomID { item.room }

    /// The event; each access makes a copy.
    public var event: SaleEvent {
        let effects = batch.effects
        // A span, because the subscript of an array copies the effect.
        guard case .news(let event, _, _, _) = effects.span[item.effect] else {
            preconditionFailure("news refer to an effect that is news")
        }
        return event
    }

    /// The message with the event and the members of the state that it has changed.
    public var message: ServerMessage {
        guard case .news(let event, let state, _, _) = batch.effects[item.effect] else {
            preconditionFailure("news refer to an effect that is news")
        }
        return .event(event, state)
    }

    /// The line of text, with its end: the same bytes that the journal keeps.
    public var line: ArraySlice<UInt8> { batch.text[item.line] }

    /// Whether two values are the same piece of news.
    public static func == (a: News, b: News) -> Bool {
        a.batch === b.batch && a.item.effect == b.item.effect
    }
}
