import Auction
import Wire

/// What a step decided: an action of the server, or an entry of the journal.
///
/// Actions are performed in order, after every entry before them is durable: their output is queued
/// then, and sent later. `note` and `log` are never performed: they are entries of the journal.
/// `news` is both.
public enum Effect: Equatable, Sendable {
    /// Sends news to all connections that follow a room; the numbers of a room have no gap.
    ///
    /// With the members in this order an effect has 128 bytes. A larger one would be copied by a
    /// function call for each bid.
    case news(SaleEvent, [UInt8]?, room: RoomID, seq: Int)
    /// Records an event in the journal alone.
    case journal(SaleEvent)
    /// Records in the journal which room the next entries belong to, or that one opened or ended.
    indirect case journalRoom(Record)
    /// A room was opened, or recovered from the journal, without followers. `main` always exists.
    case openRoom(RoomID, RoomName)
    /// A room has ended; nobody follows it any more.
    case endRoom(RoomID)
    /// From now on sends a connection the news of this room, and none of the one that it followed.
    case follow(SessionID, room: RoomID)
    /// Sends one connection a line that is not news.
    case reply(ServerMessage, to: SessionID)
    /// Sends one connection news that it missed, with its number and the time of the event.
    indirect case replay(ServerMessage, seq: Int, time: Int64?, to: SessionID)
    /// Sends one connection a line of a snapshot: news that still holds, with its number.
    ///
    /// Indirect, because it would be larger than `news`.
    indirect case restate(ServerMessage, seq: Int, to: SessionID)
    /// Sends one connection bytes that are no line of the protocol.
    case send([UInt8], to: SessionID)
    /// Answers a request for a report of the server.
    case sendReport(ReportRequest, to: SessionID)
    /// Uses this encoding for a connection from now on.
    case use(Encoding, for: SessionID)
    /// Sends a connection that fell behind the number of lines that it missed, and all news after
    /// this.
    case skip(SessionID)
    /// Stops sending news to a connection, so that no news comes between the lines of a long
    /// answer.
    case holdNews(SessionID)
    /// Resumes sending news to a connection.
    case releaseNews(SessionID)
    /// Requests a report with this number when everything before this has been sent to the
    /// connection.
    case confirm(SessionID, number: Int)
    /// Closes a connection after everything before is sent, and `BYE` with the reason, if there is
    /// one.
    case close(SessionID, ServerMessage.CloseReason?)
}

extension Effect {
    /// The connection that it concerns; nil if it concerns all connections or none.
    public var session: SessionID? {
        switch self {
        case .news, .journal, .journalRoom, .openRoom, .endRoom: nil
        case .follow(let id, _), .reply(_, let id), .replay(_, _, _, let id),
            .restate(_, _, let id),
            .send(_, let id), .sendReport(_, let id), .use(_, let id), .skip(let id),
            .holdNews(let id), .releaseNews(let id), .confirm(let id, _), .close(let id, _):
            id
        }
    }

    /// Whether it opens or ends a room.
    var concernsRooms: Bool {
        switch self {
        case .openRoom, .endRoom: true
        case .news, .journal, .journalRoom, .follow, .reply, .replay, .restate, .send, .sendReport,
            .use, .skip, .holdNews, .releaseNews, .confirm, .close:
            false
        }
    }

    /// Whether it sends one connection a line that is not news.
    var isReply: Bool { if case .reply = self { true } else { false } }

    /// The fallback if the journal fails; nil to do nothing.
    ///
    /// A reply becomes an error, and lost news is not sent.
    package var ifLost: Effect? {
        switch self {
        case .reply(.ok(_, let tag), let id), .reply(.error(_, let tag), let id):
            .reply(.error(.unavailable, tag: tag), to: id)
        case .close(let id, let reason): .close(id, reason == nil ? nil : .journal)
        // The response that switches to WebSocket is sent in any case.
        case .send, .sendReport, .use(.webSocket, _), .releaseNews, .confirm: self
        case .news, .journal, .journalRoom, .openRoom, .endRoom, .follow, .reply, .replay, .restate,
            .use, .skip, .holdNews:
            nil
        }
    }
}

extension Effect {
    /// What the journal has of it; nil if it has nothing.
    package var record: Record? {
        switch self {
        case .news(let event, _, _, _), .journal(let event): .event(event)
        case .journalRoom(let record): record
        case .openRoom, .endRoom, .follow, .reply, .replay, .restate, .send, .sendReport, .use,
            .skip, .holdNews, .releaseNews, .confirm, .close:
            nil
        }
    }

    /// The bytes that are charged for its line in the journal; 0 if it has none.
    ///
    /// Not the exact number, for which the line would be printed twice.
    var journalBytes: Int {
        switch self {
        case .news(let event, _, _, _): Limits.journalLineBytes + event.freeText.utf8.count
        // Others left these names, and the bidder that ends the lot must not pay for them.
        case .journal(.nameFreed): 0
        case .journal(.lotAdded(let plan)): Limits.journalLineBytes + plan.title.utf8.count
        case .journal(.lotRenamed(let lot)): Limits.journalLineBytes + lot.title.utf8.count
        case .journal, .journalRoom: Limits.journalLineBytes
        case .openRoom, .endRoom, .follow, .reply, .replay, .restate, .send, .sendReport, .use,
            .skip, .holdNews, .releaseNews, .confirm, .close:
            0
        }
    }
}

extension SaleEvent {
    /// The text of any length that a person has written; empty if there is none.
    fileprivate var freeText: String {
        switch self {
        case .messageSaid(_, let text), .displayNameSet(_, let text): text
        case .bidderKicked(_, let reason): reason
        case .lotOpened(let lot), .lotPassed(let lot, _, _): lot.title
        case .lotSold(let sold): sold.title
        case .nextAnnounced(let title, _): title
        default: ""
        }
    }
}
