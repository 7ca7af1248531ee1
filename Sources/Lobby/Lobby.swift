import Addresses
import AuctionRules
import Queues
import Sale
import Web
import Wire

/// The server's rules: connections, names, rooms, and what each client sends and receives.
///
/// All of the server's behaviour, without input or output. Connections, bytes and time come in;
/// `Effect`s come out, in the one order in which they are to be performed. The caller gives the
/// lobby everything that has arrived before it lets time `expire`, so that a bid received before
/// the hammer is in time.
public struct Lobby {
    /// The number of lines of an answer that are charged as one line of the client.
    private static let linesPerCharge = 10

    @Indirect private var limits: Limits
    private let codecOptions: ClientCodec.Options
    private var commands: CommandHandler
    private var sessions = SessionTable()
    private var admission: Admission
    private var rates: RateLimits
    private var outputs: Outputs
    private var pageVisitors = PageVisitors()
    /// The connections that were not greeted yet, by when their greeting is due.
    private var greetings = TimerQueue<SessionID, Instant>()
    /// The connections with an incomplete line, by when it is too old.
    private var lineChecks = TimerQueue<SessionID, Instant>()
    /// The latest instant that was given.
    ///
    /// - Invariant: Never decreases.
    private var latest: Instant
    private var hasShutDown = false

    /// Whether the auctioneer has stopped the server, which must shut down.
    public private(set) var isStopped = false

    /// Opens the first lot of `main`, or continues the rooms that were recovered from their log.
    ///
    /// An open lot with a leader gets its full seconds again. No owner of a name is present, and a
    /// name without a bid is free again. `timeOfDay` is the time of `now` in milliseconds since
    /// 1970; names age while the server is down. `serverID` is the identity of a new server, and
    /// `settings` are the purses and values of `main`. Pages of `origins` may connect, besides those
    /// of the server itself.
    public init(
        rules: Rules, catalogue: Catalogue = Catalogue(),
        settings: GameSettings = GameSettings(), limits: Limits = Limits(),
        origins: [String] = [], resuming recovered: ServerReplay? = nil, at now: Instant,
        timeOfDay: Int64 = 0,
        serverID: Identity = Lobby.randomIdentity(),
        makeToken: @escaping () -> Token = Lobby.randomToken
    ) {
        self.limits = limits
        codecOptions = ClientCodec.Options(lineBytes: limits.lineBytes, origins: origins)
        (latest, admission, rates) = (now, Admission(limits), RateLimits(limits))
        // If the log ended in another room, the next entry names its own.
        let isMainLogged = recovered.map { $0.loggedRoom == .main } ?? true
        outputs = Outputs(
            loggedRoom: isMainLogged ? .main : nil,
            clock: TimeOfDay(at: now, timeOfDay: timeOfDay))
        commands = CommandHandler(
            limits, rules: rules, pause: catalogue.pause, makeToken: makeToken)
        commands.openMain(
            recovered?.main, catalogue, serverID: serverID, settings, at: now, &outputs)
        for room in recovered?.rooms ?? [] { commands.reopen(room, at: now, &outputs) }
    }

    /// Draws a token from the system's random generator.
    public static func randomToken() -> Token {
        var generator = SystemRandomNumberGenerator()
        return Token(using: &generator)
    }

    /// Draws the identity of a server from the system's random generator.
    public static func randomIdentity() -> Identity {
        var generator = SystemRandomNumberGenerator()
        return Identity(using: &generator)
    }

    // Time

    /// Sets what the clock shows at an instant, in milliseconds since 1970.
    ///
    /// The log records this time. Kicks and the ages of names follow the time of the start.
    public mutating func setTimeOfDay(_ timeOfDay: Int64, at now: Instant) {
        outputs.clock.set(timeOfDay, at: now)
    }

    /// When `expire` is next due; nil if only input can change anything.
    public var deadline: Instant? {
        guard !hasShutDown else { return nil }
        let sessions = Instant.earliest(greetings.deadline, lineChecks.deadline)
        return Instant.earliest(commands.deadline, sessions)
    }

