import Auction
import House
import Wire

/// Sees everything that is decided, durable, published and received, and checks it against the
/// promises.
final class Oracle {
    /// The first promise that was broken; nil if all were kept.
    private(set) var violation: Violation?
    /// How often each kind of action and of occurrence was seen.
    private(set) var counts: [String: Int] = [:]
    /// The number of lines that clients have received.
    var received = 0

    let terms: Terms
    /// What is on the disk.
    var log = LogReader()
    /// The rooms since the first start, by the order of their opening; `main` is the first.
    var rooms: [RoomReferee] = []
    var live: [RoomName: RoomReferee] = [:]
    var ids: [RoomID: RoomReferee] = [:]
    /// The newest room of each number since the server started, live or not.
    var numbered: [RoomID: RoomReferee] = [:]
    /// The room to which the next record belongs.
    var logged: RoomReferee?
    /// The room of which the newest snapshot was begun.
    var snapshotRoom: RoomReferee?
    /// The number of the newest event of all rooms.
    var position = 0
    /// Up to when the input of all loops was handled when time passed last.
    var handledUntil = Duration.zero
    var unpublished = UnpublishedEffects()

    /// The amounts that were asked for and that are secret.
    let amounts = Amounts()
    /// The clients that were given each token.
    var tokens: [String: Set<Int>] = [:]
    var owners = NameOwners()
    /// What is checked of a class; nil if there is none.
    private(set) var classroom: ClassReferee?
    /// The connections and the limits since the server started.
    var usage: Usage
    /// The connections that were lost in the step whose decisions are checked.
    var losing: Set<SessionID> = []
    /// Whether a room has ended for one that is about to be opened.
    private var makesWay = false
    /// Whether that can be so, of a room that nobody was in for long enough.
    private var mayMakeWay = false
    /// Whether the newest room was opened in place of one that gave way.
    private(set) var replacesRoom = false
    /// Whether old segments could not be removed.
    var hasUpkeepFailed = false
    /// When a write to a journal last failed; what was decided by then is not published.
    var logFailedAt: Duration?

    init(_ terms: Terms) {
        self.terms = terms
        usage = Usage(loops: terms.loops)
        let main = RoomReferee(main: self)
        rooms = [main]
        (live[.main], ids[.main], logged) = (main, main, main)
        guard let plan = terms.classPlan else { return }
        classroom = ClassReferee(plan, self)
        amounts.secrecy.tellsWorths = plan.shows.contains(.values)
    }

    func report(_ promise: Promise, _ facts: @autoclosure () -> String) {
        guard violation == nil else { return }
        violation = Violation(promise: promise, facts: facts())
    }

    func note(_ found: Violation?) {
        if let found, violation == nil { violation = found }
    }

    func count(_ occurrence: Occurrence) { count(occurrence.rawValue) }

    func count(_ kind: String) { counts[kind, default: 0] += 1 }

    // Rooms

    /// The live room with a name; nil if there is none.
    func room(named name: RoomName) -> RoomReferee? { live[name] }

    /// The number of live rooms, with `main`.
    var roomCount: Int { live.count }

    /// The live rooms in which a name takes part.
    func rooms(of bidder: Bidder) -> [RoomReferee] {
        rooms.filter { !$0.hasEnded && $0.names.tokenHash(of: bidder) != nil }
    }

    /// Checks a record of the journal that belongs to no sale.
    private func take(_ record: Record, at now: Duration) {
        switch record {
        case .room(let name):
            if live[name] == nil { report(.order, "there is no room \(name)") }
            logged = live[name]
        case .roomOpened(let name, let keyHash, let options):
            if live[name] != nil { report(.oneRoom, "\(name) is open") }
            if rooms.contains(where: { $0.name == name }) { count(.reopenedRoom) }
            let room = RoomReferee(name, keyHash: keyHash, options, self, at: now)
            rooms.append(room)
            (live[name], logged) = (room, room)
            (replacesRoom, mayMakeWay, makesWay) = (mayMakeWay, false, false)
            // One more is for the operator alone, which is checked with the answer.
            let opened = live.values.count { !$0.isOfClass }
            if opened > terms.limits.rooms + 1 { report(.limited, "\(opened) rooms") }
        case .roomEnded(let name):
            live[name].map { end($0, at: now) }
            if let room = live[name] { owners.forget(room.id) }
            (live[name], logged) = (nil, live[.main])
            count(.roomEnded)
        default: report(.order, "\(record) is no note of rooms")
        }
    }

