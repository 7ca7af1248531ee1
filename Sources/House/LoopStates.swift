import Auction
import Basics

/// What the house knows of all loops.
///
/// It chooses the loop of a new connection and whose events come next, and knows until when
/// everything was read.
package struct LoopStates {
    /// With this many connections open, a newcomer is refused at once.
    private let openLimit: Int
    private var states: [LoopState]
    /// The loop whose events are handled next.
    package private(set) var current = 0

    package init(count: Int, openLimit: Int) {
        precondition(
            (1...SessionID.maximumLoopCount).contains(count), "sessions name 1 to 255 loops")
        self.openLimit = openLimit
        states = Array(repeating: LoopState(), count: count)
    }

    /// The number of connections on all loops.
    package var connectionCount: Int { states.reduce(0) { $0 + $1.connectionCount } }

    /// Whether too many commands wait for a loop to handle more input.
    package var hasBacklog: Bool { states.contains { $0.hasBacklog } }

    /// Whether everything was sent, after every loop was asked to report that.
    package var isDrained: Bool { states.allSatisfy(\.isDrained) }

    /// Whether some events are not handled.
    var hasUnhandled: Bool { states.contains { $0.hasUnhandled } }

    /// The number of events of a loop that are not handled.
    package func unhandledCount(of loop: Int) -> Int { states[loop].unhandledCount }

    /// Everything that arrived on any loop until this instant is handled; nil before that is known.
    package var handledUntil: Instant? {
        states.reduce(Instant?.some(Instant(nanoseconds: .max))) { least, state in
            guard let least, let until = state.handledUntil else { return nil }
            return min(least, until)
        }
    }

    /// Whether a connection is not read from, because it does not read its replies.
    package func isPaused(_ id: SessionID) -> Bool { states[id.loop].isPaused(id) }

    /// Takes the reports of all loops, one for each; true if all were taken.
    ///
    /// Calls `confirm` for the confirmations in them.
    @discardableResult
    package mutating func take(
        _ reports: inout [LoopReport], confirm: (SessionID, Int) -> Void = { _, _ in }
    ) -> Bool {
        precondition(reports.count == states.count, "each loop has a report")
        var areTaken = true
        for loop in states.indices {
            guard states[loop].take(&reports[loop]) else {
                areTaken = false
                continue
            }
            for (id, number) in states[loop].confirmations { confirm(id, number) }
        }
        return areTaken
    }

    /// Returns the next unhandled event, with its bytes; nil if all are handled.
    ///
    /// The events of one loop follow each other. A loop whose events were not all handled in the
    /// last step comes first.
    package mutating func nextEvent() -> (
        event: ConnectionEvents.Event, bytes: ArraySlice<UInt8>
    )? {
        for _ in states.indices {
            if let next = states[current].nextEvent() { return next }
            current = (current + 1) % states.count
        }
        return nil
    }

    /// Ends the handling of a step, whether or not all events were handled.
    ///
    /// A loop whose last event was handled does not come first again.
    package mutating func finishHandling() {
        for loop in states.indices { states[loop].noteHandled() }
        if !states[current].hasUnhandled { current = (current + 1) % states.count }
    }

    /// Chooses the loop with the fewest connections for a new one, and counts the connection.
    ///
    /// Nil if it is to be refused, because too many are open; connections of the Unix socket are
    /// never refused here. A finishing connection makes room: the command closes it. Until the
    /// loops have done so, there are more connections than the limit, by at most the number of
    /// finishing ones.
    package mutating func place(isLocal: Bool) -> (loop: Int, command: LoopCommand?)? {
        var command: LoopCommand?
        if !isLocal, connectionCount >= openLimit {
            guard let loop = closeOneFinishing() else { return nil }
            command = .closeOneFinishing(loop: loop)
        }
        var best = 0
        for loop in states.indices
        where states[loop].connectionCount < states[best].connectionCount {
            best = loop
        }
        states[best].addConnection()
        return (best, command)
    }

    private mutating func closeOneFinishing() -> Int? {
        states.indices.first { states[$0].closeOneFinishing() }
    }

    /// How far time may advance, if something is due at this instant.
    ///
    /// Nil while something that the last poll of the actor's own loop found is not handled: then no
    /// deadline counts, because another step follows as soon as there is room for the rest.
    package func timeStep(due: Instant?) -> TimeStep? {
        guard states[0].isRoundDone, let own = states[0].handledUntil else { return nil }
        return TimeStep(due: due, handledUntil: own, othersHandledUntil: othersHandledUntil)
    }

    private var othersHandledUntil: Instant? {
        guard states.count > 1 else { return nil }
        return states.dropFirst().reduce(nil as Instant?) { least, state in
            let until = state.handledUntil ?? .distantPast
            return min(least ?? until, until)
        }
    }

    /// The commands that make the other loops report what arrived until an instant.
    package mutating func requestReports(until instant: Instant) -> [LoopCommand] {
        states.indices.dropFirst().compactMap { loop in
            let mustAsk = states[loop].requestReport(until: instant)
            return mustAsk ? .report(loop: loop, until: instant) : nil
        }
    }

    /// The commands that make all loops report when everything is sent.
    package mutating func drain() -> [LoopCommand] {
        states.indices.map { loop in
            states[loop].drain()
            return .drain(loop: loop)
        }
    }
}