    /// Does what is due.
    ///
    /// This is the countdown, the hammer, the next lot, greetings, absences, and the end of
    /// connections whose line takes too long.
    ///
    /// All input that reached the server before `handledUntil` must have been given to the lobby.
    /// Does only what was due by then, with the current time. Nil means now. `isHandled` returns
    /// whether all bytes that have arrived from a connection were given to the lobby: a line is not
    /// too old if its end waits to be read.
    public mutating func expire(
        at now: Instant, handledUntil: Instant? = nil,
        isHandled: (SessionID) -> Bool = { _ in true }
    ) {
        guard !hasShutDown else { return }
        let now = advance(to: now)
        let handledUntil = min(handledUntil ?? now, now)
        while let id = greetings.popDue(at: handledUntil) { greetWhenDue(id, at: now) }
        expireLines(at: handledUntil, isHandled)
        rates.forget(at: now)
        commands.expire(at: now, handledUntil: handledUntil, &rates, &outputs)
    }

    /// Notes that the news of a room up to this number was published.
    ///
    /// A countdown runs from the time when its beginning is published, however long that had to
    /// wait for a disk.
    public mutating func published(in room: RoomID = .main, upTo seq: Int, at now: Instant) {
        commands.published(in: room, upTo: seq, at: advance(to: now), &outputs)
    }

    /// Moves the lobby's time to an instant, and returns the time then, which never decreases.
    @discardableResult
    private mutating func advance(to now: Instant) -> Instant {
        latest = max(latest, now)
        return latest
    }

    /// Closes the connections whose line has been incomplete for too long.
    ///
    /// Not if our own backpressure caused the wait.
    private mutating func expireLines(at now: Instant, _ isHandled: (SessionID) -> Bool) {
        guard let time = limits.lineTime else { return }
        while let id = lineChecks.popDue(at: now) {
            guard let slot = sessions.slot(of: id) else { continue }
            let due = sessions[slot].lineSince.advanced(
                by: sessions[slot].codec.incompleteTime(time))
            if !sessions[slot].codec.isUnfinished {
                sessions[slot].isLineChecked = false
            } else if due > now {
                lineChecks.insert(id, due: due)
            } else if sessions[slot].codec.isSkippingLine || isHandled(id) {
                close(id, .idle, at: now)
            } else {
                lineChecks.insert(id, due: now.advanced(by: time))
            }
        }
    }

    // Connections

    /// Adds a new connection, or refuses it; it is greeted after its first line, or a moment later.
    public mutating func join(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        guard !hasShutDown else { return outputs.perform(.close(id, .shutdown)) }
        let now = advance(to: now)
        rates.forget(at: now)
        if let (error, limit) = rates.refusal(from: address, at: now) {
            return refuse(id, error, limit)
        }
        let place: Session.Place
        switch admission.decide(address, among: sessions, at: now) {
        case .admit(let free): place = free
        case .replace(let silent):
            guard let session = sessions[silent] else { return }
            place = session.place
            outputs.note(.silent)
            if !session.isAdmitted, session.codec.allowsGreeting {
                outputs.refuse(.full, tag: nil, to: silent)
            }
            close(silent, .full, at: now)
        case .refuse: return refuse(id, .full, .full)
        }
        rates.add(address, at: now)
        sessions.insert(Session(from: address, in: place, at: now), for: id)
        admission.add(id, place, among: sessions, at: now)
        greetings.insert(id, due: now.advanced(by: limits.greetingDelay))
    }

    /// Refuses a new connection.
    private mutating func refuse(_ id: SessionID, _ error: ErrorReply, _ limit: LimitReached) {
        outputs.note(limit)
        outputs.refuse(error, tag: nil, to: id)
        outputs.perform(.close(id, .full))
    }

