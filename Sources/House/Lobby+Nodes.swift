import Auction
import Basics
import Wire

// What a node does for the connections of others, and others for its own.
extension Lobby {
    /// Who executes a request.
    private enum Executor {
        /// This node, now: it changes nothing.
        case reader
        /// This node, now.
        case here
        /// This node, once a claim is decided.
        case claim(NodeClaim)
        /// The node with this name.
        case node(String)
        /// Nobody: it is refused.
        case nobody(ErrorReply)
    }

    /// Passes a request on to the node that executes it, or keeps it for later; false if this node
    /// executes it now.
    mutating func passOn(_ request: Request, by sender: Sender) -> Bool {
        guard nodes != nil else { return false }
        let id = sender.id
        if nodes?.holds(id) == true || nodes?.isMoving(id) == true {
            nodes?.hold(request, of: id)
            return true
        }
        let executor = executor(of: request.command, by: sender)
        let isUnavailable = nodes?.isUnavailable == true
        if case .node(let node) = executor, !id.isRemote, !isUnavailable,
            nodes?.reachable.contains(node) == true, nodes?.canAsk(node, for: id) == true
        {
            let (name, room) = (sessions[id]?.name, rooms[sender.room].name)
            // What it adds to the log is not known here.
            if turn.rates.countsJournal(of: sender.address) {
                let bytes = Limits.journalLineBytes + request.description.utf8.count
                turn.rates.spendJournal(bytes, of: sender.address, at: turn.now)
            }
            nodes?.send(NodeRequest(request, of: sender, name: name, in: room), to: node)
            return true
        }
        // Answers come in the order of the requests.
        guard nodes?.isUnanswered(id) != true else {
            nodes?.hold(request, of: id)
            return true
        }
        switch executor {
        case .reader:
            if isUnavailable { nodes?.stalled.insert(id) }
            return false
        case .here where !isUnavailable: return false
        case .claim(let claim) where !isUnavailable:
            nodes?.hold(request, of: id)
            nodes?.claim(claim, for: id)
        case .nobody(let error):
            if isUnavailable { nodes?.stalled.insert(id) }
            turn.refuse(error, to: sender)
        case .here, .claim, .node:
            if !isUnavailable {
                turn.refuse(.unavailable, to: sender)
            } else if nodes?.stalled.contains(id) == true {
                // The answers that wait for the log come first.
                nodes?.hold(request, of: id)
            } else {
                turn.refuseAtOnce(.unavailable, to: sender)
            }
        }
        return true
    }

    private mutating func executor(of command: Request.Command, by sender: Sender) -> Executor {
        switch command {
        case .offer, .say, .display, .react, .auctioneer, .ready: return owner(of: sender.room)
        case .name(let bidder, _):
            let owner = owner(of: sender.room)
            guard case .here = owner, sender.bidder == nil, rooms.owner(of: bidder) == nil else {
                return owner
            }
            return switch nodes?.claimant(of: bidder, at: turn.now) {
            case .thisNode: .here
            case .otherNode: .nobody(.nameTaken)
            // A claim stays in the log, also that of a name which is then refused.
            case .nobody where !mayName(sender): .here
            case .nobody, nil: .claim(.name(bidder))
            }
        case .join(let name):
            guard sender.bidder != nil, let room = rooms.id(of: name), room != sender.room else {
                return .reader
            }
            return owner(of: room)
        case .open(let name, _):
            guard rooms.id(of: name) == nil, nodes?.hasClaimed(name) == false,
                rooms.refusalToOpen(for: sender, turn) == nil
            else { return .here }
            let isTaken = nodes?.isClaimedElsewhere(name, at: turn.now) == true
            return isTaken ? .nobody(.roomTaken) : .claim(.room(name))
        case .rule(.end(let name)): return owner(of: rooms.id(of: name) ?? sender.room)
        case .rule(.stop): return owner(of: .main)
        case .rule(.start), .rule(.skip), .rule(.pause), .rule(.resume), .rule(.classStatus):
            // The orders of a teacher who has just connected are for the class.
            let isForClass = classPlan != nil && sender.room == .main && sender.rights == .server
            return owner(of: isForClass ? rooms.id(of: .classroom) ?? .main : sender.room)
        case .rule: return owner(of: sender.room)
        case .rooms, .laps, .results, .who, .standings, .status, .help, .resume, .format, .ping,
            .quit:
            return .reader
        }
    }

    private func mayName(_ sender: Sender) -> Bool {
        turn.rates.allowsName(to: sender.id, from: sender.address, at: turn.now)
    }

    private func owner(of room: RoomID) -> Executor {
        switch rooms[room].owner {
        case .here: .here
        case .node(let node): .node(node)
        case .nobody: .nobody(.unavailable)
        }
    }

    /// Executes the requests of a connection that waited.
    private mutating func continueRequests(of id: SessionID) {
        for request in nodes?.takeHeld(id) ?? [] {
            guard let slot = sessions.slot(of: id) else { return }
            execute(request, of: id, at: slot)
        }
        if nodes?.takeEnding(id) == true, !answers.endAfterAnswer(to: id) { close(id, .end) }
        if nodes?.holds(id) == false { released.append(id) }
    }

