import AuctionRules
import Queues
import Sale
import Wire

/// The names: who may take one, which connection holds it, and when it becomes free.
///
/// The sale records which names are owned and whose owners are present. An owner whose connection
/// ended stays present for a while, so that a short absence is not announced.
struct Accounts {
    /// How many names are checked for expiry in one call, which bounds its time.
    private static let checkedAtOnce = 64
    /// How long a name must have been unused to make room for a new one: ten minutes.
    ///
    /// Longer than a phone, a router or a client needs to come back, so that nobody loses a name
    /// during a short absence. No longer, because somebody with many networks can take all names,
    /// and newcomers then wait this long.
    private static let unusedForNewName = Duration.seconds(600)

    @Indirect private var limits: Limits
    private let makeToken: () -> Token
    private var holders: [Bidder: Holder] = [:]
    /// When present owners without a connection have been absent for too long.
    ///
    /// Entries of owners who are back are skipped.
    private var absences = TimerQueue<Absence, Instant>()
    /// The number of holders so far, which distinguishes those of one name.
    private var holderCount = 0

    /// The connection of a present owner.
    private struct Holder {
        let number: Int
        /// Nil during an absence.
        var session: SessionID?
        /// Until when the owner counts as present without a connection.
        var awayUntil = Instant(nanoseconds: 0)
        /// Whether the owner is in `absences`.
        var isAwaited = false
    }

    private struct Absence {
        let bidder: Bidder
        let number: Int
    }

    /// The outcome of a command for a name.
    enum Outcome {
        /// It was answered.
        case answered
        /// Another connection held the name, and must be closed.
        case replaced(SessionID)
        /// A token was wrong, and the connection must be closed.
        case tooManyWrongTokens
    }

    init(_ limits: Limits, makeToken: @escaping () -> Token) {
        self.limits = limits
        self.makeToken = makeToken
    }

    /// When `expire` is next due; nil if no owner is absent.
    var deadline: Instant? { absences.deadline }

    // Taking names

    /// Gives a name to a connection, or answers why not.
    ///
    /// A name is owned from the moment it is taken. It is free again when its connection ends
    /// without an accepted bid under it; with one it stays owned, and only its token opens it.
    /// Until `LEFT` is sent, the token opens it in either case.
    mutating func take(
        _ bidder: Bidder, token: String?, tag: String?, by id: SessionID,
        _ session: inout Session, in live: inout LiveSale, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        if let present = session.bidder, present != bidder {
            outputs.refuse(.alreadyNamed(present), tag: tag, to: id)
            return .answered
        }
        if let seconds = secondsBarred(bidder, in: live, at: now) {
            outputs.refuse(.kicked(seconds: seconds), tag: tag, to: id)
            return .answered
        }
        let account = live.sale.names[bidder]
        let holder = holders[bidder]?.session
        if let account, holder == id {
            confirm(account, tag: tag, to: id, live, &outputs)
            return .answered
        }
        if let account, let token, account.token.isSpelled(token) {
            return open(account, tag: tag, by: id, &session, in: &live, &rates, at: now, &outputs)
        }
        guard let account, holder != nil || account.hasBid else {
            create(
                bidder, tag: tag, by: id, &session, in: &live, &rates, at: now, &outputs)
            return .answered
        }
        guard token != nil else {
            outputs.refuse(.nameTaken, tag: tag, to: id)
            return .answered
        }
        let mustClose = rates.refuseToken(
            .wrongToken, from: id, at: session.address, tag: tag, now, &outputs)
        return mustClose ? .tooManyWrongTokens : .answered
    }

    /// The seconds until a kicked name can be taken; nil if it can be taken now.
    private func secondsBarred(
        _ bidder: Bidder, in live: borrowing LiveSale, at now: Instant
    ) -> Int? {
        guard let end = live.sale.bars[bidder] else { return nil }
        let left = Duration.milliseconds(end - live.timeOfDay(at: now))
        return left > .zero ? now.secondsRoundedUp(to: now.advanced(by: left)) : nil
    }

