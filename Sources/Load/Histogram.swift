/// Counts of times in buckets that are 1/32 of their value wide, whatever the value.
///
/// Nanoseconds. Memory does not grow with what is recorded, and a value is found again within
/// 3.2 %, always too high rather than too low.
///
/// Source: the buckets of HdrHistogram.
public struct Histogram: Sendable {
    private static let subBits = 5
    private static let subBuckets = 1 << subBits
    private static let bucketCount = (64 - subBits) * subBuckets

    private var counts = [Int](repeating: 0, count: bucketCount)
    /// How many values were recorded.
    public private(set) var count = 0
    /// The highest value recorded, exactly; 0 before the first.
    public private(set) var highest: Int64 = 0

    /// Creates an empty histogram.
    public init() {}

    /// Records a value, once or so many times; a negative one counts as 0.
    public mutating func record(_ value: Int64, count times: Int = 1) {
        guard times > 0 else { return }
        let value = max(value, 0)
        counts[Self.bucket(of: value)] += times
        count += times
        highest = max(highest, value)
    }

    /// The value that a share of all, from 0 to 1, does not pass; 0 when nothing was recorded.
    ///
    /// O(buckets).
    public func quantile(_ share: Double) -> Int64 {
        precondition((0...1).contains(share), "a share of all is from 0 to 1")
        let rank = max(1, Int((share * Double(count)).rounded(.up)))
        var seen = 0
        for (bucket, count) in counts.enumerated() where count > 0 {
            seen += count
            if seen >= rank { return min(Self.upperBound(of: bucket), highest) }
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
