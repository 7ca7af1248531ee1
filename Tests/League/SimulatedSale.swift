import Auction
import Strategies

/// What one simulated sale has brought.
public struct SaleResult: Sendable {
    /// The mean profit for each lot of each seat.
    public let profits: [Double]
    /// The mean of what is paid for a lot; an unsold lot counts as 0.
    public let revenue: Double
    /// The part of the lots that went to a bidder with the highest value.
    public let efficiency: Double
    /// The part of the chances to bid in which a bidder had less than the lot was worth; 0 without
    /// purses.
    public let bound: Double
    /// The part of all purses that was not spent; 0 without purses.
    public let unspent: Double
}

/// A sale of a few lots among the same bidders, with values of their own.
public struct SimulatedSale: Sendable {
    /// The rules of every lot.
    public let rules: Rules
    /// The range from which values are drawn evenly.
    public let values: ClosedRange<Int64>
    /// The number of lots.
    public let lots: Int
    /// What each bidder may spend in the sale; nil for no limit.
    public let purse: Int64?

    /// Creates a sale; there is at least one lot.
    public init(rules: Rules, values: ClosedRange<Int64>, lots: Int, purse: Int64? = nil) {
        (self.rules, self.values, self.lots, self.purse) = (rules, values, lots, purse)
    }

    /// Plays the sale; the same seed gives the same values in every format.
    public func play(_ seats: [Seat], seed: UInt64) -> SaleResult {
        var seats = seats
        var chance = SeededGenerator(seed: seed)
        var profits = [Double](repeating: 0, count: seats.count)
        var purses = purse.map { [Int64](repeating: $0, count: seats.count) }
        var (revenue, efficient, bound) = (0.0, 0, 0)
        for number in 1...lots {
            let worths = seats.map { _ in Int64.random(in: values, using: &chance) }
            var lot = SimulatedLot(
                number: number, of: self, worths: worths, purses: purses,
                chance: SeededGenerator(seed: chance.next()))
            if let purses { bound += zip(purses, worths).count { $0 < $1 } }
            let payments = lot.play(&seats)
            for (index, seat) in seats.enumerated() {
                guard let payment = payments.first(where: { $0.bidder == seat.bidder }) else {
                    continue
                }
                let hasWon = payment == payments.first
                profits[index] += Double((hasWon ? worths[index] : 0) - payment.price.amount)
                purses?[index] -= payment.price.amount
                revenue += Double(payment.price.amount)
                if hasWon, worths[index] == worths.max() { efficient += 1 }
            }
        }
        let count = Double(lots)
        return SaleResult(
            profits: profits.map { $0 / count }, revenue: revenue / count,
            efficiency: Double(efficient) / count,
            bound: Double(bound) / count / Double(seats.count),
            unspent: purses.map { Double($0.reduce(0, +)) / Double(purse ?? 1) / Double($0.count) }
                ?? 0)
    }
}
