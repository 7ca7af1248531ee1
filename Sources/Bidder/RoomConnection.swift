import Auction
import Basics
import Wire

/// A connection to a room, without I/O, which reconnects after each failure.
///
/// It enters the room, loads the state of the sale or the news that was missed, takes the name, and
/// detects a server that is silent. The owner passes it lines and the time, and handles what
/// `takeEvents` returns. `Context` is what the owner stores with a request.
package struct RoomConnection<Context> {
    /// Whom a connection serves.
    package enum Owner {
        /// A person, who may change rooms: the connection tries for ever, and stays in the main
        /// room if the last room is gone.
        case person
        /// A program: the connection ends after a minute without a server, or if its room is gone.
        case program
    }

    /// Something that the owner must handle.
    package enum Event {
        /// An effect to carry out: to connect, disconnect, send a line or keep a token.
        case effect(ClientEffect)
        /// The connection has entered its room with this greeting; `isKnown` if its sale is known.
        case arrived(ServerMessage, isKnown: Bool)
        /// News, each event once and in order.
        case news(ServerMessage, NewsStamp)
        /// News arrives as it happens from now on; the followed sale continues if `isResumed`.
        case live(isResumed: Bool)
        /// Missed news is no longer on the server; the sale is loaded anew.
        case missedNews
        /// The connection or the attempt has failed.
        case lost
        /// The answer to a request, with its data.
        case answered(Answer, data: [ServerMessage], Context)
        /// A request has failed.
        case failed(ClientError, Context)
        /// Something that the user should read, in plain words.
        case notice(String)
        /// The end, because the room or the name is refused.
        case refused(String)
        /// The end, because the server does not want this client any more.
        case removed(String)
        /// The end, because there is no server.
        case unreachable(String)
    }

    /// What a request is for.
    private enum Purpose {
        case format, name, snapshot, resume, ping, join
        case proof(RoomName)
        case request(Context)
    }

    /// The time in which the server must answer.
    private static var answerTimeout: Duration { .seconds(5) }

    /// The newest attempt to connect, which ends with the greeting of the room.
    package private(set) var attempt = LoadState()
    /// Whether the news arrives as it happens.
    package private(set) var isLive = false
    /// The number of lines that could not be parsed.
    package private(set) var unreadableLines = 0

    private let owner: Owner
    private var claim: NameClaim?
    private var entry: RoomEntry
    private var reconnection: Reconnection
    private var silence = SilenceWatch()
    private var pipeline = RequestPipeline<(purpose: Purpose, sent: Instant)>()
    /// The numbers of the news of the sale that is followed.
    private var sequence = NewsSequence()
    /// Whether a whole snapshot of the sale was received, so that news alone keeps it up to date.
    private var hasSnapshot = false
    private var events: [Event] = []
    private var lastTag = 0
    /// The earliest time from which timeouts count.
    private var timeoutsStart = Instant.distantPast
    /// The reason of the auctioneer for kicking the bidder.
    private var kickReason: String?

    /// Makes a connection that is not connected yet; without a claim it takes no name.
    package init(
        to room: RoomName, claim: NameClaim?, owner: Owner, backoff: Backoff
    ) {
        (self.claim, self.owner) = (claim, owner)
        entry = RoomEntry(to: room)
        reconnection = Reconnection(isEndless: owner == .person, backoff: backoff)
    }

    /// The name; nil for an observer.
    package var bidder: Bidder? { claim?.bidder }

    /// Whether it has ended for good.
    package var hasEnded: Bool { reconnection.isClosed }

    /// When the next attempt to connect begins; nil if none is scheduled.
    package var retryAt: Instant? { reconnection.retryAt }

    /// Whether there is a connection, though maybe none in the room yet.
    package var isConnected: Bool { reconnection.isConnected }

    /// Whether the server has given the name, and no answer is due.
    package var isIdle: Bool { isConnected && claim?.isTaken != false && pipeline.count == 0 }

    /// Removes and returns what the owner must handle, in order.
    package mutating func takeEvents() -> [Event] {
        defer { events.removeAll() }
        return events
    }
}

// MARK: - Connecting

extension RoomConnection {
    /// Begins the first attempt to connect.
    package mutating func begin() {
        attempt.isLoading = true
        events.append(.effect(.connect))
    }

    /// Begins the scheduled attempt now; does nothing unless one is scheduled.
    package mutating func retryNow(at now: Instant) {
        if reconnection.beginRetry(at: now, isHurried: true) { begin() }
    }

    /// Handles what has happened on the connection, or how the attempt to connect has ended.
    package mutating func receive(_ event: ServerConnection.Event, at now: Instant) {
        switch event {
        case .connected:
            reconnection.connect()
            claim?.connect()
            send(.format(.json), .format, at: now)
        case .unreachable(let error): lose(.lost(error.reason), at: now)
        case .line(let text): receive(text, at: now)
        case .lost: lose(.lost("the server closed the connection"), at: now)
        }
    }

    /// Ends for good.
    package mutating func close() {
        reconnection.close()
        events.append(.effect(.disconnect))
    }

