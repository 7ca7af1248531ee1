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
        self.lingering.append(lingering, deadline: now + Self.lingerNanoseconds)
    }

    /// Closes who should have finished: has everything and does not end, or takes too long.
    func expireLingering() {
        while let first = nextLingering, first.deadline <= now {
            lingering.removeFirst()
            guard let index = index(of: first.element.watch.handle) else { continue }
            let next = look(index, since: first.element.watch)
            // What is late was kept by us.
            let end = first.element.end + (now - first.deadline)
            let hasAll = slots[index].outbox == nil && next.keptBytes == 0
            if now >= end || hasAll && now - slots[index].progress >= Self.lingerNanoseconds {
                leave(index, .expired)
            } else {
                let lingering = Lingering(watch: next, end: end)
                self.lingering.append(lingering, deadline: now + Self.lingerNanoseconds)
            }
        }
    }

    /// Closes one of the connections that are finishing, the next to be looked at; false if none is.
    ///
    /// For the owner to make room for another: who has been said goodbye may not keep others out.
    public func closeOneFinishing() -> Bool {
        guard let index = nextLingering.flatMap({ index(of: $0.element.watch.handle) }) else {
            return false
        }
        leave(index, .expired)
        closeLeaving()
        return true
    }

    /// The finishing connections and when each is next checked; closed ones are removed.
    var nextLingering: (element: Lingering, deadline: Int64)? {
        while let first = lingering.first {
            if isOpen(first.element.watch.handle) { return first }
            lingering.removeFirst()
        }
        return nil
    }
}
