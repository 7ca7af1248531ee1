import MonotonicTime

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads the clock by which deadlines are kept: nanoseconds that never go back.
///
/// It stands still while the machine sleeps, and its zero means nothing.
///
/// Source: clock_gettime(2), `CLOCK_MONOTONIC`; on Darwin `CLOCK_UPTIME_RAW`.
public func monotonicNanoseconds() -> Int64 {
    #if canImport(Darwin)
        return Int64(clock_gettime_nsec_np(CLOCK_UPTIME_RAW))
    #else
        return nanoseconds(of: CLOCK_MONOTONIC)
    #endif
}

extension Instant {
    /// The present, by the clock by which deadlines are kept.
    public static var now: Instant { Instant(nanoseconds: monotonicNanoseconds()) }
}

/// Reads the time of day: milliseconds since the first of January 1970, UTC.
///
/// It jumps when it is set, so it is printed and never waited for.
public func wallClockMilliseconds() -> Int64 {
    nanoseconds(of: CLOCK_REALTIME) / 1_000_000
}

/// Makes the thread sleep for the given milliseconds, or somewhat more.
///
/// Source: poll(2).
public func pause(milliseconds: Int32) {
    _ = poll(nil, 0, milliseconds)
}

/// The time that a clock shows, in nanoseconds.
func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "a clock that was found can be read")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
