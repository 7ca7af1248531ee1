/// The instants at which bids are due in an open loop.
///
/// A late bid counts from its due time, so a server that delays the bidder is charged for it.
public struct Schedule: Sendable {
    private let rate: Int
    private let start: Int64
    private var count = 0

    /// Creates a schedule of `rate` bids a second; the first is due at `start`, in nanoseconds.
    public init(rate: Int, from start: Int64) {
        self.rate = rate
        self.start = start
    }

    /// When the next bid is due.
    public var next: Int64 {
        let (seconds, rest) = count.quotientAndRemainder(dividingBy: rate)
        return start + Int64(seconds) * 1_000_000_000 + Int64(rest * 1_000_000_000 / rate)
    }

    /// Removes the next bid if it is due, and returns its due time.
    public mutating func popDue(at now: Int64) -> Int64? {
        let due = next
        guard due <= now else { return nil }
        count += 1
        return due
    }
}

/// The replies to bids, counted.
public struct Tally: Sendable {
    /// Accepted bids.
    public private(set) var accepted = 0
    /// Bids refused as too low.
    public private(set) var tooLow = 0
    /// Bids refused because their bidder led.
    public private(set) var leading = 0
    /// Bids refused for another reason, such as between lots.
    public private(set) var otherwiseRefused = 0
    /// From sending a bid to its acceptance, in nanoseconds.
    public private(set) var latency = Histogram()

    /// Creates an empty tally.
    public init() {}

    /// All refused bids.
    public var refused: Int { tooLow + leading + otherwiseRefused }

    /// Counts a reply that arrived a number of nanoseconds after its bid was sent.
    public mutating func count(_ reply: Reply, after nanoseconds: Int64) {
        switch reply {
        case .accepted:
            accepted += 1
            latency.record(nanoseconds)
        case .tooLow: tooLow += 1
        case .leading: leading += 1
        case .nameTaken, .refused: otherwiseRefused += 1
        }
    }
}
