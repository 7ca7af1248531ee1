import AuctionRules
import Wire

extension Room {
    /// How long a new name is kept for a connection that had to wait for it.
    private static let namePatience = Duration.seconds(10)

    /// Charges a new name to a connection's address, or returns the seconds for which it may not take
    /// one.
    ///
    /// Who is refused has a turn of its own: those of one address who wait are served in the order in
    /// which they asked first, so that one who asks all the time takes nothing from the others. A
    /// turn is lost by whoever does not ask again within ten seconds of it.
    mutating func chargeName(to id: SessionID, at now: Instant) -> Int? {
        guard let session = sessions[id] else { return nil }
        if let due = session.nameDue {
            guard due <= now else { return seconds(to: due, at: now) }
            sessions[id]?.nameDue = nil
            if now < due.advanced(by: Self.namePatience) { return nil }
        }
        guard let due = networks.due(1, .claims, of: session.address, at: now) else {
            networks.spend(1, .claims, of: session.address, at: now)
            return nil
        }
        if let turn = networks.reserve(.claims, of: session.address, at: now) {
            sessions[id]?.nameDue = turn
            return seconds(to: turn, at: now)
        }
        return seconds(to: due, at: now)
    }

    /// Gives the turn of a connection back that waited for a name, and has gone.
    mutating func giveBackName(of session: Session, at now: Instant) {
        guard let due = session.nameDue, due > now else { return }
        networks.giveBack(.claims, of: session.address, at: now)
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

    /// Why no newcomer from an address is let in; nil if one may be.
    func refusal(from address: PeerAddress, at now: Instant) -> (Fault, LimitReached)? {
        if !address.isOfThisMachine {
            if let due = networks.due(1, .connects, of: address, at: now) {
                return (.tooManyConnects(seconds: seconds(to: due, at: now)), .connects)
            }
            if networks.isFull(address) { return (.addressFull, .addressFull) }
        }
        return nil
    }

    mutating func countConnection(from address: PeerAddress, at now: Instant) {
        guard !address.isOfThisMachine else { return }
        networks.spend(1, .connects, of: address, at: now)
        networks.connect(address)
    }

    /// Counts a connection no more that has left.
    mutating func uncount(_ session: Session) {
        if session.place == .reserved { reservedCount -= 1 }
        if !session.address.isOfThisMachine { networks.disconnect(session.address) }
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
        guard let index = sessions.index(forKey: id) else { return }
        let address = sessions.values[index].address
        guard countsLines(of: address) else { return }
        let count = linesAfterWaiting
        networks.spend(count, .lines, of: address, at: now)
        sessions.values[index].reservedLines = count
        sessions.values[index].linesDue = networks.due(0, .lines, of: address, at: now)
    }

    /// Counts lines of a connection for its address, of which some may have been set aside.
    mutating func spendAddressLines(
        _ count: Int, at index: Dictionary<SessionID, Session>.Index, _ now: Instant
    ) {
        let address = sessions.values[index].address
        guard countsLines(of: address) else { return }
        networks.spend(count - sessions.values[index].reservedLines, .lines, of: address, at: now)
        sessions.values[index].reservedLines = 0
        sessions.values[index].linesDue = nil
    }
}
