import Auction
import Wire

/// What a lobby has decided and its owner has not taken yet, in order.
///
/// The parts of a lobby append to it; each call receives it `inout`.
struct Outputs {
    /// The most effects for which memory is reserved in advance.
    private static let reservedEffects = 16_384

    private var effects: [Effect] = []
    /// The room to which the next entry of the log belongs unless it says otherwise.
    private var loggedRoom: RoomID?
    private var sessionEvents: [SessionEvent] = []
    private var limitsReached: [LimitReached: Int] = [:]
    /// What was counted.
    var figures = LobbyFigures()
    /// The figures of each room that count only when its newest lot has ended.
    private var secretFigures: [RoomID: LobbyFigures] = [:]
    /// The room of a secret command that is executed.
    private var secretRoom: RoomID?
    /// The bytes of lines that are not complete, which are not counted yet.
    private var partBytes: [SessionID: Int] = [:]
    /// The time of day of what is recorded.
    var clock: TimeOfDay
    /// The maximum number of bytes that these replies may have.
    private(set) var replyBytes = 0
    /// The connections whose news is held back during a long answer.
    private var holding: Set<SessionID> = []
    /// Those of them for which a private line was left out.
    private var withheld: Set<SessionID> = []
    /// The value of `replyBytes` from which on input of the current connection is not handled.
    var replyLimit = 0

    /// The number of effects that were not taken yet.
    var effectCount: Int { effects.count }

    /// The number of replies so far.
    private(set) var replyCount = 0

    // Secret commands

    /// Counts what follows when the lot of a room has ended, until `endSecret`.
    mutating func beginSecret(in room: RoomID) {
        swap(&figures, &secretFigures[room, default: LobbyFigures()])
        secretRoom = room
    }

    /// Ends what `beginSecret` has begun.
    mutating func endSecret() {
        guard let room = secretRoom.take() else { return }
        swap(&figures, &secretFigures[room, default: LobbyFigures()])
    }

    /// Counts bytes of a connection, and the earlier bytes of the same line.
    ///
    /// An incomplete line may become a secret bid, so it is counted when it is complete. The bytes
    /// of secret commands are counted when the lot of their room has ended.
    mutating func countReceived(
        bytes: Int, of id: SessionID, isUnfinished: Bool, secretIn room: RoomID?
    ) {
        let bytes = bytes + (partBytes.isEmpty ? 0 : partBytes.removeValue(forKey: id) ?? 0)
        if isUnfinished, room == nil {
            partBytes[id] = bytes
            return
        }
        if let room {
            secretFigures[room, default: LobbyFigures()].receivedBytes += bytes
        } else {
            figures.receivedBytes += bytes
        }
    }

    /// Counts what was secret in a room, whose lot has ended.
    mutating func reveal(in room: RoomID) {
        if secretRoom == room { endSecret() }
        if let secret = secretFigures.removeValue(forKey: room) { figures.add(secret) }
    }

    // The log

    /// Begins with a log whose next entry belongs to a room; nil if that room is not known.
    init(loggedRoom: RoomID?, clock: TimeOfDay) {
        (self.loggedRoom, self.clock) = (loggedRoom, clock)
    }

    /// Makes the next entries of the log belong to a room.
    @inline(__always)
    mutating func enter(_ room: RoomID, _ name: @autoclosure () -> RoomName) {
        if room != loggedRoom { write(.room(name()), of: room) }
    }

    /// Writes a record to the log, after which the next entries belong to a room.
    mutating func write(_ record: Record, of room: RoomID) {
        effects.append(.log(record))
        loggedRoom = room
    }

    /// Notes that a segment of the log has begun, after whose state entries belong to `main`.
    mutating func beginSegment() {
        precondition(effects.isEmpty, "what was decided is in the segment before")
        loggedRoom = .main
    }

    /// The bytes of the journal that are charged for the effects from an index on.
    func journalBytes(since first: Int) -> Int {
        effects[first...].reduce(0) { $0 + $1.journalBytes }
    }

    // Effects

    /// Appends an effect that is not a reply.
    mutating func perform(_ effect: Effect) {
        effects.append(effect)
    }

    /// Sends one connection a line that is not news.
    mutating func reply(_ message: ServerMessage, to id: SessionID) {
        countReply(bytes: Limits.answerLineBytes)
        effects.append(.reply(message, to: id))
    }

    /// Sends news to a connection that missed it, with the time of the event if it is known.
    mutating func replay(_ message: ServerMessage, seq: Int, time: Int64?, to id: SessionID) {
        countReply(bytes: Limits.answerLineBytes)
        effects.append(.replay(message, seq: seq, time: time, to: id))
    }

