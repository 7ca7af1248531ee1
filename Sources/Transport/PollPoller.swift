import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The poller of every Unix: the set is handed over with each wait.
///
/// Source: poll(2).
final class PollPoller: Poller {
    private var entries: [pollfd] = []
    private var handles: [Handle] = []
    /// Where in `entries` the descriptor of a slot stands, by slot.
    private var positions: [Int] = []

    func add(_ descriptor: Int32, for interest: Interest, handle: Handle) {
        while positions.count <= handle.slot { positions.append(-1) }
        positions[handle.slot] = entries.count
        entries.append(pollfd(fd: descriptor, events: interest.pollEvents, revents: 0))
        handles.append(handle)
    }

    func change(_ descriptor: Int32, to interest: Interest, handle: Handle) {
        entries[positions[handle.slot]].events = interest.pollEvents
    }

    func remove(_ descriptor: Int32, handle: Handle) {
        let position = positions[handle.slot]
        let last = entries.count - 1
        if position != last {
            entries[position] = entries[last]
            handles[position] = handles[last]
            positions[handles[position].slot] = position
        }
        positions[handle.slot] = -1
        entries.removeLast()
        handles.removeLast()
    }

    func wait(nanoseconds: Int64?, into ready: inout [Readiness]) throws(SystemError) {
        var left = try countReady("poll", nanoseconds) {
            poll(&entries, nfds_t(entries.count), milliseconds($0))
        }
        var index = 0
        while left > 0 {
            let interest = Interest(poll: entries[index].revents)
            if interest != [] {
                ready.append(Readiness(handle: handles[index], ready: interest))
                left -= 1
            }
            index += 1
        }
    }
}

extension Interest {
    fileprivate var pollEvents: Int16 {
        var events: Int16 = 0
        if contains(.readable) { events |= Int16(POLLIN) }
        if contains(.writable) { events |= Int16(POLLOUT) }
        return events
    }

    fileprivate init(poll events: Int16) {
        self = []
        let readable = Int16(POLLIN) | Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)
        if events & readable != 0 { insert(.readable) }
        if events & Int16(POLLOUT) != 0 { insert(.writable) }
    }
}
