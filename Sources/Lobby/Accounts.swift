import AuctionRules
import Queues
import Sale
import Wire

/// The names: who may take one, which connection holds it, and when it becomes free.
///
/// A name belongs to the server, whatever room its owner is in. The sale of each room records which
/// names take part in it and whose owners are present. An owner whose connection ended stays present
/// for a while, so that a short absence is not announced.
struct Accounts {
    /// How many names are checked for expiry in one call, which bounds its time.
    private static let checkedAtOnce = 64
    /// How long a name must have been unused to make room for a new one: ten minutes.
    ///
    /// Longer than a phone, a router or a client needs to come back, so that nobody loses a name
    /// during a short absence. No longer, because somebody with many networks can take all names,
    /// and newcomers then wait this long.
    private static let unusedForNewName = Duration.seconds(600)

    @Indirect private var limits: Limits
    private let makeToken: () -> Token
    private var holders: [Bidder: Holder] = [:]
    /// When present owners without a connection have been absent for too long.
    ///
    /// Entries of owners who are back are skipped.
    private var absences = TimerQueue<Absence, Instant>()
    /// The number of holders so far, which distinguishes those of one name.
    private var holderCount = 0

    /// The connection of a present owner.
    private struct Holder {
        let number: Int
        /// The room in which the owner is present.
        var room: RoomID
        /// Nil during an absence.
        var session: SessionID?
        /// Until when the owner counts as present without a connection.
        var awayUntil = Instant(nanoseconds: 0)
        /// Whether the owner is in `absences`.
        var isAwaited = false
    }

    private struct Absence {
        let bidder: Bidder
        let number: Int
    }

    /// The outcome of a command for a name.
    enum Outcome {
        /// It was answered.
        case answered
        /// Another connection held the name, and must be closed.
        case replaced(SessionID)
        /// A token was wrong, and the connection must be closed.
        case tooManyWrongTokens
    }

    init(_ limits: Limits, makeToken: @escaping () -> Token) {
        self.limits = limits
        self.makeToken = makeToken
    }

    /// When `expire` is next due; nil if no owner is absent.
    var deadline: Instant? { absences.deadline }

    // Taking names

    /// Gives a name to a connection, or answers why not.
    ///
    /// A name is owned from the moment it is taken. It is free again when its connection ends
    /// without an accepted bid under it; with one in any room it stays owned, and only its token
    /// opens it. Until `LEFT` is sent, the token opens it in either case.
    mutating func take(
        _ bidder: Bidder, token: String?, tag: String?, by id: SessionID,
        _ session: inout Session, in rooms: inout Rooms, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        if let present = session.bidder, present != bidder {
            outputs.refuse(.alreadyNamed(present), tag: tag, to: id)
            return .answered
        }
        if let seconds = secondsBarred(bidder, from: session.room, of: rooms, at: now, outputs) {
            outputs.refuse(.kicked(seconds: seconds), tag: tag, to: id)
            return .answered
        }
        let owner = rooms.owner(of: bidder)
        let holder = holders[bidder]
        if let owner, holder?.session == id {
            confirm(owner, tag: tag, to: id, in: rooms[session.room].live, &outputs)
            return .answered
        }
        if let owner, let token, owner.token.isSpelled(token) {
            return open(owner, tag: tag, by: id, &session, in: &rooms, &rates, at: now, &outputs)
        }
        guard isOwned(bidder, holder, in: rooms) else {
            create(bidder, tag: tag, by: id, &session, in: &rooms, &rates, at: now, &outputs)
            return .answered
        }
        guard token != nil else {
            outputs.refuse(.nameTaken, tag: tag, to: id)
            return .answered
        }
        let mustClose = rates.refuseToken(
            .wrongToken, from: id, at: session.address, tag: tag, now, &outputs)
        return mustClose ? .tooManyWrongTokens : .answered
    }

    /// Whether a name is held by a connection, or has bid in some room.
    private func isOwned(_ bidder: Bidder, _ holder: Holder?, in rooms: borrowing Rooms) -> Bool {
        guard let holder else { return rooms.roomCount(of: bidder) > 0 }
        // In every other room the owner is absent, so the name has bid there.
        return holder.session != nil || rooms.roomCount(of: bidder) > 1
            || rooms[holder.room].live.sale.names[bidder]?.hasBid == true
    }

    /// The seconds until a kicked name can take part in a room; nil if it can now.
    private func secondsBarred(
        _ bidder: Bidder, from room: RoomID, of rooms: borrowing Rooms, at now: Instant,
        _ outputs: borrowing Outputs
    ) -> Int? {
        guard let end = rooms[room].live.sale.bars[bidder] else { return nil }
        let left = Duration.milliseconds(end - outputs.clock.sinceStart(at: now))
        return left > .zero ? now.secondsRoundedUp(to: now.advanced(by: left)) : nil
    }

