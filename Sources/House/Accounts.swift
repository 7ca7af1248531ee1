import Auction
import Basics
import Wire

/// The names: who may take one, and which connection holds it.
///
/// A name belongs to the server, whatever room its owner is in. The sale of each room records which
/// names take part in it and whose owners are present.
struct Accounts {
    /// How many names there may be, and when unused ones become free.
    let names: NameLimits
    @Indirect private var limits: Limits
    let makeToken: () -> Token
    var presence = Presence()

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
        (names, self.limits, self.makeToken) = (NameLimits(limits), limits, makeToken)
    }

    /// When `expire` is next due; nil if no owner is absent.
    var deadline: Instant? { presence.deadline }

    // Rooms

    /// Whether an owner takes part in a room, or may join it; frees an unused name if necessary.
    mutating func mayEnter(
        _ room: RoomID, _ bidder: Bidder, leaving former: RoomID?, of rooms: inout Rooms,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Bool {
        rooms[room].live.sale.names[bidder] != nil
            || names.makePlace(inside: room, of: &rooms, &rates, at: now, &outputs)
                && hasPlace(for: bidder, leaving: former, of: &rooms, &rates, at: now, &outputs)
    }

    /// Whether an owner who leaves a room may join another; frees an unused name if necessary.
    ///
    /// `room` is nil for an owner who is in none.
    mutating func hasPlace(
        for bidder: Bidder, leaving room: RoomID?, of rooms: inout Rooms,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Bool {
        // The name is free where it was.
        if let room, !rooms[room].live.sale.keepsName(of: bidder) { return true }
        return names.makePlace(in: &rooms, from: room ?? .main, &rates, at: now, &outputs)
    }

    /// Records a name in a room, if it is not there yet.
    func takePart(
        _ owner: (bidder: Bidder, token: Token), in room: RoomID, of rooms: inout Rooms,
        at now: Instant, _ outputs: inout Outputs
    ) {
        guard rooms[room].live.sale.names[owner.bidder] == nil else { return }
        rooms.commit(
            .nameTaken(owner.bidder, owner.token), of: owner.bidder, in: room, at: now, &outputs)
    }

    /// Announces that an owner is present in a room, if that was not announced.
    func announce(
        _ bidder: Bidder, in room: RoomID, of rooms: inout Rooms, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard rooms[room].live.sale.names[bidder]?.isPresent == false else { return }
        rooms.commit(.bidderJoined(bidder), of: bidder, in: room, at: now, &outputs)
    }

    /// The seconds until a kicked name may take part in a room; nil if it may now.
    func secondsBarred(
        _ bidder: Bidder, from room: RoomID, of rooms: borrowing Rooms, at now: Instant,
        _ outputs: borrowing Outputs
    ) -> Int? {
        guard let end = rooms[room].live.sale.bars[bidder] else { return nil }
        let left = Duration.milliseconds(end - outputs.clock.sinceStart(at: now))
        return left > .zero ? now.secondsRoundedUp(to: now.advanced(by: left)) : nil
    }

    /// Why the owner that a connection has may not enter another room; nil if that is allowed.
    ///
    /// A move counts as a use of the name's token, because everybody in both rooms is notified.
    mutating func refusal(
        of bidder: Bidder, _ session: borrowing Session, entering room: RoomID,
        of rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> ErrorReply? {
        if let seconds = secondsBarred(bidder, from: room, of: rooms, at: now, outputs) {
            return .kicked(seconds: seconds)
        }
        guard mayEnter(room, bidder, leaving: session.room, of: &rooms, &rates, at: now, &outputs)
        else { return .namesFull }
        guard let seconds = rates.chargeOpening(of: bidder, from: session.address, at: now) else {
            return nil
        }
        outputs.note(.openings)
        return .openedTooOften(seconds: seconds)
    }

    /// Moves the owner of a connection to the room that it has entered; `announceArrival` follows.
    mutating func enter(
        _ room: RoomID, _ bidder: Bidder, on id: SessionID, of rooms: inout Rooms,
        at now: Instant, _ outputs: inout Outputs
    ) {
        guard let owner = rooms.owner(of: bidder), let former = presence.room(of: bidder) else {
            return
        }
        // The new room comes first, because a name that is in no room is free.
        takePart(owner, in: room, of: &rooms, at: now, &outputs)
        leave(former, bidder, of: &rooms, at: now, &outputs)
        presence.move(bidder, to: room)
        rooms[room].live.connect(bidder, to: id)
    }

    /// Sends an owner who has entered a room the private lines, and announces the arrival.
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
        guard presence.session(of: bidder) == id, let room = presence.room(of: bidder) else {
            return
        }
        rooms[room].live.disconnect(bidder)
        guard limits.absence > .zero else {
            return announceLeft(bidder, of: &rooms, &rates, at: now, &outputs)
        }
        presence.release(bidder, until: now.advanced(by: limits.absence))
    }

    /// Announces the owners who were without a connection for too long.
    mutating func expireAbsences(
        in rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        handledUntil: Instant, _ outputs: inout Outputs
    ) {
        while let bidder = presence.popAbsent(at: handledUntil) {
            announceLeft(bidder, of: &rooms, &rates, at: now, &outputs)
        }
    }

    /// Takes back the secret bids of an owner, and bars the name from a room for a while.
    ///
    /// The name stays barred across restarts. An owner who is present leaves. Returns the
    /// connection that held the name in the room, if there is one; it must be closed.
    mutating func kick(
        _ bidder: Bidder, from room: RoomID, reason: String, in rooms: inout Rooms,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> SessionID? {
        if limits.kick > .zero {
            let end = outputs.clock.sinceStart(at: now.advanced(by: limits.kick))
            rooms[room].live.commit(.nameBarred(bidder, until: end), at: now, &outputs)
        }
        rooms[room].live.commit(.bidderKicked(bidder, reason: reason), at: now, &outputs)
        guard presence.room(of: bidder) == room else { return nil }
        let holder = presence.session(of: bidder)
        announceLeft(bidder, of: &rooms, &rates, at: now, &outputs)
        return holder
    }

    mutating func announceLeft(
        _ bidder: Bidder, of rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard let room = presence.remove(bidder) else { return }
        // The name as its owner has written it.
        let bidder = rooms[room].live.sale.names[bidder]?.bidder ?? bidder
        leave(room, bidder, of: &rooms, at: now, &outputs)
        if rooms.roomCount(of: bidder) == 0 { rates.forgetOpenings(of: bidder) }
    }

    /// Announces that an owner has left a room, in which no connection holds the name from now on.
    func leave(
        _ room: RoomID, _ bidder: Bidder, of rooms: inout Rooms, at now: Instant,
        _ outputs: inout Outputs
    ) {
        rooms.commit(.bidderLeft(bidder), of: bidder, in: room, at: now, &outputs)
        rooms[room].live.disconnect(bidder)
    }
}
