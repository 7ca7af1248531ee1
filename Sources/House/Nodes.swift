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

/// The requests of connections that wait for another node, and the names and rooms that were
/// claimed.
struct Nodes {
    /// How long a claim of a name counts although no room has the name yet.
    ///
    /// This node trusts its own claims for half of that time, so that it has used a claim before
    /// another node makes one.
    private static let claimTime = Duration.seconds(60)
    /// How long input waits at most before it is looked at again.
    static let longestWait = Duration.seconds(10)
    /// The most requests of a connection that wait for an answer of another node.
    private static let mostUnanswered = 64

    /// The requests that other nodes execute, in order.
    private var unanswered: [SessionID: [Request]] = [:]
    /// The node that executes the requests of a connection.
    private var executors: [SessionID: String] = [:]
    /// The requests that wait, until those before them are answered or a claim is decided.
    private var held: [SessionID: [Request]] = [:]
    /// The connections that end when everything is answered.
    private var ending: Set<SessionID> = []
    /// The nodes that have executed requests of a connection.
    private var contacts: [SessionID: [String]] = [:]
    /// Who claimed a name, and since when that is known.
    private var names: [Bidder: (isOwn: Bool, since: Instant)] = [:]
    /// The rooms that this node claimed, and has not opened.
    private var rooms: Set<RoomName> = []
    /// The rooms that other nodes claimed, and have not opened, and since when that is known.
    private var roomsElsewhere: [RoomName: Instant] = [:]
    /// The connections whose first held request waits for a claim.
    private var claimants: [NodeClaim: [SessionID]] = [:]
    /// The nodes to which requests can be passed on.
    var reachable: Set<String> = []
    /// Whether nothing becomes durable for now.
    var isUnavailable = false
    /// The connections whose answers wait until something becomes durable again.
    var stalled: Set<SessionID> = []
    /// The bidders of whom the log has that they joined a room of this node.
    var joined: Set<Bidder> = []
    /// The messages to other nodes since the last step.
    private(set) var messages: [(node: String, message: NodeMessage)] = []
    /// The claims since the last step.
    private(set) var claims: [NodeClaim] = []

    /// Whether input of a connection must wait.
    func holds(_ id: SessionID) -> Bool {
        held[id] != nil || (unanswered[id]?.count ?? 0) >= Self.mostUnanswered
    }

    /// Whether a request of a connection waits, or is executed by another node.
    func isBusy(_ id: SessionID) -> Bool { held[id] != nil || unanswered[id] != nil }

    /// Whether requests of a connection are executed by another node.
    func isUnanswered(_ id: SessionID) -> Bool { unanswered[id] != nil }

    /// The connections whose last request stops the server, with its tag.
    var stopping: [(id: SessionID, tag: String?)] {
        unanswered.compactMap { id, requests in
            guard requests.count == 1, let last = requests.last,
                case .rule(.stop) = last.command
            else { return nil }
            return (id, last.tag)
        }
    }

    /// Whether `node` may execute a request: no other executes earlier ones of the connection.
    func canAsk(_ node: String, for id: SessionID) -> Bool {
        unanswered[id] == nil || executors[id] == node
    }

    /// Whether a connection waits for its move to another room.
    func isMoving(_ id: SessionID) -> Bool {
        if case .join? = unanswered[id]?.last?.command { true } else { false }
    }

    /// Makes a request wait.
    mutating func hold(_ request: Request, of id: SessionID) {
        held[id, default: []].append(request)
    }

    /// Removes and returns the requests of a connection that wait.
    mutating func takeHeld(_ id: SessionID) -> [Request] { held.removeValue(forKey: id) ?? [] }

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

    // Messages

    /// Sends a request to the node that executes it.
    mutating func send(_ request: NodeRequest, to node: String) {
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

    /// Whether a node has executed requests of a connection.
    func hasContact(_ id: SessionID, with node: String) -> Bool {
        contacts[id]?.contains(node) == true
    }

    /// The connections that a node has executed requests of, in the order of their arrival.
    func contacts(with node: String) -> [SessionID] {
        contacts.filter { $0.value.contains(node) }.keys.sorted { $0.rawValue < $1.rawValue }
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

    /// Makes a connection wait for a claim, which is made unless others wait for it.
    mutating func claim(_ claim: NodeClaim, for id: SessionID) {
        if claimants[claim] == nil { claims.append(claim) }
        claimants[claim, default: []].append(id)
    }

    /// Removes and returns the claims to be made.
    mutating func takeClaims() -> [NodeClaim] {
        defer { claims = [] }
        return claims
    }

    /// Notes who has made a claim, and returns the connections that wait for it.
    mutating func decide(_ claim: NodeClaim, isOwn: Bool, at now: Instant) -> [SessionID] {
        switch claim {
        case .name(let bidder): names[bidder] = (isOwn, now)
        case .room(let room): if isOwn { rooms.insert(room) }
        }
        return claimants.removeValue(forKey: claim) ?? []
    }

    /// Notes a claim that the log has.
    mutating func note(_ bidder: Bidder, isOwn: Bool, at now: Instant) {
        names[bidder] = (isOwn, now)
    }

    /// Forgets who claimed a name, because a room has it from now on, or had it.
    mutating func forgetClaim(of bidder: Bidder) {
        names[bidder] = nil
    }

    /// Lets the claims of other nodes count from now on, because this node did not follow the log
    /// for a while.
    mutating func renewClaims(at now: Instant) {
        for name in names.keys where names[name]?.isOwn == false { names[name]?.since = now }
    }

    /// Who has claimed a name that is in no room.
    enum Claimant {
        case thisNode
        case otherNode
        case nobody
    }

    /// Who has claimed a name that is in no room.
    func claimant(of bidder: Bidder, at now: Instant) -> Claimant {
        guard let (isOwn, since) = names[bidder] else { return .nobody }
        let age = since.duration(to: now)
        if isOwn { return age < Self.claimTime / 2 ? .thisNode : .nobody }
        return age < Self.claimTime ? .otherNode : .nobody
    }

    /// Whether this node has claimed a room and not opened it.
    func hasClaimed(_ room: RoomName) -> Bool { rooms.contains(room) }

    /// Forgets that this node has claimed a room.
    mutating func forgetClaim(of room: RoomName) {
        rooms.remove(room)
    }

    /// Notes that another node has claimed a room that does not exist.
    mutating func note(claimElsewhere room: RoomName, at now: Instant) {
        roomsElsewhere = roomsElsewhere.filter { isClaimedElsewhere($0.key, at: now) }
        roomsElsewhere[room] = now
    }

    /// Whether another node is about to open a room.
    func isClaimedElsewhere(_ room: RoomName, at now: Instant) -> Bool {
        roomsElsewhere[room].map { $0.duration(to: now) < Self.claimTime } ?? false
    }

    /// Notes that a room was opened, or that another node has opened it.
    mutating func noteOpened(_ room: RoomName) {
        rooms.remove(room)
        roomsElsewhere[room] = nil
    }
}
