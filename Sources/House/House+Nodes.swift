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

// What a node hears of the others, between two steps.
extension House {
    /// Entries of the log of a room that another node owns.
    public struct Followed {
        /// The room.
        let room: RoomName
        /// The node that has appended them.
        let node: String
        /// The entries, in order.
        let entries: [LogEntry]
        /// Whether they are the state of the room, which a node needs only once.
        let isState: Bool

        /// Makes entries of a room.
        public init(room: RoomName, node: String, entries: [LogEntry], isState: Bool) {
            (self.room, self.node, self.entries, self.isState) = (room, node, entries, isState)
        }
    }

    /// Ends the time in which the node reads what happened before it served anybody.
    public mutating func beginServing() {
        guard isCatchingUp else { return }
        isCatchingUp = false
        // What was read ended nodes that ran before.
        lobby.isStopped = false
    }

    /// Applies entries of a room that another node owns; false if they cannot be applied.
    public mutating func follow(_ followed: Followed, at now: Instant) -> Bool {
        commit()
        let isApplied = lobby.follow(
            followed.entries, of: followed.room, isState: followed.isState, at: now)
        var effects = lobby.takeEffects()
        // The tables of a class have what happened before, too.
        if isCatchingUp, lobby.classPlan == nil { effects.removeAll { !$0.concernsRooms } }
        commits.follow(effects, isNews: !isCatchingUp)
        lobby.leaveForOtherNodes(at: now)
        lobby.noteOwner(followed.node, of: followed.room)
        return isApplied
    }

    /// Notes that another node owns a room from now on.
    public mutating func follow(owner node: String, of room: RoomName, at now: Instant) {
        lobby.follow(owner: node, of: room, at: now)
    }

    /// Takes over the rooms that this node owns from now on.
    public mutating func takeOver(_ rooms: [RoomName], at now: Instant) {
        lobby.takeOver(rooms, at: now)
    }

    /// Notes an event of a room of this node, once it is read back from the stream.
    public mutating func note(_ event: SaleEvent) {
        lobby.note(event)
    }

    /// Notes who has won a claim.
    public mutating func decide(_ claim: NodeClaim, isOwn: Bool, at now: Instant) {
        lobby.decide(claim, isOwn: isOwn, at: now)
    }

    /// Notes a claim of a name that the log has.
    public mutating func note(claimOf bidder: Bidder, isOwn: Bool, at now: Instant) {
        lobby.nodes?.note(bidder, isOwn: isOwn, at: now)
    }

    /// Lets the claims of other nodes count from now on, because this node has not followed the log
    /// for a while.
    public mutating func renewClaims(at now: Instant) {
        lobby.nodes?.renewClaims(at: now)
    }

    /// Handles what another node says of a connection.
    public mutating func receive(_ message: NodeMessage, from node: String, at now: Instant) {
        switch message {
        case .request(let request):
            lobby.receive(request, as: remotes.id(of: request, from: node), at: now)
        case .left(let id):
            guard let known = remotes.remove(id, of: node) else { return }
            lobby.leave(known, because: .closed(.end), at: now)
        case .reset:
            removeConnections(of: node, at: now)
            lobby.closeContacts(with: node, at: now)
        case .lines, .named, .moved, .close: lobby.receive(message, from: node, at: now)
        }
    }

    /// Notes that a node can be reached, perhaps again.
    ///
    /// Then it has forgotten the connections of this one, which must connect again.
    public mutating func add(node: String, at now: Instant) {
        lobby.nodes?.reachable.insert(node)
        lobby.closeContacts(with: node, at: now)
    }

    /// Ends the connections of a node that is gone, and refuses requests for it.
    public mutating func remove(node: String, at now: Instant) {
        lobby.nodes?.reachable.remove(node)
        removeConnections(of: node, at: now)
    }

    /// Ends the connections of another node, whose requests this node executes.
    private mutating func removeConnections(of node: String, at now: Instant) {
        for id in remotes.removeAll(of: node) { lobby.leave(id, because: .reset, at: now) }
    }

    /// Whether nothing becomes durable for now: requests that would change a room are refused.
    public var isUnavailable: Bool {
        get { lobby.nodes?.isUnavailable ?? false }
        set {
            guard newValue != isUnavailable else { return }
            // What was decided since the last step waits for the log too.
            commit()
            lobby.setUnavailable(newValue, waiting: newValue ? commits.waitingSessions : [])
        }
    }

    /// Whether a room exists.
    public func hasRoom(_ name: RoomName) -> Bool { lobby.hasRoom(name) }

    /// Whether a room exists and has begun its sale.
    public func knowsState(of name: RoomName) -> Bool { lobby.knowsState(of: name) }

    /// The number of connections of this node.
    public var connectionCount: Int { loops.connectionCount }

    /// Notes how many connections follow the rooms at other nodes.
    public mutating func setPeopleElsewhere(_ people: [RoomName: Int]) {
        lobby.setPeopleElsewhere(people)
    }

    /// The number of connections of this node in each room that has one; O(rooms).
    public var peopleHere: [RoomName: Int] { lobby.peopleHere }

    /// What the node of a remote connection is told of an effect; nil for nothing.
    ///
    /// `time` is that of its lines, in milliseconds since 1970.
    public mutating func messages(
        of effect: Effect, time: Int64
    ) -> (node: String, messages: [NodeMessage])? {
        var room: RoomName?
        if case .follow(_, let id) = effect { room = lobby.name(of: id) }
        return remotes.messages(of: effect, room: room, at: time)
    }
}
