import Auction
import Basics
import Strategies

/// Strategies against each other in all formats.
///
/// Each sale draws its bidders from the strategies; each format then plays the same sales, with the
/// same bidders and values, so that formats can be compared.
public struct Tournament: Sendable {
    /// The results of one format.
    public struct Results: Sendable {
        /// What is paid for a lot; an unsold lot counts as 0.
        public fileprivate(set) var revenue = Sample()
        /// The part of the lots that went to a bidder with the highest value.
        public fileprivate(set) var efficiency = Sample()
        private let alike: [StrategyKind: StrategyKind]
        private var profits: [StrategyKind: Sample] = [:]

        fileprivate init(alike: [StrategyKind: StrategyKind]) {
            self.alike = alike
        }

        /// The first strategy that plays the format as this one does.
        public func representative(of kind: StrategyKind) -> StrategyKind { alike[kind] ?? kind }

        /// The profit for a lot of a strategy, and of all that play the format as it does.
        public func profit(of kind: StrategyKind) -> Sample {
            profits[representative(of: kind)] ?? Sample()
        }

        fileprivate mutating func add(_ profit: Double, of kind: StrategyKind) {
            profits[representative(of: kind), default: Sample()].add(profit)
        }
    }

    /// How the lots get their values.
    public let values: GameOptions.Values
    /// How many bidders a sale has.
    public let bidders: Int
    /// How many lots a sale has.
    public let lots: Int
    /// The strategies, each as likely as the others.
    public let kinds: [StrategyKind]

    /// Creates a tournament; a sale has at least two bidders, one lot and one strategy.
    public init(
        values: GameOptions.Values = .personal(50...150), bidders: Int = 4, lots: Int = 5,
        kinds: [StrategyKind] = StrategyKind.allCases
    ) {
        (self.values, self.bidders, self.lots, self.kinds) = (values, bidders, lots, kinds)
    }

    /// Plays a number of sales of one format from a seed on.
    public func play(_ format: AuctionFormat, sales: Int, seed: UInt64) -> Results {
        let sale = SimulatedSale(format, values: values, lots: lots)
        var results = Results(alike: alike(in: sale.rules))
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<sales {
            let kinds = (0..<bidders).map { _ in
                self.kinds.randomElement(using: &chance) ?? .truthful
            }
            let seats = kinds.enumerated().map { number, kind in
                Seat(kind.make(seed: chance.next()), number: number)
            }
            let result = sale.play(seats, seed: chance.next())
            for (kind, profit) in zip(kinds, result.profits) { results.add(profit, of: kind) }
            results.revenue.add(result.revenue)
            results.efficiency.add(result.efficiency)
        }
        return results
    }

    /// The first strategy that makes the same moves as each, on lots of all kinds of worth.
    ///
    /// Such strategies differ in the table by chance alone.
    private func alike(in rules: Rules) -> [StrategyKind: StrategyKind] {
        let moves = kinds.map { kind in
            views(rules).map { view in
                var strategy = kind.make(seed: 1)
                return strategy.decide(view, at: Instant(nanoseconds: 0))
            }
        }
        return Dictionary(
            zip(kinds, moves).map { kind, own in
                (kind, zip(kinds, moves).first { $0.1 == own }?.0 ?? kind)
            },
            uniquingKeysWith: { first, _ in first })
    }

    private func views(_ rules: Rules) -> [LotView] {
        let range = values.range
        let size = max((range.upperBound - range.lowerBound) / 20, 1)
        // A sealed bid counts the same at any time, a bid in a rising auction does not.
        let times: [Duration] = rules.format.isRising ? [.seconds(5), .zero] : [.zero]
        return stride(from: range.lowerBound, through: range.upperBound, by: Int(size)).flatMap {
            worth in
            times.flatMap { time in
                stride(from: 1, through: range.upperBound, by: Int(size)).map { ask in
                    var view = LotView(
                        lot: 1, terms: rules.terms, rivals: bidders - 1, worth: worth,
                        prior: range, noise: values.noise)
                    view.remaining = time
                    if rules.format.verb == .take { view.ask = Price(ask) }
                    if rules.format.isRising { view.minimum = ask }
                    return view
                }
            }
        }
    }
}
