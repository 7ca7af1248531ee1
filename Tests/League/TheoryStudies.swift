import Auction
import Strategies

/// Revenue equivalence: what risk-neutral bidders pay who play the equilibrium of each format.
public struct RevenueStudy: Sendable {
    /// The range from which private values are drawn.
    public let values: ClosedRange<Int64>
    /// How many bidders a sale has.
    public let bidders: Int
    /// How many lots a sale has.
    public let lots: Int

    /// Creates the study.
    public init(values: ClosedRange<Int64>, bidders: Int, lots: Int = 5) {
        (self.values, self.bidders, self.lots) = (values, bidders, lots)
    }

    /// Plays a number of sales of one format from a seed on; returns the revenue for a lot.
    public func play(_ format: AuctionFormat, sales: Int, seed: UInt64) -> Sample {
        let fineness = values.fineness
        var sale = SimulatedSale(format, values: .personal(values * fineness), lots: lots)
        sale.reaction = .zero ... .zero
        let seats = (0..<bidders).map { Seat(StrategyKind.equilibrium.make(seed: 1), number: $0) }
        var revenue = Sample()
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<sales {
            revenue.add(sale.play(seats, seed: chance.next()).revenue / Double(fineness))
        }
        return revenue
    }

    /// The revenue that the theory expects.
    public func expectation(in format: AuctionFormat) -> Double {
        PrivateValueAuction(
            values: Double(values.lowerBound)...Double(values.upperBound), bidders: bidders
        ).revenue(in: format)
    }
}

/// The winner's curse: what the winner earns if all take their estimates for the common value, and
/// if all correct them, by the number of bidders.
public struct CurseStudy: Sendable {
    /// The winner's mean profit with one number of bidders.
    public struct Row: Sendable {
        /// The number of bidders.
        public let bidders: Int
        /// In second-price auctions, with estimates as they are.
        public let naive: Sample
        /// In second-price auctions, with corrected estimates.
        public let correcting: Sample
        /// In first-price auctions, with estimates as they are.
        public let naiveFirstPrice: Sample
        /// In first-price auctions, with corrected estimates.
        public let correctingFirstPrice: Sample
        /// What the theory expects of `naive`.
        ///
        /// The price is the value plus the second-highest error, for which `noise` times
        /// (n - 3) / (n + 1) is expected.
        public let expectation: Double
    }

    /// The range from which the common value is drawn.
    public let values: ClosedRange<Int64>
    /// The most by which an estimate is wrong.
    public let noise: Int64

    /// Creates the study.
    public init(values: ClosedRange<Int64>, noise: Int64) {
        (self.values, self.noise) = (values, noise)
    }

    /// Plays a number of sales with each number of bidders, from a seed on.
    public func play(bidders: [Int], sales: Int, seed: UInt64) -> [Row] {
        bidders.map { bidders in
            let n = Double(bidders)
            func profit(_ format: AuctionFormat, _ kind: StrategyKind) -> Sample {
                winnerProfit(format, Array(repeating: kind, count: bidders), sales, seed)
            }
            return Row(
                bidders: bidders, naive: profit(.vickrey, .proxy),
                correcting: profit(.vickrey, .equilibrium),
                naiveFirstPrice: profit(.sealed, .proxy),
                correctingFirstPrice: profit(.sealed, .equilibrium),
                expectation: -Double(noise) * (n - 3) / (n + 1))
        }
    }

    private func winnerProfit(
        _ format: AuctionFormat, _ kinds: [StrategyKind], _ sales: Int, _ seed: UInt64
    ) -> Sample {
        let fineness = values.fineness
        let drawn = GameOptions.Values.common(values * fineness, noise: noise * fineness)
        let sale = SimulatedSale(format, values: drawn, lots: 5)
        let seats = kinds.enumerated().map { Seat($1.make(seed: 1), number: $0) }
        var profit = Sample()
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<sales {
            // Only the winner pays, so all profits together are the winner's.
            let profits = sale.play(seats, seed: chance.next()).profits
            profit.add(profits.reduce(0, +) / Double(fineness))
        }
        return profit
    }
}

extension ClosedRange<Int64> {
    /// As how many of money one unit of value is played, so that rounding hardly counts.
    fileprivate var fineness: Int64 { Swift.max(1_500 / Swift.max(upperBound, 1), 1) }

    fileprivate static func * (range: Self, factor: Int64) -> Self {
        range.lowerBound * factor...range.upperBound * factor
    }
}
