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
