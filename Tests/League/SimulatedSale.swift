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
}

/// A sale of a few lots among the same bidders, with values of their own.
public struct SimulatedSale: Sendable {
    /// The rules of every lot.
    public let rules: Rules
    /// The range from which values are drawn evenly.
    public let values: ClosedRange<Int64>
    /// The number of lots.
    public let lots: Int

    /// Creates a sale; there is at least one lot.
    public init(rules: Rules, values: ClosedRange<Int64>, lots: Int) {
        (self.rules, self.values, self.lots) = (rules, values, lots)
    }

    /// Plays the sale; the same seed gives the same values in every format.
    public func play(_ seats: [Seat], seed: UInt64) -> SaleResult {
        var seats = seats
        var chance = SeededGenerator(seed: seed)
        var profits = [Double](repeating: 0, count: seats.count)
        var (revenue, efficient) = (0.0, 0)
        for number in 1...lots {
            let worths = seats.map { _ in Int64.random(in: values, using: &chance) }
            var lot = SimulatedLot(
                number: number, rules: rules, worths: worths, prior: values,
                chance: SeededGenerator(seed: chance.next()))
            let payments = lot.play(&seats)
            for (index, seat) in seats.enumerated() {
                guard let payment = payments.first(where: { $0.bidder == seat.bidder }) else {
                    continue
                }
                let hasWon = payment == payments.first
                profits[index] += Double((hasWon ? worths[index] : 0) - payment.price.amount)
                revenue += Double(payment.price.amount)
                if hasWon, worths[index] == worths.max() { efficient += 1 }
            }
        }
        let count = Double(lots)
        return SaleResult(
            profits: profits.map { $0 / count }, revenue: revenue / count,
            efficiency: Double(efficient) / count)
    }
}