    /// Restarts all timeouts at a time before which the process could not receive.
    package mutating func restartTimeouts(at now: Instant) {
        timeoutsStart = now
        silence.restart(at: now)
    }

    /// When to call `wake` at the latest; nil if nothing is due without the server.
    package var deadline: Instant? {
        guard isConnected else { return retryAt }
        let deadlines = [answerDeadline, silence.deadline, silence.pingDue, claim?.due]
        return deadlines.compactMap { $0 }.min()
    }

    private var answerDeadline: Instant? {
        pipeline.contexts.first.map {
            max($0.sent, timeoutsStart).advanced(by: Self.answerTimeout)
        }
    }

    /// Does what is due.
    package mutating func wake(at now: Instant) {
        if reconnection.beginRetry(at: now) { begin() }
        guard isConnected else { return }
        if let answerDeadline, now >= answerDeadline {
            return giveUp(.lost("the server does not answer"), at: now)
        }
        if let deadline = silence.deadline, now >= deadline {
            return giveUp(.lost("the server is silent"), at: now)
        }
        if let pingDue = silence.pingDue, now >= pingDue {
            silence.noteLine(at: now)
            send(.ping, .ping, at: now)
        }
        if claim?.endWait(at: now) == true { takeName(at: now) }
    }

    /// Ends the connection because of an error that the server or the client found.
    private mutating func giveUp(_ error: ClientError, at now: Instant) {
        events.append(.effect(.disconnect))
        lose(error, at: now)
    }

    /// Ends the connection or the attempt, and schedules the next attempt.
    ///
    /// Ignores further errors before the next attempt, such as the end of the stream after `BYE`.
    private mutating func lose(_ error: ClientError, at now: Instant) {
        guard !hasEnded, retryAt == nil else { return }
        isLive = false
        events.append(.lost)
        silence = SilenceWatch()
        entry.disconnect()
        claim?.disconnect(at: now)
        failRequests(error)
        let isRetried = reconnection.retry(at: now)
        attempt = LoadState(lastError: error.reason)
        if !isRetried { end(.unreachable("cannot reach the server: \(error.reason)")) }
    }

    /// Fails all requests.
    private mutating func failRequests(_ error: ClientError) {
        for request in pipeline.contexts {
            if case .request(let context) = request.purpose {
                events.append(.failed(error, context))
            }
        }
        pipeline = RequestPipeline()
    }

    private mutating func end(_ event: Event) {
        reconnection.close()
        events.append(event)
    }
}

// MARK: - Requests and lines

extension RoomConnection {
    /// Sends a request of the owner.
    package mutating func request(
        _ command: Request.Command, _ context: Context, at now: Instant
    ) {
        guard isConnected else {
            return events.append(.failed(.lost("not connected"), context))
        }
        send(command, .request(context), at: now)
    }

    private mutating func send(_ command: Request.Command, _ purpose: Purpose, at now: Instant) {
        lastTag += 1
        let tag = "\(lastTag)"
        pipeline.add((purpose, now), tag: tag)
        events.append(.effect(.send(Request(command, tag: tag).description)))
    }

    /// Handles a line of the server, without its line end.
    private mutating func receive(_ text: String, at now: Instant) {
        guard isConnected else { return }
        silence.noteLine(at: now)
        let format = pipeline.format
        let (line, event) = pipeline.receive(text)
        switch event {
        case .greeting(let greeting):
            if let message = line.message { greet((message, greeting), at: now) }
        case .news: receiveNews(line, format, at: now)
        case .data: break
        case .answered(let answer, let data, let request):
            if let request { finish(request.purpose, answer, data, at: now) }
        // An error without a tag, as from a full server, is about the connection.
        case .refused(let error, nil, _): giveUp(.refused(error), at: now)
        case .refused(let error, _, let request):
            if let request { fail(request.purpose, error, at: now) }
        case .closing(let reason): handle(reason, at: now)
        }
    }

    /// Ignores news before the format is JSON, because `status` repeats the snapshot.
    private mutating func receiveNews(_ line: ReceivedLine, _ format: Format, at now: Instant) {
        switch (format, line.message) {
        case (.text, nil): giveUp(.lost("this is no auction/1 server: \(line.text)"), at: now)
        case (.text, _): break
        case (.json, nil): unreadableLines += 1
        case (.json, let message?): receive(message, line.stamp, at: now)
        }
    }

    private mutating func receive(_ message: ServerMessage, _ stamp: NewsStamp, at now: Instant) {
        if let event = message.event { silence.follow(event, at: now) }
        guard !entry.isPassing, sequence.accept(stamp) else { return }
        var stamp = stamp
        stamp.isReplay = sequence.isResuming
        if case .skipped = message { hasSnapshot = false }
        if case .state = message, stamp.isSnapshot { hasSnapshot = true }
        if case .bidderKicked(let kicked, let reason) = message.event, kicked == bidder {
            kickReason = reason
        }
        events.append(.news(message, stamp))
    }

