/// When each bid that has no answer yet was sent, oldest first.
///
/// A ring, for answers come in the order of the bids. It grows when it is full, which only bids at
/// a fixed rate do to it.
public struct SendTimes: Sendable {
    private var times: [Int64]
    private var oldest = 0
    /// How many bids have no answer yet.
    public private(set) var count = 0

    /// Creates a ring with room for so many bids, at least one.
    public init(capacity: Int) {
        times = Array(repeating: 0, count: max(capacity, 1))
    }

    /// Records that so many bids were sent at once.
    public mutating func append(_ count: Int, at time: Int64) {
        if self.count + count > times.count { grow(toHold: self.count + count) }
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

    /// Records how long each bid that is outstanding has waited by now.
    public func recordAges(at now: Int64, in ages: inout Histogram) {
        for index in oldest..<oldest + count { ages.record(now - times[index % times.count]) }
    }

    private mutating func grow(toHold needed: Int) {
        let inOrder = times[oldest...] + times[..<oldest]
        let room = max(needed, 2 * times.count) - times.count
        times = Array(inOrder) + Array(repeating: 0, count: room)
        oldest = 0
    }
}
