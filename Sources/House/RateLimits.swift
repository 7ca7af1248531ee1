import Auction
import Basics
import Wire

/// How fast connections and their addresses may use the server.
///
/// It counts lines, the bytes of the journal that they cause, new connections, new names, openings
/// of names, messages, rooms and wrong tokens. Connections of this machine are exempt from the
/// limits of an address on lines, bytes of the journal and connections.
struct RateLimits {
    /// How often per second a connection that has to wait is read again.
    ///
    /// Ten times is as good for a user as fifty, and costs a fifth.
    private static let readsPerSecond: Int64 = 10
    /// The maximum number of lines of one connection that are handled at a time, if lines are
    /// counted.
    ///
    /// So among thousands that send at their full rate, none waits long for the others.
    private static let linesAtOnce = 8
    /// How long a name must not have been opened so that it may always be opened.
    private static let unopenedTime = Duration.seconds(60)
    /// How long the turn for a new name stays valid.
    private static let nameTurnValidity = Duration.seconds(10)
    /// The number of bidders with messages up to which none is forgotten.
    private static let fewMessengers = 64

    /// Indirect, because a call of a method copies what is stored.
    @Indirect private var limits: Limits
    private var networks: NetworkUsage
    /// The openings of names that were opened by their tokens.
    private var openings: [Bidder: Openings] = [:]
    /// The turns of connections that wait for a new name.
    private var nameTurns: [SessionID: NetworkUsage.Turn] = [:]
    /// What is charged in advance to the addresses of connections that wait.
    private var reservations: [SessionID: Reservation] = [:]
    /// The messages of bidders to everybody.
    private var messages: [Bidder: TokenBucket] = [:]
    /// The number of bidders at which those that may send all their messages again are forgotten.
    private var mostMessengers = RateLimits.fewMessengers
    /// The number of wrong tokens that a connection sent since its last right one.
    private var wrongTokens: [SessionID: Int] = [:]

    private struct Openings {
        var bucket = TokenBucket()
        var newest: Instant?
    }

    private struct Reservation {
        let lines: Int
        let journalBytes: Int
        /// When both are available; nil for at once.
        let due: Instant?
    }

    init(_ limits: Limits) {
        self.limits = limits
        networks = NetworkUsage(limits)
    }

    /// The number of addresses and wider networks with counters.
    var knownAddressCount: Int { networks.count }

    /// Removes counters that are at rest.
    mutating func forget(at now: Instant) {
        networks.forget(at: now)
    }

    /// Removes the state of a connection that has ended.
    mutating func remove(_ id: SessionID, _ session: Session, at now: Instant) {
        networks.count(-1, .connections, of: session.address)
        releaseLines(of: id, session.address, at: now)
        forget(id, of: session.address, at: now)
    }

    /// Removes what is known of the tokens and the names that a connection has tried.
    mutating func forget(_ id: SessionID, of address: PeerAddress, at now: Instant) {
        if !wrongTokens.isEmpty { wrongTokens[id] = nil }
        guard !nameTurns.isEmpty, let turn = nameTurns.removeValue(forKey: id), turn.due > now
        else { return }
        networks.giveBack(turn, .nameUses, of: address, at: now)
    }

    // Connections

    /// Why a new connection from an address is refused; nil if it is not.
    func refusal(from address: PeerAddress, at now: Instant) -> (ErrorReply, LimitReached)? {
        guard !address.isOfThisMachine else { return nil }
        if let due = networks.due(1, .connects, of: address, at: now) {
            return (.tooManyConnects(seconds: now.secondsRoundedUp(to: due)), .connects)
        }
        return networks.isFull(.connections, of: address) ? (.addressFull, .addressFull) : nil
    }

    /// Counts a new connection.
    mutating func add(_ address: PeerAddress, at now: Instant) {
        networks.count(1, .connections, of: address)
        guard !address.isOfThisMachine else { return }
        networks.spend(1, .connects, of: address, at: now)
    }

    // Lines

    /// The number of lines of a connection that may be handled now.
    func allowance(of id: SessionID, _ session: borrowing Session, at now: Instant) -> Int {
        let isCounted = isCounted(session.address)
        guard limits.lines != nil || isCounted else { return .max }
        let own = min(Self.linesAtOnce, ownAllowance(of: session, at: now))
        guard isCounted else { return own }
        if !reservations.isEmpty, let reservation = reservations[id] {
            return min(own, reservation.lines)
        }
        guard networks.available(.journal, of: session.address, at: now) > 0 else { return 0 }
        return min(own, networks.available(.lines, of: session.address, at: now))
    }

