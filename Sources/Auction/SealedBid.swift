/// A bid whose amount is secret until the lot ends.
public struct SealedBid: Hashable, Sendable {
    /// The bidder, who has one sealed bid in a lot.
    public let bidder: Bidder

    /// The amount.
    public let price: Price

    /// The time from the opening of the lot to the bid.
    public let elapsed: Duration

    /// Creates a sealed bid; clamps the time to 0 through `Bid.longestElapsed`.
    public init(bidder: Bidder, price: Price, elapsed: Duration) {
        self.bidder = bidder
        self.price = price
        self.elapsed = min(max(elapsed, .zero), Bid.longestElapsed)
    }
}

/// The most that the server bids for a bidder, also called a proxy bid.
public struct MaximumBid: Hashable, Sendable {
    /// The bidder, who has one maximum in a lot.
    public let bidder: Bidder

    /// The amount.
    public let price: Price

    /// Creates a maximum bid.
    public init(bidder: Bidder, price: Price) {
        self.bidder = bidder
        self.price = price
    }

    /// The form in which an auction keeps it.
    var secret: SealedBid { SealedBid(bidder: bidder, price: price, elapsed: .zero) }
}
