/// How a lot ended.
public struct LotResult: Equatable, Sendable {
    /// The outcome of a lot.
    public enum Outcome: Equatable, Sendable {
        case sold(SoldLot)
        /// It ended unsold, for a reason of one word; the time since it opened, if it is known.
        case passed(reason: String, elapsed: Duration?)
    }

    /// The lot.
    public let lot: Lot

    /// The outcome.
    public let outcome: Outcome

    /// The number of the event that ended it.
    public let number: Int

    /// When the lot ended, in milliseconds since 1970 UTC, at most a second early; 0 if unknown.
    public let time: Int64

    /// Creates the result of a lot.
    public init(_ lot: Lot, _ outcome: Outcome, number: Int, time: Int64) {
        (self.lot, self.outcome, self.number, self.time) = (lot, outcome, number, time)
    }

    /// The event that ended the lot.
    package var event: SaleEvent {
        switch outcome {
        case .sold(let sold): .lotSold(sold)
        case .passed(let reason, let elapsed): .lotPassed(lot, reason: reason, elapsed: elapsed)
        }
    }
}

/// A lot that was sold: its winner and price.
public struct SoldLot: Equatable, Sendable {
    /// The number of the lot; nil if parsed from text, which does not have it.
    public let number: Int?
    /// The title of the lot.
    public let title: String
    /// The winner.
    public let bidder: Bidder
    /// The price paid.
    public let price: Price
    /// The time from the opening of the lot to its end.
    public let elapsed: Duration

    /// Creates a sold lot; clamps the time to 0 through `Bid.longestElapsed`.
    public init(number: Int?, title: String, bidder: Bidder, price: Price, elapsed: Duration) {
        self.number = number
        self.title = title
        self.bidder = bidder
        self.price = price
        self.elapsed = min(max(elapsed, .zero), Bid.longestElapsed)
    }

    /// Returns this lot with its number.
    package func ofLot(_ number: Int) -> SoldLot {
        SoldLot(number: number, title: title, bidder: bidder, price: price, elapsed: elapsed)
    }
}