    /// Ends a room: the auctioneer ordered it, nobody was in it for long enough, or all rooms are
    /// taken and it was left longest of those without a bid.
    private func end(_ room: RoomReferee, at now: Duration) {
        if room.isOfClass {
            // A start opens anew what has not begun.
            if classroom?.hasBegun != false { report(.idle, "\(room.name) ends") }
            return room.end(at: now)
        }
        let people = usage.rooms.count { $1 === room && !losing.contains($0) }
        if room.isOrderedToEnd {
            count(.endedRoom)
        } else {
            let objection = objection(toReplacing: room, people: people, at: now)
            mayMakeWay = objection == nil
            if people > 0 || !room.isIdle(at: now, terms.limits.roomIdle) {
                makesWay = true
                count(.gaveWay)
                objection.map { report(.idle, $0) }
            }
        }
        room.end(at: now)
    }

    /// Why a room cannot give way to a new one; nil if it can.
    ///
    /// All rooms must be taken, and it must be unused and have been left for longest.
    private func objection(
        toReplacing room: RoomReferee, people: Int, at now: Duration
    ) -> String? {
        let left = room.leftSince ?? now
        if live.count < terms.limits.rooms { return "\(room.name) gives way when there is a place" }
        if people > 0 { return "\(room.name) gives way with \(people) in it" }
        if !room.isUnused { return "\(room.name) gives way, and somebody is in it or has bid" }
        return live.values.first { $0.wasLeft(before: left) }.map {
            "\(room.name) gives way, and \($0.name) was left before it"
        }
    }

    /// Notes that the records after this begin with `main`.
    func beginSegment() { logged = live[.main] }

    /// Moves a connection to a room, or with nil out of all.
    private func move(_ id: SessionID, to room: RoomReferee?, at now: Duration) {
        let former = usage.rooms[id]
        room?.enter()
        former?.leave(at: now)
        usage.moved = former == nil ? nil : id
        usage.rooms[id] = room
        if case .room? = usage.rights[id] {
            usage.rights[id] = nil
            count(.leftByAuctioneer)
        }
        guard room == nil else { return }
        (usage.rights[id], usage.bidders[id]) = (nil, nil)
    }

    // Decisions

    /// Takes what a step decided; `connection` finds the connection of a session.
    func decide(
        _ effects: [Effect], at now: Duration, connection: (SessionID) -> Connection?
    ) {
        for effect in effects {
            let room = room(of: effect, at: now)
            checkSnapshot(effect, room)
            let subject = effect.session.flatMap(connection)
            checkJoined(effect, subject)
            room?.decide(effect, of: effect.session.flatMap { usage.bidders[$0] }, at: now)
            classroom?.decide(effect, in: room, of: subject, at: now)
            checkLimits(effect, at: now, of: subject, in: room)
            checkJournal(effect, of: subject, at: now)
            switch effect {
            case .news:
                position += 1
                usage.moved = nil
            // An answer that confirms a move comes before what the move changes.
            case .journal: usage.moved = nil
            case .reply(let message, let id):
                checkReply(message, to: subject, id, in: room, at: now)
            case .close(let id, _): move(id, to: nil, at: now)
            default: break
            }
            unpublished.append(effect, in: room, after: position)
        }
        for room in rooms where !room.hasEnded { room.checkSettled() }
    }

    /// Ends a step, in which these connections were lost.
    ///
    /// `isIdle` is whether nothing was decided in it.
    func endStep(losing lost: Set<SessionID>, isIdle: Bool, isClosing: Bool, at now: Duration) {
        if makesWay { report(.idle, "a room has made way for nobody") }
        mayMakeWay = false
        for id in lost { move(id, to: nil, at: now) }
        losing = []
        freePlaces(of: lost)
        checkPresence()
        classroom?.endStep(isIdle: isIdle, isClosing: isClosing, at: now)
    }

