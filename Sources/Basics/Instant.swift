/// A point on the monotonic clock that stops while the machine sleeps, in nanoseconds.
///
/// This module never reads a clock: the caller passes every instant.
public struct Instant: InstantProtocol {
    /// The nanoseconds since the clock's origin, which is arbitrary.
    public let nanoseconds: Int64

    /// Creates the instant a number of nanoseconds after the clock's origin.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// An instant before every other.
    public static let distantPast = Instant(nanoseconds: .min)

    /// Returns the instant that is later by `duration`, truncated to a nanosecond.
    public func advanced(by duration: Duration) -> Instant {
        if let brief = duration.briefNanoseconds {
            return Instant(nanoseconds: nanoseconds + brief)
        }
        let (seconds, attoseconds) = duration.components
        return Instant(
            nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Returns how much later `other` is.
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    /// Orders instants in time.
    public static func < (earlier: Instant, later: Instant) -> Bool {
        earlier.nanoseconds < later.nanoseconds
    }
}

extension Duration {
    /// The whole nanoseconds of a duration from 0 to about 78 minutes; nil for any other.
    ///
    /// It divides 64 bits, while `components` divides 128 bits: each bid needs four conversions.
    package var briefNanoseconds: Int64? {
        // A nanosecond is 10^9 attoseconds, which is 2^9 times 5^9.
        let attoseconds = attoseconds
        guard attoseconds >= 0, let shifted = Int64(exactly: attoseconds >> 9) else { return nil }
        return shifted / 1_953_125
    }
}

extension Instant {
    /// The earlier of two instants, each of which may be missing.
    package static func earliest(_ first: Instant?, _ second: Instant?) -> Instant? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}

/// Counts of durations in fixed buckets from 50 µs to 1 s, with their sum.
///
/// Durations are in nanoseconds. The memory is constant.
public struct DurationHistogram: Equatable, Sendable {
    /// The inclusive upper bounds of the buckets; one more bucket has no bound.
    public static let bounds: [Int64] = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
        25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000,
    ]

    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The number of durations.
    public private(set) var count = 0
    /// The sum of all durations.
    public private(set) var sum: Int64 = 0

    /// Creates an empty histogram.
    public init() {}

    /// Records a duration; a negative one counts as 0.
    public mutating func record(_ nanoseconds: Int64) {
        let bucket = Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count
        counts[bucket] += 1
        count += 1
        sum += max(nanoseconds, 0)
    }

    /// The number of durations up to each bound.
    public var cumulativeCounts: [Int] {
        var total = 0
        return counts.dropLast().map { count in
            total += count
            return total
        }
    }
}
