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
    /// How each lot gets its values.
    public let values: GameOptions.Values
    /// The number of lots.
    public let lots: Int
    /// What each bidder may spend in the sale; nil for no limit.
    public let purse: Int64?
    /// How long a bidder takes to see a change.
    var reaction: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(400)

    /// Creates a sale; there is at least one lot.
    public init(rules: Rules, values: GameOptions.Values, lots: Int, purse: Int64? = nil) {
        (self.rules, self.values, self.lots, self.purse) = (rules, values, lots, purse)
    }

    /// Creates a sale with the usual rules of a format.
    public init(
        _ format: AuctionFormat, values: GameOptions.Values, lots: Int, purse: Int64? = nil
    ) {
        var rules = Rules(seconds: 7, format: format)
        if format.verb == .take {
            // At most ten falls a second, so that the price falls by little from above every value.
            let start = max(values.range.upperBound + (values.noise ?? 0), 1)
            let step = 1 + start / 36_000
            rules = Rules(
                seconds: min(Int(start / step) / 10 + 5, 3600), start: Price(start) ?? .highest,
                step: Price(step) ?? .lowest, format: format)
        }
        self.init(rules: rules, values: values, lots: lots, purse: purse)
    }

    /// Plays the sale; the same seed gives the same values in every format.
    public func play(_ seats: [Seat], seed: UInt64) -> SaleResult {
        var seats = seats
        var chance = SeededGenerator(seed: seed)
        var profits = [Double](repeating: 0, count: seats.count)
        var purses = purse.map { [Int64](repeating: $0, count: seats.count) }
        var (revenue, efficient, bound) = (0.0, 0, 0)
        for number in 1...lots {
            let (worths, seen) = draw(for: seats.count, using: &chance)
            var lot = SimulatedLot(
                number: number, of: self, worths: seen, purses: purses,
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

    /// What a lot is worth to each bidder, and what each knows of that.
    private func draw(
        for bidders: Int, using chance: inout SeededGenerator
    ) -> (worths: [Int64], seen: [Int64]) {
        switch values {
        case .personal(let range):
            let worths = (0..<bidders).map { _ in Int64.random(in: range, using: &chance) }
            return (worths, worths)
        case .common(let range, let noise):
            let value = Int64.random(in: range, using: &chance)
            let estimates = (0..<bidders).map { _ in
                max(value + .random(in: -noise...noise, using: &chance), 0)
            }
            return (Array(repeating: value, count: bidders), estimates)
        }
    }
}