    /// Takes what an effect does to the rooms, and returns the room that it concerns.
    private func room(of effect: Effect, at now: Duration) -> RoomReferee? {
        switch effect {
        case .news(let event, _, let id, _):
            if ids[id] == nil || ids[id] !== logged {
                let names = [ids[id], logged].map { $0?.name.description ?? "no room" }
                report(
                    .order,
                    "\(ServerMessage.event(event).words) of \(names[0]) is logged in \(names[1])")
            }
            return ids[id]
        case .journal: return logged
        case .journalRoom(let record):
            let former = logged
            take(record, at: now)
            if case .roomEnded(let name) = record {
                return rooms.last { $0.name == name && $0.hasEnded } ?? former
            }
            return logged
        case .openRoom(let id, let name):
            if let former = numbered[id], !former.isEndPublished {
                report(.oneRoom, "\(name) has the number of \(former.name)")
            }
            (ids[id], numbered[id]) = (live[name], live[name])
            return live[name]
        case .endRoom(let id):
            defer { ids[id] = nil }
            if ids[id]?.hasEnded != true { report(.oneRoom, "a room ends that has not ended") }
            return ids[id]
        case .follow(let id, let room):
            move(id, to: ids[room], at: now)
            return ids[room]
        default: return effect.session.map { usage.rooms[$0] } ?? nil
        }
    }

    /// Requires that a snapshot is whole, with nothing in between.
    private func checkSnapshot(_ effect: Effect, _ room: RoomReferee?) {
        if effect.isOfSnapshot, room !== snapshotRoom {
            snapshotRoom?.checkSnapshotIsWhole()
            snapshotRoom = room
        }
        snapshotRoom?.checkSnapshot(effect)
    }

    private func checkReply(
        _ message: ServerMessage, to connection: Connection?, _ id: SessionID,
        in room: RoomReferee?, at now: Duration
    ) {
        guard message.isAnswer, connection?.isTurnedAway != true else { return }
        guard let connection, connection.answered < connection.commands.count else {
            return report(.answers, "\(message.words) answers nothing")
        }
        let command = connection.commands[connection.answered]
        if case .resume(let after) = command.kind { room?.checkRecall(message, after: after) }
        if let room { check(message, to: command.kind, of: connection, in: room, at: now) }
        connection.commands[connection.answered].room = room
        connection.commands[connection.answered].lot = room?.decided.lots.count
        connection.answered += 1
        checkLines(of: connection, at: now)
    }

    /// Requires that everything which reached a loop before the instant of a hammer was handled.
    ///
    /// A connection that is not read from, because it passed a limit, may be late.
    func checkHandled(before hammer: Duration) {
        for connection in usage.places where connection.isUnhandled(before: hammer) {
            let facts = "the hammer fell for \(hammer.stopwatch)"
            report(.inTime, "\(connection.client.name) was not handled when \(facts)")
        }
    }

    /// Requires that a server which sleeps until `deadline` wakes when something is due.
    ///
    /// What is due follows from what was decided and when, not from the server.
    func checkSleep(
        until deadline: Duration?, _ connections: some Sequence<Connection>, at now: Duration
    ) {
        let waits = connections.compactMap { $0.due(terms.limits) }
        let due = (live.values.compactMap(\.due) + waits).min()
        guard let due, deadline.map({ $0 > max(due, now) }) ?? true else { return }
        report(.due, "\(due.stopwatch), it sleeps until \(deadline?.stopwatch ?? "input comes")")
    }

    // What was asked for

    /// Requires that a line has no secret of somebody else; `keys` are those that its client knows.
    func checkSecrecy(
        _ words: String, to names: Set<Bidder>, sent: Set<Int64>, keys: Set<String>
    ) {
        if let amount = amounts.secrecy.leak(in: words, to: names, sent: sent) {
            report(.secret, "\(amount) is known to \(names): \(words)")
        }
        for room in rooms {
            guard let key = room.key, !keys.contains(key), words.contains(key) else { continue }
            report(.secret, "the key of \(room.name) is known to \(names): \(words)")
        }
    }

    /// Requires that a server which started now would know what this one knows.
    func checkReplay(_ state: [(record: Record, number: Int?)]) {
        guard log.last == position else { return }
        classroom?.checkState(state)
        note(ReplayCheck(terms: terms).check(state, after: position, log.replay))
    }
}
