import Auction
import Basics
import Wire

/// The room that connections enter, the sale that is followed there, and the keys of own rooms.
struct RoomEntry {
    /// A greeting, as it was received.
    typealias Received = (message: ServerMessage, greeting: Greeting)

    /// The room that this connection and later ones enter.
    private(set) var room: RoomName
    /// The first greeting of a connection that passes through its room, until `join` is answered.
    private var passed: Received?
    /// The greeting of the sale whose news is followed.
    private var sale: Greeting?
    /// Why the room or the sale differs from that of the last connection.
    private var loss: String?
    /// The keys of the rooms that the user opened.
    private var keys: [RoomName: String] = [:]

    init(to room: RoomName) {
        self.room = room
    }

    /// The identity of the sale's server; nil if its greeting has none.
    var serverID: Identity? { sale?.serverID }

    /// Whether the connection is only passing through a room, of which nothing is shown.
    var isPassing: Bool { passed != nil }

    /// Begins to pass through the room of a first greeting; false if that is the wanted room.
    mutating func pass(_ received: Received) -> Bool {
        guard passed == nil, received.greeting.room != room else { return false }
        passed = received
        return true
    }

    /// Stays in the room of the first greeting; nil if no room was ever entered.
    mutating func stay(because error: ErrorReply) -> Received? {
        guard sale != nil, let passed else { return nil }
        let reason = error.code == .noRoom ? "has ended" : "cannot be joined: \(error.reason)"
        loss = "room \(room) \(reason); you are in \(passed.greeting.room), rooms lists all"
        return passed
    }

    /// Enters the room of a greeting, and returns whether it is that of the sale before.
    mutating func arrive(with greeting: Greeting) -> Bool {
        let former = sale
        (room, passed, sale) = (greeting.room, nil, greeting)
        guard let former else { return false }
        if former.serverID == greeting.serverID, former.room == greeting.room,
            former.sale != greeting.sale
        {
            loss = "room \(room) had ended and was opened again"
        }
        return greeting.serverID != nil && former.isOfSameSale(as: greeting)
    }

    /// Forgets the first greeting of a connection that has ended.
    mutating func disconnect() {
        passed = nil
    }

    /// Removes and returns the reason, in plain words, why the room or the sale has changed.
    mutating func takeLoss() -> String? { loss.take() }

    /// The key of the room; nil if the user did not open it.
    var key: String? { keys[room] }

    /// Stores the key of a room, or removes it if it is nil.
    mutating func keep(_ key: String?, of room: RoomName) {
        keys[room] = key
    }
}

