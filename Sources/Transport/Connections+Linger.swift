import Queues

extension Connections {
    /// A connection that is to finish, and when it closes in any case.
    struct Lingering {
        let watch: Watch
        let end: Int64
    }

    /// Begins to look whether a finishing connection has everything.
    func linger(_ index: Int) {
        slots[index].progress = now
        let lingering = Lingering(watch: watch(of: index), end: now + Self.finishNanoseconds)
        self.lingering.insert(lingering, due: now + Self.lingerNanoseconds)
    }

    /// Closes who should have finished: has everything and does not end, or takes too long.
    func expireLingering() {
        while let first = nextLingering, first.due <= now {
            lingering.popFirst()
            guard let index = index(of: first.item.watch.handle) else { continue }
            let next = look(index, since: first.item.watch)
            // What is late was kept by us.
            let end = first.item.end + (now - first.due)
            let hasAll = slots[index].outbox == nil && next.keptBytes == 0
            if now >= end || hasAll && now - slots[index].progress >= Self.lingerNanoseconds {
                leave(index, .expired)
            } else {
                let lingering = Lingering(watch: next, end: end)
                self.lingering.insert(lingering, due: now + Self.lingerNanoseconds)
            }
        }
    }

    /// Closes one of the connections that are finishing, the next to be looked at; false if none is.
    ///
    /// For the owner to make room for another: who has been said goodbye may not keep others out.
    public func closeOneFinishing() -> Bool {
        guard let index = nextLingering.flatMap({ index(of: $0.item.watch.handle) }) else {
            return false
        }
        leave(index, .expired)
        closeLeaving()
        return true
    }

    /// The finishing connections and when each is next checked; closed ones are removed.
    var nextLingering: (item: Lingering, due: Int64)? {
        while let first = lingering.first {
            if isOpen(first.item.watch.handle) { return first }
            lingering.popFirst()
        }
        return nil
    }
}
