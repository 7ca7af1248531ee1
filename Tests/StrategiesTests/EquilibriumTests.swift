import Auction
import Basics
import Strategies
import Testing

@Suite struct EquilibriumTests {
    /// The closed forms of the documentation, for values from 0 to 1 and from 50 to 150.
    @Test(
        arguments: [
            (0...1, 2, 0.5, 0.25, 0.125), (0...1, 3, 0.5, 1 / 3, 1.0 / 12),
            (0...1, 4, 1, 0.75, 0.75), (0...1, 2, 0, 0, 0), (0...1, 5, 0.5, 0.4, 0.025),
            (50...150, 2, 100, 75, 37.5), (50...150, 4, 150, 125, 125),
            (50...150, 4, 100, 87.5, 10.9375), (50...150, 2, 50, 50, 0),
            (50...150, 2, 200, 100, 100),
        ]
            as [(
                values: ClosedRange<Double>, bidders: Int, value: Double, sealed: Double,
                allpay: Double
            )])
    func bidsForEvenlyDrawnValues(
        values: ClosedRange<Double>, bidders: Int, value: Double, sealed: Double, allpay: Double
    ) throws {
        let auction = PrivateValueAuction(values: values, bidders: bidders)
        try expect(auction, .english, value, value)
        try expect(auction, .vickrey, value, value)
        try expect(auction, .sealed, value, sealed)
        try expect(auction, .dutch, value, sealed)
        try expect(auction, .allpay, value, allpay)
    }