/// The claim of a bidder to its name: the token that proves it, on one server at a time.
package struct NameClaim {
    /// What follows from a refusal of the name.
    enum Verdict { case again, later, never }

    /// The state of the name on this connection.
    private enum State: Equatable {
        case unrequested, requested, taken
        /// The name will be requested again at this time.
        case waiting(until: Instant)
    }

    /// The time after which the server has surely noticed that an old connection is lost.
    private static let doubtTime = Duration.seconds(120)

    /// The name that the client has, or requests.
    package private(set) var bidder: Bidder
    /// The other names to try in order if the name is taken.
    private var others: ArraySlice<Bidder>
    /// Returns the stored token of the name on a server.
    private let storedToken: (Identity?) -> String?
    /// The token, and its server; nil before the first greeting.
    private var proof: (serverID: Identity?, token: String?)?
    private var state = State.unrequested
    /// Until when our own old connection may still own the name, because its answer was lost.
    private var doubtEnd: Instant?

    /// Makes a claim; `storedToken` returns the stored token of the name on a server.
    package init(
        of bidder: Bidder, orOneOf others: [Bidder] = [],
        storedToken: @escaping (Identity?) -> String? = { _ in nil }
    ) {
        (self.bidder, self.others) = (bidder, others[...])
        self.storedToken = storedToken
    }

    /// Whether the server has given the name on this connection.
    var isTaken: Bool { state == .taken }

    /// When to request the name again; nil unless it was refused temporarily.
    var due: Instant? { if case .waiting(let until) = state { until } else { nil } }

    /// Records that a new connection begins, on which the name is not requested yet.
    mutating func connect() {
        state = .unrequested
    }

    /// Records that the connection has ended.
    ///
    /// If the answer to a request was lost, the server may have given us the name with a token that
    /// we do not know.
    mutating func disconnect(at now: Instant) {
        if state == .requested, proof?.token == nil {
            doubtEnd = now.advanced(by: Self.doubtTime)
        }
        state = .unrequested
    }

    /// Makes the request for the name in all rooms; nil if this connection has sent it.
    mutating func request(on serverID: Identity?) -> Request.Command? {
        guard state == .unrequested else { return nil }
        state = .requested
        let token =
            if let proof, proof.serverID == serverID { proof.token } else { storedToken(serverID) }
        proof = (serverID, token)
        return .name(bidder, token: token)
    }

    /// Records the token with which the server gave the name.
    mutating func accept(_ name: Bidder, token: String) {
        (bidder, state, doubtEnd) = (name, .taken, nil)
        proof?.token = token
    }

    /// Decides what follows from a refusal.
    ///
    /// It is temporary after too many requests, or if our own old connection has the name.
    mutating func follow(_ refusal: ErrorReply, at now: Instant) -> Verdict {
        switch refusal.code {
        case .slowDown:
            let seconds = refusal.facts.first { $0.name == "seconds" }?.value ?? 1
            state = .waiting(until: now.advanced(by: .seconds(max(seconds, 1))))
            return .later
        case .nameTaken where doubtEnd.map { now < $0 } ?? false:
            state = .waiting(until: now.advanced(by: .seconds(1)))
            return .later
        case .nameTaken, .wrongToken:
            guard let next = others.popFirst() else { return .never }
            (bidder, proof, state) = (next, nil, .unrequested)
            return .again
        default: return .never
        }
    }

    /// Ends the wait if it is over; returns whether to request the name again now.
    mutating func endWait(at now: Instant) -> Bool {
        guard let due, now >= due else { return false }
        state = .unrequested
        return true
    }
}

/// What the server says about a message: its number, its time, whether it is a repetition.
package struct NewsStamp: Equatable, Sendable {
    /// The number of the event; nil if it is unknown.
    package var number: Int?
    /// Whether a snapshot repeats the message, so that it is no new event.
    package var isSnapshot: Bool
    /// When it was sent, since 1970 by the server's clock; nil if that is unknown.
    package var time: Duration?
    /// Whether it was missed, and is sent again after a reconnect.
    package var isReplay = false

    package init(number: Int? = nil, isSnapshot: Bool = false, time: Duration? = nil) {
        (self.number, self.isSnapshot, self.time) = (number, isSnapshot, time)
    }

    /// The stamp of a line of JSON; reads the time only of lines that are placed by it.
    init(_ stamped: StampedMessage) {
        number = stamped.number
        isSnapshot = stamped.isSnapshot
        if case .bidPlaced? = stamped.message.event { return }
        if case .secondsLeft? = stamped.message.event { return }
        time = stamped.millisecondsSince1970.map { .milliseconds($0) }
    }
}

/// The numbers of the news of one room, so that none is used twice.
package struct NewsSequence: Equatable, Sendable {
    /// The number of the newest event; nil before the first one.
    package private(set) var newest: Int?
    /// Whether missed news was requested, and its end has not arrived.
    package var isResuming = false

    package init() {}

    /// Whether to use a message; a snapshot never counts as used before.
    ///
    /// While missed news is requested, only the next number is used: the server sends any higher
    /// one again, after what comes before it.
    package mutating func accept(_ stamp: NewsStamp) -> Bool {
        guard let number = stamp.number else { return true }
        let known = newest ?? 0
        if stamp.isSnapshot {
            if !isResuming { newest = max(known, number) }
            return !isResuming
        }
        guard isResuming ? number == known + 1 : number > known else { return false }
        newest = number
        return true
    }
}
