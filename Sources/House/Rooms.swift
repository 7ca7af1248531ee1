import Auction
import Basics
import Wire

/// The rooms of a server: `main`, and those that clients opened.
///
/// The cost of a call does not depend on the number of rooms: as time passes, only rooms in which
/// something is due are visited.
struct Rooms {
    /// The most rooms that are searched in one call.
    private static let searchedAtOnce = 64
    /// The number of timers or departures up to which none is removed before its turn.
    private static let fewEntries = 64

    /// Indirect, because a call of a method copies what is stored.
    @Indirect private var options: Lobby.Options
    /// The rooms by their slots; nil where a room has ended.
    private var slots: [Place?] = []
    /// The generation of the last room of each slot.
    private var generations: [UInt16] = []
    private var freeSlots: [Int] = []
    private var ids: [RoomName: RoomID] = [:]
    /// The names of the rooms except `main`, in order.
    private var names: [RoomName] = []
    /// The owners of the names in other rooms than `main`.
    private var owners: [Bidder: Owner] = [:]
    /// The newest display names of the names that have one.
    private var displays: [Bidder: String] = [:]
    /// The number of names in all rooms together.
    private(set) var nameCount = 0
    /// The rooms by when something is next due in them; entries may be out of date.
    private var timers = TimerQueue<RoomID, Instant>()
    /// The rooms that may have another deadline than the one in `timers`.
    private var changed: [RoomID] = []
    /// The departures after which a room may give way, in order; entries may be out of date.
    private var departures = Queue<(room: RoomID, number: Int)>()
    /// The number of the last of them.
    private var lastDeparture = 0
    /// The slot of the room that had its turn last.
    private var turn = 0

    /// The memory of a room, which stays where it is while others are opened and end.
    private final class Place {
        // Not checked for exclusive access at run time, because every bid uses it several times.
        @exclusivity(unchecked) var room: Room
        /// When the room is due according to the timers; nil if it has no timer.
        var timer: Instant?
        /// Whether its deadline may have changed since its timer was set.
        var isChanged = false

        init(_ room: Room) {
            self.room = room
        }
    }

    /// The owner of a name that takes part in other rooms than `main`.
    private struct Owner {
        let bidder: Bidder
        let tokenHash: TokenHash
        /// The number of those rooms.
        var rooms: Int
    }

    /// Begins without rooms; `openMain` follows.
    init(_ options: Lobby.Options) {
        self.options = options
        for bidder in options.roster?.bidders ?? [] {
            displays[bidder] = options.roster?.display(of: bidder)
        }
    }

    /// The number of rooms.
    var count: Int { ids.count }

    /// The room with a name; nil if there is none.
    func id(of name: RoomName) -> RoomID? { ids[name] }

    /// All rooms: `main`, then the others by their names; O(n).
    var all: [RoomID] { [.main] + names.compactMap { ids[$0] } }

    /// The rows of at most `limit` rooms in that order; O(log n + limit).
    ///
    /// They follow the room with a name, or begin with the first room.
    func rows(after name: RoomName?, limit: Int) -> [RoomRow] {
        let others = names[place(after: name ?? .main)...]
        let rooms = others.prefix(name == nil ? limit - 1 : limit).compactMap { ids[$0] }
        return ((name == nil ? [.main] : []) + rooms).map { self[$0].row }
    }

    /// The place in `names` of the first name after another one, or at all after that of `main`.
    private func place(after name: RoomName) -> Int {
        guard name != .main else { return 0 }
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle] <= name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A room.
    ///
    /// - Precondition: It has not ended.
    subscript(id: RoomID) -> Room {
        _read { yield place(of: id).room }
        _modify { yield &place(of: id).room }
    }

    private func place(of id: RoomID) -> Place {
        guard let place = slots[Int(id.slot)] else {
            preconditionFailure("a room with connections does not end")
        }
        return place
    }

    /// Whether a room has not ended.
    func contains(_ id: RoomID) -> Bool {
        slots.indices.contains(Int(id.slot)) && slots[Int(id.slot)]?.room.id == id
    }

    // Opening and ending

    /// Opens `main`, or continues it after a restart.
    mutating func openMain(resuming sale: Sale?, _ turn: inout Turn) {
        start(planOfMain(resuming: sale), serverID: options.serverID, &turn)
    }

    private func planOfMain(resuming sale: Sale?) -> Room.Plan {
        Room.Plan(
            rules: options.rules, catalogue: options.catalogue, game: options.game,
            newSeed: options.makeSeed(), recovered: sale, idleTime: nil)
    }

