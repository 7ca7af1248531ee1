import Auction
import Basics
import Wire

/// What must belong to one node alone before it can be recorded in the log of a room.
public enum NodeClaim: Hashable, Sendable {
    /// A name that is in no room.
    case name(Bidder)
    /// A room that does not exist.
    case room(RoomName)
}

/// An entry of the log of a room, as all nodes read it.
public struct LogEntry: Sendable {
    /// What it says.
    public let record: Record
    /// The number of the event which it restates in a state; nil for any other entry.
    public let restated: Int?

    /// Creates an entry.
    public init(_ record: Record, restated: Int? = nil) {
        (self.record, self.restated) = (record, restated)
    }
}

/// Entries of the log of a room that another node owns.
public struct FollowedEntries {
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

/// What a node does together with others: which one executes a request, and what waits for them.
struct Nodes {
    /// How long a claim counts although no room has the name yet, or the room was not opened.
    ///
    /// This node uses its own claims of names only for half of that time, so that it never uses one
    /// after another node has claimed the name.
    private static let claimTime = Duration.seconds(60)
    /// How long input waits at most before it is looked at again.
    static let longestWait = Duration.seconds(10)
    /// The most requests of a connection that wait for an answer of another node.
    private static let mostUnanswered = 64

    /// When a claim was made, by two clocks that are never compared with each other.
    ///
    /// Only the clock of the stream shows that a claim which is read at a start is old. Later that
    /// clock would jump after an outage of NATS, although what the claim was made for is still on
    /// its way. The age of a claim is the larger of the two.
    private struct ClaimTime {
        /// Since when this node knows of it.
        var known: Instant
        /// The time of the stream when it was stored, or shortly before.
        let stored: Instant
    }

    /// Whether the server leads a class.
    private let hasClass: Bool
    /// The connections of other nodes.
    var remotes = RemoteConnections()
    /// Whether the node reads what happened before it served anybody, which is no news.
    private(set) var isCatchingUp = true
    /// The time of the newest message that was read while catching up, by the clock of the stream.
    private var streamTime = Instant(nanoseconds: 0)
    /// The requests that other nodes execute, in order.
    private var unanswered: [SessionID: [Request]] = [:]
    /// The node that executes the requests of a connection.
    private var executors: [SessionID: String] = [:]
    /// The requests that wait, until those before them are answered or a claim is decided.
    private var held: [SessionID: [Request]] = [:]
    /// The connections whose stored input need not wait any more.
    private var released: [SessionID] = []
    /// The connections that end when everything is answered.
    private var ending: Set<SessionID> = []
    /// The nodes that have executed requests of a connection.
    private var contacts: [SessionID: [String]] = [:]
    /// The last claims of names: whether this node made them, and when.
    private var names: [Bidder: (isOwn: Bool, time: ClaimTime)] = [:]
    /// The rooms that this node claimed, and has not opened.
    private var rooms: Set<RoomName> = []
    /// The rooms that other nodes claimed, and have not opened, and when.
    private var roomsElsewhere: [RoomName: ClaimTime] = [:]
    /// At how many of them those are removed that do not count any more.
    private var mostElsewhere = 100
    /// The connections whose first held request waits for a claim.
    private var claimants: [NodeClaim: [SessionID]] = [:]
    /// The nodes to which requests can be passed on.
    private var reachable: Set<String> = []
    /// Whether nothing becomes durable for now.
    private(set) var isUnavailable = false
    /// The connections whose answers wait until something becomes durable again.
    private var stalled: Set<SessionID> = []
    /// The bidders who have joined a room of this node, according to the log.
    private var joined: Set<Bidder> = []
    /// The bidders who have joined rooms of other nodes, and are still present here.
    private var departing: [Bidder] = []
    /// The messages to other nodes since the last step.
    private var messages: [(node: String, message: NodeMessage)] = []
    /// The claims since the last step.
    private var claims: [NodeClaim] = []

    /// Begins without other nodes.
    init(hasClass: Bool) {
        self.hasClass = hasClass
    }

    // Requests

    /// Where a request is executed.
    private enum Executor {
        /// This node, now: it changes nothing.
        case reader
        /// This node, now.
        case here
        /// This node, once a claim is decided.
        case claim(NodeClaim)
        /// The node with this name.
        case node(String)
        /// Nobody: it is refused.
        case nobody(ErrorReply)
    }

