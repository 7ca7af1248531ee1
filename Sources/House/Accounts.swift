import Auction
import Basics
import Wire

/// The names: who may take one, which connection holds it, and when it is free again.
///
/// A name belongs to the server, whatever room its owner is in. The sale of each room records which
/// names take part in it and whose owners are present.
struct Accounts {
    /// How many names are checked for expiry in one call, which bounds its time.
    private static let checkedAtOnce = 64
    /// How long an owner without a connection counts as present.
    let absence: Duration
    /// How long a kicked name is barred.
    private let kickTime: Duration
    /// The number of names in all rooms; nil for no limit.
    private let most: Int?
    /// How long a name may be unused; nil for ever.
    private let age: Duration?
    private let makeToken: () -> Token
    private var presence = Presence()

    /// A name that a connection holds, and the connection that held it before.
    struct Holding {
        let name: Session.Name
        let former: SessionID?
    }

    init(_ options: Lobby.Options) {
        let limits = options.limits
        (absence, kickTime) = (limits.absence, limits.kick)
        (most, age, makeToken) = (limits.names, limits.nameAge, options.makeToken)
    }

    /// The connection of a present owner; empty if there is none.
    func connections(of bidder: Bidder) -> [SessionID] {
        presence.session(of: bidder).map { [$0] } ?? []
    }

    /// When `expireAbsences` is next due; nil if no owner is absent.
    var deadline: Instant? { presence.deadline }

    // Taking

    /// Gives a name to a connection, or answers why not; nil if nothing has changed.
    ///
    /// A name is owned from the moment it is taken, and only its token opens it. It is free again
    /// when `LEFT` is sent, unless a room keeps it because of a bid, or until a lot has ended.
    ///
    /// `held` is the token of the name that the connection has.
    mutating func take(
        _ wanted: (bidder: Bidder, token: String?, held: Token?), by sender: Sender,
        in rooms: inout Rooms, _ turn: inout Turn
    ) -> Holding? {
        let bidder = wanted.bidder
        if let present = sender.bidder, present != bidder {
            turn.refuse(.alreadyNamed(present), to: sender)
            return nil
        }
        if let seconds = secondsBarred(bidder, from: rooms[sender.room], turn) {
            turn.refuse(.kicked(seconds: seconds), to: sender)
            return nil
        }
        let owner = rooms.owner(of: bidder)
        if let owner, let held = wanted.held, presence.session(of: bidder) == sender.id {
            let name = Session.Name(bidder: owner.bidder, token: held)
            confirm(name, to: sender, in: rooms, &turn)
            return nil
        }
        guard let owner else { return create(bidder, by: sender, in: &rooms, &turn) }
        guard let text = wanted.token else {
            turn.refuse(.nameTaken, to: sender)
            return nil
        }
        guard let token = Token(text), TokenHash(of: token) == owner.tokenHash else {
            turn.refuseToken(.wrongToken, to: sender)
            return nil
        }
        let name = Session.Name(bidder: owner.bidder, token: token)
        return open(name, by: sender, in: &rooms, &turn)
    }

    /// Gives an owned name to a connection that proved its token, unless it was opened too often.
    private mutating func open(
        _ name: Session.Name, by sender: Sender, in rooms: inout Rooms, _ turn: inout Turn
    ) -> Holding? {
        guard mayEnter(sender.room, name.bidder, of: &rooms, &turn) else {
            turn.refuse(.namesFull, to: sender)
            return nil
        }
        if let error = chargeOpening(of: name.bidder, by: sender, &turn) {
            turn.refuse(error, to: sender)
            return nil
        }
        turn.rates.acceptToken(from: sender.id)
        if let former = presence.room(of: name.bidder), former != sender.room {
            leave(former, name.bidder, of: &rooms, &turn)
        }
        return hold(name, by: sender, in: &rooms, &turn)
    }