    /// The number of lines that the connection's own rate allows now.
    func ownAllowance(of session: borrowing Session, at now: Instant) -> Int {
        limits.lines.map { session.lines.available($0, at: now) } ?? .max
    }

    /// Charges lines to a connection and its address, less those that were reserved.
    mutating func spendLines(
        _ count: Int, of id: SessionID, _ session: inout Session, at now: Instant
    ) {
        if let rate = limits.lines { session.lines.spend(count, rate, at: now) }
        guard isCounted(session.address) else { return }
        networks.spend(count, .lines, of: session.address, at: now)
        releaseLines(of: id, session.address, at: now)
    }

    /// Refunds what was charged in advance.
    private mutating func releaseLines(of id: SessionID, _ address: PeerAddress, at now: Instant) {
        guard !reservations.isEmpty, let reserved = reservations.removeValue(forKey: id) else {
            return
        }
        networks.spend(-reserved.lines, .lines, of: address, at: now)
        networks.spend(-reserved.journalBytes, .journal, of: address, at: now)
    }

    /// Whether the bytes of the journal that the lines of an address cause are counted.
    func countsJournal(of address: PeerAddress) -> Bool {
        !address.isOfThisMachine && networks.limits(.journal)
    }

    /// Whether the lines of an address wait because they have added too much to the journal.
    func hasSpentJournal(_ address: PeerAddress, at now: Instant) -> Bool {
        countsJournal(of: address) && networks.available(.journal, of: address, at: now) == 0
    }

    /// Charges bytes of the journal to the address whose lines have caused them.
    mutating func spendJournal(_ bytes: Int, of address: PeerAddress, at now: Instant) {
        networks.spend(bytes, .journal, of: address, at: now)
    }

    /// Charges lines and their bytes in advance to the address of a connection that has to wait.
    ///
    /// Waiting connections of one address are served one after the other, so a busy one does not
    /// block the others.
    mutating func reserveLines(of id: SessionID, _ session: borrowing Session, at now: Instant) {
        let address = session.address
        guard isCounted(address) else { return }
        // Only one bid: most lines that wait add nothing, and the rest is charged when written.
        let journalBytes = Limits.journalBidBytes
        networks.spend(reservedLines, .lines, of: address, at: now)
        networks.spend(journalBytes, .journal, of: address, at: now)
        let dues = [NetworkUsage.Allowance.lines, .journal].compactMap {
            networks.due(0, $0, of: address, at: now)
        }
        reservations[id] = Reservation(
            lines: reservedLines, journalBytes: journalBytes, due: dues.max())
    }

    /// When more lines of a connection may be handled; nil for at once.
    func due(of id: SessionID, _ session: borrowing Session, at now: Instant) -> Instant? {
        let addressDue = reservations[id]?.due.flatMap { $0 > now ? $0 : nil }
        guard let rate = limits.lines, session.lines.available(rate, at: now) == 0 else {
            return addressDue
        }
        let count = max(rate.count / Self.readsPerSecond, 1)
        return max(session.lines.due(Int(count), rate, at: now), addressDue ?? now)
    }

    private func isCounted(_ address: PeerAddress) -> Bool {
        !address.isOfThisMachine && (networks.limits(.lines) || networks.limits(.journal))
    }

    /// The lines of one read of a connection that waits.
    private var reservedLines: Int {
        guard let rate = limits.lines else { return Self.linesAtOnce }
        return min(max(Int(rate.count / Self.readsPerSecond), 1), Self.linesAtOnce)
    }

    // Names

    /// Charges a new name to a connection's address and its networks, or returns the seconds to
    /// wait.
    ///
    /// A refused connection gets a turn in the network with the longest wait. The turns of one
    /// network are served in the order of the first requests, so frequent requests give no
    /// advantage. When its time has come, the other networks are charged too; if one of them has
    /// none left, the connection gets a turn there. A turn expires ten seconds after its time.
    mutating func chargeName(to id: SessionID, from address: PeerAddress, at now: Instant) -> Int? {
        var charged: [Network.Width] = []
        if let turn = nameTurns[id] {
            guard turn.due <= now else { return now.secondsRoundedUp(to: turn.due) }
            nameTurns[id] = nil
            if now < turn.due.advanced(by: Self.nameTurnValidity) { charged = turn.charged }
        }
        let turn = networks.takeTurn(.nameUses, of: address, charged: charged, at: now)
        nameTurns[id] = turn
        return turn.map { now.secondsRoundedUp(to: $0.due) }
    }

