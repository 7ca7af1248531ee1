import Queues

/// Decides which connections have taken nothing of their output for too long, or finish too late.
///
/// Each such connection is checked now and then, so that a send costs nothing. A check that comes
/// late was delayed by this process, when nothing could be sent: the delay does not count.
struct StallTimers {
    /// How long a finishing connection that has everything may wait with its own end: 2 s.
    static let lingerNanoseconds: Int64 = 2_000_000_000
    /// How long a finishing connection may take to have everything: 30 s.
    static let finishNanoseconds: Int64 = 30_000_000_000
    /// Within the time that makes a stall a connection is checked this often, so that it is closed
    /// late by at most an eighth.
    private static let checks: Int64 = 8

    /// A connection, and the bytes that the kernel kept for it at the last check.
    private struct Check {
        let handle: Handle
        let keptBytes: Int32
    }

    /// A check of a connection that is finishing, and when it closes in any case.
    private struct FinishCheck {
        let check: Check
        let end: Int64
    }

    /// The time of the turn, in monotonic nanoseconds.
    private(set) var now: Int64 = 0
    private let stallNanoseconds: Int64?
    private let connections: ConnectionTable
    private var watched = TimerQueue<Check, Int64>()
    private var finishing = TimerQueue<FinishCheck, Int64>()

    /// A stall takes `stallNanoseconds`; nil for never.
    init(stallNanoseconds: Int64?, connections: ConnectionTable) {
        (self.stallNanoseconds, self.connections) = (stallNanoseconds, connections)
    }

    /// When the next check is due; nil if nothing is checked.
    var deadline: Int64? {
        guard let finish = finishing.deadline else { return watched.deadline }
        return watched.deadline.map { min($0, finish) } ?? finish
    }

    /// Sets the time; a time before the last one counts as that.
    mutating func advance(to now: Int64) {
        self.now = max(now, self.now)
    }

    /// Begins to check whether a connection that took less than it was offered takes more.
    mutating func watch(_ slot: Int) {
        guard let stallNanoseconds, !connections[slot].isWatched else { return }
        connections[slot].isWatched = true
        connections[slot].progress = now
        watched.insert(check(of: slot), due: now + stallNanoseconds / Self.checks)
    }

    /// Begins to check whether a finishing connection has everything.
    mutating func finish(_ slot: Int) {
        connections[slot].progress = now
        let first = FinishCheck(check: check(of: slot), end: now + Self.finishNanoseconds)
        finishing.insert(first, due: now + Self.lingerNanoseconds)
    }

    /// The finishing connection that is checked next.
    var nextFinishing: Int? {
        finishing.first.flatMap { connections.slot(of: $0.item.check.handle) }
    }

    /// Drops the checks of finishing connections that have closed, if they are due first.
    mutating func dropClosed() {
        while let first = finishing.first, connections.slot(of: first.item.check.handle) == nil {
            finishing.popFirst()
        }
    }

    /// Returns the connections that have stalled, and checks no longer those that took everything.
    mutating func takeStalled() -> [Int] {
        guard let stallNanoseconds else { return [] }
        let interval = stallNanoseconds / Self.checks
        var stalled: [Int] = []
        while let first = watched.first, first.due <= now {
            watched.popFirst()
            guard let slot = connections.slot(of: first.item.handle) else { continue }
            guard connections[slot].room != .free else {
                connections[slot].isWatched = false
                continue
            }
            let next = repeated(first.item, slot)
            if now - first.due >= interval { connections[slot].progress = now }
            if now - connections[slot].progress >= stallNanoseconds {
                stalled.append(slot)
            } else {
                watched.insert(next, due: now + interval)
            }
        }
        return stalled
    }

    /// Returns the connections that should have finished: those that have everything and do not end,
    /// and those that took too long.
    mutating func takeUnfinished() -> [Int] {
        var unfinished: [Int] = []
        while let first = finishing.first, first.due <= now {
            finishing.popFirst()
            guard let slot = connections.slot(of: first.item.check.handle) else { continue }
            let next = repeated(first.item.check, slot)
            let end = first.item.end + (now - first.due)
            let idle = now - connections[slot].progress
            let hasAll = connections[slot].outbox == nil && next.keptBytes == 0
            if now >= end || hasAll && idle >= Self.lingerNanoseconds {
                unfinished.append(slot)
            } else {
                let later = FinishCheck(check: next, end: end)
                finishing.insert(later, due: now + Self.lingerNanoseconds)
            }
        }
        dropClosed()
        return unfinished
    }

    /// Checks a connection again; fewer bytes kept by the kernel are progress.
    ///
    /// A slow reader takes of what the kernel keeps long before that has room for more.
    private func repeated(_ last: Check, _ slot: Int) -> Check {
        let next = check(of: slot)
        if next.keptBytes < last.keptBytes { connections[slot].progress = now }
        return next
    }

    private func check(of slot: Int) -> Check {
        Check(
            handle: connections.handle(at: slot),
            keptBytes: unacknowledgedBytes(of: connections[slot].descriptor))
    }
}
