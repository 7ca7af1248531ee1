import AuctionRules
import Queues

/// The names that are owned, and which of their owners are present.
///
/// Present owners are ordered by their arrival, the others by their departure. An owner whose
/// connection ended stays present for a while, so that a short absence is not announced. Every
/// absent name has bid, because a name without a bid becomes free when its owner leaves. Calls are
/// O(log n) unless stated otherwise.
struct Names {
    private var claims: [Bidder: Claim] = [:]
    private var present = NumberedNames()
    private var absent = NumberedNames()
    /// The highest number given to a name so far.
    private(set) var lastNumber = 0
    /// When each present owner without a connection has been away for too long.
    ///
    /// Entries of owners who are back are skipped.
    private var absences = TimerQueue<Absence, Instant>()

    private struct Absence {
        let bidder: Bidder
        let number: Int
    }

    /// The owner of a name; nil if nobody owns it.
    subscript(bidder: Bidder) -> Claim? { claims[bidder] }

    /// How many names are owned.
    var count: Int { claims.count }

    /// How many owners are present.
    var presentCount: Int { present.count }

    /// When the next owner has been without a connection for too long.
    var deadline: Instant? { absences.deadline }

    /// Adds a name, whose owner is not present yet.
    mutating func add(_ bidder: Bidder, token: Token) {
        precondition(claims[bidder]?.isFree ?? true, "a name has one owner")
        claims[bidder] = Claim(bidder: bidder, token: token)
    }

    /// Records that a name, just added, has bid, and when its owner left.
    mutating func restoreAbsent(_ bidder: Bidder, used: Int64) {
        guard let index = claims.index(forKey: bidder) else { return }
        claims.values[index].hasBid = true
        claims.values[index].used = used
        claims.values[index].number = nextNumber()
        absent.append(claims.values[index].bidder, number: claims.values[index].number)
    }

    /// Records that the owner of a name is present, as the newest arrival.
    mutating func join(_ bidder: Bidder) {
        guard let index = claims.index(forKey: bidder), !claims.values[index].isPresent else {
            return
        }
        let number = nextNumber()
        if claims.values[index].hasBid { absent.remove(number: claims.values[index].number) }
        claims.values[index].number = number
        claims.values[index].isPresent = true
        present.append(claims.values[index].bidder, number: number)
    }

    /// Gives a name to a connection.
    mutating func hand(_ bidder: Bidder, to holder: SessionID) {
        guard let index = claims.index(forKey: bidder) else { return }
        claims.values[index].holder = holder
    }

    /// Records that a bid was accepted under a name in the lot with this number.
    mutating func noteBid(by bidder: Bidder, in lot: Int) {
        guard let index = claims.index(forKey: bidder), claims.values[index].lot != lot else {
            return
        }
        claims.values[index].hasBid = true
        claims.values[index].lot = lot
    }

    /// Counts an opening of a name.
    mutating func countOpening(of bidder: Bidder, _ rate: TokenBucket.Rate, at now: Instant) {
        guard let index = claims.index(forKey: bidder) else { return }
        claims.values[index].openings.spend(1, rate, at: now)
    }

    /// Records that the connection of an owner has ended; the owner stays present until `due`.
    mutating func disconnect(_ bidder: Bidder, until due: Instant) {
        guard let index = claims.index(forKey: bidder), claims.values[index].holder != nil else {
            return
        }
        claims.values[index].holder = nil
        claims.values[index].awayUntil = due
        guard !claims.values[index].isAwaited else { return }
        claims.values[index].isAwaited = true
        absences.insert(Absence(bidder: bidder, number: claims.values[index].number), due: due)
    }

    /// Removes and returns an owner who has been without a connection for too long, if any.
    mutating func takeAway(at now: Instant) -> Bidder? {
        while let absence = absences.popDue(at: now) {
            // An owner who has left and come back since has a new number and a new entry.
            guard let index = claims.index(forKey: absence.bidder),
                claims.values[index].number == absence.number
            else { continue }
            claims.values[index].isAwaited = false
            guard claims.values[index].holder == nil else { continue }
            let due = claims.values[index].awayUntil
            guard due > now else { return claims.values[index].bidder }
            claims.values[index].isAwaited = true
            absences.insert(absence, due: due)
        }
        return nil
    }

    /// Records that an owner has left, at a time in milliseconds since 1970.
    ///
    /// A name without a bid becomes free.
    mutating func leave(_ bidder: Bidder, at timeOfDay: Int64) {
        guard let index = claims.index(forKey: bidder), claims.values[index].isPresent else {
            return
        }
        present.remove(number: claims.values[index].number)
        guard claims.values[index].hasBid else {
            claims.remove(at: index)
            return
        }
        let number = nextNumber()
        claims.values[index].holder = nil
        claims.values[index].used = timeOfDay
        claims.values[index].isPresent = false
        claims.values[index].isAwaited = false
        claims.values[index].number = number
        absent.append(claims.values[index].bidder, number: number)
    }

    /// The names whose owners never arrived, in alphabetical order; O(n).
    var pending: [Bidder] {
        claims.values.filter { $0.isFree }.map(\.bidder).sorted { $0.description < $1.description }
    }

    /// The name whose owner has been absent for longest.
    var longestAbsent: Claim? { absent.first.flatMap { claims[$0.bidder] } }

    /// Moves an absent name to the end of the order, as if its owner left at this time.
    mutating func postpone(_ bidder: Bidder, at timeOfDay: Int64) {
        guard let index = claims.index(forKey: bidder), !claims.values[index].isPresent else {
            return
        }
        let number = nextNumber()
        absent.remove(number: claims.values[index].number)
        claims.values[index].number = number
        claims.values[index].used = timeOfDay
        absent.append(claims.values[index].bidder, number: number)
    }

    /// Frees a name whose owner is not present.
    mutating func free(_ bidder: Bidder) {
        guard let claim = claims[bidder], !claim.isPresent else { return }
        if claim.hasBid { absent.remove(number: claim.number) }
        claims[bidder] = nil
    }

    /// Returns at most `limit` present names with greater numbers than this one, in order.
    ///
    /// O(log n + limit).
    func present(after number: Int, limit: Int) -> [NumberedNames.Entry] {
        present.entries(after: number, limit: limit)
    }

    /// Calls `body` with each name: first the absent ones, then the present ones, each in order.
    func forEach(_ body: (Claim) -> Void) {
        for names in [absent, present] {
            names.forEach { bidder in
                if let claim = claims[bidder] { body(claim) }
            }
        }
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
