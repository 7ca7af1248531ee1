import Addresses
import AuctionRules
import MonotonicTime
import Sale
import Wire

/// Executes the commands of clients: on their names, on rooms, and on the sale of their room.
///
/// Connections, their rates and the outputs belong to the lobby and are arguments. What a command
/// means for connections is returned as an `Outcome`, which the lobby performs.
struct CommandHandler {
    private var rooms = Rooms()
    private var accounts: Accounts
    private var auctioneer = Auctioneer()
    private var answers = LongAnswers()
    private var chat = ChatLimits()
    /// The options of every room that does not choose others.
    @Indirect private var defaults: Defaults
    @Indirect private var limits: Limits
    private let makeToken: () -> Token

    /// What remains to be done for the connections after a command.
    enum Outcome {
        /// Nothing.
        case answered
        /// The answer was begun; it must be continued.
        case answering
        /// The connection must use another encoding.
        case changeEncoding(Encoding)
        /// A connection must be closed for a reason.
        case close(SessionID, ServerMessage.CloseReason)
        /// Another connection took the name over, so this one must be closed.
        case replace(SessionID)
        /// All connections must be closed, because the auctioneer stopped the server.
        case stop
    }

    /// The rules of `main`, and the pause between its lots.
    private struct Defaults {
        let rules: Rules
        let pause: Duration
    }

    /// Makes a handler without rooms; `openMain` and `reopen` follow.
    init(
        _ limits: Limits, rules: Rules, pause: Duration, makeToken: @escaping () -> Token
    ) {
        (self.limits, self.makeToken) = (limits, makeToken)
        accounts = Accounts(limits, makeToken: makeToken)
        defaults = Defaults(rules: rules, pause: pause)
    }

    // Rooms

    /// Opens `main`, or continues it after a restart.
    mutating func openMain(
        _ recovered: Sale?, _ catalogue: Catalogue, serverID: Identity, _ settings: GameSettings,
        at now: Instant, _ outputs: inout Outputs
    ) {
        let live = LiveSale(
            in: .main, .main, rules: defaults.rules, catalogue: catalogue, resuming: recovered,
            at: now)
        start(Room(live), serverID: serverID, settings, at: now, &outputs)
    }

    /// Continues a room after a restart.
    mutating func reopen(
        _ room: ServerReplay.Room, at now: Instant, _ outputs: inout Outputs
    ) {
        let opening = Room.Opening(key: room.key, options: room.options, origin: nil)
        // The options were checked when the room was opened, against the flags of that time.
        let rules = (try? room.options.rules(defaults.rules)) ?? defaults.rules.plain
        open(room.name, rules, opening, resuming: room.sale, at: now, &outputs)
    }

    /// Opens a room in the next slot.
    private mutating func open(
        _ name: RoomName, _ rules: Rules, _ opening: Room.Opening, resuming recovered: Sale? = nil,
        at now: Instant, _ outputs: inout Outputs
    ) {
        let id = rooms.nextID
        outputs.perform(.openRoom(id, name))
        let live = LiveSale(
            in: id, name, rules: rules, catalogue: opening.options.catalogue,
            resuming: recovered, at: now)
        guard let serverID else { return }
        start(
            Room(live, opening), serverID: serverID, GameSettings(opening.options), at: now,
            &outputs)
        rooms[id].waitForPeople(at: now, limits.roomIdle)
    }

    private mutating func start(
        _ room: Room, serverID: Identity, _ settings: GameSettings, at now: Instant,
        _ outputs: inout Outputs
    ) {
        accounts.names.releaseAll(in: &room.live, at: now, &outputs)
        room.start(serverID: serverID, settings, at: now, &outputs)
        rooms.add(room)
    }

    /// Ends a room in which nobody is.
    private mutating func end(
        _ id: RoomID, _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) {
        accounts.leaveAll(id, of: &rooms, &rates, at: now, &outputs)
        outputs.write(.roomEnded(rooms[id].name), of: .main)
        outputs.perform(.endRoom(id))
        for bidder in rooms.remove(id) { rates.forgetOpenings(of: bidder) }
    }

