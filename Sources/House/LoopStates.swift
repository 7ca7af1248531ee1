import Auction
import Basics

/// What the core knows of all loops.
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
            (1...SessionID.maximumLoopCount).contains(count), "sessions name 1 to 256 loops")
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
    package var hasUnhandled: Bool { states.contains { $0.hasUnhandled } }

    /// The number of connections on a loop.
    func connectionCount(of loop: Int) -> Int { states[loop].connectionCount }

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
    /// never refused here. A finishing connection makes room: the command closes it. Until the loops
    /// have done so, there are more connections than the limit, by at most the number of finishing
    /// ones.
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
