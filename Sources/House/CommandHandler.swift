import Auction
import Basics
import Wire

/// Executes the commands of clients: on their names, on rooms, and on the sale of their room.
///
/// Connections, their rates and the outputs belong to the lobby and are arguments. What a command
/// means for connections is returned as an `Outcome`, which the lobby performs.
struct CommandHandler {
    var rooms: Rooms
    var accounts: Accounts
    var auctioneer = Auctioneer()
    var chat = ChatLimits()
    let factory: RoomFactory
    private var answers = LongAnswers()
    /// When a room without people ends; nil for never.
    private let roomIdle: Duration?

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
        /// The auctioneer ended a room, so the connections in it must be closed, then the room.
        case end(RoomID)
        /// All connections must be closed, because the auctioneer stopped the server.
        case stop
    }

    /// Makes a handler without rooms; `openMain` and `reopen` follow.
    init(
        _ limits: Limits, rules: Rules, pause: Duration, makeToken: @escaping () -> Token
    ) {
        rooms = Rooms(trusting: limits.trustedNetworks)
        roomIdle = limits.roomIdle
        accounts = Accounts(limits, makeToken: makeToken)
        factory = RoomFactory(
            limits, accounts.names, rules: rules, pause: pause, makeToken: makeToken)
    }

    // Rooms

    /// Opens `main`, or continues it after a restart.
    mutating func openMain(
        _ recovered: Sale?, _ catalogue: Catalogue, serverID: Identity, _ settings: GameSettings,
        at now: Instant, _ outputs: inout Outputs
    ) {
        factory.openMain(
            recovered, catalogue, serverID: serverID, settings, in: &rooms, at: now, &outputs)
    }

    /// Continues a room after a restart.
    mutating func reopen(
        _ room: ServerReplay.Room, at now: Instant, _ outputs: inout Outputs
    ) {
        factory.reopen(room, in: &rooms, at: now, &outputs)
    }

    /// Ends a room in which nobody is.
    mutating func end(
        _ id: RoomID, _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) {
        accounts.leaveAll(id, of: &rooms, &rates, at: now, &outputs)
        outputs.write(.roomEnded(rooms[id].name), of: .main)
        outputs.perform(.endRoom(id))
        outputs.reveal(in: id)
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

    /// The state from which each room can continue, `main` first.
    var state: [RoomState] { rooms.all.map { RoomState(rooms[$0]) } }

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
                at: now, handledUntil: handledUntil, roomIdle, &outputs)
            freeWaiting(of: id, &rates, at: now, &outputs)
            if hasEnded { end(id, &rates, at: now, &outputs) }
        }
    }

    /// Brings the timers of rooms up to date; the lobby calls it once for each step.
    mutating func schedule() { rooms.schedule() }

    /// Frees the names of a room that were kept only until its lot has ended, if it has.
    mutating func freeWaiting(
        of room: RoomID, _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) {
        // Asked first, because the second question copies the sale.
        guard rooms[room].live.sale.names.waiting.count > 0, !rooms[room].live.sale.keepsNames
        else { return }
        accounts.names.freeWaiting(of: room, in: &rooms, &rates, at: now, &outputs)
    }

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
        _ room: RoomID, on id: SessionID, as encoding: Encoding, at now: Instant,
        _ outputs: inout Outputs
    ) {
        rooms[room].enter()
        rooms[room].live.addFollower(in: encoding, at: now)
        rooms.touch(room)
        outputs.perform(.follow(id, room: room))
        rooms[room].greet(id, serverID: serverID, at: now, &outputs)
    }

    /// Notes that a connection of a room changes its encoding.
    mutating func changeEncoding(
        from former: Encoding, to encoding: Encoding, in room: RoomID, at now: Instant
    ) {
        rooms[room].live.addFollower(in: encoding, at: now)
        rooms[room].live.removeFollower(in: former)
    }

    /// Notes that a connection no longer follows the news of a room.
    mutating func leave(_ room: RoomID, as encoding: Encoding, at now: Instant) {
        rooms[room].live.removeFollower(in: encoding)
        rooms[room].leave(at: now, roomIdle)
        rooms.noteDeparture(from: room)
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

    // Long answers

    /// The number of lines of long answers that may still be sent in this step.
    var answerBudget: Int {
        get { answers.budget }
        set { answers.budget = newValue }
    }

    /// Whether an answer to a connection is incomplete.
    func isAnswering(_ id: SessionID) -> Bool { answers.contains(id) }

    /// Begins an answer of many lines.
    mutating func answer(
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
