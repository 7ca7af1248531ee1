extension Connections {
    /// Somebody who has something to take, and how much the kernel kept for them at the last look.
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
        watched.append(watch(of: index), deadline: now + lookInterval)
    }

    /// Closes who has taken nothing for too long, and looks at no one any more who took everything.
    func expireWatched() {
        guard let limit = limits.stallNanoseconds else { return }
        while let first = watched.first, first.deadline <= now {
            watched.removeFirst()
            guard let index = index(of: first.element.handle) else { continue }
            let isLate = now - first.deadline >= lookInterval
            if !slots[index].state.contains(.awaitsRoom) {
                slots[index].state.remove(.watched)
            } else if let next = look(index, since: first.element, isLate: isLate, limit: limit) {
                watched.append(next, deadline: now + lookInterval)
            } else {
                leave(index, .stalled)
            }
        }
    }

    /// Begins to look whether a finishing connection still takes what is left for it.
    func linger(_ index: Int) {
        slots[index].progress = now
        lingering.append(watch(of: index), deadline: now + Self.lingerNanoseconds)
    }

    /// Closes who should have finished: has everything and does not end, or takes nothing any more.
    func expireLingering() {
        while let first = lingering.first, first.deadline <= now || !isOpen(first.element.handle) {
            lingering.removeFirst()
            guard let index = index(of: first.element.handle) else { continue }
            let isLate = now - first.deadline >= Self.lingerNanoseconds / Self.looks
            let limit = hasAll(index) ? Self.lingerNanoseconds : Self.finishNanoseconds
            if let next = look(index, since: first.element, isLate: isLate, limit: limit) {
                lingering.append(next, deadline: now + Self.lingerNanoseconds)
            } else {
                leave(index, .expired)
            }
        }
    }

    /// Whether nothing is left that the peer has not taken.
    private func hasAll(_ index: Int) -> Bool {
        slots[index].outbox == nil && unacknowledgedBytes(of: slots[index].descriptor) == 0
    }

    /// How it stands with a connection that took something within the limit; nil if it did not.
    ///
    /// Whoever reads slowly takes of what the kernel keeps long before that has room for more of
    /// ours. And a look that comes late was kept by us: nobody could be sent anything meanwhile.
    private func look(_ index: Int, since last: Watch, isLate: Bool, limit: Int64) -> Watch? {
        let watch = watch(of: index)
        if isLate || watch.keptBytes < last.keptBytes { slots[index].progress = now }
        return now - slots[index].progress >= limit ? nil : watch
    }

    private func watch(of index: Int) -> Watch {
        Watch(
            handle: slots[index].handle,
            keptBytes: unacknowledgedBytes(of: slots[index].descriptor))
    }
}
