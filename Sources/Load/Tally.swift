/// What became of the bids, counted.
public struct Tally: Sendable {
    /// Bids that became the price.
    public private(set) var accepted = 0
    /// Bids that were refused because somebody else had bid as much.
    public private(set) var tooLow = 0
    /// Bids that were refused because their bidder led.
    public private(set) var leading = 0
    /// Bids that were refused for another reason, such as between lots.
    public private(set) var otherwiseRefused = 0
    /// From sending to `OK`, in nanoseconds.
    public private(set) var latency = Histogram()

    /// Creates an empty tally.
    public init() {}

    /// Bids that were refused for any reason.
    public var refused: Int { tooLow + leading + otherwiseRefused }

    /// Counts an answer, read so many nanoseconds after its bid was sent.
    public mutating func count(_ answer: Answer, after nanoseconds: Int64) {
        switch answer {
        case .ok:
            accepted += 1
            latency.record(nanoseconds)
        case .tooLow: tooLow += 1
        case .leading: leading += 1
        case .nameTaken, .otherError: otherwiseRefused += 1
        }
    }
}
