import AuctionRules
import Wire

/// How names that nobody uses become free.
extension Room {
    /// How many names are checked in one call, which bounds its time.
    private static let mostLookedAt = 64
    /// How long a name must have been unused to make room for a new one: ten minutes.
    ///
    /// Longer than a phone, a router or a client needs to come back, so that nobody loses a name
    /// during a short absence. No longer, because somebody with many networks can fill the house
    /// with names, and newcomers then wait this long.
    private static let leastAge = Duration.seconds(600)

    /// Frees names that were unused for too long.
    mutating func expireNames(at now: Instant) {
        guard let age = limits.nameAge else { return }
        freeNames(unusedFor: age, at: now) { _ in true }
    }

    /// Whether a new name may be owned; frees an unused one if necessary.
    mutating func makeRoomForName(at now: Instant) -> Bool {
        guard let most = limits.names else { return true }
        freeNames(unusedFor: Self.leastAge, at: now) { $0.count >= most }
        return sale.names.count < most
    }

    /// Frees absent names while a condition holds, the one unused for longest first.
    ///
    /// A name that has bid on the open lot is kept, because it may lead again after a void.
    private mutating func freeNames(
        unusedFor age: Duration, at now: Instant, while condition: (Names) -> Bool
    ) {
        let time = timeOfDay(at: now)
        let latest = time - age.components.seconds * 1000
        for _ in 0..<Self.mostLookedAt {
            guard condition(sale.names), let oldest = sale.names.longestAbsent,
                oldest.used <= latest
            else { return }
            if !auction.isClosed, oldest.lot == auction.lot.number {
                sale.names.postpone(oldest.bidder, at: time)
            } else {
                commit(.nameFreed(oldest.bidder), at: now)
            }
        }
    }
}
