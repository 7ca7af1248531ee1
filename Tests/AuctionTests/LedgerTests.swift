import Auction
import Basics
import Testing

@Suite struct LedgerTests {
    @Test("a full ledger admits nobody without a lot, and drops one of them for a winner")
    func full() throws {
        let names = try ["al", "bo", "cy"].map { try #require(Bidder($0)) }
        var ledger = Ledger(most: 2)
        for name in names { ledger.enter(name) }
        #expect(ledger.ranked.map(\.bidder) == [names[0], names[1]])
        ledger.add([Tally(bidder: names[2], lots: 1, spent: 5, profit: 0)])
        #expect(ledger.ranked.map(\.bidder) == [names[2], names[0]])
        #expect(ledger[names[1]] == nil)
    }

    @Test(
        "a full ledger drops no winner while somebody has no lot, however little the winner earned",
        arguments: [false, true])
    func winners(ranksByProfit: Bool) throws {
        let names = try ["al", "bo", "cy", "di", "ed"].map { try #require(Bidder($0)) }
        var ledger = Ledger(most: 3)
        ledger.ranksByProfit = ranksByProfit
        ledger.enter(names[0])
        ledger.add([Tally(bidder: names[1], lots: 1, spent: 90, profit: -40)])
        ledger.enter(names[2])
        ledger.add([Tally(bidder: names[3], lots: 1, spent: 80, profit: -30)])
        #expect(ledger[names[1]] != nil && ledger[names[3]] != nil && ledger[names[2]] == nil)
        ledger.add([Tally(bidder: names[4], lots: 1, spent: 70, profit: 20)])
        let ranked = ledger.ranked.map(\.bidder)
        #expect(ranked == [names[4], names[3], names[1]])
        // All have a lot now: the worst is dropped, and not the newest.
        ledger.add([Tally(bidder: names[0], lots: 1, spent: 60, profit: 30)])
        #expect(ledger.ranked.map(\.bidder) == [names[0], names[4], names[3]])
        #expect(ledger.ranked.map(\.lots) == [1, 1, 1] && ledger[names[1]] == nil)
    }

    @Test("a winner in a full ledger keeps its place for further lots")
    func furtherLots() throws {
        let names = try ["al", "bo", "cy"].map { try #require(Bidder($0)) }
        var ledger = Ledger(most: 2)
        ledger.add([Tally(bidder: names[0], lots: 1, spent: 9, profit: 0)])
        ledger.enter(names[1])
        ledger.add([Tally(bidder: names[0], lots: 1, spent: 9, profit: 0)])
        ledger.enter(names[2])
        #expect(ledger.ranked.map(\.bidder) == [names[0], names[1]])
        #expect(ledger[names[0]]?.lots == 2 && ledger[names[0]]?.spent == 18)
    }

    @Test("of several who pay for a lot those with the fewest lots are dropped", arguments: 1...5)
    func severalPayers(most: Int) throws {
        let names = try ["al", "bo", "cy", "di", "ed"].map { try #require(Bidder($0)) }
        var ledger = Ledger(most: most)
        for name in names { ledger.enter(name) }
        ledger.add([Tally(bidder: names[4], lots: 1, spent: 30)])
        ledger.add([
            Tally(bidder: names[2], lots: 1, spent: 9, profit: 4),
            Tally(bidder: names[1], spent: 8, profit: -8), Tally(bidder: names[3], spent: 2),
        ])
        let places = most == 5 ? [2, 4, 0, 3, 1] : [2, 4, 3, 1]
        #expect(ledger.ranked.map(\.bidder) == places.prefix(most).map { names[$0] })
        ledger.leave(names[1])
        #expect((ledger[names[1]] == nil) == (most < 4), "who has paid stays")
    }

    @Test("with purses all who have paid are kept, however many", arguments: [2, 5])
    func purses(most: Int) throws {
        let names = try ["al", "bo", "cy", "di", "ed"].map { try #require(Bidder($0)) }
        var ledger = Ledger(most: most)
        ledger.keepsPayers = true
        ledger.enter(names[0])
        ledger.add([Tally(bidder: names[4], lots: 1, spent: 30)])
        ledger.add(names[1...3].map { Tally(bidder: $0, spent: 90) })
        ledger.add([Tally(bidder: names[1], lots: 1, spent: 5)])
        #expect(names[1...4].map { ledger[$0]?.spent } == [95, 90, 90, 30])
        #expect((ledger[names[0]] == nil) == (most < 5), "who has paid nothing makes place")
        ledger.add([Tally(bidder: names[0], lots: 1, spent: 1)])
        #expect(ledger.ranked.count == 5)
    }

    @Test(
        "a state with a tally that no lots can have brought is refused",
        arguments: [(lots: 0, spent: Int64.min), (0, -1), (-1, 0)])
    func impossible(lots: Int, spent: Int64) throws {
        let bidder = try #require(Bidder("al"))
        var replay = ServerReplay()
        replay.beginSegment(first: 1, state: 1)
        let isRead = replay.replay(
            .tally(Tally(bidder: bidder, lots: lots, spent: spent)), number: nil)
        #expect(!isRead)
    }

    @Test("sums stop at the bounds of their types")
    func highest() throws {
        let bidder = try #require(Bidder("al"))
        let highest = Tally(bidder: bidder, lots: .max, spent: .max, profit: .min)
        var replay = ServerReplay()
        replay.beginSegment(first: 1, state: 2)
        let isRead =
            replay.replay(
                .event(.gameSet(GameOptions(purse: Price(9), seed: Seed(1)))), number: nil)
            && replay.replay(.tally(highest), number: nil)
        try #require(isRead)
        #expect(replay.main.most(of: bidder) == 0)
        var ledger = replay.main.ledger
        ledger.add([Tally(bidder: bidder, lots: 1, spent: 1, profit: -1)])
        #expect(ledger[bidder] == highest)
    }

    @Test("who has paid and takes part no longer is kept while there are no more than the bound")
    func gone() throws {
        let names = try (0..<8).map { try #require(Bidder("b\($0)")) }
        var ledger = Ledger(most: 3)
        ledger.keepsPayers = true
        for (one, other) in [(0, 1), (2, 3), (4, 5), (6, 7)] {
            ledger.add([
                Tally(bidder: names[one], lots: 1, spent: 9), Tally(bidder: names[other], spent: 2),
            ])
            ledger.keep { $0 == names[1] }
            #expect(ledger.ranked.count <= 3)
        }
        #expect(ledger.ranked.map(\.bidder) == [names[0], names[2], names[1]])
        #expect(ledger[names[6]] == nil)
    }

    @Test(
        "a bidder whom the full ledger has refused is not in the recovered one",
        arguments: [AuctionFormat.english, .sealed])
    func refusedBidder(format: AuctionFormat) throws {
        let (blue, now) = (try #require(RoomName("blue")), Instant(nanoseconds: 0))
        var sale = Sale(rules: Rules(seconds: 7), in: blue)
        var generator = SystemRandomNumberGenerator()
        let rules = Rules(seconds: 7, format: format)
        sale.apply(.lotPlanned(rules.terms, reserve: nil), at: now)
        sale.apply(.lotOpened(Lot(number: 1)), at: now)
        let bidders = try (0...Sale.mostKept(in: blue)).map { try #require(Bidder("b\($0)")) }
        for bidder in bidders {
            sale.apply(.nameTaken(bidder, TokenHash(of: Token(using: &generator))), at: now)
            sale.apply(.bidderJoined(bidder), at: now)
        }
        let refused = try #require(bidders.last)
        if format.isSealed {
            let bid = SealedBid(bidder: refused, price: .lowest, elapsed: .zero)
            sale.apply(.bidSealed(bid), at: now)
            sale.apply(.bidRevealed(bid), at: now)
        } else {
            sale.apply(.maximumSet(refused, .lowest), at: now)
        }
        sale.apply(.bidderLeft(bidders[0]), at: now)
        let state = sale.state
        var replay = ServerReplay()
        replay.beginSegment(first: 1, state: state.count + 1)
        let opening = Record.roomOpened(
            blue, keyHash: TokenHash(of: Token(using: &generator)), RoomOptions())
        for (record, number) in [(opening, nil)] + state {
            let isRead = replay.replay(record, number: number)
            try #require(isRead, "\(record)")
        }
        let recovered = try #require(replay.rooms.first).sale
        #expect(recovered.names[refused]?.hasBid == true)
        #expect(recovered.ledger == sale.ledger && sale.ledger[refused] == nil)
    }

    @Test("a room that was opened remembers 1,000 bidders, and main more")
    func bounds() throws {
        var generator = SystemRandomNumberGenerator()
        for (room, most) in [(try #require(RoomName("blue")), 1_000), (.main, 1_001)] {
            var sale = Sale(rules: Rules(seconds: 7), in: room)
            let now = Instant(nanoseconds: 0)
            sale.apply(.lotOpened(Lot(number: 1)), at: now)
            for number in 1...1_001 {
                let bidder = try #require(Bidder("b\(number)"))
                sale.apply(.nameTaken(bidder, TokenHash(of: Token(using: &generator))), at: now)
                let bid = Bid(
                    number: number, price: try #require(Price(Int64(number))), bidder: bidder,
                    elapsed: .zero)
                sale.apply(.bidPlaced(bid), at: now)
            }
            #expect(sale.ledger.ranked.count == most)
        }
    }
}
