extension Connections {
    /// Within the time that makes a stall each of those that may is looked at so many times: that
    /// costs little, and none is closed late by more than one part.
    private static let looks: Int64 = 8

    private var lookInterval: Int64 { (limits.stallNanoseconds ?? 0) / Self.looks }

    /// Begins to look whether a connection that took less than it was offered takes more.
    func watch(_ index: Int) {
        guard limits.stallNanoseconds != nil, !slots[index].state.contains(.watched) else { return }
        slots[index].state.insert(.watched)
        slots[index].progress = now
        watched.append(slots[index].handle, deadline: now + lookInterval)
    }

    /// Closes who has taken nothing for too long, and looks at no one any more who took everything.
    func expireWatched() {
        guard let limit = limits.stallNanoseconds else { return }
        while let first = watched.first, first.deadline <= now {
            watched.removeFirst()
            guard let index = index(of: first.handle) else { continue }
            if !slots[index].state.contains(.awaitsRoom) {
                slots[index].state.remove(.watched)
            } else if now - slots[index].progress >= limit, now - first.deadline < lookInterval {
                leave(index, .stalled)
            } else {
                // A look that comes late was kept by us: nobody could be sent anything meanwhile.
                if now - first.deadline >= lookInterval { slots[index].progress = now }
                watched.append(first.handle, deadline: now + lookInterval)
            }
        }
    }
}