    // Connections of other nodes

    /// Executes a request of a connection of another node, which this node knows as `id`.
    mutating func receive(_ sent: NodeRequest, as id: SessionID, at now: Instant) {
        turn.advance(to: now)
        let room = rooms.id(of: sent.room) ?? .main
        let slot: SessionTable.Slot
        if let known = sessions.slot(of: id) {
            slot = known
            if sessions[slot].bidder == nil { sessions[slot].room = room }
        } else {
            var session = Session(from: sent.address, in: .regular, at: turn.now)
            (session.isAdmitted, session.isSilent, session.room) = (true, false, room)
            session.name = sent.name
            sessions.insert(session, for: id)
            guard let added = sessions.slot(of: id) else { return }
            slot = added
        }
        sessions[slot].encoding = sent.encoding
        if sent.isAuctioneer { sessions[slot].rights = .server }
        turn.limitReplies(to: id, bytes: Int.max / 2)
        execute(sent.request, of: id, at: slot)
    }

    // Connections of this node

    /// Handles what another node has done with a connection of this one.
    mutating func receive(_ message: NodeMessage, from node: String, at now: Instant) {
        turn.advance(to: now)
        switch message {
        case .request, .left, .reset:
            preconditionFailure("the house numbers connections of other nodes")
        case .lines(let id, let lines, let outcome):
            guard let slot = sessions.slot(of: id), nodes?.hasContact(id, with: node) == true else {
                return
            }
            turn.emit(.send(lines, to: id))
            if nodes?.isUnavailable == true { nodes?.stalled.insert(id) }
            guard let outcome, let request = nodes?.takeAnswered(id) else { return }
            if outcome == .done { note(request, answeredTo: id, at: slot) }
            if nodes?.isUnanswered(id) == false { continueRequests(of: id) }
        case .named(let id, let bidder, let token):
            guard let slot = sessions.slot(of: id), nodes?.hasContact(id, with: node) == true else {
                return
            }
            sessions[slot].name = Session.Name(bidder: bidder, token: token)
        case .moved(let id, let name): moved(id, to: name, by: node)
        case .close(let id, let reason):
            // A node that the connection is leaving may not know that yet.
            guard let slot = sessions.slot(of: id), nodes?.isMoving(id) == false,
                rooms[sessions[slot].room].owner == .node(node)
            else { return }
            close(id, reason)
        }
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
    private mutating func moved(_ id: SessionID, to name: RoomName, by node: String) {
        guard let slot = sessions.slot(of: id), let room = rooms.id(of: name),
            nodes?.hasContact(id, with: node) == true
        else { return }
        let sender = sessions.sender(id, at: slot)
        guard sender.room != room else { return }
        answers.breakOff(to: id, &turn)
        sessions[slot].room = room
        if sender.rights == .room { sessions[slot].rights = .none }
        let moved = sessions.sender(id, at: slot)
        enter(moved)
        if let bidder = sender.bidder {
            leaveRoom(of: sender, bidder, for: node)
            rooms[room].connect(bidder, to: moved)
            rooms[room].sendPrivateState(of: bidder, &turn)
        }
        leave(sender.room, id, as: sender.encoding)
    }

    /// Takes a bidder out of the room that its connection has left for one of another node.
    private mutating func leaveRoom(of sender: Sender, _ bidder: Bidder, for node: String?) {
        rooms[sender.room].disconnect(bidder)
        switch rooms[sender.room].owner {
        case .here: _ = accounts.moveAway(bidder, in: &rooms, &turn)
        case .node(let former): if former != node { nodes?.leave(former, sender.id) }
        case .nobody: break
        }
    }

    /// Notes that a connection has left the room in which it was as a sender.
    mutating func noteEntry(of sender: Sender) {
        guard case .node(let node) = rooms[sender.room].owner, !sender.id.isRemote else { return }
        if let bidder = sender.bidder { rooms[sender.room].disconnect(bidder) }
        nodes?.leave(node, sender.id)
    }

    /// Closes the connections with a name or an open request that `node` has executed requests of.
    private mutating func closeContacts(in room: RoomID? = nil, with node: String) {
        for id in nodes?.contacts(with: node) ?? [] {
            guard let slot = sessions.slot(of: id),
                sessions[slot].room == room ?? sessions[slot].room,
                sessions[slot].bidder != nil || sessions[slot].rights == .room
                    || nodes?.isUnanswered(id) == true
            else { continue }
            close(id, .moved)
        }
    }

    /// Notes who has made a claim, and lets the connections go on that wait for it.
    mutating func decide(_ claim: NodeClaim, isOwn: Bool, at now: Instant) {
        turn.advance(to: now)
        for id in nodes?.decide(claim, isOwn: isOwn, at: turn.now) ?? [] {
            continueRequests(of: id)
        }
        // It was used at once, or the room was not opened.
        if case .room(let room) = claim { nodes?.forgetClaim(of: room) }
    }

    /// Closes the connections of this node for which another one can do nothing more.
    mutating func closeContacts(with node: String, at now: Instant) {
        turn.advance(to: now)
        closeContacts(with: node)
    }

    /// Notes whether anything becomes durable; `waiting` are the connections with answers that wait
    /// for it.
    mutating func setUnavailable(_ isUnavailable: Bool, waiting: Set<SessionID>) {
        let stalled = nodes?.stalled ?? []
        nodes?.isUnavailable = isUnavailable
        codecOptions.isServing = !isUnavailable
        nodes?.stalled = waiting
        guard !isUnavailable else { return }
        for id in stalled.sorted(by: { $0.rawValue < $1.rawValue }) { continueRequests(of: id) }
    }

    // The log of all nodes

    /// Whether a room exists.
    func hasRoom(_ name: RoomName) -> Bool { rooms.id(of: name) != nil }

    /// Whether a room exists and has begun its sale.
    func knowsState(of name: RoomName) -> Bool {
        rooms.id(of: name).map { rooms[$0].sale.serverID != nil } ?? false
    }

    /// Notes which node has appended to the log of a room.
    mutating func noteOwner(_ node: String, of name: RoomName) {
        guard let room = rooms.id(of: name), rooms[room].owner == .nobody else { return }
        rooms[room].follow(owner: .node(node))
    }

    /// Notes an event of a room of this node, once it is read back from the stream.
    mutating func note(_ event: SaleEvent) {
        if case .nameTaken(let bidder, _) = event { nodes?.forgetClaim(of: bidder) }
        if case .bidderJoined(let bidder, _) = event { nodes?.joined.insert(bidder) }
        if case .bidderLeft(let bidder) = event { nodes?.joined.remove(bidder) }
    }

    /// Notes how many connections follow the rooms at other nodes.
    mutating func setPeopleElsewhere(_ people: [RoomName: Int]) {
        for room in rooms.all {
            let former = rooms[room].peopleElsewhere
            rooms[room].peopleElsewhere = people[rooms[room].name] ?? 0
            if former > 0, rooms[room].peopleElsewhere == 0 { rooms.noteDeparture(from: room) }
        }
    }

    /// The number of connections of this node in each room that has one.
    var peopleHere: [RoomName: Int] {
        var people: [RoomName: Int] = [:]
        for room in rooms.all where rooms[room].people > 0 {
            people[rooms[room].name] = rooms[room].people
        }
        return people
    }

    /// The name of a room; nil if it has ended.
    func name(of room: RoomID) -> RoomName? { rooms.contains(room) ? rooms[room].name : nil }

    /// Notes which node owns a room from now on; this one calls `takeOver`.
    mutating func follow(owner node: String, of name: RoomName, at now: Instant) {
        turn.advance(to: now)
        guard let room = rooms.id(of: name) else {
            nodes?.note(claimElsewhere: name, at: now)
            return
        }
        if case .node(let former) = rooms[room].owner { closeContacts(in: room, with: former) }
        rooms[room].follow(newOwner: .node(node), at: turn.now)
    }

    /// Takes rooms over that no live node owns.
    mutating func takeOver(_ names: [RoomName], at now: Instant) {
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

    /// Applies entries of the log of a room that another node owns; false if they cannot be.
    ///
    /// The effects are not for the log.
    mutating func follow(
        _ entries: [LogEntry], of name: RoomName, isState: Bool, at now: Instant
    ) -> Bool {
        turn.advance(to: now)
        if isState { return restore(entries, of: name) }
        // For the tables of a class, which read the records of all rooms.
        if classPlan != nil, hasRoom(name) { turn.emit(.journalRoom(.room(name))) }
        for entry in entries {
            guard follow(entry.record, of: name) else { return false }
        }
        if let room = rooms.id(of: name) { rooms.touch(room) }
        if classPlan != nil, let own = turn.journalRoom.flatMap({ self.name(of: $0) }) {
            turn.emit(.journalRoom(.room(own)))
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
            if case .nameTaken(let bidder, _) = event { nodes?.forgetClaim(of: bidder) }
            if case .bidderJoined(let bidder, _) = event { leaveFor(bidder) }
            if case .stopped = event, room == .main { stop() }
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

    /// Notes that a bidder has joined a room of another node: here the name is held no more.
    private mutating func leaveFor(_ bidder: Bidder) {
        // The log has it before what this node has said of the bidder, which therefore counts.
        guard nodes?.joined.contains(bidder) == true else { return }
        departing.append(bidder)
    }

    /// Lets the bidders leave who have joined rooms of other nodes.
    mutating func leaveForOtherNodes(at now: Instant) {
        guard !departing.isEmpty else { return }
        turn.advance(to: now)
        for bidder in departing {
            nodes?.joined.remove(bidder)
            guard let holder = accounts.moveAway(bidder, in: &rooms, &turn) else { continue }
            if nodes?.isMoving(holder) != true { replace(holder) }
        }
        departing = []
        continueClass()
    }
}