    /// Continues a room after a restart.
    mutating func reopen(_ room: ServerReplay.Room, _ turn: inout Turn) {
        let id = open(plan(room.name, room.keyHash, room.options, resuming: room.sale), &turn)
        noteDeparture(from: id)
    }

    /// The plan of a room that was opened before.
    private func plan(
        _ name: RoomName, _ keyHash: TokenHash, _ chosen: RoomOptions, resuming sale: Sale?
    ) -> Room.Plan {
        // The options were checked when the room was opened, against the flags of that time.
        let rules = (try? chosen.rules(options.rules)) ?? options.rules.plain
        let opening = Room.Opening(keyHash: keyHash, options: chosen, origin: nil)
        return plan(name, opening, rules, resuming: sale)
    }

    // Rooms of other nodes

    /// Follows `main`, which no node owns yet as far as is known.
    mutating func followMain(resuming sale: Sale?, _ turn: inout Turn) {
        var plan = planOfMain(resuming: sale)
        plan.owner = .nobody
        let room = Room(plan, at: turn.now)
        if slots.isEmpty { return add(room, &turn) }
        let followers = self[.main].followers
        precondition(followers == 0, "nobody is let in before the state of main is known")
        place(of: .main).room = room
        noteNames(of: .main)
    }

    /// Follows a room that another node has opened.
    mutating func follow(
        _ name: RoomName, _ opening: (keyHash: TokenHash, options: RoomOptions),
        resuming sale: Sale?,
        _ turn: inout Turn
    ) {
        var plan = plan(name, opening.keyHash, opening.options, resuming: sale)
        plan.owner = .nobody
        turn.emit(.openRoom(plan.id, name))
        add(Room(plan, at: turn.now), &turn)
    }

    /// Applies an event of a room that another node owns.
    mutating func follow(_ event: SaleEvent, in id: RoomID, _ turn: inout Turn) {
        guard let bidder = event.namedBidder else { return self[id].follow(event, &turn) }
        recordName(bidder, in: id, &turn) { $0.follow(event, &$1) }
        if case .displayNameSet(_, let text) = event {
            displays[bidder] = text.isEmpty ? nil : text
        }
    }

    /// Takes a room over from a node that is gone, as after a restart.
    mutating func takeOver(_ id: RoomID, _ turn: inout Turn) {
        let serverID = serverID ?? options.serverID
        let former = self[id].sale.names
        self[id].takeOver(serverID: serverID, kick: options.limits.kick, &turn)
        former.forEach { account in
            // Nobody is present, so names without a bid are free.
            if self[id].sale.names[account.bidder] == nil { forget(account.bidder, in: id) }
        }
        touch(id)
        if id != .main { noteDeparture(from: id) }
    }

    /// Why a client cannot open a room; nil if it can.
    ///
    /// The operator, who is at the Unix socket or has proved the token of the server, can open as
    /// many as there is place for, and one more.
    mutating func refusalToOpen(for sender: Sender, _ turn: borrowing Turn) -> ErrorReply? {
        let isOperator = sender.rights == .server || sender.address == .local
        let most = options.limits.rooms + (isOperator ? 1 : 0)
        guard options.limits.rooms > 1, count < most || leftLongest != nil else {
            return .roomsFull
        }
        return !isOperator && turn.rates.hasAllRooms(sender.address) ? .addressRoomsFull : nil
    }

    /// The room that must end so that another can be opened; nil if there is place.
    var roomToReplace: RoomID? {
        mutating get { count >= options.limits.rooms ? leftLongest : nil }
    }

    /// The rules of a room with these options.
    ///
    /// - Throws: Why the options are not allowed.
    func rules(_ room: RoomOptions) throws(OptionProblem) -> Rules {
        let rules = try room.rules(options.rules)
        if let problem = room.conflictOfPurse(hasEnd: room.lots != nil) { throw problem }
        return rules
    }

    /// Opens a room for a client; its rules are those that `rules` returned for its options.
    mutating func open(
        _ name: RoomName, _ room: (options: RoomOptions, rules: Rules), for sender: Sender,
        _ turn: inout Turn
    ) -> (id: RoomID, key: Token) {
        open(name, room, from: sender.address, &turn)
    }