    /// Passes a request on to the node that executes it, keeps it for later, or refuses it.
    ///
    /// False if this node executes it now. `name` is that of its connection.
    mutating func passOn(
        _ asked: (request: Request, name: Session.Name?), by sender: Sender, in rooms: inout Rooms,
        _ turn: inout Turn
    ) -> Bool {
        let (id, request) = (sender.id, asked.request)
        if holds(id) || isMoving(id) || isProving(id) {
            hold(request, of: id)
            return true
        }
        let executor = executor(of: request.command, by: sender, in: &rooms, turn)
        if case .node(let node) = executor, !id.isRemote, !isUnavailable, reachable.contains(node),
            unanswered[id] == nil || executors[id] == node
        {
            // What it adds to the log is not known here.
            if turn.rates.countsJournal(of: sender.address) {
                let bytes = Limits.journalLineBytes + request.description.utf8.count
                turn.rates.spendJournal(bytes, of: sender.address, at: turn.now)
            }
            let room = rooms[sender.room].name
            send(NodeRequest(request, of: sender, name: asked.name, in: room), to: node)
            return true
        }
        // Answers come in the order of the requests.
        guard unanswered[id] == nil else {
            hold(request, of: id)
            return true
        }
        switch executor {
        case .reader:
            if isUnavailable { stalled.insert(id) }
            return false
        case .here where !isUnavailable: return false
        case .claim(let claim) where !isUnavailable:
            // It is made once for all who wait for it.
            if claimants[claim] == nil {
                if let seconds = turn.rates.chargeClaim(from: sender.address, at: turn.now) {
                    turn.note(.names)
                    turn.refuse(.tooManyClaims(seconds: seconds), to: sender)
                    return true
                }
                claims.append(claim)
            }
            claimants[claim, default: []].append(id)
            hold(request, of: id)
        case .nobody(let error):
            if isUnavailable { stalled.insert(id) }
            turn.refuse(error, to: sender)
        case .here, .claim, .node:
            if !isUnavailable {
                turn.refuse(.unavailable, to: sender)
            } else if stalled.contains(id) {
                // The answers that wait for the log come first.
                hold(request, of: id)
            } else {
                turn.refuseAtOnce(.unavailable, to: sender)
            }
        }
        return true
    }

    private func executor(
        of command: Request.Command, by sender: Sender, in rooms: inout Rooms,
        _ turn: borrowing Turn
    ) -> Executor {
        func owner(of room: RoomID) -> Executor {
            switch rooms[room].owner {
            case .here: .here
            case .node(let node): .node(node)
            case .nobody: .nobody(.unavailable)
            }
        }
        switch command {
        case .offer, .say, .display, .react, .auctioneer, .ready: return owner(of: sender.room)
        case .name(let bidder, _):
            let owner = owner(of: sender.room)
            guard case .here = owner, sender.bidder == nil, rooms.owner(of: bidder) == nil else {
                return owner
            }
            return switch claimant(of: bidder, at: turn.now) {
            case .thisNode: .here
            case .otherNode: .nobody(.nameTaken)
            // A claim stays in the log, also that of a name which is then refused.
            case .nobody:
                turn.rates.allowsName(to: sender.id, from: sender.address, at: turn.now)
                    ? .claim(.name(bidder)) : .here
            }
        case .join(let name):
            guard sender.bidder != nil, let room = rooms.id(of: name), room != sender.room else {
                return .reader
            }
            return owner(of: room)
        case .open(let name, let options):
            // A claim of a name of the class, which then is refused, would fence its leader.
            guard !(hasClass && name.isReserved), rooms.id(of: name) == nil,
                !self.rooms.contains(name), rooms.refusalToOpen(for: sender, turn) == nil,
                (try? rooms.rules(options)) != nil
            else { return .here }
            let isTaken = isClaimedElsewhere(name, at: turn.now)
            return isTaken ? .nobody(.roomTaken) : .claim(.room(name))
        case .rule(.end(let name)): return owner(of: rooms.id(of: name) ?? sender.room)
        case .rule(.stop): return owner(of: .main)
        case .rule(.start), .rule(.skip), .rule(.pause), .rule(.resume), .rule(.classStatus):
            // The orders of a teacher who has just connected are for the class.
            let isForClass = hasClass && sender.room == .main && sender.rights == .server
            return owner(of: isForClass ? rooms.id(of: .classroom) ?? .main : sender.room)
        case .rule: return owner(of: sender.room)
        case .rooms, .laps, .results, .who, .standings, .status, .help, .resume, .format, .ping,
            .quit:
            return .reader
        }
    }

    /// Whether input of a connection must wait.
    func holds(_ id: SessionID) -> Bool {
        held[id] != nil || (unanswered[id]?.count ?? 0) >= Self.mostUnanswered
    }

    /// Whether requests of a connection are executed by another node.
    func isUnanswered(_ id: SessionID) -> Bool { unanswered[id] != nil }