    /// Gives an owned name to a connection that proved its token, unless it was opened too often.
    private mutating func open(
        _ owner: (bidder: Bidder, token: Token), tag: String?, by id: SessionID,
        _ session: inout Session, in rooms: inout Rooms, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        let (bidder, room) = (owner.bidder, session.room)
        guard mayTakePart(bidder, in: room, of: &rooms, &rates, at: now, &outputs) else {
            refuseFull(tag: tag, to: id, &outputs)
            return .answered
        }
        if let seconds = rates.chargeOpening(of: bidder, from: session.address, at: now) {
            outputs.note(.openings)
            outputs.refuse(.openedTooOften(seconds: seconds), tag: tag, to: id)
            return .answered
        }
        rates.acceptToken(from: id)
        if let former = holders[bidder]?.room, former != room {
            rooms.commit(.bidderLeft(bidder), of: bidder, in: former, at: now, &outputs)
            rooms[former].live.disconnect(bidder)
        }
        takePart(owner, in: room, of: &rooms, at: now, &outputs)
        let former = hold(bidder, by: id, &session, in: &rooms, &outputs)
        confirm(owner, tag: tag, to: id, in: rooms[room].live, &outputs)
        announce(bidder, in: room, of: &rooms, at: now, &outputs)
        return former.map { .replaced($0) } ?? .answered
    }

    /// Gives a name that nobody owns to a connection, unless there are too many new ones.
    private mutating func create(
        _ bidder: Bidder, tag: String?, by id: SessionID, _ session: inout Session,
        in rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        let room = session.room
        guard
            rooms.roomCount(of: bidder) > 0
                || makeRoom(for: room, of: &rooms, &rates, at: now, &outputs)
        else { return refuseFull(tag: tag, to: id, &outputs) }
        if let seconds = rates.chargeName(to: id, from: session.address, at: now) {
            outputs.note(.names)
            return outputs.refuse(.tooManyNames(seconds: seconds), tag: tag, to: id)
        }
        // Its last owner disconnected a moment ago, and `LEFT` was not sent yet.
        if holders[bidder] != nil {
            announceLeft(bidder, of: &rooms, &rates, at: now, &outputs)
        }
        let owner = (bidder: bidder, token: makeToken())
        takePart(owner, in: room, of: &rooms, at: now, &outputs)
        _ = hold(bidder, by: id, &session, in: &rooms, &outputs)
        confirm(owner, tag: tag, to: id, in: rooms[room].live, &outputs)
        announce(bidder, in: room, of: &rooms, at: now, &outputs)
    }

    private func refuseFull(tag: String?, to id: SessionID, _ outputs: inout Outputs) {
        outputs.note(.namesFull)
        outputs.refuse(.namesFull, tag: tag, to: id)
    }

    /// Notes which connection holds a name; returns the one that held it before.
    private mutating func hold(
        _ bidder: Bidder, by id: SessionID, _ session: inout Session, in rooms: inout Rooms,
        _ outputs: inout Outputs
    ) -> SessionID? {
        session.bidder = bidder
        rooms[session.room].live.connect(bidder, to: id)
        outputs.note(.named, of: id, session, in: rooms[session.room].name)
        guard let former = holders[bidder] else {
            holderCount += 1
            holders[bidder] = Holder(number: holderCount, room: session.room, session: id)
            return nil
        }
        holders[bidder]?.session = id
        holders[bidder]?.room = session.room
        return former.session
    }

    private func confirm(
        _ owner: (bidder: Bidder, token: Token), tag: String?, to id: SessionID,
        in live: LiveSale, _ outputs: inout Outputs
    ) {
        let answer = Answer.name(owner.bidder, token: owner.token.description)
        outputs.reply(.ok(answer, tag: tag), to: id)
        live.sendPrivateState(of: owner.bidder, to: id, &outputs)
    }

    // Rooms

    /// Whether a name takes part in a room, or may begin to; frees an unused one if necessary.
    private mutating func mayTakePart(
        _ bidder: Bidder, in room: RoomID, of rooms: inout Rooms, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs
    ) -> Bool {
        rooms[room].live.sale.names[bidder] != nil
            || makeRoom(for: room, of: &rooms, &rates, at: now, &outputs)
    }

