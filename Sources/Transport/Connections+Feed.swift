/// A place in a feed at which sending to a connection is suspended.
struct Suspension {
    let end: Int
    /// Whether the connection has fallen behind meanwhile; reported when the feed is resumed.
    var hasFallen = false
}

extension Connections {
    /// Whether anybody would hear what is appended to a feed.
    public func isFollowed(_ feed: Int) -> Bool {
        feeds[feed].map { !$0.followers.isEmpty } ?? false
    }

    /// Lets a connection hear everything that is appended to a feed from now on.
    ///
    /// What it had not been sent of another feed still comes first. If that is more than 64 KiB, or
    /// has been written over, the connection has fallen behind instead. Following the same feed
    /// again changes nothing; neither does following when the connection is to finish.
    public func follow(_ handle: Handle, feed: Int) {
        guard let index = index(of: handle), states[index].feed != Int16(feed),
            !states[index].flags.contains(.finishing)
        else { return }
        let target = feeds[feed] ?? makeFeed()
        feeds[feed] = target
        let missed = leaveFeed(index)
        states[index].feed = Int16(feed)
        states[index].place = Int32(target.add(index))
        states[index].cursor = target.newest
        states[index].cursor.record -= missed
    }

    /// Appends one record, which is sent whole or not at all, for all followers of a feed.
    ///
    /// Nothing happens if there are none. A quarter of the ring is the most that waits for a flush:
    /// before it would be more, this flushes by itself. The bytes must fit the ring.
    public func append(_ record: ArraySlice<UInt8>, feed: Int) {
        guard !record.isEmpty, let target = target(feed, for: record.count) else { return }
        record.withUnsafeBytes { target.append($0) }
    }

    /// Appends several records at once, which stand one behind the other; their lengths add up.
    ///
    /// The same as to append each of them, but faster. All together must fit the ring.
    public func append(_ records: ArraySlice<UInt8>, lengths: some Sequence<Int>, feed: Int) {
        guard !records.isEmpty, let target = target(feed, for: records.count) else { return }
        records.withUnsafeBytes { target.append($0, lengths: lengths) }
    }

    /// The feed to append to; nil if no connection follows it.
    private func target(_ number: Int, for bytes: Int) -> Feed? {
        guard let feed = feeds[number], !feed.followers.isEmpty else { return nil }
        let waiting = feed.unserved > 0 ? feed.ring.end - feed.served : 0
        if waiting > 0 && waiting + bytes > feed.ring.capacity / 4 { flush() }
        return feed
    }

    /// Takes the connections that have fallen out of their feed since the last time.
    ///
    /// Nothing of the feed is sent to one of them until it is told to `skip`.
    public func takeFallen() -> [Handle] {
        defer { fallen.removeAll(keepingCapacity: true) }
        return fallen.filter { index(of: $0).map { states[$0].flags.contains(.fallen) } ?? false }
    }

    /// Sets a fallen connection to the end of its feed, and returns how many records it missed.
    ///
    /// Replies it was given before still come first; those it is given now come before the next
    /// news. 0 for a connection that has not fallen.
    public func skip(_ handle: Handle) -> Int {
        guard let index = index(of: handle), states[index].flags.contains(.fallen) else { return 0 }
        let newest = feed(of: index)?.newest ?? Cursor()
        let missed = newest.record - states[index].cursor.record
        states[index].cursor = newest
        states[index].flags.remove(.fallen)
        markDirty(index)
        return missed
    }

    /// Ends the following of a feed, and returns how many records are missed by that.
    ///
    /// What was not sent yet still comes, up to 64 KiB; if it is more, all of it is missed.
    public func unfollow(_ handle: Handle) -> Int {
        guard let index = index(of: handle) else { return 0 }
        let missed = leaveFeed(index)
        states[index].flags.remove(.fallen)
        states[index].cursor = Cursor()
        return missed
    }

    /// Suspends a connection's feed at its current end, until `resumeFeed`.
    ///
    /// Replies until then come right after that place, without news between them. What is appended
    /// to the feed meanwhile comes afterwards. A connection that falls behind is reported when its
    /// feed is resumed.
    public func suspendFeed(_ handle: Handle) {
        guard let index = index(of: handle), !states[index].flags.contains(.suspended),
            let feed = feed(of: index)
        else { return }
        states[index].flags.insert(.suspended)
        suspensions[Int32(index)] = Suspension(end: feed.ring.end)
        if states[index].flags.contains(.fallen) { states[index].cursor.position = feed.ring.end }
    }

    /// Resumes a connection's feed.
    public func resumeFeed(_ handle: Handle) {
        guard let index = index(of: handle), states[index].flags.contains(.suspended) else {
            return
        }
        endSuspension(index)
        markDirty(index)
    }

    func endSuspension(_ index: Int) {
        guard states[index].flags.remove(.suspended) != nil,
            let suspension = suspensions.removeValue(forKey: Int32(index))
        else { return }
        if suspension.hasFallen { fallen.append(states[index].handle) }
    }

    /// The place at which a feed is suspended for a connection; nil if it is not.
    func suspension(of index: Int) -> Int? {
        states[index].flags.contains(.suspended) ? suspensions[Int32(index)]?.end : nil
    }

    func markFallen(_ index: Int) {
        guard !states[index].flags.contains(.fallen) else { return }
        states[index].flags.insert(.fallen)
        if let end = suspension(of: index) {
            // Its replies are sent at this place, and the number of its last record shows what it
            // missed.
            states[index].cursor.position = end
            suspensions[Int32(index)]?.hasFallen = true
        } else {
            fallen.append(states[index].handle)
        }
    }

    /// Ends the reading of the present feed, if any, and returns how many of its records were missed.
    ///
    /// Afterwards everything in the outbox is due at once: the positions were those of the old
    /// feed.
    func leaveFeed(_ index: Int) -> Int {
        guard let feed = feed(of: index) else { return 0 }
        endSuspension(index)
        defer { stopFollowing(index) }
        let cursor = states[index].cursor
        let behind = feed.ring.end - cursor.position
        let room = limits.outputBytes - (states[index].outbox?.count ?? 0)
        let isWaitedFor = behind <= min(Self.flattenBytes, room) && !feed.hasLost(cursor)
        markDirty(index)
        if isWaitedFor && !states[index].flags.contains(.fallen) {
            if behind > 0 {
                change(outbox(of: index)) { $0.flatten(feed.ring, from: cursor.position) }
            }
            states[index].outbox?.makeAllDue()
            return 0
        }
        states[index].outbox?.makeAllDue()
        markFallen(index)
        return feed.ring.records - cursor.record
    }

    func stopFollowing(_ index: Int) {
        guard let feed = feed(of: index) else { return }
        let place = Int(states[index].place)
        if let moved = feed.remove(at: place) { states[moved].place = Int32(place) }
        states[index].feed = -1
    }
}
