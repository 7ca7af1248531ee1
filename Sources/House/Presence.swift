import Auction
import Basics

/// The owners of names who are present, each in one room, with or without a connection.
///
/// An owner whose connection ended stays present for a while, so that a short absence is not
/// announced.
struct Presence {
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
