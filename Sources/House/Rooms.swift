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

    /// The rooms by their slots; nil where a room has ended.
    private var slots: [Room?] = []
    /// The generation of the last room of each slot.
    private var generations: [UInt16] = []
    private var freeSlots: [Int] = []
    private var ids: [RoomName: RoomID] = [:]
    /// The names of the rooms except `main`, in order.
    private var names: [RoomName] = []
    /// The owners of the names in other rooms than `main`.
    private var owners = RoomOwners()
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
    /// How many rooms were opened from each address.
    private var openers: OpenerCounts
    /// The slot of the room that had its turn last.
    private var turn = 0

    init(trusting trusted: TrustedNetworks) {
        openers = OpenerCounts(trusting: trusted)
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
        guard let room = slots[Int(id.slot)] else {
            preconditionFailure("a room with connections does not end")
        }
        return room
    }

    /// Whether a room has not ended.
    func contains(_ id: RoomID) -> Bool {
        slots.indices.contains(Int(id.slot)) && slots[Int(id.slot)]?.id == id
    }

    // Opening and ending

    /// The identity of the next room that is added.
    var nextID: RoomID {
        guard let slot = freeSlots.last else { return RoomID(slot: slots.count, generation: 0) }
        return RoomID(slot: slot, generation: generations[slot] &+ 1)
    }

    /// Adds a room with `nextID`.
    mutating func add(_ room: Room) {
        let (id, name, origin) = (room.id, room.name, room.origin)
        precondition(id == nextID && ids[name] == nil, "a room is added once")
        if freeSlots.popLast() != nil {
            slots[Int(id.slot)] = room
            generations[Int(id.slot)] = id.generation
        } else {
            slots.append(room)
            generations.append(id.generation)
        }
        ids[name] = id
        if name != .main { names.insert(name, at: place(after: name)) }
        openers.add(origin)
        self[id].live.sale.names.forEach { note($0, in: id) }
        touch(id)
    }

    /// Whether an address, or a network around it, has opened as many rooms as it may.
    ///
    /// `most` is the limit of one address; wider networks have larger ones.
    func isFull(_ origin: PeerAddress, most: Int) -> Bool {
        openers.isFull(origin, most: most)
    }

    /// Removes a room, and returns the names that are free now.
    mutating func remove(_ id: RoomID) -> [Bidder] {
        let room = self[id]
        var free: [Bidder] = []
        room.live.sale.names.forEach { account in
            forget(account.bidder, in: id)
            if roomCount(of: account.bidder) == 0 { free.append(account.bidder) }
        }
        openers.remove(room.origin)
        ids[room.name] = nil
        names.remove(at: place(after: room.name) - 1)
        slots[Int(id.slot)] = nil
        freeSlots.append(Int(id.slot))
        return free
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
    var leftLongest: RoomID? {
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
            deadline = Instant.earliest(deadline, self[id].deadline)
        }
        return deadline
    }

    /// Notes that what is due in a room may have changed.
    @inline(__always)
    mutating func touch(_ id: RoomID) {
        let room = self[id]
        if room.isChanged { return }
        room.isChanged = true
        changed.append(id)
    }

    /// Brings the timers up to date with the rooms that have changed.
    mutating func schedule() {
        for id in changed where contains(id) {
            let room = self[id]
            room.isChanged = false
            if let due = room.deadline, room.timer.map({ due < $0 }) ?? true {
                setTimer(of: room, due)
            }
        }
        changed.removeAll(keepingCapacity: true)
        while let (id, due) = timers.first {
            guard contains(id), self[id].timer == due else {
                // The room has ended, or has an earlier timer.
                timers.popFirst()
                continue
            }
            let room = self[id]
            if room.deadline == due { return }
            timers.popFirst()
            room.timer = nil
            if let due = room.deadline { setTimer(of: room, due) }
        }
    }

    private mutating func setTimer(of room: Room, _ due: Instant) {
        room.timer = due
        timers.insert(room.id, due: due)
        guard timers.count > 2 * slots.count + Self.fewEntries else { return }
        // Most are out of date, and may not be due for long.
        timers = TimerQueue()
        for case let room? in slots {
            if let due = room.timer { timers.insert(room.id, due: due) }
        }
    }

    /// The number of timers, with those that are out of date.
    var timerCount: Int { timers.count }

    /// Returns the next room in which something was due until an instant; nil if there is none.
    mutating func popDue(at handledUntil: Instant) -> RoomID? {
        schedule()
        guard let id = timers.popDue(at: handledUntil) else { return nil }
        self[id].timer = nil
        touch(id)
        return id
    }

    /// Notes that the news of a room up to this number was published, unless the room has ended.
    mutating func published(
        in id: RoomID, upTo seq: Int, at now: Instant, _ outputs: inout Outputs
    ) {
        guard contains(id) else { return }
        self[id].live.published(upTo: seq, at: now, &outputs.figures.countdownLateness)
        touch(id)
    }

    // Names

    /// The owner of a name, as the name was first written, and the token; nil if nobody owns it.
    func owner(of bidder: Bidder) -> (bidder: Bidder, token: Token)? {
        if let account = self[.main].live.sale.names[bidder] {
            return (account.bidder, account.token)
        }
        return owners.owner(of: bidder)
    }

    /// The number of rooms in which a name takes part.
    func roomCount(of bidder: Bidder) -> Int {
        (self[.main].live.sale.names[bidder] == nil ? 0 : 1)
            + owners.roomCount(of: bidder)
    }

    /// Commits an event of a name in a room.
    mutating func commit(
        _ event: SaleEvent, of bidder: Bidder, in id: RoomID, at now: Instant,
        _ outputs: inout Outputs
    ) {
        let before = self[id].live.sale.names[bidder] != nil
        self[id].live.commit(event, at: now, &outputs)
        touch(id)
        let account = self[id].live.sale.names[bidder]
        if let account, !before {
            note(account, in: id)
        } else if account == nil, before {
            forget(bidder, in: id)
        }
        if account?.isPresent != true { noteDeparture(from: id) }
    }

    private mutating func note(_ account: Account, in id: RoomID) {
        nameCount += 1
        if id != .main { owners.add(account) }
    }

    private mutating func forget(_ bidder: Bidder, in id: RoomID) {
        nameCount -= 1
        if id != .main { owners.remove(bidder) }
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
        return slots[turn]?.id
    }
}
