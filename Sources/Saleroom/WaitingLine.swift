import AuctionRules

/// The newcomers who have not been greeted yet, in the order of their coming.
package struct WaitingLine {
    private var line = Queue<(id: SessionID, due: Instant)>()

    package init() {}

    /// When the first of them is due.
    package var deadline: Instant? { line.first?.due }

    /// Adds a newcomer; each is due no earlier than the one before.
    package mutating func append(_ id: SessionID, due: Instant) {
        line.append((id, due))
    }

    /// Takes the first out of the line, if its time has come.
    package mutating func takeDue(at now: Instant) -> SessionID? {
        guard let deadline, deadline <= now else { return nil }
        return line.takeFirst()?.id
    }
}
