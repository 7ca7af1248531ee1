import Basics

/// Decides which connections have taken nothing of their output for too long, or finish too late.
///
/// Each such connection is checked now and then, so that a send costs nothing. A check that comes
/// late was delayed by this process, when nothing could be sent: the delay does not count.
final class StallTimers {
    /// How long a finishing connection that has everything may wait with its own end: 2 s.
    private static let lingerTime = Duration.seconds(2)
    /// How long a finishing connection may take to have everything: 30 s.
    private static let finishTime = Duration.seconds(30)
    /// How often a connection is checked within the time after which it counts as stalled.
    ///
    /// So it is closed late by at most an eighth of that time.
    private static let checks = 8

    /// A connection, and the bytes that the kernel kept for it at the last check.
    private struct Check {
        let handle: Handle
        let keptBytes: Int32
    }

    /// A check of a connection that is finishing, and when it closes in any case.
    private struct FinishCheck {
        let check: Check
        let end: Instant
    }

    /// The time of the turn.
    private(set) var now = Instant(nanoseconds: 0)
    private let stallTime: Duration?
    private let connections: ConnectionTable
    private var watched = TimerQueue<Check, Instant>()
    private var finishing = TimerQueue<FinishCheck, Instant>()

    /// A stall takes `stallTime`; nil for never.
    init(stallTime: Duration?, connections: ConnectionTable) {
        (self.stallTime, self.connections) = (stallTime, connections)
    }

    /// When the next check is due; nil if nothing is checked.
    var deadline: Instant? {
        guard let finish = finishing.deadline else { return watched.deadline }
        return watched.deadline.map { min($0, finish) } ?? finish
    }

    /// Sets the time; a time before the last one counts as that.
    func advance(to now: Instant) {
        self.now = max(now, self.now)
    }

    /// Begins to check whether a connection that took less than it was offered takes more.
    func watch(_ slot: Int) {
        guard let stallTime, !connections[slot].marks.contains(.watched) else { return }
        connections[slot].marks.insert(.watched)
        connections[slot].progress = now
        watched.insert(check(of: slot), due: now.advanced(by: stallTime / Self.checks))
    }

    /// Begins to check whether a finishing connection has everything.
    func finish(_ slot: Int) {
        connections[slot].progress = now
        let first = FinishCheck(check: check(of: slot), end: now.advanced(by: Self.finishTime))
        finishing.insert(first, due: now.advanced(by: Self.lingerTime))
    }

    /// The finishing connection that is checked next.
    var nextFinishing: Int? {
        finishing.first.flatMap { connections.slot(of: $0.item.check.handle) }
    }

    /// Drops the checks of finishing connections that have closed, if they are due first.
    func dropClosed() {
        while let first = finishing.first, connections.slot(of: first.item.check.handle) == nil {
            finishing.popFirst()
        }
    }

    /// Returns the connections that have stalled, and checks no longer those that took everything.
    func takeStalled() -> [Int] {
        guard let stallTime else { return [] }
        let interval = stallTime / Self.checks
        var stalled: [Int] = []
        while let first = watched.first, first.due <= now {
            watched.popFirst()
            guard let slot = connections.slot(of: first.item.handle) else { continue }
            guard connections[slot].room != .free else {
                connections[slot].marks.remove(.watched)
                continue
            }
            let next = repeated(first.item, slot)
            if first.due.duration(to: now) >= interval { connections[slot].progress = now }
            if connections[slot].progress.duration(to: now) >= stallTime {
                stalled.append(slot)
            } else {
                watched.insert(next, due: now.advanced(by: interval))
            }
        }
        return stalled
    }

    /// Returns the connections that should have finished.
    ///
    /// They have received everything and do not close, or took too long to receive it.
    func takeUnfinished() -> [Int] {
        var unfinished: [Int] = []
        while let first = finishing.first, first.due <= now {
            finishing.popFirst()
            guard let slot = connections.slot(of: first.item.check.handle) else { continue }
            let next = repeated(first.item.check, slot)
            let end = first.item.end.advanced(by: first.due.duration(to: now))
            let idle = connections[slot].progress.duration(to: now)
            let hasAll = connections[slot].outbox == nil && next.keptBytes == 0
            if now >= end || hasAll && idle >= Self.lingerTime {
                unfinished.append(slot)
            } else {
                let later = FinishCheck(check: next, end: end)
                finishing.insert(later, due: now.advanced(by: Self.lingerTime))
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
