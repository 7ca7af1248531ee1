import Auction
import Basics
import League
import Strategies
import Testing

/// What the theory of auctions says of the strategies, played with the rules of the server.
@Suite struct TheoryTests {
    /// For each value, each pair of rival bids and each own bid, first and last in time.
    @Test(arguments: [true, false])
    func noBidBeatsTheValueInASecondPriceAuction(ownIsFirst: Bool) throws {
        let amounts: ClosedRange<Int64> = 1...7
        for first in amounts {
            for second in amounts {
                let rivals = [first, second]
                let profits = try amounts.map { bid -> (price: Int64?, bid: Int64) in
                    (try price(of: bid, against: rivals, ownIsFirst: ownIsFirst), bid)
                }
                for value in amounts {
                    let truthful = profit(of: value, for: profits[Int(value - 1)].price)
                    for (price, bid) in profits {
                        #expect(
                            truthful >= profit(of: value, for: price),
                            "\(bid) beats the value \(value) against \(rivals)")
                    }
                }
            }
        }
    }

    /// Revenue equivalence, played with the rules of the server.
    @Test(arguments: AuctionFormat.allCases)
    func inEquilibriumEachFormatEarnsTheSecondHighestValue(format: AuctionFormat) {
        let study = RevenueStudy(values: 50...150, bidders: 4)
        let revenue = study.play(format, sales: format.verb == .take ? 20 : 200, seed: 1)
        #expect(study.expectation(in: format) == 110)
        #expect(abs(revenue.mean - 110) <= 1.5 * revenue.margin)
        #expect(revenue.margin < 6)
    }

    @Test func whoeverCorrectsTheEstimateEscapesTheWinnersCurse() {
        let rows = CurseStudy(values: 50...150, noise: 20).play(
            bidders: [3, 8], sales: 100, seed: 1)
        for row in rows {
            #expect(abs(row.naive.mean - row.expectation) <= 1.5 * row.naive.margin)
            #expect(row.correcting.mean > 3)
        }
        #expect(rows.map { $0.expectation.rounded() } == [0, -11])
        #expect(rows[1].naiveFirstPrice.mean < 0 && rows[1].correctingFirstPrice.mean > 0)
    }

    @Test func aRisingAuctionEarnsTheSameUpToItsStep() {
        let second = revenue(.vickrey, of: .truthful, values: 50...150, sales: 60)
        let english = revenue(.english, of: .truthful, values: 50...150, sales: 60)
        #expect(abs(english.mean - second.mean) <= english.margin + second.margin + 1)
    }

    @Test(
        arguments: [
            (bidders: 2, start: 1), (3, 1), (5, 1), (2, 80), (4, 140),
        ] as [(bidders: Int, start: Int64)])
    func shadingIsABestResponseToItself(bidders: Int, start: Int64) {
        let values: ClosedRange<Int64> = 0...200
        let market = FirstPriceMarket(bidders: bidders, start: start, values: values)
        for worth in stride(from: start, through: values.upperBound, by: 20) {
            let own = market.expectedProfit(of: market.shadedBid(worth), worth: worth)
            let best =
                (start...max(worth, start))
                .map { market.expectedProfit(of: $0, worth: worth) }.max() ?? 0
            // Amounts are whole numbers, so the rounded bid can be off by one.
            #expect(best - own <= 1, "worth \(worth)")
        }
    }

    @Test func shadingEarnsMoreThanTheTruthWhereTheWinnerPaysTheOwnBid() {
        for format in [AuctionFormat.sealed, .dutch] {
            let results = Tournament().play(format, sales: 150, seed: 1)
            let truthful = results.profit(of: .truthful)
            let shader = results.profit(of: .shader)
            #expect(shader.mean - shader.margin > truthful.mean + truthful.margin)
        }
    }

    // MARK: Support

    private func revenue(
        _ format: AuctionFormat, of kind: StrategyKind, values: ClosedRange<Int64>,
        sales: UInt64 = 400
    ) -> Sample {
        let sale = SimulatedSale(
            rules: Rules(seconds: 7, format: format), values: .personal(values), lots: 5)
        let seats = (0..<4).map { Seat(kind.make(seed: 1), number: $0) }
        var sample = Sample()
        for seed in 1...sales { sample.add(sale.play(seats, seed: seed).revenue) }
        return sample
    }

    /// What the winner pays if it is the own bid that wins; nil if another one does.
    private func price(of own: Int64, against rivals: [Int64], ownIsFirst: Bool) throws -> Int64? {
        let me = try #require(Bidder("me"))
        let others = try rivals.indices.map { try #require(Bidder("rival-\($0)")) }
        let bids = Array(zip(others, rivals))
        var auction = Auction(
            Lot(number: 1), rules: Rules(seconds: 7, format: .vickrey),
            openedAt: Instant(nanoseconds: 0))
        auction.start(at: auction.openedAt)
        for (bidder, amount) in ownIsFirst ? [(me, own)] + bids : bids + [(me, own)] {
            let price = try #require(Price(amount))
            let event = try auction.decide(.bid(price, by: bidder), at: auction.openedAt)
            auction.apply(try #require(event), at: auction.openedAt)
        }
        guard case .sold(me, let price) = auction.outcome else { return nil }
        return price.amount
    }

    private func profit(of value: Int64, for price: Int64?) -> Int64 {
        price.map { value - $0 } ?? 0
    }
}

/// A first-price auction against rivals who shade, with exact probabilities.
private struct FirstPriceMarket {
    private let bidders: Int
    private let start: Int64
    private let values: ClosedRange<Int64>
    /// How many values of a rival lead to a bid below each amount.
    private var below: [Int64]

    init(bidders: Int, start: Int64, values: ClosedRange<Int64>) {
        (self.bidders, self.start, self.values) = (bidders, start, values)
        below = []
        var counts = [Int64](repeating: 0, count: Int(values.upperBound) + 2)
        for value in values { counts[value < start ? 0 : Int(shadedBid(value))] += 1 }
        var sum: Int64 = 0
        below = counts.map { count in
            defer { sum += count }
            return sum
        }
    }

    func shadedBid(_ worth: Int64) -> Int64 {
        LotView(
            lot: 1,
            terms: Terms(format: .sealed, seconds: 7, start: Price(start) ?? .lowest),
            rivals: bidders - 1, worth: worth, prior: values
        ).equilibriumBid
    }

    /// The worth less the bid, times the chance to win; of equal bids each is as likely the first.
    func expectedProfit(of bid: Int64, worth: Int64) -> Double {
        let count = Double(values.count)
        let lower = Double(below[Int(bid)]) / count
        let equal = Double(below[Int(bid) + 1]) / count - lower
        // The sum over the number of rivals with an equal bid.
        let rivals = Double(bidders - 1)
        var chance = 0.0
        for ties in 0..<bidders {
            let ways = (0..<ties).reduce(1.0) { $0 * (rivals - Double($1)) / Double($1 + 1) }
            let power = (0..<ties).reduce(1.0) { product, _ in product * equal }
            let rest = (ties..<bidders - 1).reduce(1.0) { product, _ in product * lower }
            chance += ways * power * rest / Double(ties + 1)
        }
        return Double(worth - bid) * chance
    }
}