    /// Handles bytes from a connection; bytes of one that has ended are dropped.
    ///
    /// If bytes were not taken, pass them again after the pending output was sent, as requested by
    /// `confirm`, and not before `due`. If the connection must wait and all bytes were taken, call
    /// it without bytes in the same way. So at most `Limits.answerLines` replies wait for a
    /// connection. `isConfirmed` is true if everything was sent.
    public mutating func receive(
        _ bytes: Span<UInt8>, from id: SessionID, at now: Instant, isConfirmed: Bool = false
    ) -> Received {
        let now = advance(to: now)
        let all = Received(count: bytes.count, mustWait: false)
        guard let slot = sessions.slot(of: id) else { return all }
        let bytesBefore = outputs.replyBytes
        if isConfirmed { sessions[slot].unconfirmed = 0 }
        outputs.replyLimit =
            bytesBefore + limits.answerBytes - Int(sessions[slot].unconfirmed)
        guard continueAnswer(to: id, at: now) else { return Received(count: 0, mustWait: true) }
        guard sessions.contains(id, in: slot) else { return all }
        let allowance = rates.allowance(of: id, sessions[slot], at: now)
        var (lineCount, isUpgraded) = (0, false)
        var codec = takeCodec(at: slot)
        let (endedBefore, wasUnfinished) = (codec.lineCount, codec.isUnfinished)
        let taken = codec.receive(
            bytes, codecOptions, from: sessions[slot].address,
            hasRoom: { commands.room(named: $0) != nil },
            while: {
                lineCount < allowance && outputs.replyBytes < outputs.replyLimit
                    && !commands.isAnswering(id)
            }
        ) { input in
            lineCount += 1
            if case .upgrade = input { isUpgraded = true }
            handle(input, from: id, at: slot, now)
        }
        let hasEnded =
            codec.isHTTP ? lineCount > 0 : isUpgraded || codec.lineCount != endedBefore
        let isLineNew = !wasUnfinished || hasEnded
        // The session may have ended while its input was handled.
        guard sessions.contains(id, in: slot) else { return all }
        swap(&codec, &sessions[slot].codec)
        rates.spendLines(lineCount, of: id, &sessions[slot], at: now)
        sessions[slot].unconfirmed += Int32(clamping: outputs.replyBytes - bytesBefore)
        checkLine(of: id, at: slot, isNew: isLineNew, now)
        if taken < bytes.count { rates.reserveLines(of: id, sessions[slot], at: now) }
        let isFull = outputs.replyBytes >= outputs.replyLimit
        return Received(
            count: taken, mustWait: taken < bytes.count || isFull || commands.isAnswering(id))
    }

    /// The result of giving bytes to a connection.
    public struct Received: Equatable, Sendable {
        /// The number of bytes that were taken.
        public let count: Int
        /// Whether the connection's output must be sent before more is read from it.
        ///
        /// True if not all bytes were taken, an answer is incomplete, or too many replies wait.
        public let mustWait: Bool
    }

    /// When the rest of a connection's input may be given again; nil for at once.
    ///
    /// To be asked if `receive` has not taken all bytes.
    public func due(of id: SessionID, at now: Instant) -> Instant? {
        sessions.slot(of: id)
            .flatMap { rates.due(of: id, sessions[$0], at: max(latest, now)) }
    }

    /// Requests a report with this number when the connection's pending output has been sent.
    public mutating func askToConfirm(_ id: SessionID, number: Int) {
        outputs.perform(.confirm(id, number: number))
    }

