import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Connections {
    /// Notes that a connection has room again; the next flush sends.
    public func writable(_ handle: Handle) {
        guard let index = index(of: handle) else { return }
        states[index].flags.remove(.blocked)
        markDirty(index)
    }

    /// Sends every connection what it has yet to get, as far as the kernel takes it.
    ///
    /// One system call for each connection that has anything, unless that is more than 64 KiB in
    /// many pieces. First come those that were replied to or have room again, then in turns the
    /// followers of each feed to which lines were appended. After `slice` system calls for a feed
    /// the rest of its followers wait for the next flush, so that the owner can hear others
    /// meanwhile; but not if it is more than 64 KiB that they wait for. Then `isBehind` holds.
    public func flush(slice: Int = .max) {
        for index in dirty {
            states[Int(index)].flags.remove(.dirty)
            transmit(Int(index))
        }
        dirty.removeAll(keepingCapacity: true)
        for case let feed? in feeds { serve(feed, slice) }
        leaveIfTooMuchWaits()
        closeLeaving()
    }

    /// Whether some followers wait for the next flush.
    public var isBehind: Bool {
        feeds.contains { $0.map { $0.unserved > 0 } ?? false }
    }

    private func serve(_ feed: Feed, _ slice: Int) {
        let (limit, overflow) = sends.addingReportingOverflow(slice)
        batch.clear()
        while overflow || sends < limit || feed.ring.end - feed.served > Self.waitingBytes,
            let index = feed.next()
        {
            if isPlain(index) { sendNews(to: index, feed) } else { transmit(index) }
        }
    }

    /// Whether a connection has nothing to send but news.
    ///
    /// Not a property of `ConnectionState`: reading it there would copy the whole state.
    private func isPlain(_ index: Int) -> Bool {
        states[index].flags.isEmpty && states[index].outbox == nil
    }

    /// Sends the news to a follower to whom there is nothing else, as with nearly all.
    ///
    /// A follower at the same position as the one before is sent the same batch.
    private func sendNews(to index: Int, _ feed: Feed) {
        let start = states[index].cursor.position
        guard start >= feed.ring.start else { return transmit(index) }
        guard start < feed.ring.end else { return }
        if batch.range != start..<feed.ring.end { batch.fill(feed.ring, from: start) }
        guard let sent = post(index) else { return }
        if sent == batch.total {
            states[index].cursor = feed.newest
        } else {
            advance(index, feed, by: sent)
            settle(index, isComplete: false)
        }
    }

    /// Sends what is due to one connection, in one system call if it fits a batch.
    private func transmit(_ index: Int) {
        guard states[index].isOpen, !states[index].flags.contains(.leaving) else { return }
        guard !states[index].flags.contains(.blocked) else { return pauseIfFull(index) }
        let feed = feed(of: index)
        if let feed, feed.hasLost(states[index].cursor) { markFallen(index) }
        var isAll = false
        var isTaken = true
        var batches = 0
        while isTaken && !isAll && batches < Self.batchesPerTurn {
            isAll = pack(index, feed)
            guard let sent = post(index) else { return }
            isTaken = sent == batch.total
            advance(index, feed, by: sent)
            batches += 1
        }
        settle(index, isComplete: isAll && isTaken)
    }

    /// Stops reading from a peer that asks for more than it takes.
    private func pauseIfFull(_ index: Int) {
        let pending = states[index].outbox?.count ?? 0
        guard pending > limits.pauseBytes, !states[index].flags.contains(.paused) else { return }
        pause(index)
        updateInterest(index)
    }

    /// Pauses reading from a connection until all its output is sent.
    func pause(_ index: Int) {
        guard states[index].flags.insert(.paused).inserted else { return }
        pauseChanges.append(states[index].handle)
    }

    /// Fills the batch with what is due, in order; false if the batch is full before the end.
    ///
    /// The outbox does not change before the batch is sent, so its bytes stay where they are.
    private func pack(_ index: Int, _ feed: Feed?) -> Bool {
        batch.clear()
        let range = dueRange(of: index, feed)
        // Nearly always the feed alone.
        guard let outbox = states[index].outbox else { return addFeed(feed, range) }
        var pieces = DuePieces(range, outbox)
        while let piece = pieces.next() {
            switch piece {
            case .feed(let range): guard addFeed(feed, range) else { return false }
            case .outbox(let range): guard batch.add(outbox, range) else { return false }
            }
        }
        return true
    }

    private func addFeed(_ feed: Feed?, _ range: Range<Int>) -> Bool {
        guard let feed, !range.isEmpty else { return true }
        return batch.add(feed.ring, range)
    }

    /// The part of the feed that is due; what has fallen is due nothing of it.
    func dueRange(of index: Int, _ feed: Feed?) -> Range<Int> {
        let position = states[index].cursor.position
        let isFallen = states[index].flags.contains(.fallen)
        guard let feed, !isFallen else { return position..<position }
        return position..<(suspension(of: index) ?? feed.ring.end)
    }

    /// Sends the batch; returns how many bytes the kernel took, or nil if the peer has gone.
    private func post(_ index: Int) -> Int? {
        guard batch.total > 0 else { return 0 }
        sends += 1
        let sent = batch.send(to: states[index].descriptor)
        if sent != -1 { return sent }
        if errno == EAGAIN { return 0 }
        leave(index, .broken(SystemError(code: errno, call: "send")))
        return nil
    }
}
