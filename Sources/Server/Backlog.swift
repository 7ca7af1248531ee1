import AuctionRules
import Queues
import Saleroom

/// What was read of connections and has not been heard yet, and when it can be.
///
/// It is heard when its time has come and the connection has been sent what it asked for. Each
/// thing costs O(log n) of those that wait, at most.
package struct Backlog {
    /// What is kept of one connection.
    package struct Unheard: Equatable {
        /// The bytes, in order.
        package var bytes: [UInt8]
        /// Whether the connection will say no more than this.
        package var hasEnded = false
        /// Before when it may not be heard; nil when that has come.
        fileprivate var due: Instant?
        /// Which confirmation it waits for.
        fileprivate let number: Int
        /// Whether it has yet to be sent what it asked for.
        fileprivate var isAwaited = true
    }

    private var kept: [SessionID: Unheard] = [:]
    private var timers = TimerQueue<SessionID, Instant>()
    private var ready = Queue<SessionID>()
    /// The number of the confirmation that was asked for last.
    private var lastNumber = 0

    package init() {}

    /// When somebody's time comes next; nil where nobody has to wait for a time.
    package var deadline: Instant? { timers.deadline }

    /// Whether somebody can be heard now.
    package var hasReady: Bool { !ready.isEmpty }

    /// Of how many connections something is kept.
    package var count: Int { kept.count }

    /// The number of bytes stored for a connection.
    package func byteCount(of id: SessionID) -> Int { kept[id]?.bytes.count ?? 0 }

    /// Whether something is kept of a connection.
    package func holds(_ id: SessionID) -> Bool { kept[id] != nil }

    /// Stores what a connection said until its time, where there is one, and until `sent` is called
    /// with the number that is returned.
    ///
    /// Each call returns another number.
    package mutating func keep(
        _ bytes: [UInt8], of id: SessionID, until due: Instant?, hasEnded: Bool = false
    ) -> Int {
        precondition(kept[id] == nil, "what is kept is heard before more is")
        lastNumber += 1
        kept[id] = Unheard(bytes: bytes, hasEnded: hasEnded, due: due, number: lastNumber)
        if let due { timers.insert(id, due: due) }
        return lastNumber
    }

    /// Adds what a connection said to what is kept of it; false if nothing is.
    package mutating func append(_ bytes: ArraySlice<UInt8>, of id: SessionID) -> Bool {
        guard let index = kept.index(forKey: id) else { return false }
        kept.values[index].bytes += bytes
        return true
    }

    /// Notes that a connection will say no more than what is kept; false if nothing is.
    package mutating func end(_ id: SessionID) -> Bool {
        guard let index = kept.index(forKey: id) else { return false }
        kept.values[index].hasEnded = true
        return true
    }

    /// Records that a connection has been sent its output up to the request with this number.
    ///
    /// The confirmation of an earlier request does nothing: output of the later one may wait.
    package mutating func sent(_ id: SessionID, number: Int) {
        guard let index = kept.index(forKey: id), kept.values[index].isAwaited,
            kept.values[index].number == number
        else { return }
        kept.values[index].isAwaited = false
        if kept.values[index].due == nil { ready.append(id) }
    }

    /// Notes whose time has come.
    package mutating func expire(at now: Instant) {
        while let id = timers.popDue(at: now) {
            guard let index = kept.index(forKey: id), let due = kept.values[index].due, due <= now
            else { continue }
            kept.values[index].due = nil
            if !kept.values[index].isAwaited { ready.append(id) }
        }
    }

    /// Takes what is kept of whoever can be heard and has waited longest for that; nil if nobody
    /// can.
    package mutating func takeReady() -> (id: SessionID, unheard: Unheard)? {
        while let id = ready.popFirst() {
            guard let index = kept.index(forKey: id), kept.values[index].due == nil,
                !kept.values[index].isAwaited
            else { continue }
            return (id, kept.remove(at: index).value)
        }
        return nil
    }

    /// Forgets what is kept of a connection.
    package mutating func remove(_ id: SessionID) {
        kept[id] = nil
    }
}