    /// Handles the end of a connection's input: an incomplete last line counts as a line.
    ///
    /// The connection ends, unless `isAnswering` is true: then it ends when `receive` completes the
    /// answer.
    public mutating func end(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id) else { return }
        let now = advance(to: now)
        outputs.replyLimit = outputs.replyBytes + limits.answerBytes
        var codec = takeCodec(at: slot)
        codec.finish(codecOptions) { input in handle(input, from: id, at: slot, now) }
        guard sessions.contains(id, in: slot) else { return }
        swap(&codec, &sessions[slot].codec)
        greetUnlessHTTP(id, at: now)
        if !commands.endAfterAnswer(to: id) { close(id, .end, at: now) }
    }

    /// Removes a connection that is gone and can be sent nothing.
    public mutating func leave(
        _ id: SessionID, because reason: SessionEvent.Reason = .reset, at now: Instant
    ) {
        let now = advance(to: now)
        guard let session = remove(id, because: reason, at: now), let bidder = session.bidder
        else { return }
        commands.release(bidder, by: id, &rates, at: now, &outputs)
    }

    /// Sends a snapshot to a connection that fell behind the news, after its current answer.
    public mutating func resync(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id) else { return }
        let (bidder, room) = (sessions[slot].bidder, sessions[slot].room)
        commands.resync(id, of: bidder, in: room, at: advance(to: now), &outputs)
    }

    /// Closes all connections because the server ends; no time passes in the lobby after that.
    public mutating func shutDown(at now: Instant) {
        let now = advance(to: now)
        for id in sessions.ids.sorted(by: { $0.rawValue < $1.rawValue }) {
            greetUnlessHTTP(id, at: now)
        }
        closeAll(.shutdown, at: now)
    }

    /// Closes all connections because the log failed.
    ///
    /// Nothing that happened is sent any more, and no snapshot of it.
    public mutating func abandon() {
        closeAll(.journal, at: latest)
    }

    /// Greets a connection, or delays that while its client may be about to speak HTTP.
    private mutating func greetWhenDue(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id) else { return }
        let joined = sessions[slot].lineSince
        let latest = joined.advanced(by: PageVisitors.greetingDelay)
        if !sessions[slot].codec.allowsGreeting {
            guard !sessions[slot].codec.isHTTP else { return }
            greetings.insert(id, due: now.advanced(by: PageVisitors.greetingDelay))
        } else if sessions[slot].codec.isEmpty, now < latest,
            pageVisitors.mayInclude(sessions[slot].address, joinedAt: joined)
        {
            greetings.insert(id, due: latest)
        } else {
            greetUnlessHTTP(id, at: now)
        }
    }

    /// Greets a connection unless its client speaks HTTP, or may be about to.
    private mutating func greetUnlessHTTP(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id), sessions[slot].codec.allowsGreeting else { return }
        sessions[slot].codec.expectLines(codecOptions)
        greet(id, at: now)
    }

    /// Greets a new connection with the snapshot, once.
    private mutating func greet(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id), !sessions[slot].isAdmitted else { return }
        sessions[slot].isAdmitted = true
        commands.enter(sessions[slot].room, on: id, at: now, &outputs)
    }

    /// Closes a connection, after sending its pending output and the reason.
    private mutating func close(
        _ id: SessionID, _ reason: ServerMessage.CloseReason, at now: Instant
    ) {
        commands.breakOffAnswer(to: id, &outputs)
        if let response = sessions[id]?.codec.lastResponse(reason) {
            return close(id, because: .closed(reason), with: response, at: now)
        }
        leave(id, because: .closed(reason), at: now)
        outputs.perform(.close(id, reason))
    }

    /// Closes a connection whose name another one has taken over.
    private mutating func replace(_ id: SessionID, at now: Instant) {
        commands.breakOffAnswer(to: id, &outputs)
        _ = remove(id, because: .closed(.replaced), at: now)
        outputs.perform(.close(id, .replaced))
    }

    private mutating func closeAll(_ reason: ServerMessage.CloseReason, at now: Instant) {
        for id in sessions.ids.sorted(by: { $0.rawValue < $1.rawValue }) {
            commands.breakOffAnswer(to: id, &outputs)
            guard let session = sessions[id] else { continue }
            note(.left(.closed(reason)), of: id, session)
            let response = session.codec.lastResponse(reason)
            if let response, !response.isEmpty { outputs.send(response, to: id) }
            outputs.perform(.close(id, response == nil ? reason : nil))
        }
        sessions.removeAll()
        hasShutDown = true
    }

    private mutating func remove(
        _ id: SessionID, because reason: SessionEvent.Reason, at now: Instant
    ) -> Session? {
        guard let session = sessions.remove(id) else { return nil }
        commands.removeAnswer(to: id)
        outputs.remove(id)
        admission.remove(id, session)
        note(.left(reason), of: id, session)
        rates.remove(id, session, at: now)
        if session.isAdmitted { commands.leave(session.room, at: now) }
        return session
    }

    private mutating func note(_ kind: SessionEvent.Kind, of id: SessionID, _ session: Session) {
        outputs.note(kind, of: id, session, in: commands.name(of: session.room))
    }

    // Input

    /// Takes the codec out of its session, so that it is changed in place while input is handled.
    private mutating func takeCodec(at slot: SessionTable.Slot) -> ClientCodec {
        var codec = ClientCodec()
        swap(&codec, &sessions[slot].codec)
        return codec
    }

    /// Schedules the check of an incomplete line.
    private mutating func checkLine(
        of id: SessionID, at slot: SessionTable.Slot, isNew: Bool, _ now: Instant
    ) {
        guard let time = limits.lineTime, sessions[slot].codec.isUnfinished else { return }
        if isNew { sessions[slot].lineSince = now }
        guard !sessions[slot].isLineChecked else { return }
        sessions[slot].isLineChecked = true
        lineChecks.insert(id, due: now.advanced(by: sessions[slot].codec.firstCheck(time)))
    }

    /// Handles what a client sent; input after the end of its session is dropped.
    private mutating func handle(
        _ input: ClientCodec.Input, from id: SessionID, at slot: SessionTable.Slot, _ now: Instant
    ) {
        guard sessions.contains(id, in: slot) else { return }
        switch input {
        case .line(let input): handle(input, from: id, at: slot, now)
        case .upgrade(let response, let room):
            outputs.send(response, to: id)
            sessions[slot].room = commands.room(named: room) ?? .main
            sessions[slot].encoding = .webSocket
            outputs.perform(.use(.webSocket, for: id))
            greet(id, at: now)
        case .http(let response, let opensPage, let isLast):
            if opensPage { pageVisitors.note(sessions[slot].address, at: now) }
            // A reserved place is for one response: its next connection may prove a token.
            let isLast = isLast || sessions[slot].isOnTrial
            respond(response, isLast: isLast, to: id, at: now)
        case .metrics(let request):
            let isLast = !request.keepsAlive || sessions[slot].isOnTrial
            sendMetrics(request, isLast: isLast, to: id, at: now)
        case .webSocketEnd(let closing):
            commands.breakOffAnswer(to: id, &outputs)
            close(id, because: .closed(.end), with: closing, at: now)
        }
    }

    /// Sends the response to an HTTP request, which is charged as a long answer.
    private mutating func respond(
        _ response: [UInt8], isLast: Bool, to id: SessionID, at now: Instant
    ) {
        chargeAnswer(response.count / Limits.answerLineBytes, to: id, at: now)
        guard isLast else { return outputs.send(response, to: id) }
        close(id, because: .http, with: response, at: now)
    }

    private mutating func sendMetrics(
        _ request: MetricsRequest, isLast: Bool, to id: SessionID, at now: Instant
    ) {
        chargeAnswer(Limits.metricsBytes / Limits.answerLineBytes, to: id, at: now)
        outputs.sendMetrics(request, to: id)
        if isLast { close(id, because: .http, with: [], at: now) }
    }

    private mutating func handle(
        _ input: LineCodec.Input, from id: SessionID, at slot: SessionTable.Slot, _ now: Instant
    ) {
        switch input {
        case .request(let request): handle(request, from: id, at: slot, now)
        case .invalid(let error):
            if !sessions[slot].isOnTrial { sessions[slot].isSilent = false }
            refuseLine(ErrorReply(error.reason), tag: error.tag, from: id, at: slot, now)
        case .tooLong:
            sessions[slot].isSilent = false
            refuseLine(.lineTooLong(limit: limits.lineBytes), tag: nil, from: id, at: slot, now)
        case .negotiation(let answer): outputs.send(answer, to: id)
        case .filler: break
        case .foreign(let other): refuse(other, id, at: now)
        }
    }

    private mutating func handle(
        _ request: Request?, from id: SessionID, at slot: SessionTable.Slot, _ now: Instant
    ) {
        let isOnTrial = sessions[slot].isOnTrial
        if isOnTrial {
            let isProof = commands.proves(request, sessions[slot])
            guard admission.allows(request, isProof: isProof, of: id, &sessions[slot]) else {
                return endTrial(of: id, tag: request?.tag, at: now)
            }
        } else {
            sessions[slot].isSilent = false
        }
        if !sessions[slot].isAdmitted { greet(id, at: now) }
        execute(request, of: id, at: slot, now)
        guard isOnTrial, let slot = sessions.slot(of: id), sessions[slot].isOnTrial,
            !admission.keeps(id, &sessions[slot], after: request)
        else { return }
        outputs.note(.full)
        close(id, .full, at: now)
    }

    /// Closes a connection in a reserved place that sent anything but a token.
    private mutating func endTrial(of id: SessionID, tag: String?, at now: Instant) {
        outputs.note(.full)
        outputs.refuse(.full, tag: tag, to: id)
        close(id, .full, at: now)
    }

    /// Answers a line that is no request.
    private mutating func refuseLine(
        _ error: ErrorReply, tag: String?, from id: SessionID, at slot: SessionTable.Slot,
        _ now: Instant
    ) {
        guard !sessions[slot].isOnTrial else { return endTrial(of: id, tag: tag, at: now) }
        greet(id, at: now)
        outputs.refuse(error, tag: tag, to: id)
    }

    /// Closes the connection of a client of another protocol, with a response in that protocol.
    private mutating func refuse(
        _ other: LineCodec.ForeignProtocol, _ id: SessionID, at now: Instant
    ) {
        switch other {
        case .http: close(id, because: .http, with: other.response, at: now)
        case .tls:
            outputs.note(.tls)
            close(id, because: .tls, with: other.response, at: now)
        }
    }

    /// Closes a connection after its pending output and these bytes, without `BYE`.
    private mutating func close(
        _ id: SessionID, because reason: SessionEvent.Reason, with bytes: [UInt8], at now: Instant
    ) {
        leave(id, because: reason, at: now)
        if !bytes.isEmpty { outputs.send(bytes, to: id) }
        outputs.perform(.close(id, nil))
    }

    // Commands

    /// Executes a request, if there is one, and answers it with exactly one `OK` or `ERROR`.
    private mutating func execute(
        _ request: Request?, of id: SessionID, at slot: SessionTable.Slot, _ now: Instant
    ) {
        if case .bid(let price)? = request?.command {
            // Before all others, because reading these in place makes a bid cheaper.
            let (bidder, room, encoding) = sessions.bidderRoomAndEncoding(in: slot)
            outputs.figures.commands += 1
            return commands.bid(
                price, tag: request?.tag, by: bidder, on: id, in: room, as: encoding, at: now,
                &outputs)
        }
        guard let request else { return }
        outputs.figures.commands += 1
        let outcome = commands.execute(
            request, of: id, &sessions[slot], &rates, at: now, &outputs)
        switch outcome {
        case .answered: break
        case .answering: continueAnswer(to: id, at: now)
        case .changeEncoding(let encoding):
            sessions[slot].encoding = encoding
            outputs.perform(.use(encoding, for: id))
        case .close(let id, let reason): close(id, reason, at: now)
        case .replace(let former): replace(former, at: now)
        case .stop:
            isStopped = true
            shutDown(at: now)
        }
    }

    // Long answers

    /// The number of lines of long answers that may still be sent in this step.
    ///
    /// The owner sets it at the beginning of each step.
    public var answerBudget: Int {
        get { commands.answerBudget }
        set { commands.answerBudget = newValue }
    }

    /// Whether an answer to a connection is incomplete; until it is complete, nothing is read.
    public func isAnswering(_ id: SessionID) -> Bool { commands.isAnswering(id) }

    /// Sends the next part of the answer to a connection; false if it is still incomplete.
    @discardableResult
    private mutating func continueAnswer(to id: SessionID, at now: Instant) -> Bool {
        guard commands.isAnswering(id), let slot = sessions.slot(of: id) else { return true }
        let (bidder, room, _) = sessions.bidderRoomAndEncoding(in: slot)
        switch commands.continueAnswer(to: id, of: bidder, in: room, at: now, &outputs) {
        case .none: return true
        case .incomplete(let lines):
            chargeAnswer(lines, to: id, at: now)
            return false
        case .complete(let answer, let lines):
            chargeAnswer(lines, to: id, at: now)
            if answer.needsSnapshot { resync(id, at: now) }
            if answer.isLast { close(id, .end, at: now) }
            return true
        }
    }

    private mutating func chargeAnswer(_ lines: Int, to id: SessionID, at now: Instant) {
        let charge = lines / Self.linesPerCharge
        guard charge > 0, let slot = sessions.slot(of: id) else { return }
        rates.spendLines(charge, of: id, &sessions[slot], at: now)
    }
}

