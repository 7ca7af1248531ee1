import Auction
import Basics
import Web
import Wire

/// The connections of a server, their names and their rooms: what each client sends and receives.
///
/// Connections, bytes and time come in; `Effect`s come out, in the order in which the caller must
/// perform them. The caller gives the lobby everything that has arrived before it lets time
/// `expire`, so that a bid received before the hammer is in time.
public struct Lobby {
    /// The number of lines of an answer that are charged as one line of the client.
    private static let linesPerCharge = 10

    /// What a server is opened with.
    public struct Options {
        /// The rules of a lot without options.
        public var rules: Rules
        /// The lots of `main`.
        public var catalogue = Catalogue()
        /// The purses and values of `main`.
        public var game = GameSettings(RoomOptions())
        /// The plan of the class; nil if the server leads none.
        public var classPlan: ClassPlan?
        /// The names that the class keeps for its students; nil without a roster.
        public var roster: ReservedNames?
        /// What connections, names and addresses may use.
        package var limits: Limits
        /// The origins whose pages may connect, besides those of the server itself.
        public var origins: [String] = []
        /// The name of this node, which follows each room until it owns it; nil for a server that
        /// shares its rooms with no other.
        public var node: String?
        /// The identity of a new server.
        package var serverID = Lobby.randomIdentity()
        /// Makes the token of a name or of a room.
        package var makeToken: () -> Token = Lobby.randomToken
        /// Makes the key of the draws of a room that has none.
        package var makeSeed: () -> Seed = Lobby.randomSeed

        /// Makes the options that hold where nothing else is chosen.
        public init(rules: Rules, limits: Limits = Limits()) {
            (self.rules, self.limits) = (rules, limits)
        }
    }

    /// The maximum bytes of the replies that may wait for one connection.
    private let answerBytes: Int
    private var codecOptions: ClientCodec.Options
    private var turn: Turn
    private var sessions = SessionTable()
    private var admission: Admission
    private var timers: SessionTimers
    private var rooms: Rooms
    private var accounts: Accounts
    private var auctioneer = Auctioneer()
    /// The plan of the class; nil if the server leads none.
    let classPlan: ClassPlan?
    private var classroom: Classroom?
    private var answers = LongAnswers()
    private var hasShutDown = false
    /// What is done together with other nodes; nil if the server is the only one.
    private var nodes: Nodes?

    /// Whether the auctioneer has stopped the server, which must shut down.
    package private(set) var isStopped = false

    /// Opens the first lot of `main`, or continues the rooms that were recovered from the journal.
    ///
    /// An open lot with a leader gets its full seconds again. No owner of a name is present, and a
    /// name without a bid is free again. `timeOfDay` is the time of `now` in milliseconds since
    /// 1970; names age while the server is down.
    public init(
        _ options: Options, resuming recovered: ServerReplay? = nil, at now: Instant,
        timeOfDay: Int64 = 0
    ) {
        let limits = options.limits
        answerBytes = limits.answerBytes
        codecOptions = ClientCodec.Options(origins: options.origins)
        (admission, timers) = (Admission(limits), SessionTimers(limits))
        (rooms, accounts) = (Rooms(options), Accounts(options))
        // If the journal ended in another room, the next entry names its own.
        let isMainLogged = recovered.map { $0.loggedRoom == .main } ?? true
        turn = Turn(
            limits, journalRoom: isMainLogged ? .main : nil, at: now, timeOfDay: timeOfDay)
        classPlan = options.classPlan
        guard options.node == nil else {
            nodes = Nodes(hasClass: classPlan != nil)
            rooms.followMain(resuming: nil, &turn)
            return
        }
        rooms.openMain(resuming: recovered?.main, &turn)
        for room in recovered?.rooms ?? [] { rooms.reopen(room, &turn) }
        if classPlan != nil { rooms.endUnusedRoomsOfClass(&turn) }
        beginClass()
    }

    /// Begins the class, or continues it, if there is one.
    private mutating func beginClass() {
        guard let classPlan, classroom == nil else { return }
        classroom = Classroom(classPlan, absence: accounts.absence, in: &rooms, &turn)
    }

    /// Draws a token from the system's random generator.
    private static func randomToken() -> Token {
        var generator = SystemRandomNumberGenerator()
        return Token(using: &generator)
    }

    /// Draws the key of a room's draws from the system's random generator.
    private static func randomSeed() -> Seed {
        var generator = SystemRandomNumberGenerator()
        return Seed(using: &generator)
    }

    /// Draws the identity of a server from the system's random generator.
    package static func randomIdentity() -> Identity {
        var generator = SystemRandomNumberGenerator()
        return Identity(using: &generator)
    }

    // Time

    /// Sets what the clock shows at an instant, in milliseconds since 1970.
    ///
    /// The journal records this time. Kicks and the ages of names follow the time of the start.
    package mutating func setTimeOfDay(_ timeOfDay: Int64, at now: Instant) {
        turn.setClock(timeOfDay, at: now)
    }

    /// When `expire` is next due; nil if only input can change anything.
    package var deadline: Instant? {
        guard !hasShutDown else { return nil }
        let names = Instant.earliest(rooms.deadline, accounts.deadline)
        return Instant.earliest(
            Instant.earliest(names, timers.deadline), classroom?.deadline)
    }

    /// Does what is due.
    ///
    /// This is the countdown, the hammer, the next lot, greetings, absences, and the end of rooms
    /// and of connections whose line takes too long.
    ///
    /// All input that reached the server before `handledUntil` must have been given to the lobby;
    /// nil means `now`. Only what was due by then is done, with `now` as its time. `isHandled`
    /// returns whether all bytes that have arrived from a connection were given to the lobby: a
    /// line is not too old if its end waits to be read.
    package mutating func expire(
        at now: Instant, handledUntil: Instant? = nil,
        isHandled: (SessionID) -> Bool = { _ in true }
    ) {
        guard !hasShutDown else { return }
        turn.advance(to: now)
        turn.noteHandled(until: handledUntil)
        while let id = timers.popGreeting(in: sessions, turn) { greetUnlessHTTP(id) }
        while let id = timers.popOverdueLine(
            in: &sessions, at: turn.handledUntil, isHandled)
        {
            close(id, .idle)
        }
        turn.rates.forget(at: turn.now)
        // In turn, because nothing may ever be due in a room whose names are unused.
        if let id = rooms.nextInTurn(), rooms[id].isOwned {
            accounts.expire(of: id, in: &rooms, &turn)
        }
        accounts.expireAbsences(in: &rooms, &turn)
        while let id = rooms.popDue(at: turn.handledUntil) {
            accounts.expire(of: id, in: &rooms, &turn)
            let hasEnded = rooms[id].expire(&turn)
            accounts.freeWaiting(of: id, in: &rooms, &turn)
            if hasEnded { remove(id) }
            continueClass()
        }
        continueClass()
    }

    /// Lets the class go on, and moves its members to their rooms.
    private mutating func continueClass() {
        guard !hasShutDown, let moves = classroom?.advance(in: &rooms, &turn) else { return }
        for move in moves {
            for id in move.bidder.map({ accounts.connections(of: $0) }) ?? followers(of: move.from)
            {
                guard let slot = sessions.slot(of: id) else { continue }
                let sender = sessions.sender(id, at: slot)
                // The teacher is not moved.
                guard sender.room == move.from, sender.rights != .server else { continue }
                answers.breakOff(to: id, &turn)
                if let notice = move.notice { turn.tell(.round(notice), to: id) }
                self.move(sender, to: move.to, nil, at: slot)
            }
        }
        classroom?.proceed(in: &rooms, &turn)
        guard let room = classroom?.room else { return }
        rooms.touch(room)
        guard classroom?.takeAnnouncement() == true else { return }
        for id in followers(of: room) {
            guard let slot = sessions.slot(of: id) else { continue }
            classroom?.tellRound(to: sessions.sender(id, at: slot), &turn)
        }
    }

