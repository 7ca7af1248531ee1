import Basics

/// An accepted bid.
public struct Bid: Hashable, Sendable {
    /// The number of the bid in its lot, from 1.
    public let number: Int

    /// The price that the bid set.
    public let price: Price

    /// The bidder.
    public let bidder: Bidder

    /// The time from the opening of the lot to the bid.
    public let elapsed: Duration

    /// The longest time of a lot's clock, about three years; longer times are clamped.
    public static let longestElapsed = Duration.seconds(100_000_000)

    /// Creates the record of a bid; clamps the time to 0 through `longestElapsed`.
    public init(number: Int, price: Price, bidder: Bidder, elapsed: Duration) {
        self.number = number
        self.price = price
        self.bidder = bidder
        // Most times are brief; to compare durations is a call into the standard library.
        let isBrief = elapsed.briefNanoseconds != nil
        self.elapsed = isBrief ? elapsed : min(max(elapsed, .zero), Self.longestElapsed)
    }
}
