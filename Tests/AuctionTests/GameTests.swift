import Auction
import Basics
import Testing

@Suite struct GameTests {
    private static let purse = GameOptions(purse: Price(100), seed: Seed(1))
    private static let values = GameOptions(
        purse: Price(1000), values: .personal(50...150), seed: Seed(1))

    @Test("what a lot costs is spent: the next lots have what is left")
    func purses() throws {
        var stage = try SaleStage(options: Self.purse)
        let al = try #require(Bidder("al"))
        try stage.open()
        try stage.join("al", "bo")
        #expect(throws: Auction.Refusal.overPurse(left: 100)) { try stage.bid(101, by: "al") }
        try stage.bid(60, by: "al")
        #expect(stage.sale.left(of: al) == 40)
        try stage.bid(61, by: "bo")
        #expect(stage.sale.left(of: al) == 100)
        try stage.bid(70, by: "al")
        try stage.fallHammer()
        #expect(stage.sale.left(of: al) == 30)
        try stage.open(title: "Clock")
        #expect(throws: Auction.Refusal.overPurse(left: 30)) { try stage.bid(31, by: "al") }
        try stage.bid(30, by: "al")
        try stage.play(.void)
        #expect(stage.sale.left(of: al) == 30)
    }

    @Test("a maximum and a sealed bid are reserved, and refused above the purse")
    func reserved() throws {
        var stage = try SaleStage(options: Self.purse)
        let al = try #require(Bidder("al"))
        try stage.open()
        try stage.join("al", "bo")
        #expect(throws: Auction.Refusal.overPurse(left: 100)) {
            try stage.play(.setMaximum(Price(101), by: al))
        }
        try stage.play(.setMaximum(Price(90), by: al))
        #expect(stage.sale.auction.leading?.price == .lowest)
        #expect(stage.sale.left(of: al) == 10)
        try stage.fallHammer()
        #expect(stage.sale.left(of: al) == 99)
        try stage.open(Rules(seconds: 7, format: .sealed), title: "Clock")
        stage.sale.startCountdown(at: stage.now)
        #expect(throws: Auction.Refusal.overPurse(left: 99)) { try stage.bid(100, by: "al") }
        try stage.bid(50, by: "al")
        #expect(stage.sale.left(of: al) == 49)
        try stage.bid(20, by: "al")
        #expect(stage.sale.left(of: al) == 79)
        try stage.fallHammer()
        #expect(stage.sale.left(of: al) == 79)
    }

    @Test("in an all-pay auction everybody has paid, wins count once, and what was paid is kept")
    func allPay() throws {
        var stage = try SaleStage(
            Rules(seconds: 7, format: .allpay, reserve: Price(30)), options: Self.values)
        let (al, bo) = (try #require(Bidder("al")), try #require(Bidder("bo")))
        try stage.open(Rules(seconds: 7, format: .allpay, reserve: Price(30)))
        try stage.join("al", "bo", "cy")
        try stage.bid(40, by: "al")
        try stage.bid(30, by: "bo")
        let worth = try #require(stage.sale.worth(of: al)?.amount)
        try stage.fallHammer()
        try stage.commit(.bidderLeft(bo))
        #expect(stage.sale.left(of: al) == 960 && stage.sale.left(of: bo) == 970)
        #expect(stage.sale.ownState(of: al).paid == Price(40))
        #expect(stage.sale.ownState(of: bo).paid == Price(30))
        #expect(stage.sale.hasPaidInGame(bo))
        let rows = stage.sale.completeStandings.map { "\($0.bidder) \($0.lots) \($0.profit ?? 0)" }
        #expect(Set(rows) == ["al 1 \(worth - 40)", "bo 0 -30", "cy 0 0"])
        for sale in [try stage.recovered(), try stage.replayed()] {
            #expect(sale.completeStandings == stage.sale.completeStandings)
        }
        try stage.open(Rules(seconds: 7, format: .allpay, reserve: Price(30)), title: "Clock")
        stage.sale.startCountdown(at: stage.now)
        try stage.bid(29, by: "al")
        #expect(stage.sale.left(of: al) == 931)
        try stage.fallHammer()
        #expect(stage.sale.left(of: al) == 960, "nobody pays for what is not sold")
        #expect(stage.sale.ownState(of: al).paid == nil)
    }

    @Test("what the auctioneer's hammer sold is spent once, and nothing else stays reserved")
    func hammered() throws {
        var stage = try SaleStage(options: Self.purse)
        let (al, bo) = (try #require(Bidder("al")), try #require(Bidder("bo")))
        try stage.open(Rules(seconds: 7, format: .sealed))
        try stage.join("al", "bo")
        try stage.bid(40, by: "al")
        try stage.bid(30, by: "bo")
        try stage.play(.hammer)
        #expect(stage.sale.left(of: al) == 60)
        #expect(stage.sale.left(of: bo) == 100)
    }

    @Test("each present bidder gets a value, also one who joins later, and keeps it and the name")
    func values() throws {
        var stage = try SaleStage(options: Self.values)
        try stage.open()
        try stage.join("al", "bo")
        let worths = stage.sale.valuations.worths
        #expect(worths.count == 2)
        let al = try #require(Bidder("al"))
        try stage.commit(.bidderLeft(al))
        #expect(stage.sale.names[al]?.isFree == false)
        #expect(try stage.recovered().valuations == stage.sale.valuations)
        try stage.join("al", "cy")
        #expect(stage.sale.valuations.worths.count == 3)
        #expect(stage.sale.valuations.worths[al] == worths[al])
        try stage.bid(5, by: "al")
        try stage.fallHammer()
        let worth = try #require(worths[al])
        stage.sale.showProfits(true)
        #expect(stage.sale.standings.first { $0.bidder == al }?.profit == worth.amount - 5)
    }

    @Test("the common value is announced after the lot, and decides the profit")
    func commonValue() throws {
        let options = GameOptions(values: .common(50...150, noise: 20), seed: Seed(3))
        var stage = try SaleStage(options: options)
        try stage.open()
        try stage.join("al")
        try stage.bid(80, by: "al")
        #expect(!stage.events.contains { if case .valueRevealed = $0 { true } else { false } })
        try stage.fallHammer()
        let value = try #require(options.commonValue(ofLot: 1))
        #expect(stage.events.last == .valueRevealed(value))
        #expect(stage.sale.standings.map(\.profit) == [nil])
        try stage.commit(.ended(lots: 1))
        #expect(stage.sale.standings.map(\.profit) == [value - 80])
        #expect(
            stage.events.last
                == .championNamed(try #require(Bidder("al")), score: value - 80))
    }

    @Test("a bidder who has won nothing is the champion if the winners paid too much")
    func loser() throws {
        var stage = try SaleStage(options: Self.values)
        try stage.open()
        try stage.join("al", "bo", "cy")
        try stage.bid(5, by: "bo")
        try stage.bid(900, by: "al")
        try stage.fallHammer()
        #expect(stage.sale.standings.map(\.bidder.description) == ["al", "bo", "cy"])
        #expect(stage.sale.standings.map(\.rank) == [1, 2, 2])
        try stage.commit(.ended(lots: 1))
        #expect(stage.sale.standings.map(\.bidder.description) == ["bo", "cy", "al"])
        #expect(stage.sale.standings.map(\.rank) == [1, 1, 3])
        // A bidder who has not bid is in the standings, but is no champion.
        let bo = try #require(Bidder("bo"))
        #expect(
            stage.events.dropLast(2).suffix(2) == [.ended(lots: 1), .championNamed(bo, score: 0)])
        #expect(stage.sale.champions == [bo])
        #expect(try stage.recovered().standings == stage.sale.standings)
    }

    @Test("a person who has not bid is no champion, even if all bidders have lost")
    func idle() throws {
        let rules = Rules(seconds: 7, format: .allpay)
        var stage = try SaleStage(rules, options: Self.values)
        let (al, bo) = (try #require(Bidder("al")), try #require(Bidder("bo")))
        try stage.open(rules)
        try stage.join("al", "bo", "cy")
        #expect(stage.sale.ranks.isEmpty)
        try stage.bid(400, by: "al")
        try stage.bid(300, by: "bo")
        try stage.fallHammer()
        #expect(stage.sale.ranks == [al: 1, bo: 3])
        try stage.commit(.ended(lots: 1))
        #expect(stage.sale.standings.map(\.bidder.description).first == "cy")
        #expect(stage.sale.champions.count == 1 && stage.sale.champions != [Bidder("cy")])
        #expect(stage.sale.ranks.values.min() == 2)
    }

    @Test(
        "an open lot with values keeps each name: a new owner would get the same value",
        arguments: [AuctionFormat.english, .sealed])
    func keptNames(format: AuctionFormat) throws {
        var stage = try SaleStage(Rules(seconds: 7, format: format), options: Self.values)
        try stage.open()
        let names = try (1...600).map { try #require(Bidder("b\($0)")) }
        for bidder in names {
            try stage.join(bidder.description)
            try stage.commit(.bidderLeft(bidder))
        }
        #expect(names.allSatisfy { stage.sale.names[$0] != nil })
    }

    @Test("bidders who join or leave do not change the final standings, until a lot is added")
    func finalStandings() throws {
        var stage = try SaleStage(options: Self.values)
        try stage.open()
        try stage.join("al", "bo")
        try stage.bid(900, by: "al")
        try stage.fallHammer()
        try stage.commit(.ended(lots: 1))
        let final = stage.sale.standings
        #expect(final.map(\.bidder.description) == ["bo", "al"])
        try stage.join("cy")
        try stage.commit(.bidderLeft(try #require(Bidder("bo"))))
        #expect(stage.sale.standings == final)
        #expect(try stage.recovered().standings == final)
        try stage.open()
        #expect(stage.sale.standings.map(\.bidder.description) == ["al", "cy"])
        #expect(stage.sale.standings.allSatisfy { $0.profit == nil })
        #expect(try stage.recovered().standings == stage.sale.standings)
    }

    @Test("the standings do not tell who has bid as long as the bids are sealed")
    func secretParticipation() throws {
        var stage = try SaleStage()
        try stage.open(Rules(seconds: 7, format: .sealed))
        try stage.join("al", "bo", "cy")
        let before = stage.sale.standings
        try stage.bid(40, by: "cy")
        #expect(stage.sale.standings == before)
        try stage.commit(.bidderLeft(try #require(Bidder("cy"))))
        #expect(stage.sale.standings == before.dropLast())
        try stage.fallHammer()
        #expect(stage.sale.standings.first?.bidder == Bidder("cy"))
        #expect(try stage.recovered().standings == stage.sale.standings)
    }

    @Test("a name counts in a game because it has won, not because it has bid")
    func names() throws {
        var stage = try SaleStage(options: Self.purse)
        let (al, bo) = (try #require(Bidder("al")), try #require(Bidder("bo")))
        try stage.open()
        try stage.join("al", "bo")
        try stage.bid(5, by: "al")
        try stage.bid(9, by: "bo")
        try stage.fallHammer()
        #expect(stage.sale.hasPaidInGame(bo) && !stage.sale.hasPaidInGame(al))
    }

    @Test("as many names can be muted as are kept, and then another when one may talk again")
    func mutes() throws {
        var stage = try SaleStage()
        try stage.open()
        let bidders = try (1...Sale.mostKept).map { try #require(Bidder("al-\($0)")) }
        for bidder in bidders {
            #expect(stage.sale.mayMuteMore)
            stage.sale.apply(.bidderMuted(bidder), at: stage.now)
        }
        #expect(!stage.sale.mayMuteMore)
        try stage.commit(.bidderUnmuted(bidders[0]))
        #expect(stage.sale.mayMuteMore)
    }

    @Test("equals share a rank, and all of the best are champions")
    func ties() throws {
        var stage = try SaleStage()
        for (index, name) in ["al", "bo", "cy"].enumerated() {
            try stage.open(title: "Lot \(index)")
            try stage.join(name)
            try stage.bid(name == "cy" ? 9 : 5, by: name)
            try stage.fallHammer()
        }
        try stage.join("dy")
        let rows = stage.sale.standings
        #expect(rows.map(\.rank) == [1, 1, 3, 4])
        #expect(rows.map(\.bidder.description) == ["al", "bo", "cy", "dy"])
        #expect(rows.allSatisfy { $0.left == nil && $0.profit == nil })
        try stage.commit(.ended(lots: 3))
        #expect(
            stage.events.suffix(2).map { "\($0)".prefix(13) } == ["championNamed", "championNamed"])
    }
}

@Suite struct GameStateTests {
    /// A sale in the middle of a lot of a kind.
    private static func stage(_ format: AuctionFormat) throws -> SaleStage {
        let price = try [1, 10, 20, 50, 100, 900].map { try #require(Price($0)) }
        let rules =
            switch format {
            case .english: Rules(seconds: 7, reserve: price[3], buy: price[5])
            case .dutch: Rules(seconds: 20, start: price[4], step: price[1], format: .dutch)
            case .sealed: Rules(seconds: 7, format: .sealed)
            case .vickrey, .allpay: Rules(seconds: 7, format: format, reserve: price[2])
            }
        let options = GameOptions(
            purse: Price(1000), values: .common(50...150, noise: 20), seed: Seed(3))
        var stage = try SaleStage(options: options)
        let (al, bo) = (try #require(Bidder("al")), try #require(Bidder("bo")))
        try stage.open(title: "Clock")
        try stage.join("al", "bo")
        try stage.bid(40, by: "bo")
        try stage.fallHammer()
        var added = LotOptions()
        added.format = .dutch
        try stage.commit(.lotAdded(LotPlan(title: "Lamp", options: added)))
        try stage.commit(.bidderMuted(bo))
        try stage.commit(.displayNameSet(bo, text: "Bo Ö"))
        try stage.open(rules)
        stage.sale.startCountdown(at: stage.now)
        switch format {
        case .english:
            try stage.play(.setMaximum(Price(200), by: al))
            try stage.bid(60, by: "bo")
        case .dutch:
            stage.now = try #require(stage.sale.auction.nextFall)
            while let due = stage.sale.dueEvent(at: stage.now) { try stage.commit(due) }
        case .sealed, .vickrey, .allpay:
            try stage.bid(30, by: "al")
            try stage.bid(30, by: "bo")
            try stage.bid(30, by: "al")
        }
        return stage
    }

    private func expectEqual(_ one: Sale, _ other: Sale, at now: Instant) {
        var (one, other) = (one, other)
        one.resume(with: Rules(seconds: 7), at: now)
        other.resume(with: Rules(seconds: 7), at: now)
        if !one.auction.isClosed {
            #expect(one.auction == other.auction)
            #expect(one.valuations == other.valuations)
        }
        #expect(one.numbers == other.numbers)
        #expect(one.valuations.common == other.valuations.common)
        #expect(one.ledger == other.ledger)
        #expect(one.muted == other.muted)
        #expect(one.displayNames == other.displayNames)
        #expect(one.added == other.added)
        #expect(one.options == other.options)
        #expect(one.standings == other.standings)
        #expect(one.snapshot.map(\.event) == other.snapshot.map(\.event))
    }

    @Test(
        "a sale is recovered from its state and from its events alike",
        arguments: AuctionFormat.allCases)
    func recovery(of format: AuctionFormat) throws {
        var stage = try Self.stage(format)
        for _ in 0..<2 {
            let (recovered, replayed) = (try stage.recovered(), try stage.replayed())
            expectEqual(recovered, replayed, at: stage.now)
            expectEqual(recovered, stage.sale, at: stage.now)
            guard !stage.sale.auction.isClosed else { break }
            try stage.fallHammer()
        }
    }

    @Test("a lot whose values ended at a restart is recovered from its state")
    func endedValues() throws {
        let values = GameOptions(values: .personal(50...150), seed: Seed(3))
        var stage = try SaleStage(options: values)
        try stage.open()
        try stage.join("al", "bo")
        try stage.bid(40, by: "bo")
        try stage.commit(.gameSet(GameOptions(seed: values.seed)))
        try stage.commit(.bidderLeft(try #require(Bidder("al"))))
        expectEqual(try stage.recovered(), stage.sale, at: stage.now)
    }

    @Test("champions stay who they are if the game goes on under other options")
    func namedChampions() throws {
        let values = GameOptions(values: .personal(50...150), seed: Seed(1))
        var stage = try SaleStage(options: values)
        try stage.open()
        try stage.join("al", "bo", "cy")
        try stage.bid(5, by: "bo")
        try stage.bid(6, by: "cy")
        try stage.bid(900, by: "al")
        try stage.fallHammer()
        try stage.commit(.ended(lots: 1))
        let before = stage.sale.snapshot.map(\.event)
        try stage.commit(.gameSet(GameOptions(seed: values.seed)))
        #expect(stage.sale.snapshot.map(\.event) == before)
        #expect(try stage.recovered().numbers == stage.sale.numbers)
    }

    @Test(
        "a server that ends between any two events continues with the same ones",
        arguments: [AuctionFormat.english, .sealed, .vickrey])
    func interruption(of format: AuctionFormat) throws {
        var stage = try Self.stage(format)
        let before = stage.events.count
        try stage.fallHammer()
        for count in before...stage.events.count {
            var rest = try Self.stage(format)
            let now = stage.now
            var sale = rest.sale
            for event in stage.events[before..<count] { sale.apply(event, at: now) }
            guard count > before else { continue }
            rest.sale = sale
            var following: [SaleEvent] = []
            while let due = rest.sale.dueEvent(at: now) {
                #expect(rest.sale.canApply(due))
                rest.sale.apply(due, at: now)
                following.append(due)
            }
            #expect(following == Array(stage.events[count...]))
        }
    }
}

extension Sale {
    /// The names with a display name, and what that is.
    fileprivate var displayNames: [Bidder: String] {
        var displays: [Bidder: String] = [:]
        names.forEach { displays[$0.bidder] = names.display(of: $0.bidder) }
        return displays
    }
}
