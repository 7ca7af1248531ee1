import AuctionRules
import Wire

extension Room {
    /// The seconds for which a connection's address may take no new name; nil if it may.
    func secondsToNextName(of id: SessionID, at now: Instant) -> Int? {
        seconds(to: .claims, of: id, at: now)
    }

    /// Counts a new name of a connection's address.
    mutating func countName(of id: SessionID, at now: Instant) {
        spend(.claims, of: id, at: now)
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
        return seconds(to: .openings, of: id, at: now)
    }

    /// Counts an opening of a name.
    mutating func countOpening(of bidder: Bidder, by id: SessionID, at now: Instant) {
        guard let rate = limits.openings else { return }
        names.countOpening(of: bidder, rate, at: now)
        spend(.openings, of: id, at: now)
    }

    /// The seconds after which a connection's address may say a wrong token again; nil if it may.
    func secondsToNextToken(of id: SessionID, at now: Instant) -> Int? {
        seconds(to: .wrongTokens, of: id, at: now)
    }

    /// Counts a wrong token of a connection's address.
    mutating func countWrongToken(of id: SessionID, at now: Instant) {
        spend(.wrongTokens, of: id, at: now)
    }

    /// The whole seconds up to an instant, rounded up.
    func seconds(to due: Instant, at now: Instant) -> Int {
        let wait = now.duration(to: due).components
        return Int(wait.seconds) + (wait.attoseconds > 0 ? 1 : 0)
    }

    private func seconds(
        to allowance: NetworkUsage.Allowance, of id: SessionID, at now: Instant
    ) -> Int? {
        guard let address = sessions[id]?.address else { return nil }
        return networks.due(1, allowance, of: address, at: now).map { seconds(to: $0, at: now) }
    }

    private mutating func spend(
        _ allowance: NetworkUsage.Allowance, of id: SessionID, at now: Instant
    ) {
        guard let address = sessions[id]?.address else { return }
        networks.spend(1, allowance, of: address, at: now)
    }

    // Connections

    /// Why a newcomer from an address has no place; nil if there is one.
    func refusal(from address: PeerAddress, at now: Instant) -> (Fault, LimitReached)? {
        if !address.isOfThisMachine {
            if let due = networks.due(1, .connects, of: address, at: now) {
                return (.tooManyConnects(seconds: seconds(to: due, at: now)), .connects)
            }
            if networks.isFull(address) { return (.addressFull, .addressFull) }
        }
        if let most = limits.connections, sessions.count >= most { return (.full, .full) }
        return nil
    }

    mutating func countConnection(from address: PeerAddress, at now: Instant) {
        guard !address.isOfThisMachine else { return }
        networks.spend(1, .connects, of: address, at: now)
        networks.connect(address)
    }

    mutating func uncountConnection(from address: PeerAddress) {
        if !address.isOfThisMachine { networks.disconnect(address) }
    }

    // Lines

    /// Whether the lines of a connection are counted for its address too.
    func countsLines(of address: PeerAddress) -> Bool {
        !address.isOfThisMachine && networks.limits(.lines)
    }

    /// Sets lines aside for a connection that has to wait, and notes when its address has them.
    ///
    /// Each that waits has its own place in time: those of one address come one after the other, and
    /// one that says much keeps none of the others from being heard.
    mutating func reserveLines(of id: SessionID, at now: Instant) {
        guard let session = sessions[id], countsLines(of: session.address) else { return }
        let count = linesAfterWaiting
        networks.spend(count, .lines, of: session.address, at: now)
        sessions[id]?.reservedLines = count
        sessions[id]?.linesDue = networks.due(0, .lines, of: session.address, at: now)
    }

    /// Counts lines of a connection for its address, of which some may have been set aside.
    mutating func spendAddressLines(
        _ count: Int, at index: Dictionary<SessionID, Session>.Index, _ now: Instant
    ) {
        let session = sessions.values[index]
        guard countsLines(of: session.address) else { return }
        networks.spend(count - session.reservedLines, .lines, of: session.address, at: now)
        sessions.values[index].reservedLines = 0
        sessions.values[index].linesDue = nil
    }
}