    /// The identity of the server, the same in every room.
    var serverID: Identity? { rooms[.main].live.sale.serverID }

    /// A room by its name; nil if there is none.
    func room(named name: RoomName) -> RoomID? { rooms.id(of: name) }

    /// The name of a room.
    func name(of room: RoomID) -> RoomName { rooms[room].name }

    /// Reads a room.
    func read<Value>(_ id: RoomID, _ body: (Room) -> Value) -> Value { body(rooms[id]) }

    /// The state of each room, `main` first.
    var statuses: [RoomStatus] { rooms.all.map { RoomStatus(rooms[$0]) } }

    /// The lines of the log from which all rooms can continue.
    ///
    /// `number` is that of the event which a line restates, if it restates one.
    var state: [(record: Record, number: Int?)] {
        var state: [(record: Record, number: Int?)] = []
        for id in rooms.all {
            let (name, opening) = (rooms[id].name, rooms[id].opening)
            if let opening {
                state.append((.roomOpened(name, key: opening.key, opening.options), nil))
            }
            let (head, news) = (state.count, rooms[id].live.sale.eventNumber)
            state.append((.roomState(name, news: news, lines: 0), nil))
            rooms[id].live.sale.appendState(to: &state)
            state[head].record = .roomState(name, news: news, lines: state.count - head - 1)
        }
        return state
    }

    // Time

    /// When `expire` is next due; nil if only input can change anything.
    var deadline: Instant? { Instant.earliest(rooms.deadline, accounts.deadline) }

    /// Does what was due until `handledUntil`.
    ///
    /// It frees names, announces absences, and advances the countdown, the next lot and the end of
    /// each room.
    mutating func expire(
        at now: Instant, handledUntil: Instant, _ rates: inout RateLimits,
        _ outputs: inout Outputs
    ) {
        // In turn, because nothing may ever be due in a room whose names are unused.
        if let id = rooms.nextInTurn() {
            accounts.names.expire(of: id, in: &rooms, &rates, at: now, &outputs)
        }
        accounts.expireAbsences(
            in: &rooms, &rates, at: now, handledUntil: handledUntil, &outputs)
        while let id = rooms.popDue(at: handledUntil) {
            accounts.names.expire(of: id, in: &rooms, &rates, at: now, &outputs)
            let hasEnded = rooms[id].expire(
                at: now, handledUntil: handledUntil, limits.roomIdle, &outputs)
            if hasEnded { end(id, &rates, at: now, &outputs) }
        }
    }

    /// Brings the timers of rooms up to date; the lobby calls it once for each step.
    mutating func schedule() { rooms.schedule() }

    /// The number of timers of rooms, with those that are out of date.
    var timerCount: Int { rooms.timerCount }

    /// Notes that the news of a room up to this number was published.
    mutating func published(
        in room: RoomID, upTo seq: Int, at now: Instant, _ outputs: inout Outputs
    ) {
        rooms.published(in: room, upTo: seq, at: now, &outputs)
    }

    // Connections

    /// Lets a connection enter its room: it receives the greeting, the snapshot, and then the news.
    mutating func enter(
        _ room: RoomID, on id: SessionID, at now: Instant, _ outputs: inout Outputs
    ) {
        rooms[room].enter()
        rooms.touch(room)
        outputs.perform(.follow(id, room: room))
        rooms[room].greet(id, serverID: serverID, at: now, &outputs)
    }

    /// Notes that a connection no longer follows the news of a room.
    mutating func leave(_ room: RoomID, at now: Instant) {
        rooms[room].leave(at: now, limits.roomIdle)
        rooms.touch(room)
    }