// What the owner reads and removes.
extension Lobby {
    /// Removes and returns the effects since the last call, in order.
    public mutating func takeEffects() -> [Effect] {
        commands.schedule()
        return outputs.takeEffects()
    }

    /// Removes and returns what connections did since the last call, in order.
    public mutating func takeSessionEvents() -> [SessionEvent] { outputs.takeSessionEvents() }

    /// Removes and returns how often each limit was reached since the last call.
    public mutating func takeLimitsReached() -> [LimitReached: Int] { outputs.takeLimitsReached() }

    /// The number of effects that were not taken yet.
    public var effectCount: Int { outputs.effectCount }

    /// What was counted since the lobby was created.
    public var figures: LobbyFigures { outputs.figures }

    /// The bytes that the state of a connection takes, without what is stored of its input.
    package static let sessionBytes = MemoryLayout<Session>.stride

    /// The number of replies so far.
    package var replyCount: Int { outputs.replyCount }

    /// The number of lines that the connection's own rate allows now.
    package func availableLines(of id: SessionID, at now: Instant) -> Int {
        sessions.slot(of: id).map { rates.ownAllowance(of: sessions[$0], at: now) } ?? .max
    }

    /// The number of addresses and wider networks with counters.
    package var knownAddressCount: Int { rates.knownAddressCount }

