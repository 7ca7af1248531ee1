import Auction
import League
import Strategies
import Testing

@Suite struct LeagueTests {
    private let tournament = Tournament()

    private func seats(_ kinds: [StrategyKind]) -> [Seat] {
        kinds.enumerated().map { Seat($1.make(seed: UInt64($0)), number: $0) }
    }

    @Test(arguments: AuctionFormat.allCases)
    func aSeedAlwaysPlaysTheSameWay(format: AuctionFormat) {
        func lines() -> [String] {
            LeagueTable(
                [(format, tournament.play(format, sales: 20, seed: 7))], of: tournament
            ).lines
        }
        #expect(lines() == lines())
    }

    @Test(arguments: AuctionFormat.allCases.filter { $0.pricing != .everyBid })
    func nobodyWithPrivateValuesLosesMoney(format: AuctionFormat) {
        let sale = SimulatedSale(format, values: tournament.values, lots: 3)
        for seed in 1...20 {
            let result = sale.play(seats(StrategyKind.allCases), seed: UInt64(seed))
            #expect(result.profits.allSatisfy { $0 >= 0 })
        }
    }

    @Test(arguments: AuctionFormat.allCases.filter { $0.pricing != .everyBid })
    func everyStrategyWinsSomething(format: AuctionFormat) {
        let results = tournament.play(format, sales: 100, seed: 1)
        for kind in StrategyKind.allCases where kind != .truthful || format == .english {
            #expect(results.profit(of: kind).mean > 0, "\(kind)")
        }
    }

    @Test func whereEverybodyPaysThoseLoseLeastWhoPlayTheEquilibrium() {
        let results = tournament.play(.allpay, sales: 100, seed: 1)
        let best = StrategyKind.allCases.max {
            results.profit(of: $0).mean < results.profit(of: $1).mean
        }
        #expect(best.map(results.representative) == results.representative(of: .equilibrium))
    }

    @Test func strategiesThatPlayAlikeAreOneRow() {
        let columns = [AuctionFormat.english, .sealed].map { format in
            (format, tournament.play(format, sales: 2, seed: 1))
        }
        let rows = LeagueTable(columns, of: tournament).lines
        #expect(rows.contains { $0.hasPrefix("| proxy, equilibrium ") })
        // They differ in a rising auction alone.
        for kind in [StrategyKind.sniper, .jumper, .shader, .proxy] {
            #expect(columns[1].1.representative(of: kind) == .sniper)
            #expect(columns[0].1.representative(of: kind) == kind)
        }
    }

    @Test func withACommonValueNobodyElseCorrectsTheEstimate() {
        let common = Tournament(values: .common(50...150, noise: 20))
        let results = common.play(.vickrey, sales: 2, seed: 1)
        #expect(results.representative(of: .proxy) == .truthful)
        #expect(results.representative(of: .equilibrium) == .equilibrium)
    }

    @Test func aLotThatNobodyCanAffordIsNotSold() throws {
        let start = try #require(Price(200))
        let sale = SimulatedSale(
            rules: Rules(seconds: 7, start: start), values: tournament.values, lots: 2)
        let result = sale.play(seats([.truthful, .sniper]), seed: 1)
        #expect(result.revenue == 0)
        #expect(result.profits == [0, 0])
    }

    @Test func bidderWithTheHighestValueWinsAmongTruthfulOnes() {
        let sale = SimulatedSale(.vickrey, values: tournament.values, lots: 50)
        #expect(sale.play(seats([.truthful, .truthful, .proxy]), seed: 3).efficiency == 1)
    }

    @Test func aSampleHasAMeanAndAMargin() {
        var sample = Sample()
        for number in [2.0, 4, 4, 4, 5, 5, 7, 9] { sample.add(number) }
        #expect(sample.mean == 5)
        // The standard deviation is the root of 32/7, and the mean of eight has an eighth of it.
        #expect(abs(sample.margin - 1.96 * (32.0 / 7 / 8).squareRoot()) < 1e-12)
    }

    @Test func seedsGiveTheNumbersOfSplitMix64() {
        var chance = SeededGenerator(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ]
        #expect((0..<3).map { _ in chance.next() } == expected)
    }
}
