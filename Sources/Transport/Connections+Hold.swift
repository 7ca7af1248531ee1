extension Connections {
    /// Reads no more from a connection until everybody is released, for whoever hears it has no
    /// room.
    public func hold(_ handle: Handle) {
        guard let index = index(of: handle), !slots[index].state.contains(.held) else { return }
        slots[index].state.insert(.held)
        held.append(handle)
        updateInterest(index)
    }

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
