#if os(Linux)
    import CLinux
    import Glibc
    import Posix

    /// The poller of Linux: the kernel keeps the set.
    ///
    /// Source: epoll_ctl(2), epoll_wait(2).
    final class EpollPoller: Poller {
        private let descriptor: Int32
        private var count = 0
        /// Room for all that is watched, so that one wait tells everything that is ready.
        private var events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)

        init() throws(SystemError) {
            descriptor = try syscall("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        }

        deinit {
            close(descriptor)
            events.deallocate()
        }

        func add(_ descriptor: Int32, for interest: Interest, handle: Handle) throws(SystemError) {
            try control(EPOLL_CTL_ADD, descriptor, interest, handle)
            count += 1
            guard count > events.count else { return }
            let capacity = 2 * events.count
            events.deallocate()
            events = .allocate(capacity: capacity)
        }

        func change(_ descriptor: Int32, to interest: Interest, handle: Handle) throws(SystemError)
        {
            try control(EPOLL_CTL_MOD, descriptor, interest, handle)
        }

        func remove(_ descriptor: Int32, handle: Handle) {
            _ = epoll_ctl(self.descriptor, EPOLL_CTL_DEL, descriptor, nil)
            count -= 1
        }

        func wait(milliseconds: Int32, into ready: inout [Readiness]) throws(SystemError) {
            let count = try countReady("epoll_wait", milliseconds) {
                epoll_wait(descriptor, events.baseAddress, Int32(events.count), $0)
            }
            for event in events[..<count] {
                ready.append(
                    Readiness(
                        handle: Handle(rawValue: event.data.u64), ready: Interest(epoll: event))
                )
            }
        }

        private func control(
            _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ handle: Handle
        ) throws(SystemError) {
            var event = epoll_event()
            if interest.contains(.readable) { event.events |= EPOLLIN.rawValue }
            if interest.contains(.writable) { event.events |= EPOLLOUT.rawValue }
            event.data.u64 = handle.rawValue
            try syscall("epoll_ctl") { epoll_ctl(self.descriptor, operation, descriptor, &event) }
        }
    }

    extension Interest {
        fileprivate init(epoll event: epoll_event) {
            self = []
            let readable = EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
            if event.events & readable != 0 { insert(.readable) }
            if event.events & EPOLLOUT.rawValue != 0 { insert(.writable) }
        }
    }
#endif
