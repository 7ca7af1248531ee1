import Auction
import Basics
import Wire

/// The number of a connection, unique among all connections of a server's life.
public struct SessionID: Hashable, Sendable {
    /// The number; its meaning is private to the code that creates it.
    public let rawValue: UInt64

    /// Creates the identifier with this number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// The state of one connection.
///
/// A server has thousands, of 104 bytes each: what few connections need is stored by the part that
/// needs it.
struct Session {
    /// The address of the client.
    let address: PeerAddress
    /// Parses its bytes.
    var codec = ClientCodec()
    /// The kind of place that it has.
    var place: Place
    /// The encoding in which it receives messages.
    var encoding = Encoding.text
    /// Whether it has sent no line yet; lines before a token in a reserved place do not count.
    var isSilent = true
    /// Whether it has a reserved place, and must prove a token.
    var isOnTrial: Bool
    /// What it has proved to be the auctioneer of.
    var rights = Rights.none
    /// Whether it was greeted, and receives news.
    var isAdmitted = false
    /// Whether a check for a line that takes too long is scheduled.
    var isLineChecked = false
    /// The maximum bytes of the replies since its output was last known to be sent.
    var unconfirmed: Int32 = 0
    /// The room that it is in, or will be in once it is greeted.
    var room = RoomID.main
    /// When the incomplete line began, if there is one; before the first line, when it connected.
    var lineSince: Instant
    /// The lines that it may send.
    var lines = TokenBucket()
    private var storedName: StoredName?

    /// The name of a connection, and the token with which it can prove it.
    struct Name: Sendable {
        /// The name as its owner has first written it.
        let bidder: Bidder
        /// The token, kept as long as the connection, because the server has only its hash.
        let token: Token
    }

    /// Its name; nil if it has none.
    var name: Name? {
        get {
            guard case .name(let name)? = storedName else { return nil }
            return name
        }
        set { storedName = newValue.map { .name($0) } }
    }

    /// Its name without the token; nil if it has none.
    var bidder: Bidder? {
        guard case .name(let name)? = storedName else { return nil }
        return name.bidder
    }

    /// A name on the heap: most sessions of a large crowd have none, and store 8 bytes, not 41.
    private indirect enum StoredName {
        case name(Name)
    }

    /// What a connection is the auctioneer of; the raw values are sent to other nodes.
    enum Rights: String {
        /// Nothing.
        case none = "-"
        /// The room that it is in, until it leaves it.
        case room
        /// Whatever room it is in, and the server.
        case server = "auctioneer"
    }

    /// The kind of place of a connection.
    enum Place {
        /// One of `Limits.connections`.
        case regular
        /// One of `Limits.reserve` that is not for the Unix socket alone.
        case reserved
        /// One of `Limits.reserve` that is for the Unix socket alone.
        case local
    }

    /// Creates the session of a new connection in a place.
    ///
    /// A client in a reserved place must prove a token, unless it uses the Unix socket.
    init(from address: PeerAddress, in place: Place, at now: Instant) {
        (self.address, self.place, lineSince) = (address, place, now)
        isOnTrial = place == .reserved && address != .local
    }
}

/// The connection that sent a request, as it was then, and the tag that the answer repeats.
struct Sender {
    /// The connection.
    let id: SessionID
    /// The tag; nil if the request has none.
    let tag: String?
    /// Where the connection comes from.
    let address: PeerAddress
    /// Its name; nil if it has none.
    var bidder: Bidder?
    /// The room that it is in.
    var room: RoomID
    /// The encoding in which it receives messages.
    let encoding: Encoding
    /// What it has proved to be the auctioneer of.
    let rights: Session.Rights

    /// Describes a connection.
    init(_ id: SessionID, _ session: borrowing Session, tag: String? = nil) {
        (self.id, self.tag, address, bidder) = (id, tag, session.address, session.bidder)
        (room, encoding, rights) = (session.room, session.encoding, session.rights)
    }
}

/// The sessions by their identifiers, in slots that stay where they are.
///
/// The slots are in chunks, so that growing copies no session and reserves little memory.
struct SessionTable {
    /// Where a session is stored, until it is removed.
    struct Slot {
        fileprivate let index: Int32
        /// The number of sessions that had been removed when it was found.
        fileprivate let removals: UInt32
    }

    private static let chunkSize = 64
    /// The content of a free slot.
    private static let vacant = Session(
        from: .local, in: .regular, at: Instant(nanoseconds: 0))

    private var slots: [SessionID: Int32] = [:]
    private var chunks: [[Session]] = []
    private var freeSlots: [Int32] = []
    /// The number of sessions that were removed so far; it wraps around.
    private var removals: UInt32 = 0

    /// The number of sessions.
    var count: Int { slots.count }

    /// The identifiers, in any order.
    var ids: some Collection<SessionID> { slots.keys }

    /// The slot of a session; nil if there is none.
    func slot(of id: SessionID) -> Slot? { slots[id].map { Slot(index: $0, removals: removals) } }

    /// Whether the session is still there.
    func contains(_ id: SessionID) -> Bool { slots[id] != nil }

    /// Whether the session found in a slot is still there; searches only if one was removed.
    func contains(_ id: SessionID, in slot: Slot) -> Bool {
        slot.removals == removals || contains(id)
    }

    /// Whether the session that was found in a slot is in another room than this one.
    func hasLeft(_ room: RoomID, _ id: SessionID, at slot: Slot) -> Bool {
        contains(id, in: slot) && self[slot].room != room
    }

    /// The session in a slot that was not removed.
    subscript(slot: Slot) -> Session {
        _read {
            let index = Int(slot.index)
            yield chunks[index / Self.chunkSize][index % Self.chunkSize]
        }
        _modify {
            let index = Int(slot.index)
            yield &chunks[index / Self.chunkSize][index % Self.chunkSize]
        }
    }

    /// The sender of a request on the connection in a slot.
    func sender(_ id: SessionID, at slot: Slot, tag: String? = nil) -> Sender {
        let (chunk, place) = Int(slot.index).quotientAndRemainder(dividingBy: Self.chunkSize)
        return Sender(id, chunks[chunk][place], tag: tag)
    }

    /// The session with this identifier; nil if there is none.
    subscript(id: SessionID) -> Session? {
        slot(of: id).map { self[$0] }
    }

    /// Adds a session.
    ///
    /// - Precondition: No session has this identifier.
    mutating func insert(_ session: Session, for id: SessionID) {
        let index = freeSlots.popLast() ?? newSlot()
        self[Slot(index: index, removals: removals)] = session
        let former = slots.updateValue(index, forKey: id)
        precondition(former == nil, "a connection joins once")
    }

    /// Removes and returns a session; nil if there is none.
    mutating func remove(_ id: SessionID) -> Session? {
        guard let slot = slot(of: id) else { return nil }
        slots[id] = nil
        removals &+= 1
        freeSlots.append(slot.index)
        let session = self[slot]
        self[slot] = Self.vacant
        return session
    }

    /// Removes all sessions.
    mutating func removeAll() {
        let former = removals
        self = SessionTable()
        removals = former &+ 1
    }

    private mutating func newSlot() -> Int32 {
        let index = slots.count + freeSlots.count
        if index / Self.chunkSize == chunks.count {
            chunks.append([Session](repeating: Self.vacant, count: Self.chunkSize))
        }
        return Int32(index)
    }
}
