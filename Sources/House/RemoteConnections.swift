import Auction
import Basics
import Wire

/// The connections of other nodes whose requests this node executes.
struct RemoteConnections {
    /// A connection, as its node knows it.
    private struct Origin {
        let node: String
        let id: SessionID
        var encoding: Encoding
    }

    private var ids: [String: [SessionID: SessionID]] = [:]
    private var origins: [SessionID: Origin] = [:]
    private var lastNumber: UInt64 = 0

    /// The number of a connection here; a new one gets a new number.
    mutating func id(of request: NodeRequest, from node: String) -> SessionID {
        if let known = ids[node]?[request.connection] {
            origins[known]?.encoding = request.encoding
            return known
        }
        // The bits between are those of the loop.
        lastNumber += 1
        let new = SessionID(remote: lastNumber << 32)
        ids[node, default: [:]][request.connection] = new
        origins[new] = Origin(node: node, id: request.connection, encoding: request.encoding)
        return new
    }

    /// Forgets a connection, and returns its number here; nil if it was not known.
    mutating func remove(_ id: SessionID, of node: String) -> SessionID? {
        guard let known = ids[node]?.removeValue(forKey: id) else { return nil }
        origins[known] = nil
        return known
    }

    /// Forgets the connections of a node, and returns their numbers here.
    mutating func removeAll(of node: String) -> [SessionID] {
        let removed = (ids.removeValue(forKey: node) ?? [:]).values.sorted {
            $0.rawValue < $1.rawValue
        }
        for id in removed { origins[id] = nil }
        return removed
    }

    /// What the node of a connection is told of an effect; nil for nothing.
    ///
    /// `room` is the name of the room that the connection follows from now on, and `now` the time
    /// in milliseconds since 1970.
    mutating func messages(
        of effect: Effect, room: RoomName?, at now: Int64
    ) -> (node: String, messages: [NodeMessage])? {
        guard let id = effect.session, let origin = origins[id] else { return nil }
        func lines(
            _ message: ServerMessage, seq: Int? = nil, isSnapshot: Bool = false, time: Int64?
        ) -> NodeMessage {
            var bytes: [UInt8] = []
            message.append(
                to: &bytes, as: origin.encoding, seq: seq, isSnapshot: isSnapshot,
                millisecondsSince1970: time)
            var outcome: NodeMessage.Outcome?
            if case .ok = message { outcome = .done }
            if case .error = message { outcome = .refused }
            return .lines(origin.id, bytes, outcome: outcome)
        }
        switch effect {
        case .reply(let message, _):
            guard case .ok(.name(let bidder, let word), _) = message, let token = Token(word) else {
                return (origin.node, [lines(message, time: now)])
            }
            return (origin.node, [.named(origin.id, bidder, token), lines(message, time: now)])
        case .restate(let message, let seq, _):
            return (origin.node, [lines(message, seq: seq, isSnapshot: true, time: now)])
        case .replay(let message, let seq, let time, _):
            return (origin.node, [lines(message, seq: seq, time: time)])
        case .follow: return room.map { (origin.node, [.moved(origin.id, $0)]) }
        case .close(_, let reason):
            _ = remove(origin.id, of: origin.node)
            return (origin.node, [.close(origin.id, reason ?? .end)])
        case .send, .sendReport, .use, .skip, .holdNews, .releaseNews, .confirm: return nil
        case .news, .journal, .journalRoom, .openRoom, .endRoom: return nil
        }
    }
}
