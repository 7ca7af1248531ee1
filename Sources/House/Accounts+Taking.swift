import Auction
import Basics
import Wire

// How a connection gets a name.
extension Accounts {
    /// Gives a name to a connection, or answers why not.
    ///
    /// A name is owned from the moment it is taken, and only its token opens it. It is free again
    /// when `LEFT` is sent, unless a room keeps it because of a bid, or until a lot has ended.
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
        if let owner, presence.session(of: bidder) == id {
            confirm(owner, tag: tag, to: id, in: rooms[session.room].live, &outputs)
            return .answered
        }
        if let owner, let token, owner.token.isSpelled(token) {
            return open(owner, tag: tag, by: id, &session, in: &rooms, &rates, at: now, &outputs)
        }
        guard owner != nil else {
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

    /// Gives an owned name to a connection that proved its token, unless it was opened too often.
    private mutating func open(
        _ owner: (bidder: Bidder, token: Token), tag: String?, by id: SessionID,
        _ session: inout Session, in rooms: inout Rooms, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        let (bidder, room) = (owner.bidder, session.room)
        let formerRoom = presence.room(of: bidder)
        guard mayEnter(room, bidder, leaving: formerRoom, of: &rooms, &rates, at: now, &outputs)
        else {
            outputs.refuse(.namesFull, tag: tag, to: id)
            return .answered
        }
        if let seconds = rates.chargeOpening(of: bidder, from: session.address, at: now) {
            outputs.note(.openings)
            outputs.refuse(.openedTooOften(seconds: seconds), tag: tag, to: id)
            return .answered
        }
        rates.acceptToken(from: id)
        if let formerRoom, formerRoom != room {
            leave(formerRoom, bidder, of: &rooms, at: now, &outputs)
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
        guard names.makePlace(inside: room, of: &rooms, &rates, at: now, &outputs),
            names.makePlace(in: &rooms, from: room, &rates, at: now, &outputs)
        else { return outputs.refuse(.namesFull, tag: tag, to: id) }
        if let seconds = rates.chargeName(to: id, from: session.address, at: now) {
            outputs.note(.names)
            return outputs.refuse(.tooManyNames(seconds: seconds), tag: tag, to: id)
        }
        let owner = (bidder: bidder, token: makeToken())
        takePart(owner, in: room, of: &rooms, at: now, &outputs)
        _ = hold(bidder, by: id, &session, in: &rooms, &outputs)
        confirm(owner, tag: tag, to: id, in: rooms[room].live, &outputs)
        announce(bidder, in: room, of: &rooms, at: now, &outputs)
    }

    /// Notes which connection holds a name; returns the one that held it before.
    private mutating func hold(
        _ bidder: Bidder, by id: SessionID, _ session: inout Session, in rooms: inout Rooms,
        _ outputs: inout Outputs
    ) -> SessionID? {
        session.bidder = bidder
        rooms[session.room].live.connect(bidder, to: id)
        outputs.note(.named, of: id, session, in: rooms[session.room].name)
        return presence.hold(bidder, by: id, in: session.room)
    }

    private func confirm(
        _ owner: (bidder: Bidder, token: Token), tag: String?, to id: SessionID,
        in live: LiveSale, _ outputs: inout Outputs
    ) {
        let answer = Answer.name(owner.bidder, token: owner.token.description)
        outputs.reply(.ok(answer, tag: tag), to: id)
        live.sendPrivateState(of: owner.bidder, to: id, &outputs)
    }
}