    /// Sends a snapshot and the private lines to a connection that has missed news.
    ///
    /// They follow its current answer.
    mutating func resync(
        _ id: SessionID, of bidder: Bidder?, in room: RoomID, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard !answers.delaySnapshot(to: id) else { return }
        outputs.perform(.skip(id))
        rooms[room].live.sendSnapshot(to: id, at: now, &outputs)
        if let bidder { rooms[room].live.sendPrivateState(of: bidder, to: id, &outputs) }
    }

    /// Releases the name of a connection that has ended.
    mutating func release(
        _ bidder: Bidder, by id: SessionID, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        accounts.release(bidder, by: id, in: &rooms, &rates, at: now, &outputs)
    }

    // Commands

    /// Lets the rules decide a bid in a room; the reply to its bidder precedes the news.
    mutating func bid(
        _ price: Price, tag: String?, by bidder: Bidder?, on id: SessionID, in room: RoomID,
        as encoding: Encoding, at now: Instant, _ outputs: inout Outputs
    ) {
        rooms[room].bid(price, tag: tag, by: bidder, on: id, as: encoding, at: now, &outputs)
        rooms.touch(room)
    }

    /// Executes a request, and answers it with exactly one `OK` or `ERROR`, now or later.
    mutating func execute(
        _ request: Request, of id: SessionID, _ session: inout Session,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        let (tag, room) = (request.tag, session.room)
        rooms.touch(room)
        switch request.command {
        case .bid(let price):
            rooms[room].bid(
                price, tag: tag, by: session.bidder, on: id, as: session.encoding, at: now,
                &outputs)
        case .take:
            rooms[room].offer({ .take(by: $0) }, tag: tag, of: id, session, at: now, &outputs)
        case .buy:
            rooms[room].offer({ .buy(by: $0) }, tag: tag, of: id, session, at: now, &outputs)
        case .maximum(let price):
            rooms[room].offer(
                { .setMaximum(price, by: $0) }, tag: tag, of: id, session, at: now, &outputs)
        case .say(let text):
            rooms[room].say(
                text, tag: tag, by: session.bidder, on: id, &chat, at: now, &outputs)
        case .name(let bidder, let token):
            return takeName(
                bidder, token: token, tag: tag, by: id, &session, &rates, at: now, &outputs)
        case .rooms: return answer(.rooms(after: nil, listed: 0), tag, to: id)
        case .join(let name):
            join(name, tag: tag, of: id, &session, &rates, at: now, &outputs)
        case .open(let name, let options):
            open(name, options, tag: tag, of: id, &session, &rates, at: now, &outputs)
        case .laps(let range): return answer(rooms[room].laps(range), tag, to: id)
        case .results(let range): return answer(rooms[room].results(range), tag, to: id)
        case .who: return answer(rooms[room].whoIsPresent, tag, to: id)
        case .standings: return answer(rooms[room].currentStandings(), tag, to: id)
        case .resume(let number):
            guard let news = rooms[room].news(after: number) else {
                outputs.refuse(.noSuchNews(newest: rooms[room].newestNews), tag: tag, to: id)
                return .answered
            }
            return answer(news, tag, to: id)
        case .status: return answer(.status(session.bidder), tag, to: id)
        case .format(let format):
            return change(to: format, from: session.encoding, tag: tag, of: id, &outputs)
        case .ping: outputs.reply(.ok(.ping, tag: tag), to: id)
        case .help: return answer(.help(from: 0), tag, to: id)
        case .quit:
            outputs.reply(.ok(.quit, tag: tag), to: id)
            return .close(id, .quit)
        case .auctioneer(let token):
            let mustClose = auctioneer.appoint(
                id, &session, token: token, tag: tag, of: rooms[room], &rates, at: now, &outputs)
            if mustClose { return .close(id, .wrongToken) }
        case .rule(let command):
            return execute(command, tag: tag, of: id, session, &rates, at: now, &outputs)
        }
        return .answered
    }

