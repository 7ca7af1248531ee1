import Auction
import Basics

/// How many names are owned in all rooms together, and when unused ones become free.
struct NameLimits {
    /// How many names are checked for expiry in one call, which bounds its time.
    private static let checkedAtOnce = 64
    /// How long a name must have been unused to make room for a new one: ten minutes.
    ///
    /// Longer than a phone, a router or a client needs to come back, so that nobody loses a name
    /// during a short absence. No longer, because somebody with many networks can take all names,
    /// and newcomers then wait this long.
    private static let unusedForNewName = Duration.seconds(600)

    /// The number of names; nil for no limit.
    private let most: Int?
    /// How long a name may be unused.
    private let age: Duration?
    /// How long a kicked name is barred.
    private let kick: Duration

    init(_ limits: Limits) {
        (most, age, kick) = (limits.names, limits.nameAge, limits.kick)
    }

    /// Releases the names of the recovered sale of a room: no owner is connected yet.
    ///
    /// A kicked name is barred for `Limits.kick` at most, because the clock may have been changed.
    func releaseAll(in live: inout LiveSale, at now: Instant, _ outputs: inout Outputs) {
        for entry in live.sale.names.present(after: 0, limit: .max) {
            live.commit(.bidderLeft(entry.bidder), at: now, &outputs)
        }
        for bidder in live.sale.names.pending {
            live.commit(.nameFreed(bidder), at: now, &outputs)
        }
        freeWaiting(in: &live, at: now, &outputs)
        let latest = outputs.clock.sinceStart(at: now.advanced(by: kick))
        let bars = live.sale.bars.sorted { $0.key.description < $1.key.description }
        for (bidder, end) in bars where end > latest {
            live.commit(.nameBarred(bidder, until: latest), at: now, &outputs)
        }
    }

    /// Frees the names of a recovered sale that were kept only until its lot has ended, if it has.
    func freeWaiting(in live: inout LiveSale, at now: Instant, _ outputs: inout Outputs) {
        guard !live.sale.keepsNames else { return }
        for bidder in live.sale.names.allWaiting {
            live.commit(.nameFreed(bidder), at: now, &outputs)
        }
    }

    /// Frees the names of a room that were kept only until its lot has ended.
    ///
    /// All at once: a client that takes one must not learn anything from which of them are free.
    func freeWaiting(
        of room: RoomID, in rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        for bidder in rooms[room].live.sale.names.allWaiting {
            free(bidder, of: room, in: &rooms, &rates, at: now, &outputs)
        }
    }

    private func free(
        _ bidder: Bidder, of room: RoomID, in rooms: inout Rooms, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs
    ) {
        rooms.commit(.nameFreed(bidder), of: bidder, in: room, at: now, &outputs)
        if rooms.roomCount(of: bidder) == 0 { rates.forgetOpenings(of: bidder) }
    }

    /// Frees the names of a room that were unused for longer than `Limits.nameAge`.
    func expire(
        of room: RoomID, in rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard let age else { return }
        free(of: room, unusedFor: age, in: &rooms, &rates, at: now, &outputs) { _ in true }
    }

    /// Whether another name may take part in a room; frees an unused one if necessary.
    ///
    /// The unused name can be in `room` or another.
    func makePlace(
        in rooms: inout Rooms, from room: RoomID, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> Bool {
        guard let most, rooms.nameCount >= most else { return true }
        let isFree = rooms.search(from: room) { rooms, searched in
            free(
                of: searched, unusedFor: Self.unusedForNewName, in: &rooms, &rates, at: now,
                &outputs
            ) { $0.nameCount >= most }
            return rooms.nameCount < most
        }
        if !isFree { outputs.note(.namesFull) }
        return isFree
    }

    /// Whether this room has a place for another name; frees an unused one of it if necessary.
    ///
    /// A bid on a lot that never ends keeps a name, and costs nothing. Without this limit the owner of
    /// a small network could take all names of the server within an hour, for ever.
    func makePlace(
        inside room: RoomID, of rooms: inout Rooms, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> Bool {
        guard room != .main else { return true }
        let mostHere = Sale.mostKept(in: rooms[room].name)
        func isFull(_ rooms: borrowing Rooms) -> Bool {
            rooms[room].live.sale.names.count >= mostHere
        }
        free(
            of: room, unusedFor: Self.unusedForNewName, in: &rooms, &rates, at: now, &outputs,
            while: isFull)
        guard isFull(rooms) else { return true }
        outputs.note(.namesFull)
        return false
    }

    /// Frees absent names of a room while a condition holds, the one unused for longest first.
    ///
    /// A name that has bid on the open lot is kept, because it may lead again after a void. So is
    /// any name while the open lot has sealed bids or values, and one that has won in a game,
    /// because what it has spent and earned still counts.
    private func free(
        of room: RoomID, unusedFor age: Duration, in rooms: inout Rooms,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs,
        while condition: (borrowing Rooms) -> Bool
    ) {
        let latest = outputs.clock.earliest(at: now) - age.components.seconds * 1000
        for _ in 0..<Self.checkedAtOnce {
            guard condition(rooms), let oldest = rooms[room].live.sale.names.longestAbsent,
                oldest.used <= latest
            else { return }
            if rooms[room].live.keeps(oldest) {
                rooms[room].live.commit(.nameKept(oldest.bidder), at: now, &outputs)
            } else {
                free(oldest.bidder, of: room, in: &rooms, &rates, at: now, &outputs)
            }
        }
    }
}

extension LiveSale {
    /// Whether an absent name stays owned, however long it was not used.
    fileprivate func keeps(_ account: Account) -> Bool {
        sale.keepsNames || !auction.isClosed && account.lot == auction.lot.number
            || sale.hasWonInGame(account.bidder)
    }
}
