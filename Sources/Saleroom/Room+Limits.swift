import AuctionRules
import Wire

extension Room {
    /// Whoever has had to wait is heard again with what comes in this part of a second: ten times a
    /// second is as good as fifty, and costs a fifth.
    private static let hearingsPerSecond: Int64 = 10

    // Connections

    /// Why a newcomer from an address has no place; nil if there is one.
    func refusal(from address: PeerAddress) -> (fault: Fault, limit: LimitReached)? {
        if let most = limits.connections, sessions.count >= most { return (.full, .full) }
        guard let most = limits.connectionsPerAddress, !address.isOfThisMachine,
            let use = uses[address.network], use.connections >= most
        else { return nil }
        return (.addressFull, .addressFull)
    }

    /// Sends a newcomer away who has not been let in.
    mutating func turnAway(_ id: SessionID, _ fault: Fault, _ limit: LimitReached) {
        note(limit)
        reply(.error(fault, tag: nil), to: id)
        perform(.close(id, .full))
    }

    mutating func countConnection(from address: PeerAddress) {
        guard limits.connectionsPerAddress != nil, !address.isOfThisMachine else { return }
        uses[address.network, default: AddressUse()].connections += 1
    }

    mutating func uncountConnection(from address: PeerAddress) {
        guard limits.connectionsPerAddress != nil, !address.isOfThisMachine,
            let index = uses.index(forKey: address.network)
        else { return }
        uses.values[index].connections -= 1
        let use = uses.values[index]
        if use.connections == 0, !use.isFilling { uses.remove(at: index) }
    }

    // Lines

    /// How many lines of one connection are heard at once where lines are counted: of thousands who
    /// spend all that they may at once, nobody has to wait long for the others.
    private static let linesAtOnce = 8

    /// How many lines of a connection may be heard now.
    func allowance(
        of index: Dictionary<SessionID, Session>.Index, at now: Instant
    ) -> Int {
        guard let rate = limits.lines else { return .max }
        return min(sessions.values[index].lines.available(rate, at: now), Self.linesAtOnce)
    }

    /// When the rest of what a connection said is due, as far as its lines are counted; nil for at
    /// once.
    ///
    /// To be asked where `receive` has not taken everything.
    public func due(of id: SessionID, at now: Instant) -> Instant? {
        let now = time(at: now)
        guard let rate = limits.lines, let session = sessions[id],
            session.lines.available(rate, at: now) == 0
        else { return nil }
        let count = max(rate.count / Self.hearingsPerSecond, 1)
        return session.lines.due(Int(count), rate, at: now)
    }

    /// Notes what came of hearing a session: the lines heard, and whether one is under way.
    mutating func note(_ heard: Heard, of id: SessionID, at now: Instant) {
        guard let index = sessions.index(forKey: id) else { return }
        if let rate = limits.lines {
            sessions.values[index].lines.spend(heard.count, rate, at: now)
        }
        guard let time = limits.lineTime, sessions.values[index].framer.isUnfinished else { return }
        if heard.isLineNew { sessions.values[index].lineSince = now }
        guard !sessions.values[index].isLineChecked else { return }
        sessions.values[index].isLineChecked = true
        lineChecks.add(id, due: now.advanced(by: time))
    }

    /// What came of hearing a session once.
    struct Heard {
        /// How many frames.
        var count = 0
        /// Whether the line that is under way then, if one is, has begun since.
        var isLineNew = false
    }

    /// Sends away whoever has a line under way for too long, unless it is for us that it waits.
    mutating func expireLines(at now: Instant, _ isHeard: (SessionID) -> Bool) {
        guard let time = limits.lineTime else { return }
        while let id = lineChecks.takeDue(at: now) {
            guard let session = sessions[id] else { continue }
            let due = session.lineSince.advanced(by: time)
            if !session.framer.isUnfinished {
                sessions[id]?.isLineChecked = false
            } else if due > now {
                lineChecks.add(id, due: due)
            } else if session.framer.isSkippingLine || isHeard(id) {
                dismiss(id, .idle, at: now)
            } else {
                lineChecks.add(id, due: now.advanced(by: time))
            }
        }
    }

    mutating func note(_ limit: LimitReached) {
        limitsReached[limit, default: 0] += 1
    }

    /// Returns how often each limit stopped somebody since this was asked last.
    public mutating func takeLimitsReached() -> [LimitReached: Int] {
        if limitsReached.isEmpty { return [:] }
        defer { limitsReached.removeAll(keepingCapacity: true) }
        return limitsReached
    }

    /// How many addresses something is known of.
    package var knownAddressCount: Int { uses.count }
}
