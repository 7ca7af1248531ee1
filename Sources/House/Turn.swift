import Auction
import Basics
import Wire

/// The context of a step: the time, the effects so far, the metrics and the usage counters.
///
/// It is one value, passed `inout` to each function that decides something. The metrics and the
/// usage counters are kept from step to step.
struct Turn {
    /// The most effects for which memory is reserved in advance.
    private static let reservedEffects = 16_384

    /// The instant of the step.
    ///
    /// - Invariant: Never decreases.
    private(set) var now: Instant
    /// All input that arrived until this instant is handled, so that what was due then is done.
    private(set) var handledUntil: Instant
    /// The time of day of what is recorded.
    private(set) var clock: TimeOfDay
    /// What connections, names and addresses have used.
    var rates: RateLimits

    private var effects: [Effect] = []
    /// The effects that depend on nothing in the journal.
    private var urgent: [Effect] = []
    /// The room to which the next entry of the journal belongs unless it says otherwise.
    private(set) var journalRoom: RoomID?
    private var sessionEvents: [SessionEvent] = []
    private var limitsReached: [LimitReached: Int] = [:]
    /// What was counted.
    var metrics = LobbyMetrics()
    /// The metrics of each room that count only when its newest lot has ended.
    private var secretMetrics: [RoomID: LobbyMetrics] = [:]
    /// The room of a secret command that is executed.
    private var secretRoom: RoomID?
    /// The room of the newest secret command in the input that is handled; nil if none was secret.
    private(set) var secretInput: RoomID?
    /// The bytes of lines that are not complete, which are not counted yet.
    private var partBytes: [SessionID: Int] = [:]
    /// The connections whose news is held back during a long answer.
    private var holding: Set<SessionID> = []
    /// Those of them for which a private line was left out.
    private var withheld: Set<SessionID> = []
    /// The connection whose input is handled.
    private var current: SessionID?
    /// An upper bound of the bytes of the replies so far, each to the then current connection.
    private(set) var replyBytes = 0
    /// The number of replies so far.
    private(set) var replyCount = 0
    /// The value of `replyBytes` from which on input of the current connection is not handled.
    private(set) var replyLimit = 0

    /// Begins with a journal whose next entry belongs to a room; nil if that room is not known.
    init(_ limits: Limits, journalRoom: RoomID?, at now: Instant, timeOfDay: Int64) {
        (self.now, handledUntil, rates) = (now, now, RateLimits(limits))
        self.journalRoom = journalRoom
        clock = TimeOfDay(at: now, timeOfDay: timeOfDay)
    }

    // Time

    /// Moves on to an instant, unless it is in the past.
    mutating func advance(to instant: Instant) {
        now = max(now, instant)
    }

    /// Notes until when all input is handled; nil for the present.
    mutating func noteHandled(until instant: Instant?) {
        handledUntil = min(instant ?? now, now)
    }

    /// Sets what the clock shows at an instant, in milliseconds since 1970.
    mutating func setClock(_ timeOfDay: Int64, at instant: Instant) {
        clock.set(timeOfDay, at: instant)
    }

    // Commands

    /// Counts this command, and what follows, when the lot of a room has ended, until `endSecret`.
    mutating func beginSecret(in room: RoomID) {
        metrics.commands -= 1
        swap(&metrics, &secretMetrics[room, default: LobbyMetrics()])
        metrics.commands += 1
        (secretRoom, secretInput) = (room, room)
    }

    /// Ends what `beginSecret` has begun, if it has.
    mutating func endSecret() {
        guard let room = secretRoom.take() else { return }
        swap(&metrics, &secretMetrics[room, default: LobbyMetrics()])
    }

    /// Counts bytes of a connection, and the earlier bytes of the same line.
    ///
    /// An incomplete line may become a secret bid, so it is counted when it is complete. Bytes read
    /// with a secret command are counted when the lot of its room has ended.
    mutating func countReceived(bytes: Int, of id: SessionID, isUnfinished: Bool) {
        let bytes = bytes + (partBytes.isEmpty ? 0 : partBytes.removeValue(forKey: id) ?? 0)
        if let room = secretInput.take() {
            secretMetrics[room, default: LobbyMetrics()].receivedBytes += bytes
        } else if isUnfinished {
            partBytes[id] = bytes
        } else {
            metrics.receivedBytes += bytes
        }
    }

    /// Counts what was secret in a room, whose lot has ended; returns the number of accepted bids.
    @discardableResult
    mutating func reveal(in room: RoomID) -> Int {
        if secretRoom == room { endSecret() }
        guard let secret = secretMetrics.removeValue(forKey: room) else { return 0 }
        metrics.add(secret)
        return secret.bidsAccepted
    }