    /// Whether a new name can be charged to a connection; if not, `chargeName` refuses it.
    func allowsName(to id: SessionID, from address: PeerAddress, at now: Instant) -> Bool {
        if let turn = nameTurns[id] { return turn.due <= now }
        return networks.due(1, .nameUses, of: address, at: now) == nil
    }

    /// Charges a claim to an address and its networks, or returns the seconds to wait.
    mutating func chargeClaim(from address: PeerAddress, at now: Instant) -> Int? {
        if let due = networks.due(1, .claims, of: address, at: now) {
            return now.secondsRoundedUp(to: due)
        }
        networks.spend(1, .claims, of: address, at: now)
        return nil
    }

    /// Charges an opening to a name and an address, or returns the seconds to wait.
    ///
    /// A name that was not opened lately may always be opened.
    mutating func chargeOpening(
        of bidder: Bidder, from address: PeerAddress, at now: Instant
    ) -> Int? {
        guard let rate = limits.openings else { return nil }
        var opened = openings[bidder] ?? Openings()
        if let newest = opened.newest, now < newest.advanced(by: Self.unopenedTime) {
            guard opened.bucket.available(rate, at: now) > 0 else {
                return now.secondsRoundedUp(to: opened.bucket.due(1, rate, at: now))
            }
            if let due = networks.due(1, .openings, of: address, at: now) {
                return now.secondsRoundedUp(to: due)
            }
        }
        opened.bucket.spend(1, rate, at: now)
        opened.newest = now
        openings[bidder] = opened
        networks.spend(1, .openings, of: address, at: now)
        return nil
    }

    /// Removes the counter of a name that became free.
    mutating func forgetOpenings(of bidder: Bidder) {
        if !openings.isEmpty { openings[bidder] = nil }
    }

    /// Charges a message to everybody, or a reaction, to a bidder, or returns the seconds to wait.
    ///
    /// The name counts, so a new connection changes nothing. The memory is at most twice that of
    /// the names that sent a message in the last 10 seconds.
    mutating func chargeMessage(of bidder: Bidder, _ cost: Int, at now: Instant) -> Int? {
        var bucket = messages[bidder] ?? TokenBucket()
        guard bucket.available(Limits.messages, at: now) >= cost else {
            return now.secondsRoundedUp(to: bucket.due(cost, Limits.messages, at: now))
        }
        bucket.spend(cost, Limits.messages, at: now)
        if messages.count >= mostMessengers {
            messages = messages.filter { $0.value.full(Limits.messages, at: now) > now }
            mostMessengers = max(2 * messages.count, Self.fewMessengers)
        }
        messages[bidder] = bucket
        return nil
    }

    // Rooms

    /// Whether an address, or a network around it, has opened as many rooms as it may.
    func hasAllRooms(_ address: PeerAddress) -> Bool { networks.isFull(.rooms, of: address) }

    /// Counts a room that an address opens, or with -1 one that has ended.
    mutating func countRooms(_ change: Int, of address: PeerAddress) {
        networks.count(change, .rooms, of: address)
    }

    // Tokens

    /// Charges a wrong token to an address, or returns the seconds to wait; counts it in any case.
    mutating func chargeWrongToken(
        from id: SessionID, _ address: PeerAddress, at now: Instant
    ) -> Int? {
        wrongTokens[id, default: 0] += 1
        if let due = networks.due(1, .wrongTokens, of: address, at: now) {
            return now.secondsRoundedUp(to: due)
        }
        networks.spend(1, .wrongTokens, of: address, at: now)
        return nil
    }

    /// Whether a connection must be closed, because it sent too many wrong tokens in a row.
    func mustClose(_ id: SessionID) -> Bool {
        limits.wrongTokensInRow.map { wrongTokens[id, default: 0] >= $0 } ?? false
    }

    /// Notes that a connection sent a right token.
    mutating func acceptToken(from id: SessionID) {
        wrongTokens[id] = nil
    }
}

extension Instant {
    /// The whole seconds up to a later instant, rounded up.
    func secondsRoundedUp(to due: Instant) -> Int {
        let wait = duration(to: due).components
        return Int(wait.seconds) + (wait.attoseconds > 0 ? 1 : 0)
    }
}
