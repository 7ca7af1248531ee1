#if os(Linux)
    import CLinux
    import Glibc
    import Posix

    /// The poller of Linux: the kernel keeps the set.
    ///
    /// Source: epoll_ctl(2), epoll_wait(2).
    final class EpollPoller: Poller {
        private static let batch = 1024

        private let descriptor: Int32
        private let events: UnsafeMutablePointer<epoll_event>

        init() throws(SystemError) {
            descriptor = try syscall("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
            events = .allocate(capacity: Self.batch)
        }

        deinit {
            close(descriptor)
            events.deallocate()
        }

        func add(_ descriptor: Int32, for interest: Interest, handle: Handle) throws(SystemError) {
            try control(EPOLL_CTL_ADD, descriptor, interest, handle)
        }

        func change(_ descriptor: Int32, to interest: Interest, handle: Handle) throws(SystemError)
        {
            try control(EPOLL_CTL_MOD, descriptor, interest, handle)
        }

        func remove(_ descriptor: Int32, handle: Handle) {
            _ = epoll_ctl(self.descriptor, EPOLL_CTL_DEL, descriptor, nil)
        }

        func wait(milliseconds: Int32, into ready: inout [Readiness]) throws(SystemError) {
            let count = epoll_wait(descriptor, events, Int32(Self.batch), milliseconds)
            guard count != -1 else {
                // An interrupted wait is one in which nothing became ready: the caller sets the
                // time.
                if errno == EINTR { return }
                throw SystemError(code: errno, call: "epoll_wait")
            }
            for index in 0..<Int(count) {
                let event = events[index]
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
