import Basics

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
/// It jumps when it is set, to any year, so it is printed and never waited for.
public func wallClockMilliseconds() -> Int64 { milliseconds(of: reading(of: CLOCK_REALTIME)) }

/// The milliseconds of a time, which may be more than 64 bits of nanoseconds.
///
/// A time that is too far away is the farthest one.
package func milliseconds(of time: timespec) -> Int64 {
    let (seconds, isFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000)
    let (sum, isTooFar) = seconds.addingReportingOverflow(Int64(time.tv_nsec) / 1_000_000)
    return isFar || isTooFar ? (time.tv_sec < 0 ? .min : .max) : sum
}

/// Makes the thread sleep for the given milliseconds, or somewhat more.
///
/// Source: poll(2).
public func pause(milliseconds: Int32) {
    _ = poll(nil, 0, milliseconds)
}

/// The time that a clock shows, in nanoseconds; not that of day, which can be too far away.
func nanoseconds(of clock: clockid_t) -> Int64 {
    let time = reading(of: clock)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

private func reading(of clock: clockid_t) -> timespec {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "a clock that was found can be read")
    return time
}