/// What the house knows of one loop: its unhandled events, and how far it has been read.
struct LoopState {
    /// The number of connections that it was given and has not reported as lost.
    private(set) var connectionCount = 0
    /// Everything that reached its connections until this instant is handled; nil before the first
    /// report.
    private(set) var handledUntil: Instant?
    /// Whether everything that the last report is about is handled.
    private(set) var isRoundDone = false
    /// Whether it has sent everything, after `drain`.
    private(set) var isDrained = false
    /// Whether too many commands wait for it to handle more input.
    private(set) var hasBacklog = false

    private var events = ConnectionEvents()
    /// The number of events that were handled, and of their bytes.
    private var used = (events: 0, bytes: 0)
    /// In a report that was not taken, the number of events whose closings were already counted.
    private var countedEvents = 0
    private var readUntil: Instant?
    /// The instant up to which a report was requested; nil once that report has come.
    private var requestedUntil: Instant?
    /// The connections that it does not read from, because they do not read their replies.
    private var paused: Set<SessionID> = []
    /// The connections that were sent `BYE`, and are not gone yet.
    private var finishing: Set<SessionID> = []
    /// How many of them it was commanded to close.
    ///
    /// - Invariant: at most `finishing.count`.
    private var closingCount = 0

    /// Whether some events are not handled.
    var hasUnhandled: Bool { used.events < events.list.count }

    /// The number of events that are not handled.
    var unhandledCount: Int { events.list.count - used.events }

    /// Whether it does not read from a connection, because that does not read its replies.
    func isPaused(_ id: SessionID) -> Bool { !paused.isEmpty && paused.contains(id) }

    /// The confirmations of the report that was taken last.
    var confirmations: [(id: SessionID, number: Int)] { events.confirmations }

    /// Takes a report, unless events of the one before are not handled; false if it was not taken.
    ///
    /// Closed connections no longer count in either case: they make room for new ones although the
    /// core is full.
    mutating func take(_ report: inout LoopReport) -> Bool {
        hasBacklog = report.hasBacklog
        for event in report.events.list[countedEvents...] { countClosing(event) }
        countedEvents = report.events.list.count
        guard !hasUnhandled else { return false }
        countedEvents = 0
        swap(&events, &report.events)
        report.events.removeAll()
        used = (0, 0)
        readUntil = report.readUntil
        if let requestedUntil, let readUntil, readUntil >= requestedUntil {
            self.requestedUntil = nil
        }
        noteHandled()
        return true
    }

    /// Returns the next event, with its bytes; nil if all are handled.
    ///
    /// When it returns nil, everything counts as handled.
    mutating func nextEvent() -> (event: ConnectionEvents.Event, bytes: ArraySlice<UInt8>)? {
        guard hasUnhandled else {
            noteHandled()
            return nil
        }
        let event = events.list[used.events]
        used.events += 1
        if case .received(_, let count) = event {
            used.bytes += count
            return (event, events.bytes[used.bytes - count..<used.bytes])
        }
        note(event)
        return (event, [])
    }

    /// Records that the last report is handled, if all of its events are.
    mutating func noteHandled() {
        isRoundDone = !hasUnhandled && readUntil != nil
        if isRoundDone { handledUntil = readUntil }
    }

    private mutating func note(_ event: ConnectionEvents.Event) {
        switch event {
        case .lost(let id), .unpaused(let id): paused.remove(id)
        case .paused(let id): paused.insert(id)
        case .drained: isDrained = true
        case .refused, .finishing, .joined, .received, .ended, .fallen, .stalled: break
        }
    }

    private mutating func countClosing(_ event: ConnectionEvents.Event) {
        switch event {
        case .lost(let id):
            connectionCount -= 1
            if finishing.remove(id) != nil { closingCount = max(closingCount - 1, 0) }
        case .refused: connectionCount -= 1
        case .finishing(let id): finishing.insert(id)
        case .paused, .unpaused, .drained, .joined, .received, .ended, .fallen, .stalled: break
        }
    }

    /// Counts a connection that it is given.
    mutating func addConnection() {
        connectionCount += 1
    }

    /// Chooses one of its finishing connections to be closed; false if none is left.
    ///
    /// The connection counts until it is reported as lost.
    mutating func closeOneFinishing() -> Bool {
        guard closingCount < finishing.count else { return false }
        closingCount += 1
        return true
    }

    /// Forgets that everything was sent, because the loop is asked for it again.
    mutating func drain() {
        isDrained = false
    }

    /// Requests a report of what arrived until an instant; true if the loop must be asked.
    mutating func requestReport(until instant: Instant) -> Bool {
        if let readUntil, readUntil >= instant { return false }
        if let requestedUntil, requestedUntil >= instant { return false }
        requestedUntil = instant
        return true
    }
}

/// How far time may advance in the lobby: only as far as every loop has been read.
///
/// A bid that reached any loop before the hammer's instant is in time. So due events wait until all
/// loops have reported their input up to then.
package enum TimeStep: Equatable {
    /// Nothing is due yet.
    case notDue
    /// What is due until `handledUntil` is done now.
    case expire(handledUntil: Instant)
    /// Something is due, and other loops have not been read up to that instant.
    case wait(for: Instant)

    /// Decides from when something is next due, and how far each loop has been read.
    ///
    /// `othersHandledUntil` is nil if there is no other loop.
    package init(due: Instant?, handledUntil own: Instant, othersHandledUntil: Instant?) {
        guard let due, due <= own else {
            self = .notDue
            return
        }
        let handledUntil = othersHandledUntil.map { min($0, own) } ?? own
        self = handledUntil < due ? .wait(for: due) : .expire(handledUntil: handledUntil)
    }
}
