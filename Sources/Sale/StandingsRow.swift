import AuctionRules

/// The row of a bidder in the standings of a sale.
public struct StandingsRow: Equatable, Sendable {
    /// The rank from 1; bidders who tie share one.
    public let rank: Int
    /// The bidder.
    public let bidder: Bidder
    /// The number of lots won.
    public let lots: Int
    /// The sum of their prices.
    public let spent: Int64
    /// What is left of the purse; nil if there is none.
    public let left: Int64?
    /// The sum of the values of the lots less their prices; nil if they have no values.
    public let profit: Int64?

    /// Creates a row.
    public init(
        rank: Int, bidder: Bidder, lots: Int, spent: Int64, left: Int64? = nil,
        profit: Int64? = nil
    ) {
        (self.rank, self.bidder, self.lots, self.spent) = (rank, bidder, lots, spent)
        (self.left, self.profit) = (left, profit)
    }
}
