import AuctionRules
import Wire

/// How names that nobody uses become free.
extension Room {
    /// How many names are looked at in one call, so that none takes long.
    private static let mostLookedAt = 64
    /// How long a name must have been unused to make room for a new one.
    private static let leastAge: Int64 = 86_400_000

    /// Frees names that were unused for too long.
    mutating func expireNames(at now: Instant) {
        guard let age = limits.nameAge else { return }
        freeNames(unusedFor: age.components.seconds * 1000, at: now) { _ in true }
    }

    /// Whether a new name may be owned, for which another may have to be free.
    mutating func makeRoomForName(at now: Instant) -> Bool {
        guard let most = limits.names else { return true }
        freeNames(unusedFor: Self.leastAge, at: now) { $0.count >= most }
        return names.count < most
    }

    /// Frees the names that were unused for longest, as long as a condition holds.
    ///
    /// Who has bid for the open lot may lead it again, and so keeps the name.
    private mutating func freeNames(
        unusedFor milliseconds: Int64, at now: Instant, while condition: (Names) -> Bool
    ) {
        let time = timeOfDay(at: now)
        for _ in 0..<Self.mostLookedAt {
            guard condition(names), let oldest = names.longestAbsent,
                oldest.used <= time - milliseconds
            else { return }
            if !auction.isClosed, oldest.lot == auction.lot.number {
                names.postpone(oldest.bidder, at: time)
            } else {
                names.free(oldest.bidder)
                perform(.note(.freed(oldest.bidder)))
            }
        }
    }
}