    /// The connections that follow the news of a room, in the order of their arrival; O(n log n).
    private func followers(of room: RoomID) -> [SessionID] {
        sessions.ids.filter { id in
            sessions.slot(of: id).map { sessions[$0].room == room && sessions[$0].isAdmitted }
                == true
        }.sorted { $0.rawValue < $1.rawValue }
    }

    /// Notes that the news of a room up to this number was published.
    ///
    /// A countdown runs from the time when its beginning is published, however long that had to
    /// wait for a disk.
    package mutating func published(in room: RoomID = .main, upTo seq: Int, at now: Instant) {
        turn.advance(to: now)
        guard rooms.contains(room) else { return }
        rooms[room].startClock(ofNewsUpTo: seq, &turn)
        rooms.touch(room)
    }

    // Connections

    /// Adds a new connection, or refuses it; it is greeted after its first line, or a moment later.
    package mutating func join(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        guard !hasShutDown else { return turn.emit(.close(id, .shutdown)) }
        turn.advance(to: now)
        turn.rates.forget(at: turn.now)
        if let (error, limit) = turn.rates.refusal(from: address, at: turn.now) {
            return refuse(id, error, limit)
        }
        let place: Session.Place
        switch admission.decide(address, among: sessions, at: turn.now) {
        case .admit(let free): place = free
        case .replace(let silent):
            guard let session = sessions[silent] else { return }
            place = session.place
            turn.note(.silent)
            if !session.isAdmitted, session.codec.allowsGreeting {
                turn.refuse(.full, to: silent)
            }
            close(silent, .full)
        case .refuse: return refuse(id, .full, .full)
        }
        turn.rates.add(address, at: turn.now)
        sessions.insert(Session(from: address, in: place, at: turn.now), for: id)
        admission.add(id, place, among: sessions, at: turn.now)
        timers.scheduleGreeting(of: id, at: turn.now)
    }

    /// Refuses a new connection.
    private mutating func refuse(_ id: SessionID, _ error: ErrorReply, _ limit: LimitReached) {
        turn.note(limit)
        turn.refuse(error, to: id)
        turn.emit(.close(id, .full))
    }

    /// Requests a report with this number when the connection's pending output has been sent.
    mutating func askToConfirm(_ id: SessionID, number: Int) {
        turn.emit(.confirm(id, number: number))
    }

    /// Removes a connection that is gone and can be sent nothing.
    package mutating func leave(
        _ id: SessionID, because reason: SessionEvent.Reason = .reset, at now: Instant
    ) {
        turn.advance(to: now)
        leave(id, because: reason)
    }

    private mutating func leave(_ id: SessionID, because reason: SessionEvent.Reason) {
        guard let session = remove(id, because: reason), let bidder = session.bidder else {
            return
        }
        accounts.release(bidder, by: id, in: &rooms, &turn)
        continueClass()
    }

    /// Sends a snapshot and the private lines to a connection that fell behind the news.
    ///
    /// They follow its current answer.
    package mutating func resync(_ id: SessionID, at now: Instant) {
        turn.advance(to: now)
        resync(id)
    }

    private mutating func resync(_ id: SessionID) {
        guard let slot = sessions.slot(of: id), !answers.delaySnapshot(to: id, turn) else { return }
        let sender = sessions.sender(id, at: slot)
        turn.emit(.skip(id))
        rooms[sender.room].sendSnapshot(to: sender, &turn)
        if let bidder = sender.bidder {
            rooms[sender.room].sendPrivateState(of: bidder, &turn)
        }
    }

    /// Greets a connection unless its client speaks HTTP, or may be about to.
    private mutating func greetUnlessHTTP(_ id: SessionID) {
        guard let slot = sessions.slot(of: id), sessions[slot].codec.allowsGreeting else { return }
        sessions[slot].codec.expectLines()
        greet(id)
    }

    /// Greets a new connection with the snapshot, once.
    private mutating func greet(_ id: SessionID) {
        guard let slot = sessions.slot(of: id), !sessions[slot].isAdmitted else { return }
        sessions[slot].isAdmitted = true
        enter(sessions.sender(id, at: slot))
    }

    /// Lets a connection follow the news of its room.
    private mutating func enter(_ sender: Sender) {
        guard !sender.id.isRemote else {
            // Its own node sends it the snapshot and the news of the room.
            turn.emit(.follow(sender.id, room: sender.room))
            if sender.room == classroom?.room { classroom?.tellRound(to: sender, &turn) }
            return
        }
        rooms[sender.room].enter(sender, of: rooms.server, &turn)
        rooms.touch(sender.room)
        if sender.room == classroom?.room { classroom?.tellRound(to: sender, &turn) }
    }

    /// Notes that a connection no longer follows the news of a room.
    private mutating func leave(_ room: RoomID, _ id: SessionID, as encoding: Encoding) {
        guard !id.isRemote else { return }
        rooms[room].leave(as: encoding, at: turn.now)
        rooms.noteDeparture(from: room)
        rooms.touch(room)
    }

    // Closing

    /// Closes a connection, after sending its pending output and the reason.
    private mutating func close(_ id: SessionID, _ reason: ServerMessage.CloseReason) {
        answers.breakOff(to: id, &turn)
        if let response = sessions[id]?.codec.lastResponse(reason) {
            return close(id, because: .closed(reason), with: response)
        }
        leave(id, because: .closed(reason))
        turn.emit(.close(id, reason))
    }

    /// Closes a connection after its pending output and these bytes, without `BYE`.
    private mutating func close(
        _ id: SessionID, because reason: SessionEvent.Reason, with bytes: [UInt8]
    ) {
        leave(id, because: reason)
        if !bytes.isEmpty { turn.send(bytes, to: id) }
        turn.emit(.close(id, nil))
    }

    /// Closes a connection whose name another one has taken over.
    private mutating func replace(_ id: SessionID) {
        answers.breakOff(to: id, &turn)
        _ = remove(id, because: .closed(.replaced))
        turn.emit(.close(id, .replaced))
    }

    /// Closes all connections because the server ends; no time passes in the lobby after that.
    package mutating func shutDown(at now: Instant) {
        turn.advance(to: now)
        for id in sessions.ids.sorted(by: { $0.rawValue < $1.rawValue }) { greetUnlessHTTP(id) }
        closeAll(nodes == nil || isStopped ? .shutdown : .moved)
    }

    /// Closes all connections because the journal failed.
    ///
    /// Nothing that happened is sent any more, and no snapshot of it.
    mutating func abandon() {
        closeAll(reasonOfLoss)
    }

    /// Why connections are closed when nothing becomes durable any more: another node goes on.
    var reasonOfLoss: ServerMessage.CloseReason { nodes == nil ? .journal : .moved }

    private mutating func closeAll(_ reason: ServerMessage.CloseReason) {
        for id in sessions.ids.sorted(by: { $0.rawValue < $1.rawValue }) {
            answers.breakOff(to: id, &turn)
            guard let session = sessions[id] else { continue }
            note(.left(.closed(reason)), of: id, session)
            let response = session.codec.lastResponse(reason)
            if let response, !response.isEmpty { turn.send(response, to: id) }
            turn.emit(.close(id, response == nil ? reason : nil))
        }
        sessions.removeAll()
        hasShutDown = true
    }

    private mutating func remove(_ id: SessionID, because reason: SessionEvent.Reason) -> Session? {
        guard let session = sessions.remove(id) else { return nil }
        answers.remove(id)
        turn.remove(id)
        guard !id.isRemote else {
            turn.rates.forget(id, of: session.address, at: turn.now)
            return session
        }
        nodes?.remove(id)
        admission.remove(id, session)
        note(.left(reason), of: id, session)
        turn.rates.remove(id, session, at: turn.now)
        if session.isAdmitted { leave(session.room, id, as: session.encoding) }
        if let bidder = session.bidder, !rooms[session.room].isOwned {
            rooms[session.room].disconnect(bidder)
        }
        return session
    }

