import Posix

extension Connections {
    /// Records that `sent` bytes of the batch were sent.
    func advance(_ index: Int, _ feed: Feed?, by sent: Int) {
        guard sent > 0 else { return }
        states[index].progress = now
        var ofFeed = sent
        if let outbox = states[index].outbox {
            let parts = division(of: sent, index, feed)
            ofFeed = parts.feed
            change(outbox) { $0.consume(parts.outbox) }
            if outbox.isEmpty { releaseOutbox(of: index) }
        }
        if ofFeed > 0, let feed { moveCursor(index, feed, by: ofFeed) }
    }

    /// How many of the bytes sent were of the feed, and how many private.
    private func division(of sent: Int, _ index: Int, _ feed: Feed?) -> (feed: Int, outbox: Int) {
        if sent == batch.total { return (sent - batch.ofOutbox, batch.ofOutbox) }
        var pieces = DuePieces(dueRange(of: index, feed), states[index].outbox)
        return pieces.division(of: sent)
    }

    /// Moves the cursor past what was sent, and on to the end of the record in which that ended.
    ///
    /// The rest of the record goes to the outbox: the peer must get it even if it is overwritten.
    private func moveCursor(_ index: Int, _ feed: Feed, by count: Int) {
        let start = states[index].cursor.position
        let stop = start + count
        if stop == feed.ring.end {
            states[index].cursor = feed.newest
            return
        }
        let boundary = feed.ring.recordEnd(at: stop)
        states[index].cursor.record += feed.ring.recordCount(in: start..<boundary)
        states[index].cursor.position = boundary
        guard boundary > stop else { return }
        change(outbox(of: index)) { $0.prepend(feed.ring, stop..<boundary, due: boundary) }
    }

    /// Draws the conclusions from a send: what to wait for now, and whether it was the last one.
    func settle(_ index: Int, isComplete: Bool) {
        let pending = states[index].outbox?.count ?? 0
        let isUsual = states[index].flags.isDisjoint(with: [.awaitsRoom, .paused, .finishing])
        if isUsual && isComplete && pending <= limits.pauseBytes { return }
        if isComplete {
            states[index].flags.subtract([.blocked, .awaitsRoom])
        } else {
            states[index].flags.formUnion([.blocked, .awaitsRoom])
            watch(index)
        }
        if pending > limits.pauseBytes {
            pause(index)
        } else if pending == 0, states[index].flags.remove(.paused) != nil {
            unpaused.append(states[index].handle)
            pauseChanges.append(states[index].handle)
        }
        updateInterest(index)
        if isComplete && pending == 0 { shutDownIfFinishing(index) }
    }

    /// Tells the loop what the connection waits for; no system call if that has not changed.
    func updateInterest(_ index: Int) {
        do {
            try loop.change(states[index].handle, to: states[index].interest)
        } catch {
            leave(index, .broken(error))
        }
    }

    /// Closes a connection at the end of the flush, whose loops must not lose their place.
    func leave(_ index: Int, _ cause: Ending.Cause) {
        guard !states[index].flags.contains(.leaving) else { return }
        states[index].flags.insert(.leaving)
        leaving.append(Ending(handle: states[index].handle, cause: cause))
    }

    func closeLeaving() {
        for ending in leaving where isOpen(ending.handle) {
            close(ending.handle)
            ended.append(ending)
        }
        leaving.removeAll(keepingCapacity: true)
    }
}
