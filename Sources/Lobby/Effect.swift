import Sale
import Wire

/// What a room wants done, once everything before it is durable and said.
public enum Effect: Equatable, Sendable {
    /// Tells everybody who was admitted; the numbers count up by one without a gap.
    case news(ServerMessage, seq: Int)
    /// Writes down what nobody is told, and what must not be forgotten either.
    case note(SaleEvent)
    /// Lets a connection hear the news from here on, and not before.
    case admit(SessionID)
    /// Tells one connection a line; `seq` is the number of news that it missed, nil for other lines.
    case reply(ServerMessage, seq: Int?, to: SessionID)
    /// Tells one connection a line of a snapshot: news that still holds, with its number.
    case restate(ServerMessage, seq: Int, to: SessionID)
    /// Sends one connection bytes that are no line of the protocol.
    case send([UInt8], to: SessionID)
    /// Speaks to a connection in this format from here on.
    case use(Format, for: SessionID)
    /// Tells a connection that fell behind how many lines it missed, and lets it go on from here.
    case skip(SessionID)
    /// Stops sending news to a connection, so that no news comes between the lines of a long
    /// answer.
    case holdNews(SessionID)
    /// Resumes sending news to a connection.
    case releaseNews(SessionID)
    /// Asks the room's owner to report this number when everything before this has been sent to the
    /// connection.
    case confirm(SessionID, number: Int)
    /// Ends a connection once everything before is sent, and the farewell, if there is one.
    case close(SessionID, ServerMessage.CloseReason?)
}

extension Effect {
    /// The one connection that it concerns; nil for what concerns everybody, or nobody.
    public var session: SessionID? {
        switch self {
        case .news, .note: nil
        case .admit(let id), .reply(_, _, let id), .restate(_, _, let id),
            .send(_, let id), .use(_, let id), .skip(let id), .holdNews(let id),
            .releaseNews(let id), .confirm(let id, _),
            .close(let id, _):
            id
        }
    }

    /// What is done instead when it cannot be kept: an answer says so, and nothing else is told
    /// that may be forgotten; nil for nothing.
    public var ifLost: Effect? {
        switch self {
        case .reply(.ok(_, let tag), _, let id), .reply(.error(_, let tag), _, let id):
            .reply(.error(.unavailable, tag: tag), seq: nil, to: id)
        case .close(let id, let farewell): .close(id, farewell == nil ? nil : .journal)
        case .send, .releaseNews, .confirm: self
        case .news, .note, .admit, .reply, .restate, .use, .skip, .holdNews: nil
        }
    }
}