    private mutating func note(_ kind: SessionEvent.Kind, of id: SessionID, _ session: Session) {
        // The room of a connection of another node may have ended.
        guard rooms.contains(session.room) else { return }
        turn.note(kind, of: Sender(id, session), in: rooms[session.room].name)
    }

    /// Removes a room in which nobody is.
    private mutating func remove(_ room: RoomID) {
        accounts.leaveAll(room, of: &rooms, &turn)
        rooms.remove(room, &turn)
    }

    // Input

    /// Handles bytes from a connection; bytes of one that has ended are dropped.
    ///
    /// If bytes were not taken, pass them again after the pending output was sent, as requested by
    /// `confirm`, and not before `due`. If the connection must wait and all bytes were taken, call
    /// it without bytes in the same way. So at most `Limits.answerLines` replies wait for a
    /// connection. `isConfirmed` is true if everything was sent.
    package mutating func receive(
        _ bytes: Span<UInt8>, from id: SessionID, at now: Instant, isConfirmed: Bool = false
    ) -> Received {
        turn.advance(to: now)
        let all = Received(count: bytes.count, mustWait: false)
        guard let slot = sessions.slot(of: id) else { return all }
        let bytesBefore = turn.replyBytes
        if isConfirmed { sessions[slot].unconfirmed = 0 }
        turn.limitReplies(to: id, bytes: answerBytes - Int(sessions[slot].unconfirmed))
        guard continueAnswer(to: id), nodes?.holds(id) != true else {
            return Received(count: 0, mustWait: true)
        }
        guard sessions.contains(id, in: slot) else { return all }
        let (address, firstEffect) = (sessions[slot].address, turn.effectCount)
        let allowance = turn.rates.allowance(of: id, sessions[slot], at: turn.now)
        var (taken, lineCount, isUpgraded) = (0, 0, false)
        var codec = takeCodec(at: slot)
        let (endedBefore, wasUnfinished) = (codec.lineCount, codec.isUnfinished)
        codecOptions.address = address
        var isAsked: Bool
        repeat {
            isAsked = false
            taken += codec.receive(
                bytes.extracting(droppingFirst: taken), codecOptions,
                while: {
                    // All bytes of a read count in one room, so a secret command ends the read of a
                    // connection that leaves its room.
                    lineCount < allowance && turn.replyBytes < turn.replyLimit
                        && !answers.contains(id) && nodes?.holds(id) != true
                        && turn.secretInput.map { sessions.hasLeft($0, id, at: slot) } != true
                }
            ) { input in
                lineCount += 1
                if case .upgrade(_, let room, _) = input {
                    (isAsked, isUpgraded) = (true, rooms.id(of: room) != nil)
                }
                handle(input, from: id, at: slot)
            }
            if isAsked, isUpgraded { codec.expectMessages() }
        } while isAsked
        let hasEnded =
            codec.isHTTP ? lineCount > 0 : isUpgraded || codec.lineCount != endedBefore
        chargeJournal(to: address, since: firstEffect)
        let isLineNew = !wasUnfinished || hasEnded
        // The session may have ended while its input was handled.
        let isUnfinished = !codec.isHTTP && codec.isUnfinished && sessions.contains(id, in: slot)
        turn.countReceived(bytes: taken, of: id, isUnfinished: isUnfinished)
        guard sessions.contains(id, in: slot) else { return all }
        swap(&codec, &sessions[slot].codec)
        turn.rates.spendLines(lineCount, of: id, &sessions[slot], at: turn.now)
        sessions[slot].unconfirmed += Int32(clamping: turn.replyBytes - bytesBefore)
        timers.scheduleLineCheck(of: id, &sessions[slot], isNew: isLineNew, at: turn.now)
        if taken < bytes.count {
            if turn.rates.hasSpentJournal(address, at: turn.now) { turn.note(.journal) }
            turn.rates.reserveLines(of: id, sessions[slot], at: turn.now)
        }
        let isFull = turn.replyBytes >= turn.replyLimit
        return Received(
            count: taken,
            mustWait: taken < bytes.count || isFull || answers.contains(id)
                || nodes?.holds(id) == true)
    }

    /// The result of giving bytes to a connection.
    package struct Received: Equatable, Sendable {
        /// The number of bytes that were taken.
        package let count: Int
        /// Whether the connection's output must be sent before more is read from it.
        ///
        /// True if not all bytes were taken, an answer is incomplete, or too many replies wait.
        let mustWait: Bool
    }

    /// When the rest of a connection's input may be given again; nil for at once.
    ///
    /// To be asked if `receive` has not taken all bytes.
    package func due(of id: SessionID, at now: Instant) -> Instant? {
        if nodes?.holds(id) == true { return now.advanced(by: Nodes.longestWait) }
        return sessions.slot(of: id)
            .flatMap { turn.rates.due(of: id, sessions[$0], at: max(turn.now, now)) }
    }

    /// Handles the end of a connection's input: an incomplete last line counts as a line.
    ///
    /// The connection ends, unless `isAnswering` is true: then it ends when `receive` completes the
    /// answer.
    package mutating func end(_ id: SessionID, at now: Instant) {
        guard let slot = sessions.slot(of: id) else { return }
        turn.advance(to: now)
        turn.limitReplies(to: id, bytes: answerBytes)
        var codec = takeCodec(at: slot)
        let (address, firstEffect) = (sessions[slot].address, turn.effectCount)
        codec.finish { input in handle(input, from: id, at: slot) }
        chargeJournal(to: address, since: firstEffect)
        turn.countReceived(bytes: 0, of: id, isUnfinished: false)
        guard sessions.contains(id, in: slot) else { return }
        swap(&codec, &sessions[slot].codec)
        greetUnlessHTTP(id)
        guard nodes?.endWhenAnswered(id) != true else { return }
        if !answers.endAfterAnswer(to: id) { close(id, .end) }
    }

    /// Charges an address for the bytes that the effects from an index on add to the journal.
    ///
    /// Also if the connection has ended: many short connections must not evade the limit.
    private mutating func chargeJournal(to address: PeerAddress, since firstEffect: Int) {
        guard turn.rates.countsJournal(of: address) else { return }
        let bytes = turn.journalBytes(since: firstEffect)
        turn.rates.spendJournal(bytes, of: address, at: turn.now)
    }

    /// Takes the codec out of its session, so that it is changed in place while input is handled.
    private mutating func takeCodec(at slot: SessionTable.Slot) -> ClientCodec {
        var codec = ClientCodec()
        swap(&codec, &sessions[slot].codec)
        return codec
    }