    /// Whether an owner who leaves a room may take part in another; frees an unused name if
    /// necessary.
    mutating func hasPlace(
        for bidder: Bidder, leaving room: RoomID, of rooms: inout Rooms,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Bool {
        // A name without a bid is not kept where it was.
        if rooms[room].live.sale.names[bidder]?.hasBid == false { return true }
        if makeRoom(for: room, of: &rooms, &rates, at: now, &outputs) { return true }
        outputs.note(.namesFull)
        return false
    }

    /// Records a name in a room, if it is not there yet.
    private func takePart(
        _ owner: (bidder: Bidder, token: Token), in room: RoomID, of rooms: inout Rooms,
        at now: Instant, _ outputs: inout Outputs
    ) {
        guard rooms[room].live.sale.names[owner.bidder] == nil else { return }
        rooms.commit(
            .nameTaken(owner.bidder, owner.token), of: owner.bidder, in: room, at: now, &outputs)
    }

    /// Announces that an owner is present in a room, if that was not announced.
    private func announce(
        _ bidder: Bidder, in room: RoomID, of rooms: inout Rooms, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard rooms[room].live.sale.names[bidder]?.isPresent == false else { return }
        rooms.commit(.bidderJoined(bidder), of: bidder, in: room, at: now, &outputs)
    }

    /// Why the owner that a connection has may not enter another room; nil if that is allowed.
    ///
    /// It counts as an opening of the name, because everybody in both rooms is told.
    mutating func refusal(
        of bidder: Bidder, _ session: borrowing Session, entering room: RoomID,
        of rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> ErrorReply? {
        if let seconds = secondsBarred(bidder, from: room, of: rooms, at: now, outputs) {
            return .kicked(seconds: seconds)
        }
        let isAllowed =
            rooms[room].live.sale.names[bidder] != nil
            || hasPlace(
                for: bidder, leaving: session.room, of: &rooms, &rates, at: now, &outputs)
        guard isAllowed else { return .namesFull }
        guard let seconds = rates.chargeOpening(of: bidder, from: session.address, at: now) else {
            return nil
        }
        outputs.note(.openings)
        return .openedTooOften(seconds: seconds)
    }

    /// Moves the owner that a connection has to the room that it has entered; `announceArrival`
    /// follows.
    mutating func enter(
        _ room: RoomID, _ bidder: Bidder, on id: SessionID, of rooms: inout Rooms,
        at now: Instant, _ outputs: inout Outputs
    ) {
        guard let owner = rooms.owner(of: bidder), let former = holders[bidder]?.room else {
            return
        }
        // First the new room: a name that is in no room is free.
        takePart(owner, in: room, of: &rooms, at: now, &outputs)
        rooms.commit(.bidderLeft(bidder), of: bidder, in: former, at: now, &outputs)
        rooms[former].live.disconnect(bidder)
        holders[bidder]?.room = room
        rooms[room].live.connect(bidder, to: id)
    }

    /// Sends an owner who has entered a room what holds for the bidder alone, and announces the
    /// arrival.
    func announceArrival(
        of bidder: Bidder, on id: SessionID, in room: RoomID, of rooms: inout Rooms,
        at now: Instant, _ outputs: inout Outputs
    ) {
        rooms[room].live.sendPrivateState(of: bidder, to: id, &outputs)
        announce(bidder, in: room, of: &rooms, at: now, &outputs)
    }

    /// Announces that the owners who are present in a room without a connection have left.
    mutating func leaveAll(
        _ room: RoomID, of rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        for entry in rooms[room].live.sale.names.present(after: 0, limit: .max) {
            announceLeft(entry.bidder, of: &rooms, &rates, at: now, &outputs)
        }
    }

    // Leaving

    /// Notes that a connection has ended; its owner is announced to have left after
    /// `Limits.absence`.
    mutating func release(
        _ bidder: Bidder, by id: SessionID, in rooms: inout Rooms, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs
    ) {
        guard var holder = holders[bidder], holder.session == id else { return }
        rooms[holder.room].live.disconnect(bidder)
        guard limits.absence > .zero else {
            return announceLeft(bidder, of: &rooms, &rates, at: now, &outputs)
        }
        holder.session = nil
        holder.awayUntil = now.advanced(by: limits.absence)
        if !holder.isAwaited { scheduleEndOfAbsence(bidder, holder) }
        holder.isAwaited = true
        holders[bidder] = holder
    }

    /// Announces the owners who were without a connection for too long.
    mutating func expireAbsences(
        in rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        handledUntil: Instant, _ outputs: inout Outputs
    ) {
        while let absence = absences.popDue(at: handledUntil) {
            let bidder = absence.bidder
            // An owner who left and came back since has a new number and a new entry.
            guard let holder = holders[bidder], holder.number == absence.number else { continue }
            if holder.session != nil {
                holders[bidder]?.isAwaited = false
            } else if holder.awayUntil > handledUntil {
                scheduleEndOfAbsence(bidder, holder)
            } else {
                announceLeft(bidder, of: &rooms, &rates, at: now, &outputs)
            }
        }
    }

    /// Removes a present owner from a room, and bars the name from it for a while, also across
    /// restarts.
    ///
    /// Returns the connection that held the name, if there is one; it must be closed.
    mutating func kick(
        _ bidder: Bidder, from room: RoomID, reason: String, in rooms: inout Rooms,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> SessionID? {
        if limits.kick > .zero {
            let end = outputs.clock.sinceStart(at: now.advanced(by: limits.kick))
            rooms[room].live.commit(.nameBarred(bidder, until: end), at: now, &outputs)
        }
        rooms[room].live.commit(.bidderKicked(bidder, reason: reason), at: now, &outputs)
        let holder = holders[bidder]?.session
        announceLeft(bidder, of: &rooms, &rates, at: now, &outputs)
        return holder
    }

    private mutating func announceLeft(
        _ bidder: Bidder, of rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard let holder = holders.removeValue(forKey: bidder) else { return }
        // As the owner has written it.
        let bidder = rooms[holder.room].live.sale.names[bidder]?.bidder ?? bidder
        rooms.commit(.bidderLeft(bidder), of: bidder, in: holder.room, at: now, &outputs)
        rooms[holder.room].live.disconnect(bidder)
        if rooms.roomCount(of: bidder) == 0 { rates.forgetOpenings(of: bidder) }
    }

    private mutating func scheduleEndOfAbsence(_ bidder: Bidder, _ holder: Holder) {
        absences.insert(Absence(bidder: bidder, number: holder.number), due: holder.awayUntil)
    }

    // Names that become free

    /// Releases the names of the recovered sale of a room: no owner is connected yet.
    ///
    /// A kicked name is barred for `Limits.kick` at most, because the clock may have been changed.
    func releaseAll(in live: inout LiveSale, at now: Instant, _ outputs: inout Outputs) {
        for entry in live.sale.names.present(after: 0, limit: .max) {
            live.commit(.bidderLeft(entry.bidder), at: now, &outputs)
        }
        for bidder in live.sale.names.pending {
            live.commit(.nameFreed(bidder), at: now, &outputs)
        }
        let latest = outputs.clock.sinceStart(at: now.advanced(by: limits.kick))
        let bars = live.sale.bars.sorted { $0.key.description < $1.key.description }
        for (bidder, end) in bars where end > latest {
            live.commit(.nameBarred(bidder, until: latest), at: now, &outputs)
        }
    }

    /// Frees the names of a room that were unused for longer than `Limits.nameAge`.
    mutating func expireNames(
        of room: RoomID, in rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard let age = limits.nameAge else { return }
        freeNames(of: room, unusedFor: age, in: &rooms, &rates, at: now, &outputs) { _ in true }
    }

    /// Whether another name may take part in a room; frees an unused one if necessary, of this room
    /// or another.
    private mutating func makeRoom(
        for room: RoomID, of rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> Bool {
        guard let limit = limits.names, rooms.nameCount >= limit else { return true }
        return rooms.search(from: room) { rooms, searched in
            freeNames(
                of: searched, unusedFor: Self.unusedForNewName, in: &rooms, &rates, at: now,
                &outputs
            ) { $0.nameCount >= limit }
            return rooms.nameCount < limit
        }
    }

    /// Frees absent names of a room while a condition holds, the one unused for longest first.
    ///
    /// A name that has bid on the open lot is kept, because it may lead again after a void. So is
    /// one that has won in a game, because what it has spent and earned still counts.
    private func freeNames(
        of room: RoomID, unusedFor age: Duration, in rooms: inout Rooms,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs,
        while condition: (borrowing Rooms) -> Bool
    ) {
        let latest = outputs.clock.earliest(at: now) - age.components.seconds * 1000
        for _ in 0..<Self.checkedAtOnce {
            guard condition(rooms), let oldest = rooms[room].live.sale.names.longestAbsent,
                oldest.used <= latest
            else { return }
            if rooms[room].live.keeps(oldest) {
                rooms[room].live.commit(.nameKept(oldest.bidder), at: now, &outputs)
            } else {
                rooms.commit(
                    .nameFreed(oldest.bidder), of: oldest.bidder, in: room, at: now, &outputs)
                if rooms.roomCount(of: oldest.bidder) == 0 {
                    rates.forgetOpenings(of: oldest.bidder)
                }
            }
        }
    }
}

extension LiveSale {
    /// Whether an absent name stays owned, however long it was not used.
    fileprivate func keeps(_ account: Account) -> Bool {
        !auction.isClosed && account.lot == auction.lot.number
            || sale.hasWonInGame(account.bidder)
    }
}