    private mutating func open(
        _ name: RoomName, _ room: (options: RoomOptions, rules: Rules), from origin: PeerAddress?,
        _ turn: inout Turn
    ) -> (id: RoomID, key: Token) {
        let key = options.makeToken()
        let pause = options.catalogue.pause
        let opening = Room.Opening(
            keyHash: TokenHash(of: key),
            options: room.options.resolved(with: room.rules, pause: pause), origin: origin)
        turn.write(.roomOpened(name, keyHash: opening.keyHash, opening.options), of: nextID)
        return (open(plan(name, opening, room.rules, resuming: nil), &turn), key)
    }

    /// Ends the rooms of a class that has not begun; a client may have opened them.
    ///
    /// Nobody is connected yet.
    mutating func endUnusedRoomsOfClass(_ turn: inout Turn) {
        if let id = id(of: .classroom), self[id].sale.drawnRound != nil, !self[id].sale.hasLot {
            return
        }
        for id in all where self[id].name.isOfClass { remove(id, &turn) }
    }

    /// Opens a room whose lots a class opens.
    mutating func openForClass(
        _ name: RoomName, _ room: RoomOptions, _ turn: inout Turn
    ) -> RoomID {
        let rules = (try? room.rules(options.rules)) ?? options.rules.plain
        return open(name, (room, rules), from: nil, &turn).id
    }

    /// Whether a class opens the lots of the room of this name.
    private func isLed(_ name: RoomName) -> Bool { options.classPlan != nil && name.isOfClass }

    private func plan(
        _ name: RoomName, _ opening: Room.Opening, _ rules: Rules, resuming sale: Sale?
    ) -> Room.Plan {
        Room.Plan(
            id: nextID, name: name, opening: opening, rules: rules,
            catalogue: opening.options.catalogue,
            game: GameSettings(opening.options, seed: isLed(name) ? options.game.seed : nil),
            newSeed: options.makeSeed(), recovered: sale,
            idleTime: isLed(name) ? nil : options.limits.roomIdle,
            isLed: isLed(name))
    }

    private mutating func open(_ plan: Room.Plan, _ turn: inout Turn) -> RoomID {
        turn.emit(.openRoom(plan.id, plan.name))
        if let serverID { start(plan, serverID: serverID, &turn) }
        return plan.id
    }

    private mutating func start(_ plan: Room.Plan, serverID: Identity, _ turn: inout Turn) {
        var room = Room(plan, at: turn.now)
        room.start(serverID: serverID, kick: options.limits.kick, &turn)
        add(room, &turn)
    }

    /// The identity of the server, and the name of this node of several.
    var server: (id: Identity?, node: String?) { (serverID, options.node) }

    /// The identity of the server, the same in every room.
    var serverID: Identity? { self[.main].sale.serverID }

    /// The identity of the next room that is added.
    private var nextID: RoomID {
        guard let slot = freeSlots.last else { return RoomID(slot: slots.count, generation: 0) }
        return RoomID(slot: slot, generation: generations[slot] &+ 1)
    }

    private mutating func add(_ room: consuming Room, _ turn: inout Turn) {
        let (id, name, origin) = (room.id, room.name, room.opening?.origin)
        precondition(id == nextID && ids[name] == nil, "a room is added once")
        if freeSlots.popLast() != nil {
            slots[Int(id.slot)] = Place(room)
            generations[Int(id.slot)] = id.generation
        } else {
            slots.append(Place(room))
            generations.append(id.generation)
        }
        ids[name] = id
        if name != .main { names.insert(name, at: place(after: name)) }
        if let origin { turn.rates.countRooms(1, of: origin) }
        noteNames(of: id)
        touch(id)
    }

    /// Notes the names of a room that was added.
    private mutating func noteNames(of id: RoomID) {
        let names = self[id].sale.names
        names.forEach { account in
            note(account, in: id)
            if let display = names.display(of: account.bidder) {
                displays[account.bidder] = display
            }
        }
    }

    /// Removes a room in which nobody is.
    mutating func remove(_ id: RoomID, _ turn: inout Turn) {
        let (name, origin) = (self[id].name, self[id].opening?.origin)
        if self[id].isOwned { turn.endRoom(id, name) } else { turn.forgetRoom(id) }
        let freed = self[id].sale.names
        freed.forEach { account in
            forget(account.bidder, in: id)
            if roomCount(of: account.bidder) == 0 {
                turn.rates.forgetOpenings(of: account.bidder)
            }
        }
        if let origin { turn.rates.countRooms(-1, of: origin) }
        ids[name] = nil
        names.remove(at: place(after: name) - 1)
        slots[Int(id.slot)] = nil
        freeSlots.append(Int(id.slot))
    }

