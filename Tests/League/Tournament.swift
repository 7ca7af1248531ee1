import Auction
import Strategies

/// All strategies against each other in all formats.
///
/// Each sale draws its bidders from all strategies; each format then plays the same sales, with the
/// same bidders and values, so that formats can be compared.
public struct Tournament: Sendable {
    /// The results of one format.
    public struct Results: Sendable {
        /// The profit for a lot of each strategy.
        public fileprivate(set) var profit: [StrategyKind: Sample] = [:]
        /// What is paid for a lot; an unsold lot counts as 0.
        public fileprivate(set) var revenue = Sample()
        /// The part of the lots that went to a bidder with the highest value.
        public fileprivate(set) var efficiency = Sample()
    }

    /// How many bidders a sale has.
    public let bidders: Int
    /// How many lots a sale has.
    public let lots: Int
    /// The range from which values are drawn evenly.
    public static let values: ClosedRange<Int64> = 50...150

    /// Creates a tournament; a sale has at least two bidders, and at least one lot.
    public init(bidders: Int = 4, lots: Int = 5) {
        (self.bidders, self.lots) = (bidders, lots)
    }

    /// The rules under which a format is played.
    public static func rules(of format: AuctionFormat) -> Rules {
        guard format.verb == .take else { return Rules(seconds: 7, format: format) }
        // At most ten falls a second, so that the price falls by 1 from above every value.
        return Rules(seconds: 20, start: Price(values.upperBound) ?? .highest, format: format)
    }

    /// Plays a number of sales of one format from a seed on.
    public func play(_ format: AuctionFormat, sales: Int, seed: UInt64) -> Results {
        let sale = SimulatedSale(
            rules: Self.rules(of: format), values: Self.values, lots: lots)
        var results = Results()
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<sales {
            let kinds = (0..<bidders).map { _ in
                StrategyKind.allCases.randomElement(using: &chance) ?? .truthful
            }
            let seats = kinds.enumerated().map { number, kind in
                Seat(kind.make(seed: chance.next()), number: number)
            }
            let result = sale.play(seats, seed: chance.next())
            for (kind, profit) in zip(kinds, result.profits) {
                results.profit[kind, default: Sample()].add(profit)
            }
            results.revenue.add(result.revenue)
            results.efficiency.add(result.efficiency)
        }
        return results
    }
}
