extension Connections {
    /// Somebody who took less than they were offered, and how much the kernel kept for them when
    /// they were looked at last.
    struct Watch {
        let handle: Handle
        let keptBytes: Int32
    }

    /// Within the time that makes a stall each of those that may is looked at so many times: that
    /// costs little, and none is closed late by more than one part.
    private static let looks: Int64 = 8

    private var lookInterval: Int64 { (limits.stallNanoseconds ?? 0) / Self.looks }

    /// Begins to look whether a connection that took less than it was offered takes more.
    func watch(_ index: Int) {
        guard limits.stallNanoseconds != nil, !slots[index].state.contains(.watched) else { return }
        slots[index].state.insert(.watched)
        slots[index].progress = now
        lookLater(index, keptBytes: unacknowledgedBytes(of: slots[index].descriptor))
    }

    /// Closes who has taken nothing for too long, and looks at no one any more who took everything.
    func expireWatched() {
        while let first = watched.first, first.deadline <= now {
            watched.removeFirst()
            guard let index = index(of: first.element.handle) else { continue }
            if slots[index].state.contains(.awaitsRoom) {
                look(index, since: first.element, isLate: now - first.deadline >= lookInterval)
            } else {
                slots[index].state.remove(.watched)
            }
        }
    }

    /// Closes a connection if it has taken nothing for too long.
    ///
    /// Whoever reads slowly takes of what the kernel keeps long before that has room for more of
    /// ours. And a look that comes late was kept by us: nobody could be sent anything meanwhile.
    private func look(_ index: Int, since last: Watch, isLate: Bool) {
        let kept = unacknowledgedBytes(of: slots[index].descriptor)
        if isLate || kept < last.keptBytes { slots[index].progress = now }
        if let limit = limits.stallNanoseconds, now - slots[index].progress >= limit {
            leave(index, .stalled)
        } else {
            lookLater(index, keptBytes: kept)
        }
    }

    private func lookLater(_ index: Int, keptBytes: Int32) {
        let watch = Watch(handle: slots[index].handle, keptBytes: keptBytes)
        watched.append(watch, deadline: now + lookInterval)
    }
}
