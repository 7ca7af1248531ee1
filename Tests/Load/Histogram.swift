/// Counts of durations in buckets whose width is 1/32 of their value.
///
/// Nanoseconds. The memory is constant, and a percentile is at most 3.2 % too high, never too low.
///
/// Source: the buckets of HdrHistogram.
public struct Histogram: Sendable {
    private static let subBits = 5
    private static let subBuckets = 1 << subBits
    private static let bucketCount = (64 - subBits) * subBuckets

    private var counts = [Int](repeating: 0, count: bucketCount)
    /// The number of values.
    public private(set) var count = 0
    /// The exact maximum; 0 if there are no values.
    public private(set) var maximum: Int64 = 0

    /// Creates an empty histogram.
    public init() {}

    /// Records a value one or more times; a negative value counts as 0.
    public mutating func record(_ value: Int64, count times: Int = 1) {
        guard times > 0 else { return }
        let value = max(value, 0)
        counts[Self.bucket(of: value)] += times
        count += times
        maximum = max(maximum, value)
    }

    /// Adds all values of another histogram; O(buckets).
    public mutating func add(_ other: Histogram) {
        for (bucket, count) in other.counts.enumerated() { counts[bucket] += count }
        count += other.count
        maximum = max(maximum, other.maximum)
    }

    /// The value that a percentage of all values does not exceed; 0 if there are no values.
    ///
    /// The percentage is from 0 to 100. O(buckets).
    public func percentile(_ percent: Double) -> Int64 {
        precondition((0...100).contains(percent), "a percentage is from 0 to 100")
        let rank = max(1, Int((percent * Double(count) / 100).rounded(.up)))
        var seen = 0
        for (bucket, count) in counts.enumerated() where count > 0 {
            seen += count
            if seen >= rank { return min(Self.upperBound(of: bucket), maximum) }
        }
        return 0
    }

    /// Values below 32 have a bucket each; from there on each power of two has 32.
    private static func bucket(of value: Int64) -> Int {
        guard value >= subBuckets else { return Int(value) }
        let shift = 63 - value.leadingZeroBitCount - subBits
        return shift * subBuckets + Int(value >> shift)
    }

    private static func upperBound(of bucket: Int) -> Int64 {
        guard bucket >= subBuckets else { return Int64(bucket) }
        let shift = bucket / subBuckets - 1
        let lowerBound = Int64(bucket - shift * subBuckets) << shift
        return lowerBound + ((1 << shift) - 1)
    }
}
