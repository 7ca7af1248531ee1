/// When each bid that has no answer yet was sent, oldest first.
///
/// A ring, for answers come in the order of the bids.
public struct SendTimes: Sendable {
    private var times: [Int64]
    private var oldest = 0
    /// How many bids have no answer yet.
    public private(set) var count = 0

    /// Creates a ring for at most so many bids.
    public init(capacity: Int) {
        times = Array(repeating: 0, count: capacity)
    }

    /// Records that so many bids were sent at once; they must fit.
    public mutating func append(_ count: Int, at time: Int64) {
        precondition(self.count + count <= times.count, "more bids outstanding than allowed")
        var index = oldest + self.count
        for _ in 0..<count {
            if index >= times.count { index -= times.count }
            times[index] = time
            index += 1
        }
        self.count += count
    }

    /// Takes the time of the oldest bid; nil when none is outstanding.
    public mutating func takeOldest() -> Int64? {
        guard count > 0 else { return nil }
        defer {
            oldest = oldest + 1 == times.count ? 0 : oldest + 1
            count -= 1
        }
        return times[oldest]
    }
}
