#if os(Linux)
    import CLinux
    import Glibc
    import Posix

    /// The poller of Linux: the kernel keeps the set.
    ///
    /// Source: epoll_ctl(2), epoll_wait(2), which has epoll_pwait2 since Linux 5.11.
    final class EpollPoller: Poller {
        private let descriptor: Int32
        /// False once the kernel has turned out to be older than `epoll_pwait2`.
        private var isExact = true
        /// Room for more than was ever ready at once.
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
        }

        func change(_ descriptor: Int32, to interest: Interest, handle: Handle) throws(SystemError)
        {
            try control(EPOLL_CTL_MOD, descriptor, interest, handle)
        }

        func remove(_ descriptor: Int32, handle: Handle) {
            _ = epoll_ctl(self.descriptor, EPOLL_CTL_DEL, descriptor, nil)
        }

        func wait(nanoseconds: Int64?, into ready: inout [Readiness]) throws(SystemError) {
            var count = try countReady("epoll_wait", nanoseconds, wait)
            // One wait reports everything that is ready: level-triggered, it is reported again.
            while count == events.count {
                events.deallocate()
                events = .allocate(capacity: 2 * count)
                count = try countReady("epoll_wait", 0, wait)
            }
            for event in events[..<count] {
                ready.append(
                    Readiness(
                        handle: Handle(rawValue: event.data.u64), ready: Interest(epoll: event))
                )
            }
        }

        /// Waits to the nanosecond where the kernel can, and else to the next millisecond.
        private func wait(_ nanoseconds: Int64?) -> Int32 {
            if isExact, let nanoseconds, nanoseconds > 0 {
                var time = timespec(nanoseconds: nanoseconds)
                let count = clinux_epoll_wait(
                    descriptor, events.baseAddress, Int32(events.count), &time)
                guard count == -1, errno == ENOSYS else { return count }
                isExact = false
            }
            return epoll_wait(
                descriptor, events.baseAddress, Int32(events.count), milliseconds(nanoseconds))
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

    extension timespec {
        fileprivate init(nanoseconds: Int64) {
            let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            self.init(tv_sec: Int(seconds), tv_nsec: Int(rest))
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
