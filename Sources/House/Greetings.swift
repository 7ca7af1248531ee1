import Auction
import Basics

/// When new connections are greeted: a moment after they connect, if no line came before.
///
/// The greeting waits longer if the client may be about to speak HTTP, because it would be taken
/// for the response.
struct Greetings {
    private let delay: Duration
    private var timers = TimerQueue<SessionID, Instant>()
    private var pageVisitors = PageVisitors()

    init(_ limits: Limits) {
        delay = limits.greetingDelay
    }

    /// When `popDue` next has something to do; nil if nobody waits.
    var deadline: Instant? { timers.deadline }

    /// Schedules the greeting of a new connection.
    mutating func schedule(_ id: SessionID, at now: Instant) {
        timers.insert(id, due: now.advanced(by: delay))
    }

    /// Notes that a client opened the page, after which its browser may open further connections.
    mutating func notePage(openedFrom address: PeerAddress, at now: Instant) {
        pageVisitors.note(address, at: now)
    }

    /// Returns the next connection whose greeting is due and need not wait; nil if there is none.
    mutating func popDue(
        at handledUntil: Instant, in sessions: borrowing SessionTable, now: Instant
    ) -> SessionID? {
        while let id = timers.popDue(at: handledUntil) {
            guard let slot = sessions.slot(of: id) else { continue }
            guard let later = postponed(sessions[slot], at: now) else { return id }
            timers.insert(id, due: later)
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
}