    private mutating func finish(
        _ purpose: Purpose, _ answer: Answer, _ data: [ReceivedLine], at now: Instant
    ) {
        switch purpose {
        case .format:
            if !silence.isWatching { giveUp(.lost("the server does not greet"), at: now) }
        case .snapshot: goLive(isResumed: false, at: now)
        case .resume:
            sequence.isResuming = false
            goLive(isResumed: true, at: now)
        case .name:
            guard case .name(let bidder, let token) = answer else { return }
            claim?.accept(bidder, token: token)
            let serverID = entry.serverID
            events.append(.effect(.keep(token: token, of: bidder, on: serverID)))
        case .ping, .join, .proof: break
        case .request(let context):
            events.append(.answered(answer, data: data.compactMap(\.message), context))
        }
    }

    private mutating func fail(_ purpose: Purpose, _ error: ErrorReply, at now: Instant) {
        switch purpose {
        case .format, .snapshot: giveUp(.refused(error), at: now)
        case .join: failToEnter(error, at: now)
        case .resume:
            events.append(.missedNews)
            load(at: now)
        case .name: failToTakeName(error, at: now)
        case .proof(let room): entry.keep(nil, of: room)
        case .ping: break
        case .request(let context): events.append(.failed(.refused(error), context))
        }
    }

    private mutating func handle(_ reason: ServerMessage.CloseReason, at now: Instant) {
        let error = ClientError.closed(reason)
        guard reason.exitCode == .refused else { return giveUp(error, at: now) }
        end(.removed(error.reason + (kickReason.map { ": \($0)" } ?? "")))
    }
}

// MARK: - The room and the name

extension RoomConnection {
    /// Handles the greeting of a room, which on a new connection may not be the one to be in.
    private mutating func greet(_ received: RoomEntry.Received, at now: Instant) {
        silence.begin(at: now)
        if attempt.isLoading, entry.pass(received) {
            send(.join(entry.room), .join, at: now)
        } else {
            arrive(with: received, at: now)
        }
    }

    /// Ends if no room was ever entered, else follows the sale of the greeting.
    private mutating func failToEnter(_ error: ErrorReply, at now: Instant) {
        guard error.code != .slowDown else { return giveUp(.refused(error), at: now) }
        guard owner == .person, let received = entry.stay(because: error) else {
            return end(.refused(error.complaint(about: entry.room)))
        }
        arrive(with: received, at: now)
    }

    /// Follows the news of the room in which the connection is now, and takes the name.
    ///
    /// If the sale is known, the news goes on from where it was lost, else from now on. The name
    /// comes last, because what only the bidder may know is about the newest lot.
    private mutating func arrive(with received: RoomEntry.Received, at now: Instant) {
        let isKnown = entry.arrive(with: received.greeting)
        attempt = LoadState()
        events.append(.arrived(received.message, isKnown: isKnown))
        if isKnown, hasSnapshot, let number = sequence.newest {
            sequence.isResuming = true
            send(.resume(after: number), .resume, at: now)
        } else {
            load(at: now)
        }
        takeName(at: now)
        if let key = entry.key { prove(key, of: entry.room, at: now) }
    }

    /// Requests the snapshot of the sale, of which nothing is known.
    private mutating func load(at now: Instant) {
        (sequence, hasSnapshot) = (NewsSequence(), false)
        send(.status, .snapshot, at: now)
    }

    private mutating func goLive(isResumed: Bool, at now: Instant) {
        reconnection.noteAnswer(at: now)
        (isLive, hasSnapshot) = (true, true)
        events.append(.live(isResumed: isResumed))
        if let loss = entry.takeLoss() { events.append(.notice(loss)) }
    }

    /// Stores the key of the room that the user opened, and becomes its auctioneer.
    package mutating func keep(_ key: String, of room: RoomName, at now: Instant) {
        entry.keep(key, of: room)
        if room == entry.room { prove(key, of: room, at: now) }
    }

    /// Becomes the auctioneer, unless the room with this name is another one now.
    private mutating func prove(_ key: String, of room: RoomName, at now: Instant) {
        send(.auctioneer(token: key), .proof(room), at: now)
    }

    /// Takes the name with its token on this server, unless this connection has requested it.
    private mutating func takeName(at now: Instant) {
        guard let command = claim?.request(on: entry.serverID) else { return }
        send(command, .name, at: now)
    }

    /// Handles the refusal of the name: tries again later, tries another name, or ends.
    private mutating func failToTakeName(_ error: ErrorReply, at now: Instant) {
        guard let bidder, let verdict = claim?.follow(error, at: now) else { return }
        switch verdict {
        case .again: takeName(at: now)
        case .later: events.append(.notice(error.reason))
        case .never: end(.refused("\(bidder) cannot play: \(error.reason)"))
        }
    }
}

/// The state of a load, whose error is shown beside the last result.
package struct LoadState: Equatable, Sendable {
    /// Whether a load is under way.
    package var isLoading: Bool
    /// Why the newest load failed; nil once one has succeeded.
    package var lastError: String?

    package init(isLoading: Bool = false, lastError: String? = nil) {
        self.isLoading = isLoading
        self.lastError = lastError
    }
}