    // Rooms that give way

    /// Notes that a room may give way to a new one, if nobody is in it and nobody has bid in it.
    ///
    /// Called when a connection or a name has left it; O(1) amortized.
    mutating func noteDeparture(from id: RoomID) {
        guard self[id].mayGiveWay(afterDeparture: lastDeparture + 1) else { return }
        lastDeparture += 1
        departures.append((id, lastDeparture))
        guard departures.count > 2 * slots.count + Self.fewEntries else { return }
        var current = Queue<(room: RoomID, number: Int)>()
        while let departure = departures.popFirst() {
            if isCurrent(departure) { current.append(departure) }
        }
        departures = current
    }

    /// The room that gives way to a new one: the one that was left for longest; nil if none does.
    private var leftLongest: RoomID? {
        mutating get {
            while let first = departures.first {
                if isCurrent(first) { return first.room }
                _ = departures.popFirst()
            }
            return nil
        }
    }

    private func isCurrent(_ departure: (room: RoomID, number: Int)) -> Bool {
        contains(departure.room) && self[departure.room].departure == departure.number
    }

    // Time

    /// When something is next due in a room.
    var deadline: Instant? {
        var deadline = timers.deadline
        for id in changed where contains(id) {
            deadline = Instant.earliest(deadline, place(of: id).room.nextDeadline())
        }
        return deadline
    }

    /// Notes that what is due in a room may have changed.
    mutating func touch(_ id: RoomID) {
        let entry = place(of: id)
        if entry.isChanged { return }
        entry.isChanged = true
        changed.append(id)
    }

    /// Brings the timers up to date with the rooms that have changed.
    mutating func schedule() {
        for id in changed where contains(id) {
            let entry = place(of: id)
            entry.isChanged = false
            if let due = entry.room.nextDeadline(), entry.timer.map({ due < $0 }) ?? true {
                setTimer(of: entry, due)
            }
        }
        changed.removeAll(keepingCapacity: true)
        while let (id, due) = timers.first {
            guard contains(id), place(of: id).timer == due else {
                // The room has ended, or has an earlier timer.
                timers.popFirst()
                continue
            }
            let entry = place(of: id)
            if entry.room.nextDeadline() == due { return }
            timers.popFirst()
            entry.timer = nil
            if let due = entry.room.nextDeadline() { setTimer(of: entry, due) }
        }
    }

    private mutating func setTimer(of place: Place, _ due: Instant) {
        place.timer = due
        timers.insert(place.room.id, due: due)
        guard timers.count > 2 * slots.count + Self.fewEntries else { return }
        // Most are out of date, and may not be due for long.
        timers = TimerQueue()
        for case let place? in slots {
            if let due = place.timer { timers.insert(place.room.id, due: due) }
        }
    }

    /// The number of timers, with those that are out of date.
    var timerCount: Int { timers.count }

    /// Returns the next room in which something was due until an instant; nil if there is none.
    mutating func popDue(at handledUntil: Instant) -> RoomID? {
        schedule()
        guard let id = timers.popDue(at: handledUntil) else { return nil }
        place(of: id).timer = nil
        touch(id)
        return id
    }

    // Names

    /// The owner of a name, as it was first written, and its token's hash; nil if nobody owns it.
    ///
    /// A name of the roster has the token of the roster, also if a journal knows another one.
    func owner(of bidder: Bidder) -> (bidder: Bidder, tokenHash: TokenHash)? {
        let known = knownOwner(of: bidder)
        guard let reserved = options.roster?.owner(of: bidder) else { return known }
        return (known?.bidder ?? reserved.bidder, reserved.tokenHash)
    }

    /// The owner of a name that takes part in a room.
    private func knownOwner(of bidder: Bidder) -> (bidder: Bidder, tokenHash: TokenHash)? {
        if let account = self[.main].sale.names[bidder] {
            return (account.bidder, account.tokenHash)
        }
        return owners.isEmpty ? nil : owners[bidder].map { ($0.bidder, $0.tokenHash) }
    }

    /// Whether everybody of the roster is present in a room; false without a roster.
    func hasWholeRoster(in id: RoomID) -> Bool {
        guard let roster = options.roster?.bidders else { return false }
        return self[id].sale.names.presentCount >= roster.count
            && roster.allSatisfy { self[id].sale.names[$0]?.isPresent == true }
    }