    /// Gives a name that nobody owns to a connection, unless there are too many new ones.
    private mutating func create(
        _ bidder: Bidder, by sender: Sender, in rooms: inout Rooms, _ turn: inout Turn
    ) -> Holding? {
        guard makePlace(for: bidder, inside: sender.room, of: &rooms, &turn),
            makePlace(in: &rooms, from: sender.room, &turn)
        else {
            turn.refuse(.namesFull, to: sender)
            return nil
        }
        if let seconds = turn.rates.chargeName(to: sender.id, from: sender.address, at: turn.now) {
            turn.note(.names)
            turn.refuse(.tooManyNames(seconds: seconds), to: sender)
            return nil
        }
        let name = Session.Name(bidder: bidder, token: makeToken())
        return hold(name, by: sender, in: &rooms, &turn)
    }

    /// Lets a connection hold a name in its room, and answers that it does.
    private mutating func hold(
        _ name: Session.Name, by sender: Sender, in rooms: inout Rooms, _ turn: inout Turn
    ) -> Holding? {
        let room = sender.room
        takePart((name.bidder, TokenHash(of: name.token)), in: room, of: &rooms, &turn)
        rooms[room].connect(name.bidder, to: sender)
        var named = sender
        named.bidder = name.bidder
        turn.note(.named, of: named, in: rooms[room].name)
        let former = presence.hold(name.bidder, by: sender.id, in: room)
        confirm(name, to: sender, in: rooms, &turn)
        announce(name.bidder, in: room, of: &rooms, &turn)
        return Holding(name: name, former: former)
    }

    private func confirm(
        _ name: Session.Name, to sender: Sender, in rooms: borrowing Rooms, _ turn: inout Turn
    ) {
        turn.accept(.name(name.bidder, token: name.token.description), to: sender)
        rooms[sender.room].sendPrivateState(of: name.bidder, &turn)
    }

    /// Records a name in a room, if it is not there yet.
    private func takePart(
        _ owner: (bidder: Bidder, tokenHash: TokenHash), in room: RoomID, of rooms: inout Rooms,
        _ turn: inout Turn
    ) {
        guard rooms[room].sale.names[owner.bidder] == nil else { return }
        rooms.commit(.nameTaken(owner.bidder, owner.tokenHash), of: owner.bidder, in: room, &turn)
    }

    /// Announces that an owner is present in a room, if that was not announced.
    private func announce(
        _ bidder: Bidder, in room: RoomID, of rooms: inout Rooms, _ turn: inout Turn
    ) {
        guard rooms[room].sale.names[bidder]?.isPresent == false else { return }
        rooms.bringDisplay(of: bidder, to: room, &turn)
        for other in rooms[room].sale.names.showing(bidder) {
            rooms.commit(.displayNameSet(other, text: ""), of: other, in: room, &turn)
        }
        let display = rooms[room].sale.names.display(of: bidder)
        rooms.commit(.bidderJoined(bidder, display: display), of: bidder, in: room, &turn)
    }

    /// The seconds until a kicked name may take part in a room; nil if it may now.
    private func secondsBarred(
        _ bidder: Bidder, from room: borrowing Room, _ turn: borrowing Turn
    ) -> Int? {
        guard let end = room.sale.bars[bidder] else { return nil }
        let left = Duration.milliseconds(end - turn.clock.sinceStart(at: turn.now))
        return left > .zero
            ? turn.now.secondsRoundedUp(to: turn.now.advanced(by: left)) : nil
    }

    /// Charges a use of a name, or returns why it is used too often.
    private func chargeOpening(
        of bidder: Bidder, by sender: Sender, _ turn: inout Turn
    ) -> ErrorReply? {
        let wait = turn.rates.chargeOpening(of: bidder, from: sender.address, at: turn.now)
        guard let wait else { return nil }
        turn.note(.openings)
        return .openedTooOften(seconds: wait)
    }

    // Moving

    /// Why the owner that a connection has may not enter another room; nil if that is allowed.
    ///
    /// A move counts as a use of the name's token, because everybody in both rooms is notified.
    mutating func refusal(
        of sender: Sender, entering room: RoomID, of rooms: inout Rooms, _ turn: inout Turn
    ) -> ErrorReply? {
        guard let bidder = sender.bidder else { return nil }
        if let seconds = secondsBarred(bidder, from: rooms[room], turn) {
            return .kicked(seconds: seconds)
        }
        guard mayEnter(room, bidder, of: &rooms, &turn) else { return .namesFull }
        return chargeOpening(of: bidder, by: sender, &turn)
    }