    /// Handles what a client sent; input after the end of its session is dropped.
    private mutating func handle(
        _ input: ClientCodec.Input, from id: SessionID, at slot: SessionTable.Slot
    ) {
        guard sessions.contains(id, in: slot) else { return }
        switch input {
        case .line(.request(let request)): handle(request, from: id, at: slot)
        case .line(.invalid(let error)):
            if !sessions[slot].isOnTrial { sessions[slot].isSilent = false }
            refuseLine(ErrorReply(error.reason), tag: error.tag, from: id, at: slot)
        case .line(.tooLong):
            sessions[slot].isSilent = false
            let error = ErrorReply.lineTooLong(limit: LineFramer.protocolLimit)
            refuseLine(error, tag: nil, from: id, at: slot)
        case .line(.negotiation(let answer)): turn.send(answer, to: id)
        case .line(.filler): break
        case .line(.foreign(let other)):
            // A client of another protocol gets a response in that protocol.
            if other == .tls { turn.note(.tls) }
            close(id, because: other == .tls ? .tls : .http, with: other.response)
        case .upgrade(let request, let room, let response):
            guard let room = rooms.id(of: room) else {
                return respond(Site.noRoom, to: request, of: id, at: slot)
            }
            turn.send(response, to: id)
            sessions[slot].room = room
            sessions[slot].encoding = .webSocket
            turn.emit(.use(.webSocket, for: id))
            greet(id)
        case .http(let response, let isLast): respond(response, isLast: isLast, to: id, at: slot)
        case .room(let request, let resource, let room):
            timers.notePage(openedFrom: sessions[slot].address, at: turn.now)
            // As for `/address`: other machines need not know more of the network.
            let reach = sessions[slot].address.isOfThisMachine ? reach : .thisMachine
            let response = Site.response(
                to: request, for: resource, hasRoom: rooms.id(of: room) != nil,
                url: Site.url(
                    ofRoom: room == .main ? nil : room.description, for: request, reach))
            respond(response, to: request, of: id, at: slot)
        case .report(let request, let report): send(report, to: request, of: id, at: slot)
        case .webSocketEnd(let closing):
            answers.breakOff(to: id, &turn)
            close(id, because: .closed(.end), with: closing)
        }
    }

    /// Answers a request for a report; only the auctioneer of the server may read those of a class.
    private mutating func send(
        _ report: Site.Report, to request: HTTPRequest, of id: SessionID,
        at slot: SessionTable.Slot
    ) {
        if report.isOfClass {
            timers.notePage(openedFrom: sessions[slot].address, at: turn.now)
            guard classPlan != nil else {
                return respond(Site.noClass, to: request, of: id, at: slot)
            }
            guard mayReadClass(request, of: id, at: slot) else {
                let isLast = !request.keepsAlive || turn.rates.mustClose(id)
                let bytes = Site.unauthorized.bytes(
                    isHead: request.method == .head, keepsAlive: !isLast)
                return respond(bytes, isLast: isLast, to: id, at: slot)
            }
        }
        let bytes = report.isOfClass ? classTableBytes : Limits.metricsBytes
        chargeAnswer(bytes / Limits.answerLineBytes, to: id)
        turn.sendReport(
            ReportRequest(
                report: report, isHead: request.method == .head, keepsAlive: request.keepsAlive),
            bytes: bytes, to: id)
        if !request.keepsAlive || sessions[slot].isOnTrial {
            close(id, because: .http, with: [])
        }
    }

    /// Whether a request has the auctioneer's token; a wrong one is charged as on any connection.
    private mutating func mayReadClass(
        _ request: HTTPRequest, of id: SessionID, at slot: SessionTable.Slot
    ) -> Bool {
        guard let token = request.bearerToken else { return false }
        let address = sessions[slot].address
        guard auctioneer.accepts(token, from: address) else {
            if turn.rates.chargeWrongToken(from: id, address, at: turn.now) != nil {
                turn.note(.wrongTokens)
            }
            return false
        }
        turn.rates.acceptToken(from: id)
        return true
    }

    private mutating func respond(
        _ response: HTTPResponse, to request: HTTPRequest, of id: SessionID,
        at slot: SessionTable.Slot
    ) {
        let bytes = response.bytes(
            isHead: request.method == .head, keepsAlive: request.keepsAlive)
        respond(bytes, isLast: !request.keepsAlive, to: id, at: slot)
    }

    /// Sends the response to an HTTP request, which is charged as a long answer.
    private mutating func respond(
        _ response: [UInt8], isLast: Bool, to id: SessionID, at slot: SessionTable.Slot
    ) {
        chargeAnswer(response.count / Limits.answerLineBytes, to: id)
        guard !isUnavailable else {
            turn.emitAtOnce(.send(response, to: id))
            guard isLast else { return }
            leave(id, because: .http)
            return turn.emitAtOnce(.close(id, nil))
        }
        // A reserved place is for one response: its next connection may prove a token.
        guard isLast || sessions[slot].isOnTrial else { return turn.send(response, to: id) }
        close(id, because: .http, with: response)
    }

    private mutating func handle(
        _ request: Request?, from id: SessionID, at slot: SessionTable.Slot
    ) {
        let isOnTrial = sessions[slot].isOnTrial
        if isOnTrial {
            let isProof = proves(request, from: sessions[slot].address)
            guard admission.allows(request, isProof: isProof, of: id, &sessions[slot]) else {
                return endTrial(of: id, tag: request?.tag)
            }
        } else {
            sessions[slot].isSilent = false
        }
        if !sessions[slot].isAdmitted { greet(id) }
        if let request { execute(request, of: id, at: slot) }
        guard isOnTrial, let slot = sessions.slot(of: id), sessions[slot].isOnTrial,
            !admission.keeps(id, &sessions[slot], after: request)
        else { return }
        turn.note(.full)
        close(id, .full)
    }

    /// Whether a request has a right token.
    private func proves(_ request: Request?, from address: PeerAddress) -> Bool {
        if case .name(let bidder, let token?)? = request?.command {
            return rooms.owner(of: bidder)?.tokenHash.isSpelled(token) == true
        }
        guard case .auctioneer(let token)? = request?.command else { return false }
        return auctioneer.accepts(token, from: address)
    }

    /// Closes a connection in a reserved place that sent anything but a token.
    private mutating func endTrial(of id: SessionID, tag: String?) {
        turn.note(.full)
        turn.refuse(.full, tag: tag, to: id)
        close(id, .full)
    }

    /// Answers a line that is no request.
    private mutating func refuseLine(
        _ error: ErrorReply, tag: String?, from id: SessionID, at slot: SessionTable.Slot
    ) {
        guard !sessions[slot].isOnTrial else { return endTrial(of: id, tag: tag) }
        greet(id)
        turn.refuse(error, tag: tag, to: id)
    }

    // Commands

    /// Executes a request, and answers it with exactly one `OK` or `ERROR`, now or later.
    private mutating func execute(
        _ request: Request, of id: SessionID, at slot: SessionTable.Slot
    ) {
        let sender = sessions.sender(id, at: slot, tag: request.tag)
        guard
            nodes?.passOn((request, sessions[slot].name), by: sender, in: &rooms, &turn) != true
        else { return }
        let room = sender.room
        rooms.touch(room)
        turn.metrics.commands += 1
        switch request.command {
        case .offer(let offer, let lot): rooms[room].offer(offer, onLot: lot, by: sender, &turn)
        case .say(let text): rooms[room].say(text, by: sender, &turn)
        case .display(let text): rooms.display(text, by: sender, &turn)
        case .react(let reaction): rooms[room].react(reaction, by: sender, &turn)
        case .name(let bidder, let token): takeName((bidder, token), by: sender, at: slot)
        case .join(let name): join(name, by: sender, at: slot)
        case .open(let name, let options): open(name, options, for: sender, at: slot)
        case .rooms: answer(.rooms(after: nil, listed: 0), to: sender)
        case .laps(let range): answer(rooms[room].laps(range), to: sender)
        case .results(let range): answer(rooms[room].results(range), to: sender)
        case .who: answer(rooms[room].whoIsPresent, to: sender)
        case .standings: answer(rooms[room].currentStandings(), to: sender)
        case .status: answer(.status(withRule: sender.encoding == .text), to: sender)
        case .help: answer(rooms[room].help, to: sender)
        case .resume(let number):
            if let news = rooms[room].news(after: number) {
                answer(news, to: sender)
            } else {
                turn.refuse(.noSuchNews(newest: rooms[room].newestNews), to: sender)
            }
        case .format(let format): change(to: format, by: sender, at: slot)
        case .ping: turn.accept(.ping, to: sender)
        case .quit:
            turn.accept(.quit, to: sender)
            close(id, .quit)
        case .auctioneer where sender.bidder != nil && rooms[room].isLed:
            turn.refuse(.teacherWithName, to: sender)
        case .auctioneer(let token):
            let rights = auctioneer.appoint(sender, token: token, of: rooms[room], &turn)
            if let rights { sessions[slot].rights = rights }
            closeAfterWrongTokens(id)
        case .rule(let command): return rule(command, by: sender)
        case .ready: becomeReady(sender)
        }
        accounts.freeWaiting(of: room, in: &rooms, &turn)
        continueClass()
    }

