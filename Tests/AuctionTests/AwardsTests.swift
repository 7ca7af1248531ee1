import Auction
import Basics
import Testing

@Suite struct AwardsTests {
    private static let common = GameOptions(
        values: .common(100...100, noise: 0), seed: Seed(1))

    private static func awards(of stage: SaleStage) -> [String] {
        stage.events.compactMap { event in
            guard case .awardGiven(let award) = event else { return nil }
            return "\(award.kind) \(award.bidder) \(award.amount) \(award.title)"
        }
    }

    /// Plays a lot with rising bids by name.
    private static func play(
        _ bids: [(String, Int64)], of title: String, in stage: inout SaleStage
    ) throws {
        try stage.open(title: title)
        for (name, amount) in bids { try stage.bid(amount, by: name) }
        try stage.fallHammer()
    }

    @Test("the best of each kind is awarded after the champions, and of equals the earliest")
    func best() throws {
        var stage = try SaleStage(options: Self.common)
        try stage.join("al", "bo")
        try Self.play([("al", 50), ("bo", 60)], of: "Vase", in: &stage)
        try Self.play([("bo", 57), ("al", 60)], of: "Clock", in: &stage)
        try Self.play([("bo", 90), ("al", 112)], of: "Lamp", in: &stage)
        try stage.commit(.ended(lots: 3))
        #expect(
            Self.awards(of: stage)
                == ["bargain bo 40 Vase", "overpay al 12 Lamp", "closest bo 3 Clock"])
        guard case .championNamed? = stage.events.dropLast(3).last else {
            Issue.record("the champion is not named before the awards")
            return
        }
    }

    @Test("without values only the closest second is awarded, and with one bidder nothing")
    func withoutValues() throws {
        var stage = try SaleStage()
        try stage.join("al", "bo")
        try Self.play([("al", 50), ("bo", 60)], of: "Vase", in: &stage)
        try stage.commit(.ended(lots: 1))
        #expect(Self.awards(of: stage) == ["closest al 10 Vase"])
        var alone = try SaleStage()
        try alone.join("al")
        try Self.play([("al", 50)], of: "Vase", in: &alone)
        try alone.commit(.ended(lots: 1))
        #expect(Self.awards(of: alone) == [])
    }

    @Test(
        "with sealed bids the gap is that between the two best bids, whatever the winner pays",
        arguments: [AuctionFormat.sealed, .vickrey, .allpay])
    func sealed(format: AuctionFormat) throws {
        var stage = try SaleStage(Rules(seconds: 7, format: format))
        try stage.join("al", "bo", "cy")
        try stage.open(Rules(seconds: 7, format: format))
        stage.sale.startCountdown(at: stage.now)
        for (name, amount) in [("al", 50), ("bo", 60), ("cy", 10)] as [(String, Int64)] {
            try stage.bid(amount, by: name)
        }
        try stage.fallHammer()
        try stage.commit(.ended(lots: 1))
        #expect(Self.awards(of: stage) == ["closest al 10 Vase"])
    }

    @Test("the bests of the lots so far, and what was awarded, survive a restart")
    func recovered() throws {
        var stage = try SaleStage(options: Self.common)
        try stage.join("al", "bo")
        try Self.play([("al", 50), ("bo", 60)], of: "Vase", in: &stage)
        let (running, best) = (
            try stage.recovered(), stage.sale.publicState(remaining: nil, at: stage.now)
        )
        #expect(running.snapshot.map(\.number) == stage.sale.snapshot.map(\.number))
        #expect(running.publicState(remaining: nil, at: stage.now) == best)
        try Self.play([("bo", 90), ("al", 112)], of: "Lamp", in: &stage)
        try stage.commit(.ended(lots: 2))
        for sale in [try stage.recovered(), try stage.replayed()] {
            #expect(sale.snapshot.map(\.event) == stage.sale.snapshot.map(\.event))
            #expect(sale.dueEvent(at: stage.now) == nil)
        }
    }
}

@Suite struct LeftoverTests {
    @Test("where it counts, what is left of a purse is part of the profit, and decides the rank")
    func leftover() throws {
        let options = GameOptions(
            purse: Price(100), values: .common(100...100, noise: 0), seed: Seed(1),
            countsLeftover: true)
        var stage = try SaleStage(options: options)
        stage.sale.showProfits(true)
        try stage.join("al", "bo")
        try stage.open()
        try stage.bid(80, by: "al")
        try stage.fallHammer()
        try stage.open(title: "Clock")
        try stage.bid(30, by: "bo")
        try stage.fallHammer()
        let rows = stage.sale.standings.map { "\($0.rank) \($0.bidder) \($0.profit ?? 0)" }
        #expect(rows == ["1 bo 140", "2 al 40"])
        try stage.commit(.ended(lots: 2))
        #expect(
            stage.events.contains(.championNamed(try #require(Bidder("bo")), score: 140)))
        #expect(try stage.recovered().completeStandings == stage.sale.completeStandings)
    }
}
