/// When bids are due in a room whose lots end: rounds of bids, each with a last one.
///
/// A round has bids at a fixed rate for a second, and one more 200 ms later, so that no other is
/// outstanding when the countdown begins for the last time. Then nothing is due until the next lot
/// opens. Times are in nanoseconds.
public struct BiddingRounds: Sendable {
    private static let risingNanoseconds: Int64 = 1_000_000_000
    private static let lastBidNanoseconds: Int64 = 1_200_000_000

    private let rate: Int
    private var schedule: Schedule?
    private var risesUntil: Int64 = 0
    /// When the next bid is due; `.max` if none is before the next lot.
    public private(set) var next = Int64.max

    /// Creates rounds with a number of bids a second; the first round begins with `lotOpened`.
    public init(rate: Int) {
        self.rate = rate
    }

    /// Begins a round, in place of the current one.
    public mutating func lotOpened(at time: Int64) {
        schedule = Schedule(rate: rate, from: time)
        risesUntil = time + Self.risingNanoseconds
        next = time
    }

    /// Removes the next bid if it is due, and returns whether it is the last of its round.
    ///
    /// Bids that are overdue become one, so that a late client does not bid in bursts.
    public mutating func popDue(at now: Int64) -> Bool? {
        guard next <= now else { return nil }
        guard schedule != nil else {
            next = .max
            return true
        }
        while let due = schedule?.popDue(at: now), due < now {}
        next = schedule?.next ?? .max
        if next >= risesUntil {
            schedule = nil
            next = max(now, risesUntil) + Self.lastBidNanoseconds - Self.risingNanoseconds
        }
        return false
    }
}
