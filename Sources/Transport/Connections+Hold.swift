extension Connections {
    /// Reads no more from a connection until everybody is released, for whoever hears it has no
    /// room.
    ///
    /// False if it is held already: all that is reported of it then is that its peer has gone.
    public func hold(_ handle: Handle) -> Bool {
        guard let index = index(of: handle), !slots[index].state.contains(.held) else {
            return false
        }
        slots[index].state.insert(.held)
        held.append(handle)
        updateInterest(index)
        return true
    }

    /// Whether there may be somebody who is held.
    public var isHolding: Bool { !held.isEmpty }

    /// Reads again from those who were held.
    public func releaseHeld() {
        for handle in held {
            guard let index = index(of: handle) else { continue }
            slots[index].state.remove(.held)
            updateInterest(index)
        }
        held.removeAll(keepingCapacity: true)
    }
}