    /// Whether a connection waits for its move to another room.
    func isMoving(_ id: SessionID) -> Bool {
        if case .join? = unanswered[id]?.last?.command { true } else { false }
    }

    /// Whether a connection waits for the rights that its later requests have.
    private func isProving(_ id: SessionID) -> Bool {
        if case .auctioneer? = unanswered[id]?.last?.command { true } else { false }
    }

    /// The connections whose last request stops the server, with its tag.
    var stopping: [(id: SessionID, tag: String?)] {
        unanswered.compactMap { id, requests in
            guard requests.count == 1, let last = requests.last,
                case .rule(.stop) = last.command
            else { return nil }
            return (id, last.tag)
        }
    }

    private mutating func hold(_ request: Request, of id: SessionID) {
        held[id, default: []].append(request)
    }

    /// Removes and returns the requests of a connection that wait.
    mutating func takeHeld(_ id: SessionID) -> [Request] { held.removeValue(forKey: id) ?? [] }

    /// Lets stored input of a connection go on, unless it must still wait.
    mutating func release(_ id: SessionID) {
        if !holds(id) { released.append(id) }
    }

    /// Removes and returns the connections whose stored input need not wait any more.
    mutating func takeReleased() -> [SessionID] {
        defer { released = [] }
        return released
    }

    /// Lets a connection end when everything is answered; false if everything is.
    mutating func endWhenAnswered(_ id: SessionID) -> Bool {
        guard isBusy(id) else { return false }
        ending.insert(id)
        return true
    }

    /// Whether a connection ends now, because everything is answered.
    mutating func takeEnding(_ id: SessionID) -> Bool {
        !isBusy(id) && ending.remove(id) != nil
    }

    private func isBusy(_ id: SessionID) -> Bool { held[id] != nil || unanswered[id] != nil }

    /// Notes whether anything becomes durable; `waiting` are the connections with answers that wait
    /// for it.
    ///
    /// Returns the connections whose requests go on, in the order of their arrival: those that have
    /// waited for the log, or now those that wait for claims, which are refused.
    mutating func setUnavailable(
        _ isUnavailable: Bool, waiting: Set<SessionID>
    ) -> [SessionID] {
        let released = isUnavailable ? Set(claimants.values.joined()) : stalled
        // The claims are still decided, and are not made again before that.
        if isUnavailable { claimants = claimants.mapValues { _ in [] } }
        (self.isUnavailable, stalled) = (isUnavailable, waiting)
        return released.sorted { $0.rawValue < $1.rawValue }
    }

    /// Notes that a connection is sent lines that no later reply may overtake.
    mutating func noteAnswer(to id: SessionID) {
        if isUnavailable { stalled.insert(id) }
    }

    // Messages

    private mutating func send(_ request: NodeRequest, to node: String) {
        unanswered[request.connection, default: []].append(request.request)
        executors[request.connection] = node
        if contacts[request.connection]?.contains(node) != true {
            contacts[request.connection, default: []].append(node)
        }
        messages.append((node, .request(request)))
    }

    /// Removes and returns the oldest request of a connection without an answer.
    mutating func takeAnswered(_ id: SessionID) -> Request? {
        guard var requests = unanswered.removeValue(forKey: id) else { return nil }
        let first = requests.removeFirst()
        if !requests.isEmpty { unanswered[id] = requests }
        return first
    }

    /// Tells a node that a connection has left its rooms.
    mutating func leave(_ node: String, _ id: SessionID) {
        guard let index = contacts[id]?.firstIndex(of: node) else { return }
        contacts[id]?.remove(at: index)
        messages.append((node, .left(id)))
    }

    /// Notes whether requests can be passed on to a node.
    mutating func setReachable(_ isReachable: Bool, _ node: String) {
        if isReachable { reachable.insert(node) } else { reachable.remove(node) }
    }

    /// Whether a node has executed requests of a connection.
    func hasContact(_ id: SessionID, with node: String) -> Bool {
        contacts[id]?.contains(node) == true
    }