    /// Whether an owner takes part in a room, or may join it; frees an unused name if necessary.
    private func mayEnter(
        _ room: RoomID, _ bidder: Bidder, of rooms: inout Rooms, _ turn: inout Turn
    ) -> Bool {
        rooms[room].sale.names[bidder] != nil
            || makePlace(for: bidder, inside: room, of: &rooms, &turn)
                && hasPlace(for: bidder, in: &rooms, &turn)
    }

    /// Whether an owner who leaves a room may join another; frees an unused name if necessary.
    func hasPlace(for bidder: Bidder, in rooms: inout Rooms, _ turn: inout Turn) -> Bool {
        let former = presence.room(of: bidder)
        // The name is free where it was.
        if let former, !rooms[former].sale.keepsName(of: bidder) { return true }
        return makePlace(in: &rooms, from: former ?? .main, &turn)
    }

    /// Moves the owner of a connection to the room that it has entered, and announces the arrival.
    mutating func enter(_ sender: Sender, in rooms: inout Rooms, _ turn: inout Turn) {
        guard let bidder = sender.bidder else { return }
        let room = sender.room
        if let owner = rooms.owner(of: bidder) {
            // The new room comes first, because a name that is in no room is free.
            takePart(owner, in: room, of: &rooms, &turn)
            if let former = presence.room(of: bidder) {
                leave(former, bidder, of: &rooms, &turn)
                presence.move(bidder, to: room)
            } else {
                // It comes from a room of another node.
                _ = presence.hold(bidder, by: sender.id, in: room)
            }
            rooms[room].connect(bidder, to: sender)
        }
        rooms[room].sendPrivateState(of: bidder, &turn)
        announce(bidder, in: room, of: &rooms, &turn)
        rooms[room].settle(&turn)
    }

    // Leaving

    /// Takes a bidder who is now in a room of another node out of its room here.
    ///
    /// Returns the connection that held the name here, if one did.
    mutating func moveAway(
        _ bidder: Bidder, in rooms: inout Rooms, _ turn: inout Turn
    ) -> SessionID? {
        let holder = presence.session(of: bidder)
        announceLeft(bidder, of: &rooms, &turn)
        return holder
    }

    /// Notes that a connection has ended; its owner is announced to have left after
    /// `Limits.absence`.
    mutating func release(
        _ bidder: Bidder, by id: SessionID, in rooms: inout Rooms, _ turn: inout Turn
    ) {
        guard presence.session(of: bidder) == id, let room = presence.room(of: bidder) else {
            return
        }
        rooms[room].disconnect(bidder)
        guard absence > .zero else { return announceLeft(bidder, of: &rooms, &turn) }
        presence.release(bidder, until: turn.now.advanced(by: absence))
    }

    /// Announces the owners who were without a connection for too long.
    mutating func expireAbsences(in rooms: inout Rooms, _ turn: inout Turn) {
        while let bidder = presence.popAbsent(at: turn.handledUntil) {
            announceLeft(bidder, of: &rooms, &turn)
        }
    }

    /// Announces that the owners who are present in a room without a connection have left.
    mutating func leaveAll(_ room: RoomID, of rooms: inout Rooms, _ turn: inout Turn) {
        for bidder in rooms[room].sale.names.presentBidders {
            announceLeft(bidder, of: &rooms, &turn)
        }
    }