    // The journal

    /// Notes that a room has ended, in which nobody is.
    mutating func endRoom(_ id: RoomID, _ name: RoomName) {
        write(.roomEnded(name), of: .main)
        forgetRoom(id)
    }

    /// Notes that a room has ended which another node owned, and which nobody follows any more.
    mutating func forgetRoom(_ id: RoomID) {
        effects.append(.endRoom(id))
        reveal(in: id)
        if secretInput == id { secretInput = nil }
    }

    /// Makes the next entries of the journal belong to a room.
    mutating func enter(_ room: RoomID, _ name: @autoclosure () -> RoomName) {
        if room != journalRoom { write(.room(name()), of: room) }
    }

    /// Writes a record to the journal, after which the next entries belong to a room.
    mutating func write(_ record: Record, of room: RoomID) {
        effects.append(.journalRoom(record))
        journalRoom = room
    }

    /// Notes that a segment of the journal has begun, after whose state entries belong to `main`.
    mutating func beginSegment() {
        precondition(effects.isEmpty, "what was decided is in the segment before")
        journalRoom = .main
    }

    /// The bytes of the journal that are charged for the effects from an index on.
    func journalBytes(since first: Int) -> Int {
        effects[first...].reduce(0) { $0 + $1.journalBytes }
    }

    // Effects

    /// The number of effects that were not taken yet.
    var effectCount: Int { effects.count }

    /// Begins with the input of a connection, and sets how many bytes the replies to it may have.
    mutating func limitReplies(to id: SessionID, bytes: Int) {
        (current, replyLimit) = (id, replyBytes + bytes)
    }

    /// Appends an effect that is not a reply.
    mutating func emit(_ effect: Effect) {
        effects.append(effect)
    }

    /// Sends one connection a line that is not news.
    mutating func reply(_ message: ServerMessage, to id: SessionID) {
        countReply(bytes: message.chargedBytes, to: id)
        effects.append(.reply(message, to: id))
    }

    /// Sends news to a connection that missed it, with the time of the event if it is known.
    mutating func replay(_ message: ServerMessage, seq: Int, time: Int64?, to id: SessionID) {
        countReply(bytes: message.chargedBytes, to: id)
        effects.append(.replay(message, seq: seq, time: time, to: id))
    }

    /// Sends one connection what follows from news for its bidder alone.
    ///
    /// It keeps its place after that news: while news is held back it is left out, and
    /// `takeWithheld` returns true after the news was released.
    mutating func replyPrivately(_ message: ServerMessage, to id: SessionID) {
        if holdsNews(of: id) {
            withheld.insert(id)
        } else {
            tell(message, to: id)
        }
    }