    /// Notes that a member of the class has read the instructions.
    private mutating func becomeReady(_ sender: Sender) {
        guard let bidder = sender.bidder else { return turn.refuse(.notNamed, to: sender) }
        guard classroom?.note(ready: bidder) == true else {
            return turn.refuse(.nothingToRead, to: sender)
        }
        turn.accept(.ready, to: sender)
    }

    private mutating func takeName(
        _ wanted: (bidder: Bidder, token: String?), by sender: Sender, at slot: SessionTable.Slot
    ) {
        if sender.rights == .server, rooms[sender.room].isLed {
            return turn.refuse(.teacherWithName, to: sender)
        }
        if let classroom, !classroom.admits(wanted.bidder, to: sender.room, of: rooms) {
            // A member who comes back to the room of an earlier group is brought to the class.
            guard rooms.owner(of: wanted.bidder)?.tokenHash.isSpelled(wanted.token ?? "") == true
            else {
                return turn.refuse(.roomOfClass, to: sender)
            }
            move(sender, to: classroom.room, nil, at: slot)
            return takeName(
                wanted, by: sessions.sender(sender.id, at: slot, tag: sender.tag), at: slot)
        }
        let held = sessions[slot].name?.token
        let holding = accounts.take(
            (wanted.bidder, wanted.token, held), by: sender, in: &rooms, &turn)
        rooms[sender.room].settle(&turn)
        classroom?.noteArrival()
        if let holding {
            sessions[slot].name = holding.name
            if let former = holding.former { replace(former) }
            // It was not told when it entered, because its node does not lead the class.
            if sender.id.isRemote, sender.room == classroom?.room {
                classroom?.tellRound(to: sessions.sender(sender.id, at: slot), &turn)
            }
        }
        closeAfterWrongTokens(sender.id)
    }

    private mutating func closeAfterWrongTokens(_ id: SessionID) {
        if turn.rates.mustClose(id) { close(id, .wrongToken) }
    }

    /// Moves a connection to another room.
    private mutating func join(_ name: RoomName, by sender: Sender, at slot: SessionTable.Slot) {
        guard let room = rooms.id(of: name) else { return turn.refuse(.noRoom, to: sender) }
        guard room != sender.room else { return turn.accept(.joined(name), to: sender) }
        if let bidder = sender.bidder, classroom?.admits(bidder, to: room, of: rooms) == false {
            return turn.refuse(.roomOfClass, to: sender)
        }
        if sender.bidder != nil, sender.rights == .server, rooms[room].isLed {
            return turn.refuse(.teacherWithName, to: sender)
        }
        guard ownsName(at: slot) else { return turn.refuse(.unavailable, to: sender) }
        if let error = accounts.refusal(of: sender, entering: room, of: &rooms, &turn) {
            return turn.refuse(error, to: sender)
        }
        move(sender, to: room, .joined(name), at: slot)
    }

    /// Whether a connection still owns its name, or has none.
    ///
    /// Another node may have freed the name while this one did not follow the log.
    private func ownsName(at slot: SessionTable.Slot) -> Bool {
        guard nodes != nil, let name = sessions[slot].name else { return true }
        return rooms.owner(of: name.bidder)?.tokenHash == TokenHash(of: name.token)
    }

    /// Moves a connection from the news of its room to that of another.
    ///
    /// After the answer it receives nothing of the room that it left, and in the new one all news
    /// after the snapshot.
    private mutating func move(
        _ sender: Sender, to room: RoomID, _ answer: Answer?, at slot: SessionTable.Slot
    ) {
        sessions[slot].room = room
        if sender.rights == .room { sessions[slot].rights = .none }
        var moved = sender
        moved.room = room
        enter(moved)
        if let answer { turn.accept(answer, to: sender) }
        accounts.enter(moved, in: &rooms, &turn)
        if nodes != nil, case .node(let node) = rooms[sender.room].owner, !sender.id.isRemote {
            if let bidder = sender.bidder { rooms[sender.room].disconnect(bidder) }
            nodes?.leave(node, sender.id)
        }
        leave(sender.room, sender.id, as: sender.encoding)
    }

    /// Opens a room for a connection, and moves it there.
    private mutating func open(
        _ name: RoomName, _ options: RoomOptions, for sender: Sender, at slot: SessionTable.Slot
    ) {
        guard rooms.id(of: name) == nil, classPlan == nil || !name.isReserved else {
            return turn.refuse(.roomTaken, to: sender)
        }
        if let error = rooms.refusalToOpen(for: sender, turn) {
            turn.note(.rooms)
            return turn.refuse(error, to: sender)
        }
        let rules: Rules
        do throws(OptionProblem) {
            rules = try rooms.rules(options)
        } catch {
            return turn.refuse(.badOption(error.description), to: sender)
        }
        guard ownsName(at: slot) else { return turn.refuse(.unavailable, to: sender) }
        if let bidder = sender.bidder, !accounts.hasPlace(for: bidder, in: &rooms, &turn) {
            return turn.refuse(.namesFull, to: sender)
        }
        if let left = rooms.roomToReplace { remove(left) }
        turn.note(.opened, of: sender, in: name)
        nodes?.noteOpened(name)
        let (room, key) = rooms.open(name, (options, rules), for: sender, &turn)
        move(sender, to: room, .opened(name, key: key.description), at: slot)
    }

    /// Changes the format; the answer is still in the previous one.
    private mutating func change(to format: Format, by sender: Sender, at slot: SessionTable.Slot) {
        guard let encoding = sender.encoding.changed(to: format) else {
            let usage = "format json, because a WebSocket has no other format"
            return turn.refuse(ErrorReply(.badArguments(usage: usage)), to: sender)
        }
        turn.accept(.format(format), to: sender)
        rooms[sender.room].changeEncoding(of: sender, to: encoding, at: turn.now)
        sessions[slot].encoding = encoding
        turn.emit(.use(encoding, for: sender.id))
    }

    /// Executes a command of the auctioneer, and answers it.
    private mutating func rule(_ command: AuctioneerCommand, by sender: Sender) {
        let room = sender.room
        if orderClass(command, by: sender) { return continueClass() }
        let decision = auctioneer.decide(command, by: sender, in: &rooms, &turn)
        if case .refuse(let error) = decision {
            turn.refuse(error, to: sender)
        } else {
            turn.note(.ordered(command.verb), of: sender, in: rooms[room].name)
            turn.accept(.ruled(command.verb), to: sender)
        }
        switch decision {
        case .refuse, .nothing: break
        case .commitAndSettle(let event): rooms[room].commitAndSettle(event, &turn)
        case .commit(let event): rooms[room].commit(event, &turn)
        case .add(let plan): rooms[room].add(plan, &turn)
        case .title(let lot): rooms[room].rename(lot, &turn)
        case .set(let options): rooms[room].set(options, &turn)
        case .start: rooms[room].openNextLot(&turn)
        case .rematch: rooms[room].beginRematch(&turn)
        case .kick(let bidder, let reason):
            kick((bidder, reason), from: room)
        case .end(let ended):
            rooms[ended].obey(.close, &turn)
            accounts.freeWaiting(of: room, in: &rooms, &turn)
            for id in followers(of: ended) { close(id, .roomEnded) }
            remove(ended)
        case .stop:
            for id in rooms.all where rooms[id].isOwned { rooms[id].commit(.stopped, &turn) }
            accounts.freeWaiting(of: room, in: &rooms, &turn)
            isStopped = true
            shutDown(at: turn.now)
        }
        // The command may have ended the room.
        if rooms.contains(room) { accounts.freeWaiting(of: room, in: &rooms, &turn) }
        continueClass()
    }

