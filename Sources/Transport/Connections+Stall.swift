import Queues

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
        guard limits.stallNanoseconds != nil, !states[index].flags.contains(.watched) else {
            return
        }
        states[index].flags.insert(.watched)
        states[index].progress = now
        watched.insert(watch(of: index), due: now + lookInterval)
    }

    /// Closes who has taken nothing for too long, and looks at no one any more who took everything.
    func expireWatched() {
        guard let limit = limits.stallNanoseconds else { return }
        while let first = watched.first, first.due <= now {
            watched.popFirst()
            guard let index = index(of: first.item.handle) else { continue }
            guard states[index].flags.contains(.awaitsRoom) else {
                states[index].flags.remove(.watched)
                continue
            }
            let next = look(index, since: first.item)
            // A look that comes late was kept by us: nobody could be sent anything meanwhile.
            if now - first.due >= lookInterval { states[index].progress = now }
            if now - states[index].progress >= limit {
                leave(index, .stalled)
            } else {
                watched.insert(next, due: now + lookInterval)
            }
        }
    }

    /// Closes connections while their private bytes together exceed the limit.
    ///
    /// Those that have gone longest without taking any are closed first.
    ///
    /// O(n log n) if the limit is exceeded; then an eighth of the limit becomes free.
    func leaveIfTooMuchWaits() {
        guard let most = limits.allOutputBytes, privateBytes > most else { return }
        var excess = privateBytes - (most - most / 8)
        let waiting = states.indices.filter { states[$0].outbox != nil }
        for index in waiting.sorted(by: { states[$0].progress < states[$1].progress }) {
            guard excess > 0 else { return }
            excess -= states[index].outbox?.count ?? 0
            leave(index, .stalled)
        }
    }

    /// How it stands with a connection, and notes that it took something if it did.
    ///
    /// Whoever reads slowly takes of what the kernel keeps long before that has room for more.
    func look(_ index: Int, since last: Watch) -> Watch {
        let next = watch(of: index)
        if next.keptBytes < last.keptBytes { states[index].progress = now }
        return next
    }

    func watch(of index: Int) -> Watch {
        Watch(
            handle: states[index].handle,
            keptBytes: unacknowledgedBytes(of: states[index].descriptor))
    }
}