    /// Sends one connection what its bidder alone may know, which is not counted.
    ///
    /// The number of such lines could reveal a secret bid. Lines to other bidders are charged to
    /// nobody, like news: they do not wait on the connection of the bidder who causes them.
    mutating func tell(_ message: ServerMessage, to id: SessionID) {
        charge(bytes: message.chargedBytes, to: id)
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

    /// Whether news is held back from a connection.
    func holdsNews(of id: SessionID) -> Bool { !holding.isEmpty && holding.contains(id) }

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

    /// Answers a request that was executed.
    mutating func accept(_ answer: Answer, to sender: Sender) {
        reply(.ok(answer, tag: sender.tag), to: sender.id)
    }

    /// Answers a request with an error.
    mutating func refuse(_ error: ErrorReply, to sender: Sender) {
        refuse(error, tag: sender.tag, to: sender.id)
    }

    /// Sends a connection an error; the tag is that of its line, if it has one.
    mutating func refuse(_ error: ErrorReply, tag: String? = nil, to id: SessionID) {
        metrics.errors.add(error.code.rawValue)
        reply(.error(error, tag: tag), to: id)
    }

    /// Answers a request with an error that depends on nothing in the journal.
    mutating func refuseAtOnce(_ error: ErrorReply, to sender: Sender) {
        metrics.errors.add(error.code.rawValue)
        emitAtOnce(.reply(.error(error, tag: sender.tag), to: sender.id))
    }

    /// Appends an effect that depends on nothing in the journal.
    mutating func emitAtOnce(_ effect: Effect) {
        urgent.append(effect)
    }

    /// Removes and returns the effects that depend on nothing in the journal.
    mutating func takeUrgent() -> [Effect] {
        if urgent.isEmpty { return [] }
        defer { urgent = [] }
        return urgent
    }

    /// Answers a bid with an error.
    mutating func refuseBid(_ error: ErrorReply, to sender: Sender) {
        metrics.bidsRefused.add(error.code.rawValue)
        refuse(error, to: sender)
    }

    /// Answers an accepted bid, purchase or maximum, in a line that is shorter than other replies.
    mutating func acceptBid(_ answer: Answer, verb: String, to sender: Sender) {
        metrics.bidsByCommand.add(verb)
        countReply(
            bytes: (sender.tag?.utf8.count ?? 0) + (sender.encoding == .text ? 32 : 192),
            to: sender.id)
        effects.append(.reply(.ok(answer, tag: sender.tag), to: sender.id))
    }

    /// Answers a wrong token with this error, or with `slow-down` after too many from an address.
    ///
    /// A right token is accepted even then: 128 bits cannot be guessed, and wrong guesses must not
    /// lock out the owner.
    mutating func refuseToken(_ error: ErrorReply, to sender: Sender) {
        if let seconds = rates.chargeWrongToken(from: sender.id, sender.address, at: now) {
            note(.wrongTokens)
            refuse(.tooManyTokens(seconds: seconds), to: sender)
        } else {
            refuse(error, to: sender)
        }
    }

    /// Sends a line of a snapshot to one connection: news that still holds, with its number.
    mutating func restate(_ message: ServerMessage, seq: Int, to id: SessionID) {
        countReply(bytes: message.chargedBytes, to: id)
        effects.append(.restate(message, seq: seq, to: id))
    }

    /// Sends one connection bytes that are no line of the protocol.
    mutating func send(_ bytes: [UInt8], to id: SessionID) {
        countReply(bytes: bytes.count, to: id)
        effects.append(.send(bytes, to: id))
    }

    /// Sends one connection a report of the server, which is charged as this number of bytes.
    mutating func sendReport(_ request: ReportRequest, bytes: Int, to id: SessionID) {
        countReply(bytes: bytes, to: id)
        effects.append(.sendReport(request, to: id))
    }

    private mutating func countReply(bytes: Int, to id: SessionID) {
        metrics.replies += 1
        charge(bytes: bytes, to: id)
    }

    /// Charges a line to the current connection, unless it is for another one.
    private mutating func charge(bytes: Int, to id: SessionID) {
        guard id == current else { return }
        replyCount += 1
        replyBytes += bytes
    }

    // The server's log

    /// Records what a connection did.
    mutating func note(_ kind: SessionEvent.Kind, of sender: Sender, in room: RoomName) {
        sessionEvents.append(SessionEvent(kind, of: sender, in: room))
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

extension ServerMessage {
    /// The bytes that are charged for its line in either encoding; a state has no more.
    fileprivate var chargedBytes: Int {
        var members = 0
        if case .state(let state) = self { members = state.count }
        if case .you(let state) = self { members = state.count }
        return max(members + Limits.stateFrameBytes, Limits.answerLineBytes)
    }
}

/// The time of day, counted from instants at which it was known.
struct TimeOfDay {
    /// An instant, and the time of day at it in milliseconds since 1970.
    private typealias Reading = (instant: Instant, timeOfDay: Int64)

    private let start: Reading
    private var latest: Reading

    init(at now: Instant, timeOfDay: Int64) {
        start = (now, Self.clamped(timeOfDay))
        latest = start
    }

    mutating func set(_ timeOfDay: Int64, at now: Instant) {
        latest = (now, Self.clamped(timeOfDay))
    }

    /// The time of day counted from the start.
    ///
    /// It ignores changes of the system's clock, so that no change ends a kick.
    func sinceStart(at now: Instant) -> Int64 { Self.time(at: now, after: start) }

    /// The time of day counted from the newest reading.
    func current(at now: Instant) -> Int64 { Self.time(at: now, after: latest) }

    /// The earlier of the two.
    ///
    /// Names have the current time at which they were used, so their ages count from this one: no
    /// change of the clock makes a name look older than it is.
    func earliest(at now: Instant) -> Int64 { min(sinceStart(at: now), current(at: now)) }

    /// The nearest time from 1970 to 9999, the years that the log can have.
    private static func clamped(_ timeOfDay: Int64) -> Int64 {
        min(max(timeOfDay, UTCTime.bounds.lowerBound), UTCTime.bounds.upperBound)
    }

    private static func time(at now: Instant, after reading: Reading) -> Int64 {
        let elapsed = now.nanoseconds - reading.instant.nanoseconds
        return max(reading.timeOfDay + elapsed / 1_000_000, 0)
    }
}
