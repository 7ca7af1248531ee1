import Auction
import Basics
import Wire

/// The time of day, counted from instants at which it was known.
struct TimeOfDay {
    /// An instant, and the time of day at it in milliseconds since 1970.
    private typealias Reading = (instant: Instant, timeOfDay: Int64)

    private let start: Reading
    private var latest: Reading

    init(at now: Instant, timeOfDay: Int64) {
        start = (now, Self.clamped(timeOfDay))
        latest = start
    }

    mutating func set(_ timeOfDay: Int64, at now: Instant) {
        latest = (now, Self.clamped(timeOfDay))
    }

    /// The time of day counted from the start.
    ///
    /// It ignores changes of the system's clock, so that no change ends a kick.
    func sinceStart(at now: Instant) -> Int64 { Self.time(at: now, after: start) }

    /// The time of day counted from the newest reading.
    func current(at now: Instant) -> Int64 { Self.time(at: now, after: latest) }

    /// The earlier of the two.
    ///
    /// Names have the current time at which they were used, so their ages count from this one: no
    /// change of the clock makes a name look older than it is.
    func earliest(at now: Instant) -> Int64 { min(sinceStart(at: now), current(at: now)) }

    /// The nearest time from 1970 to 9999, the years that the log can have.
    private static func clamped(_ timeOfDay: Int64) -> Int64 {
        min(max(timeOfDay, UTCTime.bounds.lowerBound), UTCTime.bounds.upperBound)
    }

    private static func time(at now: Instant, after reading: Reading) -> Int64 {
        let elapsed = now.nanoseconds - reading.instant.nanoseconds
        return max(reading.timeOfDay + elapsed / 1_000_000, 0)
    }
}
