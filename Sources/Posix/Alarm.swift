#if os(Linux)
    import CLinux
    import Glibc

    /// A descriptor that becomes readable at an instant, to a few microseconds.
    ///
    /// A wait with a timeout counts in milliseconds.
    ///
    /// Source: timerfd_create(2).
    public final class Alarm {
        /// What to wait for.
        public let descriptor: Int32

        /// Creates an alarm that is not set.
        ///
        /// - Throws: `SystemError` when there is no descriptor left.
        public init() throws(SystemError) {
            descriptor = try syscall("timerfd_create") {
                timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
            }
        }

        deinit {
            close(descriptor)
        }

        /// Sets it to an instant in monotonic nanoseconds; until then it is not readable.
        ///
        /// - Throws: `SystemError` for an instant that the kernel does not know.
        public func set(at instant: Int64) throws(SystemError) {
            // An instant of 0 would switch the alarm off.
            let (seconds, rest) = max(instant, 1).quotientAndRemainder(dividingBy: 1_000_000_000)
            var setting = itimerspec()
            setting.it_value = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
            try syscall("timerfd_settime") {
                timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
            }
        }
    }
#endif
