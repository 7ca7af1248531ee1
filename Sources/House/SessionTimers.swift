import Auction
import Basics

/// What becomes due for connections as time passes: the greeting, and the end of a line.
///
/// A new connection is greeted a moment after it connects, if no line came before; later if the
/// client may be about to speak HTTP, because the greeting would be taken for the response. A
/// connection is closed if one of its lines is incomplete for too long.
struct SessionTimers {
    private let greetingDelay: Duration
    /// How long a line may be incomplete; nil for any time.
    private let lineTime: Duration?
    private var greetings = TimerQueue<SessionID, Instant>()
    /// The connections with an incomplete line, by the time of its check; it may have ended since.
    private var lines = TimerQueue<SessionID, Instant>()
    private var pageVisitors = PageVisitors()

    init(_ limits: Limits) {
        (greetingDelay, lineTime) = (limits.greetingDelay, limits.lineTime)
    }

    /// When something is next due; nil if nothing is.
    var deadline: Instant? { Instant.earliest(greetings.deadline, lines.deadline) }

    // Greetings

    /// Schedules the greeting of a new connection.
    mutating func scheduleGreeting(of id: SessionID, at now: Instant) {
        greetings.insert(id, due: now.advanced(by: greetingDelay))
    }

    /// Notes that a client opened the page, after which its browser may open further connections.
    mutating func notePage(openedFrom address: PeerAddress, at now: Instant) {
        pageVisitors.note(address, at: now)
    }

    /// Returns the next connection whose greeting is due and need not wait; nil if there is none.
    mutating func popGreeting(in sessions: borrowing SessionTable, _ turn: borrowing Turn)
        -> SessionID?
    {
        while let id = greetings.popDue(at: turn.handledUntil) {
            guard let slot = sessions.slot(of: id) else { continue }
            guard let later = postponed(sessions[slot], at: turn.now) else { return id }
            greetings.insert(id, due: later)
        }
        return nil
    }

    /// Until when a greeting that is due must wait; nil if it need not.
    private func postponed(_ session: borrowing Session, at now: Instant) -> Instant? {
        guard session.codec.allowsGreeting else {
            // Its first bytes do not show yet what it speaks.
            return session.codec.isHTTP ? nil : now.advanced(by: PageVisitors.greetingDelay)
        }
        let joined = session.lineSince
        let latest = joined.advanced(by: PageVisitors.greetingDelay)
        let isUndecided = session.codec.isEmpty && now < latest
        guard isUndecided, pageVisitors.mayInclude(session.address, joinedAt: joined) else {
            return nil
        }
        return latest
    }

    // Lines

    /// Schedules the check of a connection's line if it is incomplete; `isNew` if it began now.
    mutating func scheduleLineCheck(
        of id: SessionID, _ session: inout Session, isNew: Bool, at now: Instant
    ) {
        guard let lineTime, session.codec.isUnfinished else { return }
        if isNew { session.lineSince = now }
        guard !session.isLineChecked else { return }
        session.isLineChecked = true
        lines.insert(id, due: now.advanced(by: session.codec.firstCheck(lineTime)))
    }

    /// Returns the next connection whose line was incomplete for too long; nil if there is none.
    ///
    /// Not if our own backpressure caused the wait: `isHandled` returns whether all bytes that have
    /// arrived were handled.
    mutating func popOverdueLine(
        in sessions: inout SessionTable, at now: Instant, _ isHandled: (SessionID) -> Bool
    ) -> SessionID? {
        guard let lineTime else { return nil }
        while let id = lines.popDue(at: now) {
            guard let slot = sessions.slot(of: id) else { continue }
            let due = sessions[slot].lineSince.advanced(
                by: sessions[slot].codec.incompleteTime(lineTime))
            if !sessions[slot].codec.isUnfinished {
                sessions[slot].isLineChecked = false
            } else if due > now {
                lines.insert(id, due: due)
            } else if sessions[slot].codec.isSkippingLine || isHandled(id) {
                return id
            } else {
                lines.insert(id, due: now.advanced(by: lineTime))
            }
        }
        return nil
    }
}

/// The addresses that opened the page recently, whose browsers may open further connections.
///
/// A browser opens connections before it needs them, and uses one for a request later. A greeting
/// would be taken for the response to it.
private struct PageVisitors {
    /// How long the greeting of a silent connection from such an address is delayed.
    static let greetingDelay = Duration.seconds(10)
    /// How long this machine counts as one; short, as its users try `nc` besides the page.
    private static let localMemory = Duration.seconds(5)
    /// The minimum time that another address counts as one, unless there are too many.
    private static let memory = Duration.seconds(3600)
    /// The maximum number of addresses of one period.
    private static let mostAddresses = 4096

    private var lastLocalVisit: Instant?
    /// The addresses of the current period and of the one before.
    private var recent: (current: Set<PeerAddress>, former: Set<PeerAddress>) = ([], [])
    /// When the current period ends; its addresses count for one more period.
    private var periodEnd: Instant?

    /// Notes that a client opened the page.
    mutating func note(_ address: PeerAddress, at now: Instant) {
        if address.isOfThisMachine {
            lastLocalVisit = now
            return
        }
        let isPeriodOver = now >= periodEnd ?? .distantPast
        if !isPeriodOver, recent.current.contains(address.network) { return }
        if isPeriodOver || recent.current.count >= Self.mostAddresses {
            recent = ([], recent.current)
            periodEnd = now.advanced(by: Self.memory)
        }
        recent.current.insert(address.network)
    }

    /// Whether a connection that joined at an instant may be one that a browser has not used yet.
    func mayInclude(_ address: PeerAddress, joinedAt instant: Instant) -> Bool {
        if address.isOfThisMachine {
            guard let lastLocalVisit else { return false }
            return lastLocalVisit.advanced(by: Self.localMemory) > instant
        }
        guard let periodEnd else { return false }
        let end =
            recent.current.contains(address.network) ? periodEnd.advanced(by: Self.memory) : nil
        let formerEnd = recent.former.contains(address.network) ? periodEnd : nil
        return end ?? formerEnd ?? .distantPast > instant
    }
}
