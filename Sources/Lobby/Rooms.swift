import Addresses
import AuctionRules
import Queues
import Sale
import Wire

/// The rooms of a server: `main`, and those that clients opened.
///
/// A call costs what its room costs, however many there are: only rooms in which something is due
/// are visited as time passes.
struct Rooms {
    /// A room that can be emptied of names: at most this many are searched in one call.
    private static let searchedAtOnce = 64

    /// The rooms by their slots; nil where a room has ended.
    private var slots: [Room?] = []
    /// The generation of the last room of each slot.
    private var generations: [UInt16] = []
    private var freeSlots: [Int] = []
    private var ids: [RoomName: RoomID] = [:]
    /// The names that take part in other rooms than `main`.
    private var owners: [Bidder: Owner] = [:]
    /// The number of names in all rooms together.
    private(set) var nameCount = 0
    /// The rooms by when something is next due in them; entries may be out of date.
    private var timers = TimerQueue<RoomID, Instant>()
    /// The rooms that may have another deadline than the one in `timers`.
    private var changed: [RoomID] = []
    /// The number of rooms opened from each address and not ended.
    private var opened: [Network: Int] = [:]
    /// The room that is searched next for a name to free.
    private var nextSearched = 0

    /// The owner of a name that takes part in other rooms than `main`.
    private struct Owner {
        let bidder: Bidder
        let token: Token
        /// The number of these rooms.
        var rooms: Int
    }

    /// The number of rooms.
    var count: Int { ids.count }

    /// The room with a name; nil if there is none.
    func id(of name: RoomName) -> RoomID? { ids[name] }

    /// All rooms: `main`, then the others by their names; O(n log n).
    var all: [RoomID] {
        ids.filter { $0.key != .main }.sorted { $0.key < $1.key }.map(\.value).prepending(.main)
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

    private func contains(_ id: RoomID) -> Bool {
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
        if let origin { opened[origin, default: 0] += 1 }
        self[id].live.sale.names.forEach { note($0, in: id) }
        touch(id)
    }

    /// The number of rooms that were opened from a network and have not ended.
    func count(from origin: Network) -> Int { opened[origin] ?? 0 }

    /// Removes a room, and returns the names that are free now.
    mutating func remove(_ id: RoomID) -> [Bidder] {
        let room = self[id]
        var free: [Bidder] = []
        room.live.sale.names.forEach { account in
            forget(account.bidder, in: id)
            if roomCount(of: account.bidder) == 0 { free.append(account.bidder) }
        }
        if let origin = room.origin, let count = opened[origin] {
            opened[origin] = count > 1 ? count - 1 : nil
        }
        ids[room.name] = nil
        slots[Int(id.slot)] = nil
        freeSlots.append(Int(id.slot))
        return free
    }

    // Time

    /// When something is next due in a room.
    var deadline: Instant? {
        var deadline = timers.deadline
        for id in changed { deadline = Instant.earliest(deadline, self[id].deadline) }
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
    }

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

    /// The owner of a name, as it was first written, and the token; nil if nobody owns it.
    func owner(of bidder: Bidder) -> (bidder: Bidder, token: Token)? {
        if let account = self[.main].live.sale.names[bidder] {
            return (account.bidder, account.token)
        }
        return owners.isEmpty ? nil : owners[bidder].map { ($0.bidder, $0.token) }
    }

    /// The number of rooms in which a name takes part.
    func roomCount(of bidder: Bidder) -> Int {
        (self[.main].live.sale.names[bidder] == nil ? 0 : 1)
            + (owners.isEmpty ? 0 : owners[bidder]?.rooms ?? 0)
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
    }

    private mutating func note(_ account: Account, in id: RoomID) {
        nameCount += 1
        guard id != .main else { return }
        let new = Owner(bidder: account.bidder, token: account.token, rooms: 0)
        owners[account.bidder, default: new].rooms += 1
    }

    private mutating func forget(_ bidder: Bidder, in id: RoomID) {
        nameCount -= 1
        guard id != .main, let index = owners.index(forKey: bidder) else { return }
        owners.values[index].rooms -= 1
        if owners.values[index].rooms == 0 { owners.remove(at: index) }
    }

    /// Calls `body` with rooms until it returns true, first with this one; searches some of the
    /// others, and the next call goes on after them.
    mutating func search(from id: RoomID, _ body: (inout Rooms, RoomID) -> Bool) -> Bool {
        if body(&self, id) { return true }
        for _ in 0..<min(slots.count, Self.searchedAtOnce) {
            nextSearched = (nextSearched + 1) % slots.count
            if let other = slots[nextSearched]?.id, other != id, body(&self, other) { return true }
        }
        return false
    }
}

extension [RoomID] {
    fileprivate func prepending(_ id: RoomID) -> [RoomID] { [id] + self }
}