    /// Gives an order of the teacher to the class, and answers it; false if it is for the room alone.
    private mutating func orderClass(_ command: AuctioneerCommand, by sender: Sender) -> Bool {
        guard let classroom, sender.rights == .server else { return false }
        let isInClass = rooms[sender.room].isLed
        let verb = command.verb
        switch command {
        case .start, .skip, .pause, .resume:
            // A teacher who has just connected is in `main`.
            guard isInClass || sender.room == .main else { return false }
        case .add, .title, .set, .rematch:
            guard isInClass else { return false }
            turn.refuse(.ledByClass, to: sender)
            return true
        case .end(let name):
            guard let id = rooms.id(of: name), rooms[id].isLed else { return false }
            turn.refuse(.ledByClass, to: sender)
            return true
        case .kick(let bidder, let reason):
            guard isInClass else { return false }
            kickFromClass((bidder, reason), by: sender)
            return true
        case .classStatus:
            let lines = classroom.statusLines(rooms, at: turn.now)
            answer(.lines(lines, from: 0, then: .ruled(.classStatus)), to: sender)
            return true
        case .hammer, .void, .mute, .unmute, .close, .stop: return false
        }
        guard let order = Classroom.Order(rawValue: verb.rawValue) else { return false }
        switch classroom.decide(order, in: rooms) {
        case .refuse(let error): turn.refuse(error, to: sender)
        case .accept(let action):
            turn.note(.ordered(verb), of: sender, in: rooms[sender.room].name)
            turn.accept(.ruled(verb), to: sender)
            var changed = classroom
            action(&changed, &rooms, &turn)
            self.classroom = changed
        }
        return true
    }

    /// Kicks a member from the room `class`, and from the rooms of the groups that know the name.
    private mutating func kickFromClass(
        _ order: (bidder: Bidder, reason: String), by sender: Sender
    ) {
        let places = classroom?.rooms(with: sender.room) ?? []
        let known = places.filter { rooms[$0].sale.names[order.bidder] != nil }
        guard !known.isEmpty else { return turn.refuse(.notHere(order.bidder), to: sender) }
        turn.note(.ordered(.kick), of: sender, in: rooms[sender.room].name)
        turn.accept(.ruled(.kick), to: sender)
        classroom?.note(kicked: order.bidder)
        for id in places where id == classroom?.room || known.contains(id) {
            kick(order, from: id)
            rooms.touch(id)
        }
    }

    private mutating func kick(_ order: (bidder: Bidder, reason: String), from room: RoomID) {
        let holder = accounts.kick(order, from: room, in: &rooms, &turn)
        rooms[room].settle(&turn)
        accounts.freeWaiting(of: room, in: &rooms, &turn)
        if let holder { close(holder, .kicked) }
    }

    // Long answers

    /// The number of lines of long answers that may still be sent in this step.
    ///
    /// `House` sets it at the beginning of each step.
    package var answerBudget: Int {
        get { answers.budget }
        set { answers.budget = newValue }
    }

    /// Whether an answer to a connection is incomplete; until it is complete, nothing is read.
    package func isAnswering(_ id: SessionID) -> Bool { answers.contains(id) }

    private mutating func answer(_ rest: LongAnswer.Rest, to sender: Sender) {
        answers.begin(rest, to: sender)
        continueAnswer(to: sender.id)
    }

    /// Sends the next part of the answer to a connection; false if it is still incomplete.
    ///
    /// After an answer that has held back or repeated news, the bidder's private lines are sent
    /// again: clients forget the worth of a lot when the next one opens.
    @discardableResult
    private mutating func continueAnswer(to id: SessionID) -> Bool {
        guard answers.contains(id), let slot = sessions.slot(of: id) else { return true }
        let sender = sessions.sender(id, at: slot)
        switch answers.continue(to: id, in: sender.room, of: rooms, &turn) {
        case .none: return true
        case .incomplete(let lines):
            chargeAnswer(lines, to: id)
            return false
        case .complete(let answer, let lines):
            let isDue = turn.takeWithheld(id) || answer.repeatsNews
            if isDue, !answer.needsSnapshot, let bidder = sender.bidder {
                rooms[sender.room].sendPrivateState(of: bidder, &turn)
            }
            chargeAnswer(lines, to: id)
            if answer.needsSnapshot { resync(id) }
            if answer.isLast { close(id, .end) }
            return true
        }
    }

    private mutating func chargeAnswer(_ lines: Int, to id: SessionID) {
        let charge = lines / Self.linesPerCharge
        guard charge > 0, let slot = sessions.slot(of: id) else { return }
        turn.rates.spendLines(charge, of: id, &sessions[slot], at: turn.now)
    }

    // Requests that other nodes execute, or this one for them

    /// Handles what another node says of a connection.
    package mutating func receive(_ message: NodeMessage, from node: String, at now: Instant) {
        turn.advance(to: now)
        switch message {
        case .request(let sent): execute(sent, from: node)
        case .left(let id):
            guard let known = nodes?.remotes.remove(id, of: node) else { return }
            leave(known, because: .closed(.end))
        case .reset:
            removeConnections(of: node)
            closeContacts(with: node)
        case .lines(let id, let lines, let outcome):
            guard let slot = slot(of: id, knownTo: node) else { return }
            turn.emit(.send(lines, to: id))
            nodes?.noteAnswer(to: id)
            guard let outcome, let request = nodes?.takeAnswered(id) else { return }
            if outcome == .done { note(request, answeredTo: id, at: slot) }
            if nodes?.isUnanswered(id) == false { continueRequests(of: id) }
        case .named(let id, let bidder, let token):
            guard let slot = slot(of: id, knownTo: node) else { return }
            sessions[slot].name = Session.Name(bidder: bidder, token: token)
        case .moved(let id, let name):
            guard let slot = slot(of: id, knownTo: node), let room = rooms.id(of: name) else {
                return
            }
            moved(sessions.sender(id, at: slot), to: room, by: node, at: slot)
        case .close(let id, let reason):
            // A node that the connection is leaving may not know that yet.
            guard let slot = sessions.slot(of: id), nodes?.isMoving(id) == false,
                rooms[sessions[slot].room].owner == .node(node)
            else { return }
            close(id, reason)
        }
    }

    /// The slot of a connection of which a node has executed requests.
    private func slot(of id: SessionID, knownTo node: String) -> SessionTable.Slot? {
        nodes?.hasContact(id, with: node) == true ? sessions.slot(of: id) : nil
    }

    /// Executes a request of a connection of another node.
    private mutating func execute(_ sent: NodeRequest, from node: String) {
        guard let id = nodes?.remotes.id(of: sent, from: node) else { return }
        let room = rooms.id(of: sent.room) ?? .main
        if let known = sessions.slot(of: id) {
            // Its node may have brought it to another room, or another node may have named it.
            if sessions[known].bidder == nil {
                (sessions[known].room, sessions[known].name) = (room, sent.name)
            }
        } else {
            var session = Session(from: sent.address, in: .regular, at: turn.now)
            (session.isAdmitted, session.isSilent, session.room) = (true, false, room)
            session.name = sent.name
            sessions.insert(session, for: id)
        }
        guard let slot = sessions.slot(of: id) else { return }
        (sessions[slot].encoding, sessions[slot].rights) = (sent.encoding, sent.rights)
        turn.limitReplies(to: id, bytes: Int.max / 2)
        execute(sent.request, of: id, at: slot)
    }