    /// The number of places in a room that wait for names of the roster, if this name is not there.
    func placesReserved(in id: RoomID, from bidder: Bidder) -> Int {
        guard let roster = options.roster, self[id].isLed, roster.owner(of: bidder) == nil else {
            return 0
        }
        return roster.bidders.count { self[id].sale.names[$0] == nil }
    }

    /// The number of rooms in which a name takes part.
    func roomCount(of bidder: Bidder) -> Int {
        (self[.main].sale.names[bidder] == nil ? 0 : 1)
            + (owners.isEmpty ? 0 : owners[bidder]?.rooms ?? 0)
    }

    /// Commits an event of a name in a room.
    mutating func commit(_ event: SaleEvent, of bidder: Bidder, in id: RoomID, _ turn: inout Turn) {
        recordName(bidder, in: id, &turn) { $0.commit(event, &$1) }
    }

    /// Records an event that may add a name to a room, or remove it.
    private mutating func recordName(
        _ bidder: Bidder, in id: RoomID, _ turn: inout Turn,
        _ record: (inout Room, inout Turn) -> Void
    ) {
        let before = self[id].sale.names[bidder] != nil
        record(&self[id], &turn)
        touch(id)
        let account = self[id].sale.names[bidder]
        if let account, !before {
            note(account, in: id)
        } else if account == nil, before {
            forget(bidder, in: id)
        }
        if account?.isPresent != true { noteDeparture(from: id) }
    }

    private mutating func note(_ account: Account, in id: RoomID) {
        nameCount += 1
        guard id != .main else { return }
        let new = Owner(bidder: account.bidder, tokenHash: account.tokenHash, rooms: 0)
        owners[account.bidder, default: new].rooms += 1
    }

    private mutating func forget(_ bidder: Bidder, in id: RoomID) {
        nameCount -= 1
        if id != .main, let index = owners.index(forKey: bidder) {
            owners.values[index].rooms -= 1
            if owners.values[index].rooms == 0 { owners.remove(at: index) }
        }
        if !displays.isEmpty || options.roster != nil, roomCount(of: bidder) == 0 {
            displays[bidder] = options.roster?.display(of: bidder)
        }
    }

    /// Lets a bidder set the form of its name for people, here and in the rooms that it enters.
    mutating func display(_ text: String?, by sender: Sender, _ turn: inout Turn) {
        if let text, let bidder = sender.bidder,
            options.roster?.isOfAnother(text, than: bidder) == true
        {
            return turn.refuse(.displayTaken, to: sender)
        }
        guard self[sender.room].display(text, by: sender, &turn), let bidder = sender.bidder else {
            return
        }
        displays[bidder] = text
    }

    /// Brings the display name of a bidder who enters a room, unless somebody there has it.
    mutating func bringDisplay(of bidder: Bidder, to id: RoomID, _ turn: inout Turn) {
        guard !displays.isEmpty || self[id].sale.names.display(of: bidder) != nil else { return }
        var display = displays[bidder]
        if let text = display, self[id].sale.names.isOfAnother(text, than: bidder) { display = nil }
        guard self[id].sale.names.display(of: bidder) != display else { return }
        commit(.displayNameSet(bidder, text: display ?? ""), of: bidder, in: id, &turn)
    }

    /// Calls `body` with rooms until it returns true, first with this one.
    ///
    /// It searches some of the others; the next call continues after them.
    mutating func search(from id: RoomID, _ body: (inout Rooms, RoomID) -> Bool) -> Bool {
        if body(&self, id) { return true }
        for _ in 0..<min(slots.count, Self.searchedAtOnce) {
            if let other = nextInTurn(), other != id, body(&self, other) { return true }
        }
        return false
    }

    /// Gives the next slot its turn, after which all others have theirs; returns its room.
    mutating func nextInTurn() -> RoomID? {
        turn = (turn + 1) % slots.count
        return slots[turn]?.room.id
    }
}

extension SaleEvent {
    /// The bidder whose name the event gives or takes away, or says how it is shown; nil for others.
    fileprivate var namedBidder: Bidder? {
        if case .nameTaken(let bidder, _) = self { return bidder }
        if case .nameFreed(let bidder) = self { return bidder }
        if case .bidderLeft(let bidder) = self { return bidder }
        if case .displayNameSet(let bidder, _) = self { return bidder }
        return nil
    }
}