    /// Gives an owned name to a connection that proved its token, unless it was opened too often.
    private mutating func open(
        _ account: Account, tag: String?, by id: SessionID, _ session: inout Session,
        in live: inout LiveSale, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> Outcome {
        let bidder = account.bidder
        if let seconds = rates.chargeOpening(of: bidder, from: session.address, at: now) {
            outputs.note(.openings)
            outputs.refuse(.openedTooOften(seconds: seconds), tag: tag, to: id)
            return .answered
        }
        rates.acceptToken(from: id)
        let former = hold(bidder, by: id, &session, in: &live, &outputs)
        confirm(account, tag: tag, to: id, live, &outputs)
        if !account.isPresent { live.commit(.bidderJoined(bidder), at: now, &outputs) }
        return former.map { .replaced($0) } ?? .answered
    }

    /// Gives a name that nobody owns to a connection, unless there are too many new ones.
    private mutating func create(
        _ bidder: Bidder, tag: String?, by id: SessionID, _ session: inout Session,
        in live: inout LiveSale, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard
            live.sale.names[bidder] != nil || makeRoom(in: &live, &rates, at: now, &outputs)
        else {
            outputs.note(.namesFull)
            return outputs.refuse(.namesFull, tag: tag, to: id)
        }
        if let seconds = rates.chargeName(to: id, from: session.address, at: now) {
            outputs.note(.names)
            return outputs.refuse(.tooManyNames(seconds: seconds), tag: tag, to: id)
        }
        // Its last owner disconnected a moment ago, and `LEFT` was not sent yet.
        if let former = live.sale.names[bidder] {
            announceLeft(former.bidder, in: &live, &rates, at: now, &outputs)
        }
        live.commit(.nameTaken(bidder, makeToken()), at: now, &outputs)
        guard let account = live.sale.names[bidder] else { return }
        _ = hold(bidder, by: id, &session, in: &live, &outputs)
        confirm(account, tag: tag, to: id, live, &outputs)
        live.commit(.bidderJoined(bidder), at: now, &outputs)
    }

    /// Notes which connection holds a name; returns the one that held it before.
    private mutating func hold(
        _ bidder: Bidder, by id: SessionID, _ session: inout Session, in live: inout LiveSale,
        _ outputs: inout Outputs
    ) -> SessionID? {
        session.bidder = bidder
        live.connect(bidder, to: id)
        outputs.note(.named, of: id, session)
        guard let former = holders[bidder] else {
            holderCount += 1
            holders[bidder] = Holder(number: holderCount, session: id)
            return nil
        }
        holders[bidder]?.session = id
        return former.session
    }

    private func confirm(
        _ account: Account, tag: String?, to id: SessionID, _ live: borrowing LiveSale,
        _ outputs: inout Outputs
    ) {
        let answer = Answer.name(account.bidder, token: account.token.description)
        outputs.reply(.ok(answer, tag: tag), to: id)
        live.sendPrivateState(of: account.bidder, to: id, &outputs)
    }

    // Leaving

    /// Notes that a connection has ended; its owner is announced to have left after
    /// `Limits.absence`.
    mutating func release(
        _ bidder: Bidder, by id: SessionID, in live: inout LiveSale, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs
    ) {
        guard var holder = holders[bidder], holder.session == id else { return }
        live.disconnect(bidder)
        guard limits.absence > .zero else {
            return announceLeft(bidder, in: &live, &rates, at: now, &outputs)
        }
        holder.session = nil
        holder.awayUntil = now.advanced(by: limits.absence)
        if !holder.isAwaited { scheduleEndOfAbsence(bidder, holder) }
        holder.isAwaited = true
        holders[bidder] = holder
    }

    /// Announces the owners who were without a connection for too long.
    mutating func expireAbsences(
        in live: inout LiveSale, _ rates: inout RateLimits, at now: Instant,
        handledUntil: Instant, _ outputs: inout Outputs
    ) {
        while let absence = absences.popDue(at: handledUntil) {
            let bidder = absence.bidder
            // An owner who left and came back since has a new number and a new entry.
            guard let holder = holders[bidder], holder.number == absence.number else { continue }
            if holder.session != nil {
                holders[bidder]?.isAwaited = false
            } else if holder.awayUntil > handledUntil {
                scheduleEndOfAbsence(bidder, holder)
            } else {
                announceLeft(bidder, in: &live, &rates, at: now, &outputs)
            }
        }
    }

    /// Removes a present owner, and bars the name for a while, also across restarts.
    ///
    /// Returns the connection that held the name, if there is one; it must be closed.
    mutating func kick(
        _ bidder: Bidder, reason: String, in live: inout LiveSale, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs
    ) -> SessionID? {
        if limits.kick > .zero {
            let end = live.timeOfDay(at: now.advanced(by: limits.kick))
            live.commit(.nameBarred(bidder, until: end), at: now, &outputs)
        }
        live.commit(.bidderKicked(bidder, reason: reason), at: now, &outputs)
        let holder = holders[bidder]?.session
        announceLeft(bidder, in: &live, &rates, at: now, &outputs)
        return holder
    }

    private mutating func announceLeft(
        _ bidder: Bidder, in live: inout LiveSale, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        live.commit(.bidderLeft(bidder), at: now, &outputs)
        live.disconnect(bidder)
        holders[bidder] = nil
        if live.sale.names[bidder] == nil { rates.forgetOpenings(of: bidder) }
    }

    private mutating func scheduleEndOfAbsence(_ bidder: Bidder, _ holder: Holder) {
        absences.insert(Absence(bidder: bidder, number: holder.number), due: holder.awayUntil)
    }

    // Names that become free

    /// Releases the names of a recovered sale: no owner is connected yet.
    ///
    /// A kicked name is barred for `Limits.kick` at most, because the clock may have been changed.
    mutating func releaseAll(in live: inout LiveSale, at now: Instant, _ outputs: inout Outputs) {
        for entry in live.sale.names.present(after: 0, limit: .max) {
            live.commit(.bidderLeft(entry.bidder), at: now, &outputs)
        }
        for bidder in live.sale.names.pending {
            live.commit(.nameFreed(bidder), at: now, &outputs)
        }
        let latest = live.timeOfDay(at: now.advanced(by: limits.kick))
        let bars = live.sale.bars.sorted { $0.key.description < $1.key.description }
        for (bidder, end) in bars where end > latest {
            live.commit(.nameBarred(bidder, until: latest), at: now, &outputs)
        }
    }

    /// Frees the names that were unused for longer than `Limits.nameAge`.
    mutating func expireNames(
        in live: inout LiveSale, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard let age = limits.nameAge else { return }
        freeNames(unusedFor: age, in: &live, &rates, at: now, &outputs) { _ in true }
    }

    /// Whether a new name may be owned; frees an unused one if necessary.
    private mutating func makeRoom(
        in live: inout LiveSale, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> Bool {
        guard let limit = limits.names else { return true }
        freeNames(
            unusedFor: Self.unusedForNewName, in: &live, &rates, at: now, &outputs
        ) { $0.count >= limit }
        return live.sale.names.count < limit
    }

    /// Frees absent names while a condition holds, the one unused for longest first.
    ///
    /// A name that has bid on the open lot is kept, because it may lead again after a void. So is
    /// one that has won in a game, because what it has spent and earned still counts.
    private mutating func freeNames(
        unusedFor age: Duration, in live: inout LiveSale, _ rates: inout RateLimits,
        at now: Instant, _ outputs: inout Outputs, while condition: (Names) -> Bool
    ) {
        let latest = live.earliestTimeOfDay(at: now) - age.components.seconds * 1000
        for _ in 0..<Self.checkedAtOnce {
            guard condition(live.sale.names), let oldest = live.sale.names.longestAbsent,
                oldest.used <= latest
            else { return }
            let hasBid = !live.auction.isClosed && oldest.lot == live.auction.lot.number
            if hasBid || live.sale.hasWonInGame(oldest.bidder) {
                live.commit(.nameKept(oldest.bidder), at: now, &outputs)
            } else {
                live.commit(.nameFreed(oldest.bidder), at: now, &outputs)
                rates.forgetOpenings(of: oldest.bidder)
            }
        }
    }
}
