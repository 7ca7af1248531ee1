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