    /// Sends one connection what follows from news for its bidder alone.
    ///
    /// It keeps its place after that news: while news is held back it is left out, and
    /// `takeWithheld` returns true after the news was released.
    mutating func replyPrivately(_ message: ServerMessage, to id: SessionID) {
        if !holding.isEmpty, holding.contains(id) {
            withheld.insert(id)
        } else {
            tell(message, to: id)
        }
    }

    /// Sends one connection what its bidder alone may know, which is not counted.
    ///
    /// The number of such lines may tell that there is a secret bid.
    mutating func tell(_ message: ServerMessage, to id: SessionID) {
        replyCount += 1
        replyBytes += Limits.answerLineBytes
        effects.append(.reply(message, to: id))
    }

    /// Stops sending news to a connection during a long answer.
    mutating func holdNews(of id: SessionID) {
        effects.append(.holdNews(id))
        holding.insert(id)
    }

    /// Resumes sending news to a connection.
    mutating func releaseNews(of id: SessionID) {
        effects.append(.releaseNews(id))
        holding.remove(id)
    }

    /// Whether private lines were left out for a connection, since this was last asked.
    mutating func takeWithheld(_ id: SessionID) -> Bool {
        !withheld.isEmpty && withheld.remove(id) != nil
    }

    /// Forgets a connection that has ended.
    mutating func remove(_ id: SessionID) {
        if !partBytes.isEmpty { partBytes[id] = nil }
        guard !holding.isEmpty || !withheld.isEmpty else { return }
        holding.remove(id)
        withheld.remove(id)
    }

    /// Answers a command with an error.
    mutating func refuse(_ error: ErrorReply, tag: String?, to id: SessionID) {
        figures.errors.add(error.code.rawValue)
        reply(.error(error, tag: tag), to: id)
    }

    /// Answers a bid with an error.
    mutating func refuseBid(_ error: ErrorReply, tag: String?, to id: SessionID) {
        figures.bidsRefused.add(error.code.rawValue)
        refuse(error, tag: tag, to: id)
    }

    /// Confirms a bid, a purchase or a maximum, in a line that is shorter than other replies.
    mutating func confirmOffer(
        _ answer: Answer, tag: String?, to id: SessionID, as encoding: Encoding
    ) {
        figures.bidsAccepted += 1
        countReply(bytes: (tag?.utf8.count ?? 0) + (encoding == .text ? 32 : 192))
        effects.append(.reply(.ok(answer, tag: tag), to: id))
    }

    /// Sends a line of a snapshot to one connection: news that still holds, with its number.
    mutating func restate(_ message: ServerMessage, seq: Int, to id: SessionID) {
        countReply(bytes: Limits.answerLineBytes)
        effects.append(.restate(message, seq: seq, to: id))
    }

    /// Sends one connection bytes that are no line of the protocol.
    mutating func send(_ bytes: [UInt8], to id: SessionID) {
        countReply(bytes: bytes.count)
        effects.append(.send(bytes, to: id))
    }

    /// Sends one connection the metrics of the server.
    mutating func sendMetrics(_ request: MetricsRequest, to id: SessionID) {
        countReply(bytes: Limits.metricsBytes)
        effects.append(.sendMetrics(request, to: id))
    }

    private mutating func countReply(bytes: Int) {
        figures.replies += 1
        replyCount += 1
        replyBytes += bytes
    }

    // The server's log

    /// Records what a connection did.
    mutating func note(
        _ kind: SessionEvent.Kind, of id: SessionID, _ session: Session, in room: RoomName
    ) {
        sessionEvents.append(
            SessionEvent(kind, of: id, from: session.address, bidder: session.bidder, room: room))
    }

    /// Counts that a limit refused or closed something.
    mutating func note(_ limit: LimitReached) {
        limitsReached[limit, default: 0] += 1
    }

    // Taking

    /// Removes and returns the effects, in order.
    mutating func takeEffects() -> [Effect] {
        if effects.isEmpty { return [] }
        let taken = effects
        effects = []
        // The next step is likely to have as many.
        effects.reserveCapacity(min(taken.count, Self.reservedEffects))
        return taken
    }

    /// Removes and returns what connections did, in order.
    mutating func takeSessionEvents() -> [SessionEvent] {
        if sessionEvents.isEmpty { return [] }
        defer { sessionEvents = [] }
        return sessionEvents
    }

    /// Removes and returns how often each limit was reached.
    mutating func takeLimitsReached() -> [LimitReached: Int] {
        if limitsReached.isEmpty { return [:] }
        defer { limitsReached.removeAll(keepingCapacity: true) }
        return limitsReached
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