    /// Takes back the secret bids of an owner, and bars the name from a room for a while.
    ///
    /// The name stays barred across restarts. An owner who is present leaves. Returns the
    /// connection that held the name in the room, if there is one; it must be closed.
    mutating func kick(
        _ order: (bidder: Bidder, reason: String), from room: RoomID, in rooms: inout Rooms,
        _ turn: inout Turn
    ) -> SessionID? {
        let bidder = order.bidder
        if kickTime > .zero {
            let end = turn.clock.sinceStart(at: turn.now.advanced(by: kickTime))
            rooms[room].commit(.nameBarred(bidder, until: end), &turn)
        }
        rooms[room].commit(.bidderKicked(bidder, reason: order.reason), &turn)
        guard presence.room(of: bidder) == room else { return nil }
        let holder = presence.session(of: bidder)
        announceLeft(bidder, of: &rooms, &turn)
        return holder
    }

    private mutating func announceLeft(
        _ bidder: Bidder, of rooms: inout Rooms, _ turn: inout Turn
    ) {
        guard let room = presence.remove(bidder) else { return }
        // The name as its owner has written it.
        let bidder = rooms[room].sale.names[bidder]?.bidder ?? bidder
        leave(room, bidder, of: &rooms, &turn)
        forgetOpenings(of: bidder, in: rooms, &turn)
    }

    /// Announces that an owner has left a room, in which no connection holds the name from now on.
    private func leave(
        _ room: RoomID, _ bidder: Bidder, of rooms: inout Rooms, _ turn: inout Turn
    ) {
        rooms.commit(.bidderLeft(bidder), of: bidder, in: room, &turn)
        rooms[room].disconnect(bidder)
    }

    // Unused names

    /// Frees the names of a room that were kept only until its lot has ended, if it has.
    ///
    /// All at once: a client that takes one must not learn anything from which of them are free.
    func freeWaiting(of room: RoomID, in rooms: inout Rooms, _ turn: inout Turn) {
        guard rooms[room].sale.names.waiting.count > 0, !rooms[room].sale.keepsNames,
            rooms[room].isOwned
        else {
            return
        }
        for bidder in rooms[room].sale.names.allWaiting {
            free(bidder, of: room, in: &rooms, &turn)
        }
    }

    private func free(
        _ bidder: Bidder, of room: RoomID, in rooms: inout Rooms, _ turn: inout Turn
    ) {
        rooms.commit(.nameFreed(bidder), of: bidder, in: room, &turn)
        forgetOpenings(of: bidder, in: rooms, &turn)
    }

    /// Forgets the openings of a name if it is in no room any more.
    ///
    /// Not called while its owner moves between rooms: a move would evade the limit.
    private func forgetOpenings(of bidder: Bidder, in rooms: borrowing Rooms, _ turn: inout Turn) {
        if rooms.roomCount(of: bidder) == 0 { turn.rates.forgetOpenings(of: bidder) }
    }

    /// Frees the names of a room that were unused for longer than `Limits.nameAge`.
    func expire(of room: RoomID, in rooms: inout Rooms, _ turn: inout Turn) {
        guard let age else { return }
        for _ in 0..<Self.checkedAtOnce {
            guard freeOldest(of: room, unusedFor: age, in: &rooms, &turn) else { return }
        }
    }

    /// Whether another name may take part in a room; frees an unused one if necessary.
    ///
    /// The unused name can be in `room` or another.
    private func makePlace(in rooms: inout Rooms, from room: RoomID, _ turn: inout Turn) -> Bool {
        guard let most, rooms.nameCount >= most else { return true }
        let isFree = rooms.search(from: room) { rooms, searched in
            for _ in 0..<Self.checkedAtOnce where rooms.nameCount >= most {
                let age = Limits.unusedForNewName
                guard freeOldest(of: searched, unusedFor: age, in: &rooms, &turn) else { break }
            }
            return rooms.nameCount < most
        }
        if !isFree { turn.note(.namesFull) }
        return isFree
    }

    /// Whether this room has a place for another name; frees an unused one of it if necessary.
    ///
    /// A bid on a lot that never ends keeps a name, and costs nothing. Without this limit the owner
    /// of a small network could take all names of the server within an hour, for ever.
    private func makePlace(
        for bidder: Bidder, inside room: RoomID, of rooms: inout Rooms, _ turn: inout Turn
    ) -> Bool {
        guard room != .main else { return true }
        let most =
            Sale.mostKept(in: rooms[room].name) - rooms.placesReserved(in: room, from: bidder)
        for _ in 0..<Self.checkedAtOnce where rooms[room].sale.names.count >= most {
            let age = Limits.unusedForNewName
            guard freeOldest(of: room, unusedFor: age, in: &rooms, &turn) else { break }
        }
        guard rooms[room].sale.names.count >= most else { return true }
        turn.note(.namesFull)
        return false
    }

