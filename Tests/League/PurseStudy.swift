import Auction
import Strategies

/// How much a purse matters: sales among bidders who bid their values and one who bids less.
///
/// Each purse plays the same sales, with the same values, in rising auctions.
public struct PurseStudy: Sendable {
    /// The results with one purse.
    public struct Row: Sendable {
        /// What each bidder may spend in the sale.
        public let purse: Int64
        /// The part of the chances to bid in which a bidder had less than the lot was worth.
        public fileprivate(set) var bound = Sample()
        /// The part of all purses that was not spent.
        public fileprivate(set) var unspent = Sample()
        /// The profit of a sale of the bidder who bids less than the value.
        public fileprivate(set) var shader = Sample()
        /// The mean profit of a sale of the others.
        public fileprivate(set) var truthful = Sample()
    }

    /// The range from which private values are drawn.
    public let values: ClosedRange<Int64>
    /// How many bidders a sale has.
    public let bidders: Int
    /// How many lots a sale has.
    public let lots = 10

    /// Creates the study.
    public init(values: ClosedRange<Int64>, bidders: Int) {
        (self.values, self.bidders) = (values, bidders)
    }

    /// Purses from one that buys a lot or two to one that buys everything; the middle one is the
    /// server's automatic one.
    public var purses: [Int64] {
        let middle = Int64(lots) * (values.lowerBound + values.upperBound) * 9 / 20 / Int64(bidders)
        return [middle * 4 / 9, middle * 2 / 3, middle, middle * 4 / 3, middle * 40 / 9]
    }

    /// Plays a number of sales with each purse from a seed on.
    public func play(sales: Int, seed: UInt64) -> [Row] {
        purses.map { purse in
            let sale = SimulatedSale(
                .english, values: .personal(values), lots: lots, purse: purse)
            var row = Row(purse: purse)
            var chance = SeededGenerator(seed: seed)
            for number in 0..<sales {
                // No place at the table has an advantage.
                let place = number % bidders
                let seats = (0..<bidders).map { seat in
                    Seat(seat == place ? Shader() : Truthful(), number: seat)
                }
                let result = sale.play(seats, seed: chance.next())
                let profits = result.profits.map { $0 * Double(lots) }
                let others = profits.reduce(0, +) - profits[place]
                row.bound.add(result.bound)
                row.unspent.add(result.unspent)
                row.shader.add(profits[place])
                row.truthful.add(others / Double(bidders - 1))
            }
            return row
        }
    }
}
