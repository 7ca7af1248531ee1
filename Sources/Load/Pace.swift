/// The instants at which bids are due at a fixed rate, whatever became of those before.
///
/// A bid that is sent late counts from when it was due, so that a server that makes the bidder wait
/// does not make its own figures better.
public struct Pace: Sendable {
    private let rate: Int
    private let start: Int64
    /// How many bids were due by now.
    private var count = 0

    /// Creates a pace of so many bids a second; the first is due at the start, in nanoseconds.
    public init(rate: Int, from start: Int64) {
        self.rate = rate
        self.start = start
    }

    /// When the next bid is due.
    public var next: Int64 {
        let (seconds, rest) = count.quotientAndRemainder(dividingBy: rate)
        return start + Int64(seconds) * 1_000_000_000 + Int64(rest * 1_000_000_000 / rate)
    }

    /// Takes the next bid if it is due, and returns when it was.
    public mutating func takeDue(at now: Int64) -> Int64? {
        let due = next
        guard due <= now else { return nil }
        count += 1
        return due
    }
}
