extension Connections {
    /// Begins the next round of reading with what this turn's poll found; `now` is the instant of that poll, in
    /// monotonic nanoseconds.
    ///
    /// A round is the connections that one poll found readable, each of which is read once. While the
    /// owner has no room for more, it holds the rest of them, and takes them by `takeHeld` in later
    /// turns. What polls find meanwhile is held too, and waits for the next round: so a round ends,
    /// whatever arrives, and everybody is read in the order of becoming readable. Changes nothing
    /// while a round is under way.
    public func beginRound(at now: Int64) {
        isRoundNew = heldOfRound == 0
        guard isRoundNew else { return }
        (roundInstant, heldOfRound) = (now, held.count)
    }

    /// The instant of the poll up to which every connection has been read; nil while the round is
    /// under way.
    public var readUntil: Int64? { heldOfRound == 0 ? roundInstant : nil }

    /// Whether what this turn's poll found may be read now, and need not be held.
    public var mayReadReady: Bool { isRoundNew && heldOfRound == 0 }

    /// Whether there may be connections that are held.
    public var hasHeld: Bool { held.count > 0 }

    /// Does not read from a connection until `takeHeld` returns it.
    ///
    /// False if it is held already: all that is reported of it then is that its peer has gone.
    public func hold(_ handle: Handle) -> Bool {
        guard let index = index(of: handle), !slots[index].state.contains(.held) else {
            return false
        }
        slots[index].state.insert(.held)
        held.append(handle)
        if isRoundNew { heldOfRound += 1 }
        updateInterest(index)
        return true
    }

    /// Takes the next held connection of the round, to be read now; nil when there is none.
    ///
    /// Passes over connections that have closed, or must not be read from any more.
    public func takeHeld() -> Handle? {
        while heldOfRound > 0, let handle = held.popFirst() {
            heldOfRound -= 1
            guard let index = index(of: handle) else { continue }
            slots[index].state.remove(.held)
            updateInterest(index)
            if slots[index].interest.contains(.readable) { return handle }
        }
        return nil
    }

    /// Reads no more from one connection until `unsilence`, for not all that it said is heard yet.
    ///
    /// From then on less is read from it at a time, as from a newcomer. While it lasts all that is
    /// reported of it is room, and that its peer has gone.
    public func silence(_ handle: Handle) {
        guard let index = index(of: handle) else { return }
        slots[index].state.insert(.silenced)
        slots[index].readBytes = UInt16(min(Self.firstReadBytes, limits.readBytes))
        updateInterest(index)
    }

    /// Reads from a connection again.
    public func unsilence(_ handle: Handle) {
        guard let index = index(of: handle), slots[index].state.remove(.silenced) != nil else {
            return
        }
        updateInterest(index)
    }

    /// Whether a connection is not read from, because not all that it said is heard yet.
    public func isSilenced(_ handle: Handle) -> Bool {
        index(of: handle).map { slots[$0].state.contains(.silenced) } ?? false
    }
}