    @Test(
        arguments: [
            (1, 1, 150, 1, 1), (1, 80, 79, nil, nil), (2, 1, 100, 50, 25.5), (2, 50, 100, 62.5, 50),
            (2, 50, 99, 62.13, nil), (2, 50, 200, 106.25, 125), (3, 250, 200, nil, nil),
        ] as [(bidders: Int, start: Double, value: Double, sealed: Double?, allpay: Double?)])
    func aStartKeepsLowValuesOut(
        bidders: Int, start: Double, value: Double, sealed: Double?, allpay: Double?
    ) {
        let auction = PrivateValueAuction(values: 0...200, bidders: bidders, start: start)
        let bid = auction.bid(of: value, in: .sealed)
        #expect((bid == nil) == (sealed == nil))
        if let bid, let sealed { #expect(abs(bid - sealed) < 0.02) }
        let all = auction.bid(of: value, in: .allpay)
        #expect((all == nil) == (allpay == nil))
        if let all, let allpay { #expect(abs(all - allpay) < 0.02) }
    }

    @Test(arguments: AuctionFormat.allCases, 1...8)
    func theRevenueIsTheSumOfWhatAllExpectToPay(format: AuctionFormat, bidders: Int) {
        for start in [0.0, 60, 120, 160] {
            let auction = PrivateValueAuction(values: 50...150, bidders: bidders, start: start)
            // The first value that bids is known to one step of the sum.
            let tolerance = 0.01 + start * Double(bidders) / 1_000
            #expect(abs(auction.revenue(in: format) - paid(auction, format)) < tolerance)
        }
    }

    @Test(arguments: [(2, 250 / 3.0), (3, 100), (4, 110), (9, 130)] as [(Int, Double)])
    func withoutAStartTheRevenueIsTheSecondHighestValue(bidders: Int, expected: Double) {
        let auction = PrivateValueAuction(values: 50...150, bidders: bidders)
        for format in AuctionFormat.allCases {
            #expect(abs(auction.revenue(in: format) - expected) < 1e-9)
        }
    }

    /// No other bid on the grid earns more against rivals who play the equilibrium.
    @Test(arguments: [AuctionFormat.sealed, .allpay], [2, 3, 6])
    func aBidIsTheBestAnswerToItself(format: AuctionFormat, bidders: Int) throws {
        let auction = PrivateValueAuction(values: 50...150, bidders: bidders)
        let bids = try stride(from: 50.0, through: 150, by: 1).map {
            try #require(auction.bid(of: $0, in: format))
        }
        for value in stride(from: 50.0, through: 150, by: 10) {
            // The bid of another value wins against all values below that one.
            let profits = bids.enumerated().map { index, bid in
                let chance = (1..<bidders).reduce(1.0) { part, _ in part * Double(index) / 100 }
                return format.pricing == .everyBid ? value * chance - bid : (value - bid) * chance
            }
            let own = profits[Int(value - 50)]
            #expect(profits.allSatisfy { $0 <= own + 1e-9 }, "\(value)")
        }
    }

    @Test(
        arguments: [
            (1, 100, 100), (2, 100, 100 - 20.0 / 3), (4, 100, 88), (9, 100, 84), (4, 30, 50),
            (4, 170, 150), (1, 40, 55), (2, 160, 144.762), (4, 20, 50), (200, 31, 50.005),
        ] as [(bidders: Int, estimate: Double, value: Double)])
    func theHighestEstimateIsTooHigh(bidders: Int, estimate: Double, value: Double) {
        let auction = CommonValueAuction(values: 50...150, noise: 20, bidders: bidders)
        #expect(abs(auction.valueIfHighest(estimate) - value) < 0.01)
    }

    /// Draws values and estimates, and compares the mean value near each highest estimate.
    @Test(arguments: [2, 5])
    func theCorrectedEstimateIsTheMeanOfWhatIsDrawn(bidders: Int) {
        let auction = CommonValueAuction(values: 50...150, noise: 20, bidders: bidders)
        var chance = SeededGenerator(seed: 1)
        var bins: [Int: (errors: Double, count: Int)] = [:]
        for _ in 0..<30_000 {
            let value = Double.random(in: 50...150, using: &chance)
            let highest =
                (0..<bidders).map { _ in
                    value + .random(in: -20...20, using: &chance)
                }.max() ?? value
            var bin = bins[Int(highest / 10)] ?? (0, 0)
            bin.errors += value - auction.valueIfHighest(highest)
            bin.count += 1
            bins[Int(highest / 10)] = bin
        }
        for (bin, sum) in bins where sum.count > 1_000 {
            #expect(abs(sum.errors / Double(sum.count)) < 0.5, "near \(bin * 10)")
        }
    }

    @Test(
        arguments: [
            (2, .vickrey, 100, 100), (4, .english, 100, 90), (4, .vickrey, 30, 50),
            (4, .vickrey, 170, 150), (4, .sealed, 30, 50), (4, .sealed, 50, 54),
            (4, .dutch, 110, 90.147), (9, .sealed, 110, 90), (4, .sealed, 170, 142.624),
        ] as [(bidders: Int, format: AuctionFormat, estimate: Double, bid: Double)])
    func whoHasAnEstimateBidsLess(
        bidders: Int, format: AuctionFormat, estimate: Double, bid: Double
    ) throws {
        let auction = CommonValueAuction(values: 50...150, noise: 20, bidders: bidders)
        #expect(abs(try #require(auction.bid(of: estimate, in: format)) - bid) < 0.01)
        #expect(auction.bid(of: estimate, in: .allpay) == nil)
    }

    /// The bids were computed in 100,000 steps.
    @Test(
        arguments: [
            (50...60, 20, 3, 70, 54.527), (50...150, 150, 8, 200, 79.724),
            (50...150, 500, 8, 300, 91.832), (100...110, 1000, 8, 700, 104.963),
            (50...150, 20, 50, 169, 148.756), (1...2, 1000, 100, 500, 1.494),
            (1...2, 1e12, 100, 1e12, 1.5),
        ]
            as [(
                values: ClosedRange<Double>, noise: Double, bidders: Int, estimate: Double,
                bid: Double
            )])
    func estimatesMayBeFarFromTheValues(
        values: ClosedRange<Double>, noise: Double, bidders: Int, estimate: Double, bid: Double
    ) throws {
        let auction = CommonValueAuction(values: values, noise: noise, bidders: bidders)
        #expect(abs(try #require(auction.bid(of: estimate, in: .sealed)) - bid) < 0.005)
        #expect(values.contains(try #require(auction.bid(of: estimate, in: .vickrey))))
    }

    /// Bids as if the own estimate were another one, against rivals who play the equilibrium.
    @Test(
        arguments: [(2, 20), (3, 20), (8, 20), (3, 70)] as [(bidders: Int, noise: Double)],
        [AuctionFormat.sealed, .vickrey])
    func noOtherBidIsBetterWithAnEstimate(
        auction of: (bidders: Int, noise: Double), format: AuctionFormat
    ) throws {
        let auction = CommonValueAuction(values: 50...150, noise: of.noise, bidders: of.bidders)
        let estimates = [Double](stride(from: 50 - of.noise + 1, to: 150 + of.noise, by: 2))
        let bids = try estimates.map { try #require(auction.bid(of: $0, in: format)) }
        /// The chance that all rivals have lower estimates.
        func chanceToWin(_ estimate: Double, _ value: Double) -> Double {
            let chance = min(max((estimate - value + of.noise) / (2 * of.noise), 0), 1)
            return (1..<of.bidders).reduce(1.0) { product, _ in product * chance }
        }
        /// What a value brings who bids like `place`.
        func profit(_ value: Double, biddingLike place: Int) -> Double {
            guard format == .vickrey else {
                return chanceToWin(estimates[place], value) * (value - bids[place])
            }
            // The price is the bid of the highest rival.
            var (sum, before) = (0.0, 0.0)
            for rival in 0...place {
                let chance = chanceToWin(estimates[rival], value)
                sum += (chance - before) * (value - (bids[rival] + bids[max(rival - 1, 0)]) / 2)
                before = chance
            }
            return sum
        }
        for place in stride(from: 5, to: estimates.count - 5, by: 11) {
            let values = [Double](stride(from: 51, to: 150, by: 2))
                .filter { abs($0 - estimates[place]) < of.noise }
            let profits = estimates.indices.map { other in
                values.reduce(0.0) { $0 + profit($1, biddingLike: other) } / Double(values.count)
            }
            let best = profits.max() ?? 0
            #expect(best - profits[place] < 0.1, "an estimate of \(estimates[place])")
        }
    }

    @Test func aBidderCorrectsAnEstimateAndNoPrivateValue() {
        var view = LotView(
            lot: 1, terms: Terms(format: .vickrey, seconds: 7), rivals: 3, worth: 100,
            prior: 50...150)
        #expect(view.correctedLimit == 100)
        view.noise = 20
        #expect(view.correctedLimit == 90)
        var strategy = StrategyKind.equilibrium.make(seed: 1)
        #expect(strategy.decide(view, at: Instant(nanoseconds: 0)) == Price(90).map { .bid($0) })
    }

    // MARK: Support

    private func expect(
        _ auction: PrivateValueAuction, _ format: AuctionFormat, _ value: Double, _ bid: Double
    ) throws {
        let found = try #require(auction.bid(of: value, in: format))
        #expect(abs(found - bid) < 1e-9, "\(format)")
    }

    /// The expected payments of all, by sums over values.
    private func paid(_ auction: PrivateValueAuction, _ format: AuctionFormat) -> Double {
        let steps = 500
        var sum = 0.0
        for step in 0..<steps {
            let part = (Double(step) + 0.5) / Double(steps)
            let value = 50 + 100 * part
            let rule: AuctionFormat = format.pricing == .everyBid ? .allpay : .sealed
            guard let bid = auction.bid(of: value, in: rule) else { continue }
            let chance = (1..<auction.bidders).reduce(1.0) { chance, _ in chance * part }
            sum += rule == .allpay ? bid : bid * chance
        }
        return sum / Double(steps) * Double(auction.bidders)
    }
}