    /// The connections that a node has executed requests of, in the order of their arrival.
    func contacts(with node: String) -> [SessionID] {
        contacts.filter { $0.value.contains(node) }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// The connections whose requests a node has not answered, in the order of their arrival.
    func waiting(for node: String) -> [SessionID] {
        unanswered.keys.filter { isWaiting($0, for: node) }.sorted { $0.rawValue < $1.rawValue }
    }

    /// Whether a node has not answered requests of a connection.
    func isWaiting(_ id: SessionID, for node: String) -> Bool {
        unanswered[id] != nil && executors[id] == node
    }

    /// Forgets a connection that has ended.
    mutating func remove(_ id: SessionID) {
        for node in contacts[id] ?? [] { messages.append((node, .left(id))) }
        (contacts[id], unanswered[id], executors[id], held[id]) = (nil, nil, nil, nil)
        ending.remove(id)
    }

    /// Removes and returns the messages to other nodes.
    mutating func takeMessages() -> [(node: String, message: NodeMessage)] {
        defer { messages = [] }
        return messages
    }

    // Claims

    /// Removes and returns the claims to be made.
    mutating func takeClaims() -> [NodeClaim] {
        defer { claims = [] }
        return claims
    }

    /// Notes whether this node has won a claim; returns the connections that wait for it.
    mutating func decide(_ claim: NodeClaim, isOwn: Bool, at now: Instant) -> [SessionID] {
        switch claim {
        case .name(let bidder): note(claimOf: bidder, isOwn: isOwn, at: now)
        case .room(let room): if isOwn { rooms.insert(room) }
        }
        return claimants.removeValue(forKey: claim) ?? []
    }

    /// Notes that the node has read what happened before it served anybody.
    mutating func beginServing() { isCatchingUp = false }

    /// Notes when the next message was stored, by the clock of the stream.
    mutating func advance(streamTime: Instant) {
        if isCatchingUp { self.streamTime = streamTime }
    }

    /// Notes a claim of a name that the log has.
    mutating func note(claimOf bidder: Bidder, isOwn: Bool, at now: Instant) {
        names[bidder] = (isOwn, ClaimTime(known: now, stored: streamTime))
    }

    /// Counts the ages of other nodes' claims from `now`.
    ///
    /// It is called when this node has not followed the log for a while.
    mutating func renewClaims(at now: Instant) {
        for name in names.keys where names[name]?.isOwn == false { names[name]?.time.known = now }
    }

    /// The node that has claimed a name that is in no room.
    private enum Claimant {
        case thisNode
        case otherNode
        case nobody
    }

    private func claimant(of bidder: Bidder, at now: Instant) -> Claimant {
        guard let (isOwn, time) = names[bidder] else { return .nobody }
        let age = age(of: time, at: now)
        if isOwn { return age < Self.claimTime / 2 ? .thisNode : .nobody }
        return age < Self.claimTime ? .otherNode : .nobody
    }

    private func age(of claim: ClaimTime, at now: Instant) -> Duration {
        max(claim.known.duration(to: now), claim.stored.duration(to: streamTime))
    }

    /// Forgets that this node has claimed a room.
    mutating func forgetClaim(of room: RoomName) {
        rooms.remove(room)
    }

    /// Notes that another node has claimed a room that does not exist.
    mutating func note(claimElsewhere room: RoomName, at now: Instant) {
        roomsElsewhere[room] = ClaimTime(known: now, stored: streamTime)
        // At twice the size of the last time, so that each claim costs the same.
        guard roomsElsewhere.count > mostElsewhere else { return }
        roomsElsewhere = roomsElsewhere.filter { isClaimedElsewhere($0.key, at: now) }
        mostElsewhere = 2 * roomsElsewhere.count + 100
    }

    /// Whether another node is about to open a room.
    private func isClaimedElsewhere(_ room: RoomName, at now: Instant) -> Bool {
        roomsElsewhere[room].map { age(of: $0, at: now) < Self.claimTime } ?? false
    }

    /// Notes that a room was opened, or that another node has opened it.
    mutating func noteOpened(_ room: RoomName) {
        rooms.remove(room)
        roomsElsewhere[room] = nil
    }

    // Bidders

    /// Notes an event of a room of this node, once it is read back from the log.
    mutating func note(_ event: SaleEvent) {
        if case .nameTaken(let bidder, _) = event { names[bidder] = nil }
        if case .bidderJoined(let bidder, _) = event { joined.insert(bidder) }
        if case .bidderLeft(let bidder) = event { joined.remove(bidder) }
    }

    /// Notes an event of a room of another node, to which a bidder of this node may have moved.
    mutating func follow(_ event: SaleEvent) {
        if case .nameTaken(let bidder, _) = event { names[bidder] = nil }
        // If this node's entry for the bidder comes later in the log, `joined` does not have the
        // bidder yet, who stays here.
        if case .bidderJoined(let bidder, _) = event, joined.remove(bidder) != nil {
            departing.append(bidder)
        }
    }

    /// Removes and returns the bidders who have joined rooms of other nodes.
    mutating func takeDeparting() -> [Bidder] {
        defer { departing = [] }
        return departing
    }
}
