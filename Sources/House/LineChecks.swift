import Auction
import Basics

/// When incomplete lines are too old.
struct LineChecks {
    /// How long a line may be incomplete; nil for any time.
    private let time: Duration?
    /// The connections with an incomplete line, by when it is checked; some have sent its end since.
    private var timers = TimerQueue<SessionID, Instant>()

    init(_ limits: Limits) {
        time = limits.lineTime
    }

    /// When `popOverdue` next has something to do; nil if no line is incomplete.
    var deadline: Instant? { timers.deadline }

    /// Schedules the check of a connection's line if it is incomplete; `isNew` if it has just begun.
    mutating func schedule(
        _ id: SessionID, at slot: SessionTable.Slot, in sessions: inout SessionTable, isNew: Bool,
        now: Instant
    ) {
        guard let time, sessions[slot].codec.isUnfinished else { return }
        if isNew { sessions[slot].lineSince = now }
        guard !sessions[slot].isLineChecked else { return }
        sessions[slot].isLineChecked = true
        timers.insert(id, due: now.advanced(by: sessions[slot].codec.firstCheck(time)))
    }

    /// Returns the next connection whose line has been incomplete for too long; nil if there is none.
    ///
    /// Not if our own backpressure caused the wait: `isHandled` returns whether all bytes that have
    /// arrived were handled.
    mutating func popOverdue(
        at now: Instant, in sessions: inout SessionTable, _ isHandled: (SessionID) -> Bool
    ) -> SessionID? {
        guard let time else { return nil }
        while let id = timers.popDue(at: now) {
            guard let slot = sessions.slot(of: id) else { continue }
            let due = sessions[slot].lineSince.advanced(
                by: sessions[slot].codec.incompleteTime(time))
            if !sessions[slot].codec.isUnfinished {
                sessions[slot].isLineChecked = false
            } else if due > now {
                timers.insert(id, due: due)
            } else if sessions[slot].codec.isSkippingLine || isHandled(id) {
                return id
            } else {
                timers.insert(id, due: now.advanced(by: time))
            }
        }
        return nil
    }
}
