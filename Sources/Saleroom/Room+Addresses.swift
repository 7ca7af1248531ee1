import AuctionRules
import Wire

extension Room {
    /// The seconds for which a connection's address may take no new name; nil if it may.
    func secondsToNextName(of id: SessionID, at now: Instant) -> Int? {
        seconds(to: \.claims, limits.claims, of: id, at: now)
    }

    /// Counts a new name of a connection's address.
    mutating func countName(of id: SessionID, at now: Instant) {
        spend(\.claims, limits.claims, of: id, at: now)
    }

    /// The seconds for which a name may not be opened from a connection's address; nil if it may.
    ///
    /// A name that was not opened for a while may be, whatever others of that address open.
    func secondsToNextOpening(of claim: Claim, by id: SessionID, at now: Instant) -> Int? {
        guard let rate = limits.openings, claim.openings.full(rate, at: now) > now else {
            return nil
        }
        guard claim.openings.available(rate, at: now) > 0 else {
            return seconds(to: claim.openings.due(1, rate, at: now), at: now)
        }
        return seconds(to: \.openings, limits.openingsPerAddress, of: id, at: now)
    }

    /// Counts an opening of a name.
    mutating func countOpening(of bidder: Bidder, by id: SessionID, at now: Instant) {
        guard let rate = limits.openings else { return }
        names.countOpening(of: bidder, rate, at: now)
        spend(\.openings, limits.openingsPerAddress, of: id, at: now)
    }

    /// The seconds after which a connection's address may say a wrong token again; nil if it may.
    func secondsToNextToken(of id: SessionID, at now: Instant) -> Int? {
        seconds(to: \.wrongTokens, limits.wrongTokens, of: id, at: now)
    }

    /// Counts a wrong token of a connection's address.
    mutating func countWrongToken(of id: SessionID, at now: Instant) {
        spend(\.wrongTokens, limits.wrongTokens, of: id, at: now)
    }

    private func seconds(
        to bucket: KeyPath<AddressUse, TokenBucket>, _ rate: TokenBucket.Rate?, of id: SessionID,
        at now: Instant
    ) -> Int? {
        guard let rate, let address = sessions[id]?.address.network,
            let bucket = uses[address]?[keyPath: bucket], bucket.available(rate, at: now) == 0
        else { return nil }
        return seconds(to: bucket.due(1, rate, at: now), at: now)
    }

    /// The whole seconds up to an instant, rounded up.
    private func seconds(to due: Instant, at now: Instant) -> Int {
        let wait = now.duration(to: due).components
        return Int(wait.seconds) + (wait.attoseconds > 0 ? 1 : 0)
    }

    private mutating func spend(
        _ bucket: WritableKeyPath<AddressUse, TokenBucket>, _ rate: TokenBucket.Rate?,
        of id: SessionID, at now: Instant
    ) {
        guard let rate, let address = sessions[id]?.address.network else { return }
        uses[address, default: AddressUse()][keyPath: bucket].spend(1, rate, at: now)
        guard uses[address]?.isFilling == false else { return }
        uses[address]?.isFilling = true
        fillings.add(address, due: now.advanced(by: .seconds(60)))
    }

    /// Forgets the addresses of which there is nothing to say any more.
    mutating func forgetAddresses(at now: Instant) {
        while let address = fillings.takeDue(at: now) {
            guard let use = uses[address] else { continue }
            let full = max(
                limits.claims.map { use.claims.full($0, at: now) } ?? now,
                limits.openingsPerAddress.map { use.openings.full($0, at: now) } ?? now,
                limits.wrongTokens.map { use.wrongTokens.full($0, at: now) } ?? now)
            if full > now {
                fillings.add(address, due: full)
            } else if use.connections == 0 {
                uses[address] = nil
            } else {
                uses[address]?.isFilling = false
            }
        }
    }
}
