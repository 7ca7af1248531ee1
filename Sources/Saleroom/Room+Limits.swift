import AuctionRules
import Queues
import Wire

extension Room {
    /// Whoever has had to wait is heard again with what comes in this part of a second: ten times a
    /// second is as good as fifty, and costs a fifth.
    private static let hearingsPerSecond: Int64 = 10

    /// Sends a newcomer away who has not been let in.
    mutating func turnAway(_ id: SessionID, _ fault: ErrorReply, _ limit: LimitReached) {
        note(limit)
        reply(.error(fault, tag: nil), to: id)
        perform(.close(id, .full))
    }

    // Lines

    /// How many lines of one connection are heard at once where lines are counted: of thousands who
    /// spend all that they may at once, nobody has to wait long for the others.
    private static let linesAtOnce = 8

    /// How many lines of a connection may be heard now.
    mutating func allowance(
        of index: Dictionary<SessionID, Session>.Index, at now: Instant
    ) -> Int {
        let (address, lines, reserved) = withSession(at: index) {
            ($0.address, $0.lines, $0.reservedLines)
        }
        let isCounted = countsLines(of: address)
        guard limits.lines != nil || isCounted else { return .max }
        var most = Self.linesAtOnce
        if let rate = limits.lines { most = min(most, lines.available(rate, at: now)) }
        guard isCounted else { return most }
        guard reserved == 0 else { return min(most, reserved) }
        return min(most, networks.available(.lines, of: address, at: now))
    }

    /// The lines reserved for a connection that waits: those of one part of a second.
    var linesAfterWaiting: Int {
        guard let rate = limits.lines else { return Self.linesAtOnce }
        return min(max(Int(rate.count / Self.hearingsPerSecond), 1), Self.linesAtOnce)
    }

    /// When the rest of what a connection said is due, as far as its lines are counted; nil for at
    /// once.
    ///
    /// To be asked where `receive` has not taken everything.
    public func due(of id: SessionID, at now: Instant) -> Instant? {
        let now = time(at: now)
        guard let session = sessions[id] else { return nil }
        let addressDue = session.linesDue.flatMap { $0 > now ? $0 : nil }
        guard let rate = limits.lines, session.lines.available(rate, at: now) == 0 else {
            return addressDue
        }
        let count = max(rate.count / Self.hearingsPerSecond, 1)
        return max(session.lines.due(Int(count), rate, at: now), addressDue ?? now)
    }

    /// Notes what came of hearing a session: the lines heard, and whether one is under way.
    mutating func note(_ heard: Heard, of id: SessionID, at now: Instant) {
        guard let index = sessions.index(forKey: id) else { return }
        spendAddressLines(heard.count, at: index, now)
        let (rate, time) = (limits.lines, limits.lineTime)
        let beginsCheck = withSession(at: index) { session in
            if let rate { session.lines.spend(heard.count, rate, at: now) }
            session.unconfirmed += Int32(clamping: heard.replyBytes)
            guard time != nil, session.codec.isUnfinished else { return false }
            if heard.isLineNew { session.lineSince = now }
            defer { session.isLineChecked = true }
            return !session.isLineChecked
        }
        if let time, beginsCheck { lineChecks.insert(id, due: now.advanced(by: time)) }
    }

    /// How many lines the connection's own rate allows now.
    package func availableLines(of id: SessionID, at now: Instant) -> Int {
        guard let rate = limits.lines, let session = sessions[id] else { return .max }
        return session.lines.available(rate, at: now)
    }

    /// Charges a connection as if it had sent this many lines.
    mutating func chargeLines(_ count: Int, to id: SessionID, at now: Instant) {
        guard count > 0, let index = sessions.index(forKey: id) else { return }
        if let rate = limits.lines { sessions.values[index].lines.spend(count, rate, at: now) }
        spendAddressLines(count, at: index, now)
    }

    /// What came of hearing a session once.
    struct Heard {
        /// How many frames.
        var count = 0
        /// The most bytes of the replies that it was given.
        var replyBytes = 0
        /// Whether the line that is under way then, if one is, has begun since.
        var isLineNew = false
    }

    /// Sends away whoever has a line under way for too long, unless it is for us that it waits.
    mutating func expireLines(at now: Instant, _ isHeard: (SessionID) -> Bool) {
        guard let time = limits.lineTime else { return }
        while let id = lineChecks.popDue(at: now) {
            guard let session = sessions[id] else { continue }
            let due = session.lineSince.advanced(by: time)
            if !session.codec.isUnfinished {
                sessions[id]?.isLineChecked = false
            } else if due > now {
                lineChecks.insert(id, due: due)
            } else if session.codec.isSkippingLine || isHeard(id) {
                dismiss(id, .idle, at: now)
            } else {
                lineChecks.insert(id, due: now.advanced(by: time))
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

    /// The number of addresses and wider networks with counters.
    package var knownAddressCount: Int { networks.count }
}

/// A limit or a rule that closed or refused something, by its word in the log.
public enum LimitReached: String, CaseIterable, Sendable {
    /// Too many were connected, so a newcomer was refused.
    case full
    /// Too many were connected, so the connection silent for longest was closed.
    case silent
    /// Too many were connected from one address, so a newcomer was refused.
    case addressFull = "address-full"
    /// Too many connections came from one address in a short time, so a newcomer was refused.
    case connects
    /// Too many names were new from one address, so another was refused.
    case names
    /// Too many names were owned, so another was refused.
    case namesFull = "names-full"
    /// A name was opened too often, so another opening was refused.
    case openings
    /// Too many tokens were wrong from one address, and another was.
    case wrongTokens = "wrong-tokens"
    /// A connection began with a TLS handshake, and was closed unheard.
    case tls
}