    /// The number of timers of rooms, with those that are out of date.
    package var roomTimerCount: Int { commands.timerCount }

    /// The auctioneer's token; nil if nobody can be the auctioneer.
    ///
    /// Changing the token revokes every auctioneer but those of single rooms.
    public var auctioneerToken: AuctioneerToken? {
        get { commands.auctioneerToken }
        set {
            guard newValue != commands.auctioneerToken else { return }
            commands.auctioneerToken = newValue
            for id in sessions.ids {
                guard let slot = sessions.slot(of: id), sessions[slot].rights == .server else {
                    continue
                }
                sessions[slot].rights = .none
            }
        }
    }

    /// Whether the auctioneer's token is accepted on the Unix socket alone.
    public var isAuctioneerLocal: Bool {
        get { commands.isAuctioneerLocal }
        set { commands.isAuctioneerLocal = newValue }
    }

    /// Begins a segment of the log, and returns the lines from which all rooms can continue.
    ///
    /// `number` is that of the event which a line restates, if it restates one.
    ///
    /// - Precondition: All effects were taken.
    public mutating func beginSegment() -> [(record: Record, number: Int?)] {
        outputs.beginSegment()
        return state
    }

    /// The lines from which all rooms can continue.
    package var state: [(record: Record, number: Int?)] { commands.state }

    /// The sale that ended the newest lot of `main`, while no other is open.
    public var newestSale: SoldLot? {
        commands.read(.main) {
            if case .sold(let sold) = $0.live.sale.result?.outcome { sold } else { nil }
        }
    }

    /// The identity of the server, the same for as long as its log is kept.
    public var serverID: Identity? { commands.serverID }

    /// Whether every lot of the catalogue of `main` has ended.
    public var isOver: Bool { commands.read(.main) { $0.live.isOver } }

    /// The titles of the next lots of `main`, in order; nil if the lots never end.
    public var titlesAhead: [String]? { commands.read(.main) { $0.live.titlesAhead } }

    /// The current state of `main` in brief; O(1).
    public var status: SaleStatus { commands.read(.main) { SaleStatus($0.live.sale) } }

    /// The state of each room, `main` first; O(n log n).
    public var rooms: [RoomStatus] { commands.statuses }
}