    /// Frees the name of a room that was unused for longest, or keeps it for a while if it must not
    /// be free; false if none was unused for this time.
    private func freeOldest(
        of room: RoomID, unusedFor age: Duration, in rooms: inout Rooms, _ turn: inout Turn
    ) -> Bool {
        let latest = turn.clock.earliest(at: turn.now) - age.components.seconds * 1000
        guard rooms[room].isOwned else { return false }
        guard let oldest = rooms[room].sale.names.longestAbsent, oldest.used <= latest else {
            return false
        }
        if rooms[room].keepsUnused(oldest) {
            rooms[room].commit(.nameKept(oldest.bidder), &turn)
        } else {
            free(oldest.bidder, of: room, in: &rooms, &turn)
        }
        return true
    }
}

/// The owners of names who are present, each in one room, with or without a connection.
///
/// An owner whose connection ended stays present for a while, so that a short absence is not
/// announced.
private struct Presence {
    private var owners: [Bidder: Owner] = [:]
    /// When owners without a connection have been absent for too long.
    ///
    /// Entries of owners who are back are skipped.
    private var absences = TimerQueue<Absence, Instant>()
    /// The number of owners so far, which distinguishes those of one name.
    private var ownerCount = 0

    /// A present owner.
    private struct Owner {
        let number: Int
        var room: RoomID
        /// The connection; nil during an absence.
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

    /// When `popAbsent` is next due; nil if no owner is absent.
    var deadline: Instant? { absences.deadline }

    /// The room in which an owner is present; nil if the owner is in none.
    func room(of bidder: Bidder) -> RoomID? { owners[bidder]?.room }

    /// The connection of a present owner; nil if there is none.
    func session(of bidder: Bidder) -> SessionID? { owners[bidder]?.session }

    /// Notes that a connection holds a name in a room; returns the one that held it before.
    mutating func hold(_ bidder: Bidder, by id: SessionID, in room: RoomID) -> SessionID? {
        guard let former = owners[bidder] else {
            ownerCount += 1
            owners[bidder] = Owner(number: ownerCount, room: room, session: id)
            return nil
        }
        owners[bidder]?.session = id
        owners[bidder]?.room = room
        return former.session
    }

    /// Notes that a present owner is in another room.
    mutating func move(_ bidder: Bidder, to room: RoomID) {
        owners[bidder]?.room = room
    }

    /// Notes that the connection of an owner has ended, who counts as present until an instant.
    mutating func release(_ bidder: Bidder, until end: Instant) {
        guard var owner = owners[bidder] else { return }
        owner.session = nil
        owner.awayUntil = end
        if !owner.isAwaited { schedule(bidder, owner) }
        owner.isAwaited = true
        owners[bidder] = owner
    }

    /// Returns the next owner who has been without a connection for too long; nil if there is none.
    mutating func popAbsent(at now: Instant) -> Bidder? {
        while let absence = absences.popDue(at: now) {
            let bidder = absence.bidder
            // An owner who left and came back since has a new number and a new entry.
            guard let owner = owners[bidder], owner.number == absence.number else { continue }
            if owner.session != nil {
                owners[bidder]?.isAwaited = false
            } else if owner.awayUntil > now {
                schedule(bidder, owner)
            } else {
                return bidder
            }
        }
        return nil
    }

    /// Removes an owner, and returns the room in which the owner was; nil if the owner was in none.
    mutating func remove(_ bidder: Bidder) -> RoomID? {
        owners.removeValue(forKey: bidder)?.room
    }

    private mutating func schedule(_ bidder: Bidder, _ owner: Owner) {
        absences.insert(Absence(bidder: bidder, number: owner.number), due: owner.awayUntil)
    }
}
