import AuctionRules

/// The newcomers who have not been greeted yet, in the order of their coming.
package struct WaitingLine {
    private var line: [(id: SessionID, due: Instant)] = []
    private var head = 0

    package init() {}

    /// When the first of them is due.
    package var deadline: Instant? { head < line.count ? line[head].due : nil }

    /// Adds a newcomer; each is due no earlier than the one before.
    package mutating func append(_ id: SessionID, due: Instant) {
        line.append((id, due))
    }

    /// Takes the first out of the line, if its time has come.
    package mutating func takeDue(at now: Instant) -> SessionID? {
        guard let deadline, deadline <= now else { return nil }
        defer { advance() }
        return line[head].id
    }

    private mutating func advance() {
        head += 1
        guard head * 2 >= line.count else { return }
        line.removeFirst(head)
        head = 0
    }
}