    /// Whether a request has a right token.
    func proves(_ request: Request?, _ session: borrowing Session) -> Bool {
        switch request?.command {
        case .name(let bidder, let token?):
            rooms.owner(of: bidder)?.token.isSpelled(token) == true
        case .auctioneer(let token): auctioneer.accepts(token, from: session.address)
        default: false
        }
    }

    private mutating func takeName(
        _ bidder: Bidder, token: String?, tag: String?, by id: SessionID,
        _ session: inout Session, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> Outcome {
        let outcome = accounts.take(
            bidder, token: token, tag: tag, by: id, &session, in: &rooms, &rates, at: now,
            &outputs)
        rooms[session.room].live.settle(at: now, &outputs)
        return switch outcome {
        case .answered: .answered
        case .replaced(let former): .replace(former)
        case .tooManyWrongTokens: .close(id, .wrongToken)
        }
    }

    // Rooms of a client

    /// Moves a connection to another room.
    private mutating func join(
        _ name: RoomName, tag: String?, of id: SessionID, _ session: inout Session,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) {
        guard let room = rooms.id(of: name) else {
            return outputs.refuse(.noRoom, tag: tag, to: id)
        }
        let answer = Answer.joined(name)
        guard room != session.room else { return outputs.reply(.ok(answer, tag: tag), to: id) }
        if let bidder = session.bidder,
            let error = accounts.refusal(
                of: bidder, session, entering: room, of: &rooms, &rates, at: now, &outputs)
        {
            return outputs.refuse(error, tag: tag, to: id)
        }
        move(to: room, answer, tag: tag, of: id, &session, at: now, &outputs)
    }

    /// Moves a connection from the news of its room to that of another.
    ///
    /// After the answer it receives nothing of the room that it left, and in the new one all news
    /// after the snapshot.
    private mutating func move(
        to room: RoomID, _ answer: Answer, tag: String?, of id: SessionID,
        _ session: inout Session, at now: Instant, _ outputs: inout Outputs
    ) {
        let former = session.room
        session.room = room
        if session.rights == .room { session.rights = .none }
        enter(room, on: id, at: now, &outputs)
        outputs.reply(.ok(answer, tag: tag), to: id)
        if let bidder = session.bidder {
            accounts.enter(room, bidder, on: id, of: &rooms, at: now, &outputs)
            accounts.announceArrival(of: bidder, on: id, in: room, of: &rooms, at: now, &outputs)
            rooms[room].live.settle(at: now, &outputs)
        }
        leave(former, at: now)
    }

    /// Opens a room for a connection, and moves it there.
    private mutating func open(
        _ name: RoomName, _ options: RoomOptions, tag: String?, of id: SessionID,
        _ session: inout Session, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard rooms.id(of: name) == nil else {
            return outputs.refuse(.roomTaken, tag: tag, to: id)
        }
        if let error = fullError(from: session.address) {
            outputs.note(.rooms)
            return outputs.refuse(error, tag: tag, to: id)
        }
        let rules: Rules
        do throws(LotOptions.Problem) {
            rules = try options.rules(defaults.rules)
        } catch {
            return outputs.refuse(.badOption(error.description), tag: tag, to: id)
        }
        if let bidder = session.bidder {
            let hasPlace = accounts.hasPlace(
                for: bidder, leaving: session.room, of: &rooms, &rates, at: now, &outputs)
            guard hasPlace else { return outputs.refuse(.namesFull, tag: tag, to: id) }
        }
        let key = makeToken()
        let opening = Room.Opening(
            key: key, options: options.resolved(with: rules, pause: defaults.pause),
            origin: session.address)
        let room = rooms.nextID
        outputs.note(.opened, of: id, session, in: name)
        outputs.write(.roomOpened(name, key: key, opening.options), of: room)
        open(name, rules, opening, at: now, &outputs)
        move(
            to: room, .opened(name, key: key.description), tag: tag, of: id, &session, at: now,
            &outputs)
    }

    /// The error if no room can be opened from an address; nil if one can.
    private func fullError(from origin: PeerAddress) -> ErrorReply? {
        guard rooms.count < limits.rooms else { return .roomsFull }
        guard let most = limits.roomsPerAddress else { return nil }
        return rooms.isFull(origin, most: most) ? .addressRoomsFull : nil
    }

    /// Changes the format; the answer is still in the previous one.
    private func change(
        to format: Format, from current: Encoding, tag: String?, of id: SessionID,
        _ outputs: inout Outputs
    ) -> Outcome {
        guard let encoding = current.changed(to: format) else {
            let usage = "format json, because a WebSocket has no other format"
            outputs.refuse(ErrorReply(.badArguments(usage: usage)), tag: tag, to: id)
            return .answered
        }
        outputs.reply(.ok(.format(format), tag: tag), to: id)
        return .changeEncoding(encoding)
    }

    /// Executes a command of the auctioneer.
    private mutating func execute(
        _ command: AuctioneerCommand, tag: String?, of id: SessionID, _ session: Session,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        let room = session.room
        let outcome = auctioneer.execute(
            command, tag: tag, of: id, session, in: &rooms[room].live, at: now, &outputs)
        switch outcome {
        case .answered: return .answered
        case .kick(let bidder, let reason):
            let holder = accounts.kick(
                bidder, from: room, reason: reason, in: &rooms, &rates, at: now, &outputs)
            rooms[room].live.settle(at: now, &outputs)
            return holder.map { .close($0, .kicked) } ?? .answered
        case .stop:
            for id in rooms.all { rooms[id].live.commit(.stopped, at: now, &outputs) }
            return .stop
        }
    }

    // Long answers

    /// The number of lines of long answers that may still be sent in this step.
    var answerBudget: Int {
        get { answers.budget }
        set { answers.budget = newValue }
    }

    /// Whether an answer to a connection is incomplete.
    func isAnswering(_ id: SessionID) -> Bool { answers.contains(id) }

    private mutating func answer(
        _ rest: LongAnswer.Rest, _ tag: String?, to id: SessionID
    ) -> Outcome {
        answers.begin(rest, tag: tag, to: id)
        return .answering
    }

    /// Sends the next part of the answer to a connection.
    ///
    /// After an answer that has held back or repeated news, the bidder's private lines are sent
    /// again: clients forget the worth of a lot when the next one opens.
    mutating func continueAnswer(
        to id: SessionID, of bidder: Bidder?, in room: RoomID, at now: Instant,
        _ outputs: inout Outputs
    ) -> LongAnswers.Progress {
        let progress = answers.continue(to: id, in: room, of: rooms, at: now, &outputs)
        if case .complete(let answer, _) = progress {
            let isDue = outputs.takeWithheld(id) || answer.repeatsNews
            if isDue, !answer.needsSnapshot, let bidder {
                rooms[room].live.sendPrivateState(of: bidder, to: id, &outputs)
            }
        }
        return progress
    }

    /// Notes that a connection ends after its answer; false if none is incomplete.
    mutating func endAfterAnswer(to id: SessionID) -> Bool { answers.endAfterAnswer(to: id) }

    /// Ends an incomplete answer with an error, because its connection is about to be closed.
    mutating func breakOffAnswer(to id: SessionID, _ outputs: inout Outputs) {
        answers.breakOff(to: id, &outputs)
    }

    /// Removes the answer to a connection that has ended.
    mutating func removeAnswer(to id: SessionID) { answers.remove(id) }

    // The auctioneer

    /// The auctioneer's token; nil if nobody can be the auctioneer.
    var auctioneerToken: AuctioneerToken? {
        get { auctioneer.token }
        set { auctioneer.token = newValue }
    }

    /// Whether the auctioneer's token is accepted on the Unix socket alone.
    var isAuctioneerLocal: Bool {
        get { auctioneer.isLocal }
        set { auctioneer.isLocal = newValue }
    }
}