    /// Notes what a request has changed that another node has executed.
    private mutating func note(
        _ request: Request, answeredTo id: SessionID, at slot: SessionTable.Slot
    ) {
        let room = sessions[slot].room
        if case .auctioneer(let word) = request.command, sessions[slot].rights != .server {
            let isOfRoom = rooms[room].opening?.keyHash.isSpelled(word) == true
            sessions[slot].rights = isOfRoom ? .room : .server
        }
        let sender = sessions.sender(id, at: slot)
        guard case .name = request.command, let bidder = sender.bidder else { return }
        turn.note(.named, of: sender, in: rooms[room].name)
        rooms[room].connect(bidder, to: sender)
        rooms[room].sendPrivateState(of: bidder, &turn)
    }

    /// Moves a connection to a room in which another node has let its bidder in.
    private mutating func moved(
        _ sender: Sender, to room: RoomID, by node: String, at slot: SessionTable.Slot
    ) {
        guard sender.room != room else { return }
        answers.breakOff(to: sender.id, &turn)
        sessions[slot].room = room
        if sender.rights == .room { sessions[slot].rights = .none }
        let moved = sessions.sender(sender.id, at: slot)
        enter(moved)
        if let bidder = sender.bidder {
            rooms[sender.room].disconnect(bidder)
            switch rooms[sender.room].owner {
            case .here: _ = accounts.moveAway(bidder, in: &rooms, &turn)
            case .node(let former): if former != node { nodes?.leave(former, sender.id) }
            case .nobody: break
            }
            rooms[room].connect(bidder, to: moved)
            rooms[room].sendPrivateState(of: bidder, &turn)
        }
        leave(sender.room, sender.id, as: sender.encoding)
    }

    /// Executes the requests of a connection that waited.
    private mutating func continueRequests(of id: SessionID) {
        for request in nodes?.takeHeld(id) ?? [] {
            guard let slot = sessions.slot(of: id) else { return }
            execute(request, of: id, at: slot)
        }
        if nodes?.takeEnding(id) == true, !answers.endAfterAnswer(to: id) { close(id, .end) }
        nodes?.release(id)
    }

    /// Closes connections of which `node` has executed requests.
    ///
    /// These are those with a name or rights in the room, or in any room if it is nil, and those
    /// that wait for answers of the node, in whatever room.
    private mutating func closeContacts(in room: RoomID? = nil, with node: String) {
        for id in nodes?.contacts(with: node) ?? [] {
            guard let slot = sessions.slot(of: id) else { continue }
            let isThere = sessions[slot].room == room ?? sessions[slot].room
            let isKnown = sessions[slot].bidder != nil || sessions[slot].rights == .room
            if isThere && isKnown || nodes?.isWaiting(id, for: node) == true { close(id, .moved) }
        }
    }

    /// Ends the connections of another node, whose requests this node executes.
    private mutating func removeConnections(of node: String) {
        for id in nodes?.remotes.removeAll(of: node) ?? [] { leave(id, because: .reset) }
    }

    /// What the node of a remote connection is told of an effect; nil for nothing.
    ///
    /// `time` is that of its lines, in milliseconds since 1970.
    package mutating func messages(
        of effect: Effect, time: Int64
    ) -> (node: String, messages: [NodeMessage])? {
        var room: RoomName?
        if case .follow(_, let id) = effect, rooms.contains(id) { room = rooms[id].name }
        return nodes?.remotes.messages(of: effect, room: room, at: time)
    }

    /// Adds what is for other nodes to the outputs of a step.
    ///
    /// Returns the connections whose stored input need not wait any more.
    mutating func finishNodes(_ outputs: inout StepOutputs) -> [SessionID] {
        guard nodes != nil else { return [] }
        let urgent = turn.takeUrgent()
        // Before the answers of later requests, which wait for the log.
        if !urgent.isEmpty { outputs.durable.append(Batch(effects: urgent, text: [], news: [])) }
        outputs.messages += nodes?.takeMessages() ?? []
        outputs.claims += nodes?.takeClaims() ?? []
        return nodes?.takeReleased() ?? []
    }

    // Other nodes

    /// Whether the server is one node of several.
    var isNode: Bool { nodes != nil }

    /// Whether this node reads what happened before it served anybody, which is no news.
    var isCatchingUp: Bool { nodes?.isCatchingUp == true }

    /// Ends the time in which this node reads what happened before it served anybody.
    package mutating func beginServing() {
        nodes?.beginServing()
    }

    /// Whether nothing becomes durable for now: requests that would change a room are refused.
    var isUnavailable: Bool { nodes?.isUnavailable == true }

    /// Notes whether anything becomes durable; `waiting` are the connections with answers that wait
    /// for it.
    mutating func setUnavailable(_ isUnavailable: Bool, waiting: Set<SessionID>) {
        codecOptions.isServing = !isUnavailable
        for id in nodes?.setUnavailable(isUnavailable, waiting: waiting) ?? [] {
            continueRequests(of: id)
        }
    }

    /// Notes that a node can be reached, perhaps again.
    ///
    /// Then it has forgotten the connections of this one, which must connect again.
    package mutating func add(node: String, at now: Instant) {
        turn.advance(to: now)
        nodes?.setReachable(true, node)
        closeContacts(with: node)
    }

    /// Ends the connections of a node that is gone, and refuses requests for it.
    ///
    /// It may have executed those that it has not answered, so their connections are closed. If it
    /// has stopped the server, the log says so before another node owns `main`.
    package mutating func remove(node: String, at now: Instant) {
        turn.advance(to: now)
        nodes?.setReachable(false, node)
        let stopping = nodes?.stopping.map(\.id) ?? []
        for id in nodes?.waiting(for: node) ?? [] where !stopping.contains(id) {
            close(id, .moved)
        }
        removeConnections(of: node)
    }

    /// Notes whether this node has won a claim, and continues the requests that wait for it.
    package mutating func decide(_ claim: NodeClaim, isOwn: Bool, at now: Instant) {
        turn.advance(to: now)
        for id in nodes?.decide(claim, isOwn: isOwn, at: turn.now) ?? [] {
            continueRequests(of: id)
        }
        // The claim was used at once, or the room was not opened.
        if case .room(let room) = claim { nodes?.forgetClaim(of: room) }
    }

    /// Notes when the next message of the log was stored, by the clock of the stream.
    package mutating func advance(streamTime: Instant) { nodes?.advance(streamTime: streamTime) }

    /// Notes a claim of a name that the log has.
    package mutating func note(claimOf bidder: Bidder, isOwn: Bool, at now: Instant) {
        nodes?.note(claimOf: bidder, isOwn: isOwn, at: now)
    }

    /// Counts the ages of other nodes' claims from `now`.
    ///
    /// It is called when this node has not followed the log for a while.
    package mutating func renewClaims(at now: Instant) {
        nodes?.renewClaims(at: now)
    }

    /// Whether a room exists.
    package func hasRoom(_ name: RoomName) -> Bool { rooms.id(of: name) != nil }

    /// Whether a room exists and has begun its sale.
    package func knowsState(of name: RoomName) -> Bool {
        rooms.id(of: name).map { rooms[$0].sale.serverID != nil } ?? false
    }

    /// Notes how many connections follow the rooms at other nodes.
    package mutating func setFollowersElsewhere(_ followers: [RoomName: Int]) {
        for room in rooms.all {
            let former = rooms[room].followersElsewhere
            rooms[room].followersElsewhere = followers[rooms[room].name] ?? 0
            if former > 0, rooms[room].followersElsewhere == 0 { rooms.noteDeparture(from: room) }
        }
    }

    /// The number of connections of this node in each room that has one; O(rooms).
    package var followersHere: [RoomName: Int] {
        var followers: [RoomName: Int] = [:]
        for room in rooms.all where rooms[room].followers > 0 {
            followers[rooms[room].name] = rooms[room].followers
        }
        return followers
    }

