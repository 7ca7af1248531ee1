import Addresses
import AuctionRules
import Wire

extension Room {
    /// How long the turn for a new name stays valid.
    private static let namePatience = Duration.seconds(10)

    /// Charges a new name to a connection's address and its networks, or returns the seconds to wait.
    ///
    /// A refused connection gets a turn in the network with the longest wait. The turns of one
    /// network are served in the order of the first requests, so frequent requests give no
    /// advantage. When its time has come, the other networks are charged too; if one of them has
    /// none left, the connection gets a turn there. A turn expires ten seconds after its time.
    mutating func chargeName(to id: SessionID, at now: Instant) -> Int? {
        guard let session = sessions[id] else { return nil }
        var charged: [Network.Width] = []
        if let turn = session.nameTurn {
            guard turn.due <= now else { return seconds(to: turn.due, at: now) }
            sessions[id]?.nameTurn = nil
            if now < turn.due.advanced(by: Self.namePatience) { charged = turn.charged }
        }
        let turn = networks.takeTurn(.claims, of: session.address, charged: charged, at: now)
        sessions[id]?.nameTurn = turn
        return turn.map { seconds(to: $0.due, at: now) }
    }

    /// Refunds the turn of a connection that left before its time.
    mutating func giveBackName(of session: Session, at now: Instant) {
        guard let turn = session.nameTurn, turn.due > now else { return }
        networks.giveBack(turn, .claims, of: session.address, at: now)
    }

    /// The seconds until a name may be opened from a connection's address; nil if it may now.
    ///
    /// A name that was not opened lately may always be opened.
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
        sale.names.countOpening(of: bidder, rate, at: now)
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

    /// Why a newcomer from an address is refused; nil if it is let in.
    func refusal(from address: PeerAddress, at now: Instant) -> (ErrorReply, LimitReached)? {
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

    /// Removes a connection that has left from the counts.
    mutating func uncount(_ session: Session) {
        places.free(session.place)
        if !session.address.isOfThisMachine { networks.disconnect(session.address) }
    }

    // Lines

    /// Whether the lines from an address are counted.
    func countsLines(of address: PeerAddress) -> Bool {
        !address.isOfThisMachine && networks.limits(.lines)
    }

    /// Reserves lines for a connection that has to wait, and records when they are available.
    ///
    /// Waiting connections of one address are served one after the other, so a busy one does not
    /// block the others.
    mutating func reserveLines(of id: SessionID, at now: Instant) {
        guard let index = sessions.index(forKey: id) else { return }
        let address = sessions.values[index].address
        guard countsLines(of: address) else { return }
        let count = linesAfterWaiting
        networks.spend(count, .lines, of: address, at: now)
        sessions.values[index].reservedLines = count
        sessions.values[index].linesDue = networks.due(0, .lines, of: address, at: now)
    }

    /// Charges lines to a connection's address, less those that were reserved.
    mutating func spendAddressLines(
        _ count: Int, at index: Dictionary<SessionID, Session>.Index, _ now: Instant
    ) {
        let address = withSession(at: index) { $0.address }
        guard countsLines(of: address) else { return }
        let reserved = withSession(at: index) { session in
            defer { (session.reservedLines, session.linesDue) = (0, nil) }
            return session.reservedLines
        }
        networks.spend(count - reserved, .lines, of: address, at: now)
    }
}