    // Rooms of other nodes

    /// Notes that another node owns a room from now on.
    package mutating func follow(owner node: String, of name: RoomName, at now: Instant) {
        turn.advance(to: now)
        guard let room = rooms.id(of: name) else {
            nodes?.note(claimElsewhere: name, at: now)
            return
        }
        if case .node(let former) = rooms[room].owner { closeContacts(in: room, with: former) }
        rooms[room].follow(newOwner: .node(node), at: turn.now)
    }

    /// Takes over the rooms that this node owns from now on.
    package mutating func takeOver(_ names: [RoomName], at now: Instant) {
        turn.advance(to: now)
        let taken = names.compactMap { rooms.id(of: $0) }
        for room in taken {
            if case .node(let former) = rooms[room].owner { closeContacts(in: room, with: former) }
            rooms.takeOver(room, &turn)
        }
        // A class has its rooms at the node that has `class`, or at first `main`.
        let place = rooms.id(of: .classroom) ?? .main
        if taken.contains(place) { beginClass() }
        continueClass()
    }

    /// Notes an event of a room of this node, once it is read back from the log.
    package mutating func note(_ event: SaleEvent) {
        nodes?.note(event)
    }

    /// Applies entries of the log of a room that another node owns; false if they cannot be.
    ///
    /// The effects are not for the log; `leaveForOtherNodes` comes next.
    mutating func follow(_ followed: FollowedEntries, at now: Instant) -> Bool {
        turn.advance(to: now)
        let name = followed.room
        defer {
            if let room = rooms.id(of: name), rooms[room].owner == .nobody {
                rooms[room].follow(owner: .node(followed.node))
            }
        }
        if followed.isState { return restore(followed.entries, of: name) }
        // For the tables of a class, which read the records of all rooms.
        if classPlan != nil, hasRoom(name) { turn.emit(.journalRoom(.room(name))) }
        for entry in followed.entries {
            guard follow(entry.record, of: name) else { return false }
        }
        if let room = rooms.id(of: name) { rooms.touch(room) }
        if classPlan != nil, let own = turn.journalRoom, rooms.contains(own) {
            turn.emit(.journalRoom(.room(rooms[own].name)))
        }
        return true
    }

    private mutating func follow(_ record: Record, of name: RoomName) -> Bool {
        switch record {
        case .event(let event):
            guard let room = rooms.id(of: name), rooms[room].sale.canApply(event) else {
                return false
            }
            rooms.follow(event, in: room, &turn)
            nodes?.follow(event)
            if case .stopped = event, room == .main, !isCatchingUp { stop() }
        case .roomOpened(let opened, let keyHash, let options):
            guard opened == name, rooms.id(of: name) == nil else { return false }
            nodes?.noteOpened(name)
            if classPlan != nil { turn.emit(.journalRoom(record)) }
            rooms.follow(name, (keyHash, options), resuming: nil, &turn)
        case .roomEnded:
            guard let room = rooms.id(of: name), room != .main else { return false }
            for id in followers(of: room) { close(id, .roomEnded) }
            rooms.remove(room, &turn)
        case .room, .name, .present, .bid, .result, .tally, .award, .roomState: return false
        }
        return true
    }

    /// Stops with the node that owns `main`, whose answer would come too late.
    private mutating func stop() {
        isStopped = true
        for (id, tag) in nodes?.stopping ?? [] {
            turn.reply(.ok(.ruled(.stop), tag: tag), to: id)
        }
    }

    /// Takes the state of a room, unless the room is known.
    private mutating func restore(_ entries: [LogEntry], of name: RoomName) -> Bool {
        // The state of a room that has ended is empty.
        guard !knowsState(of: name), !entries.isEmpty else { return true }
        var replay = ServerReplay()
        replay.beginSegment(first: 1, state: entries.count)
        for entry in entries {
            guard replay.replay(entry.record, number: entry.restated) else { return false }
        }
        if name == .main {
            rooms.followMain(resuming: replay.main, &turn)
        } else if let room = replay.rooms.first(where: { $0.name == name }) {
            rooms.follow(name, (room.keyHash, room.options), resuming: room.sale, &turn)
        } else {
            return false
        }
        return true
    }

    /// Lets the bidders leave who have joined rooms of other nodes.
    mutating func leaveForOtherNodes() {
        guard let departing = nodes?.takeDeparting(), !departing.isEmpty else { return }
        for bidder in departing {
            guard let holder = accounts.moveAway(bidder, in: &rooms, &turn) else { continue }
            if nodes?.isMoving(holder) != true { replace(holder) }
        }
        continueClass()
    }

    // What the house reads and removes

    /// Removes and returns the effects since the last call, in order.
    package mutating func takeEffects() -> [Effect] {
        rooms.schedule()
        return turn.takeEffects()
    }

    /// Removes and returns what connections did since the last call, in order.
    mutating func takeSessionEvents() -> [SessionEvent] { turn.takeSessionEvents() }

    /// Removes and returns how often each limit was reached since the last call.
    package mutating func takeLimitsReached() -> [LimitReached: Int] { turn.takeLimitsReached() }

    /// The number of effects that were not taken yet.
    var effectCount: Int { turn.effectCount }

    /// What was counted since the lobby was created.
    package var metrics: LobbyMetrics { turn.metrics }

    /// The bytes that the state of a connection takes, without what is stored of its input.
    package static let sessionBytes = MemoryLayout<Session>.stride

    /// The number of replies so far.
    package var replyCount: Int { turn.replyCount }

    /// The number of lines that the connection's own rate allows now.
    package func availableLines(of id: SessionID, at now: Instant) -> Int {
        sessions.slot(of: id)
            .map { turn.rates.ownAllowance(of: sessions[$0], at: now) } ?? .max
    }

    /// The number of addresses and wider networks with counters.
    package var knownAddressCount: Int { turn.rates.knownAddressCount }

    /// The number of timers of rooms, with those that are out of date.
    package var roomTimerCount: Int { rooms.timerCount }

    /// Which machines may open the page, for those on this machine who want to share its address.
    public var reach: Site.Reach {
        get { codecOptions.reach }
        set { codecOptions.reach = newValue }
    }

    /// The bytes that a table of the class is charged as; the server sets it when the table grows.
    package var classTableBytes = 0

    /// The auctioneer's token; nil if nobody can be the auctioneer.
    ///
    /// Changing the token revokes every auctioneer but those of single rooms.
    public var auctioneerToken: AuctioneerToken? {
        get { auctioneer.token }
        set {
            guard newValue != auctioneer.token else { return }
            auctioneer.token = newValue
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
        get { auctioneer.isLocal }
        set { auctioneer.isLocal = newValue }
    }

    /// Begins a segment of the journal, and returns the state from which each room can continue.
    ///
    /// O(rooms); the records of the state are made later.
    ///
    /// - Precondition: All effects were taken.
    package mutating func beginSegment() -> [RoomState] {
        turn.beginSegment()
        return state
    }

    /// The state from which each room can continue that this server owns, `main` first.
    package var state: [RoomState] {
        rooms.all.filter { rooms[$0].isOwned }.map { rooms[$0].state }
    }

    /// The identity of the server, the same for as long as its journal is kept.
    package var serverID: Identity? { rooms.serverID }

    /// The titles of the next lots of `main`, in order; nil if the lots never end.
    public var titlesAhead: [String]? { rooms[.main].titlesAhead }

    /// The current state of `main`; O(1).
    package var status: RoomStatus { RoomStatus(rooms[.main]) }

    /// The state of each room, `main` first; O(n log n).
    package var statuses: [RoomStatus] { rooms.all.map { RoomStatus(rooms[$0]) } }
}
