import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

/// The terms of a lot, the picture of its format and the private lines, in the model.
@Suite struct GameModelTests {
    static let vase = Lot(number: 1, title: "Vase")
    static let opened = ServerMessage.event(
        .lotOpened(vase), .init(start: price(50), elapsed: .zero))
    static let clock = lotOpened(2, "Clock", start: 50)

    static func terms(_ format: AuctionFormat, buy: Int64? = nil) -> ServerMessage {
        .event(
            .termsAnnounced(
                Terms(
                    format: format, seconds: 20, start: price(100), step: price(10),
                    hasReserve: true,
                    buy: buy.map { price($0) })))
    }

    @Test("a new lot has none of the terms and none of the bids of the one before")
    func nextLot() {
        var model = PlayedModel(
            Self.opened, Self.terms(.vickrey), .event(.bidsSealed(2)), .event(.reserveMet),
            .event(StageSale.drawn(143)))
        model.receive(
            .event(
                .bidRevealed(SealedBid(bidder: bidder("alice"), price: price(120), elapsed: .zero))),
            at: .zero)
        model.receive(.event(.valueRevealed(117)), at: .zero)
        model.receive(Self.clock, at: .zero)
        #expect(model.lot.format == .english)
        #expect(model.lot.reserve == .none)
        #expect(model.lot.bids == 0)
        #expect(model.sale.revealed.isEmpty)
        #expect(model.lot.value == nil)
        #expect(model.own?.worth == nil)
    }

    @Test("the end of a lot keeps its terms and its revealed bids")
    func ended() {
        let ends: [ServerMessage] = [
            lotSold(1, "Vase", to: "bob", for: 100, at: .seconds(20)),
            .event(.lotPassed(Self.vase, reason: "reserve-not-met", elapsed: nil)),
        ]
        for end in ends {
            let model = PlayedModel(
                Self.opened, Self.terms(.vickrey), .event(.bidsSealed(1)),
                .event(
                    .bidRevealed(
                        SealedBid(bidder: bidder("bob"), price: price(120), elapsed: .zero))), end)
            #expect(model.lot.format == .vickrey)
            #expect(model.sale.revealed.map(\.price.amount) == [120])
        }
    }

    @Test("what only the user may know is merged from what the server tells")
    func own() {
        var model = PlayedModel(Self.opened)
        model.model.receive(
            .you(Array(#"{"left":700,"most":820,"worth":90,"max":120}"#.utf8)), at: .zero)
        #expect(model.own?.worth == 90 && model.own?.maximum == price(120))
        model.model.receive(.you(Array(#"{"left":820,"max":null}"#.utf8)), at: .zero)
        #expect(model.own?.left == 820 && model.own?.most == 820 && model.own?.maximum == nil)
    }

    @Test("where all pay, the loser sees the cost, also without values")
    func lostAllPay() {
        let stage = Stage.open(.allpay)
        let own = SealedBid(bidder: bidder("alice"), price: price(120), elapsed: .zero)
        stage.send(.event(.bidSealed(own)), .event(.bidsSealed(2)))
        stage.sell(to: "bob", for: 130, at: .seconds(7))
        #expect(stage.screen.contains { $0.contains("you pay 120, your own bid") })
    }

    @Test("after a void the reserve is not met, unless it is announced again")
    func reserve() {
        let voided = VoidedBid(number: 1, price: price(100), bidder: bidder("bob"), leading: nil)
        var model = PlayedModel(
            Self.opened, Self.terms(.english), .event(.bidPlaced(lap(1, 100, "bob"))),
            .event(.reserveMet))
        #expect(model.lot.reserve == .met)
        model.receive(.event(.bidVoided(voided)), at: .zero)
        #expect(model.lot.reserve == .unmet)
        model.receive(.event(.reserveMet), at: .zero)
        #expect(model.lot.reserve == .met)
    }

    @Test("the longest time is that of the state, also without terms")
    func longest() {
        let stage = Stage.game(Size(columns: 120, rows: 30))
        #expect(stage.screen.contains { $0.contains("at most 60 s") })
        stage.send(.state(Array(#"{"longest":1.5}"#.utf8)))
        #expect(stage.screen.contains { $0.contains("at most 1.5 s") })
    }

    @Test("the least bid is that of the format")
    func leastBid() {
        let bob = ServerMessage.event(
            .bidPlaced(lap(1, 120, "bob")), .init(remaining: .seconds(7)))
        let cases: [([ServerMessage], Int64?)] = [
            ([], 50), ([Self.terms(.english)], 100), ([Self.terms(.english), bob], 130),
            ([Self.terms(.english, buy: 125), bob], 125), ([Self.terms(.dutch)], 100),
            ([Self.terms(.dutch), .event(.askFell(price(90)), .init(remaining: .seconds(9)))], 90),
            ([Self.terms(.vickrey), .event(.bidsSealed(2))], 100),
        ]
        for (news, expected) in cases {
            let model = PlayedModel(of: "alice", [Self.opened] + news)
            #expect(model.lot.least?.amount == expected)
        }
    }

    @Test("ASK sets the time to the end, and a pause stops it")
    func asks() {
        let ask = ServerMessage.event(.askFell(price(90)), .init(remaining: .seconds(9)))
        let model = PlayedModel(Self.opened, Self.terms(.dutch), ask)
        #expect(model.countdown?.remaining == .seconds(20))
        #expect(PlayedModel(Self.opened, Self.terms(.dutch), .event(.paused), ask).countdown == nil)
    }

    @Test("the chart of a Dutch lot has the asking prices, also after the laps were loaded")
    func askSeries() {
        var model = PlayedModel(Self.opened, Self.terms(.dutch), .event(.askFell(price(100))))
        model.model.follow(isLive: true, at: .zero)
        model.receive(.event(.askFell(price(90))), at: .seconds(1))
        model.load([], at: .seconds(1))
        #expect(model.series.points.map(\.price?.amount) == [100, 100, 90])
    }

    @Test("a latecomer to a Dutch lot does not know the prices before")
    func lateAsk() {
        let series = Series().changed { $0.ask(price(80), at: 4) }
        #expect(series.points.map(\.price?.amount) == [nil, nil, nil, nil, 80])
        #expect(series.points.map(\.isGap) == [true, true, true, true, false])
    }

    @Test("at most a hundred revealed bids, champions and standings are kept")
    func bounded() {
        var model = PlayedModel(Self.opened, Self.terms(.sealed))
        let names = (0..<150).map { bidder("b\($0)") }
        for name in names {
            model.receive(
                .event(.bidRevealed(SealedBid(bidder: name, price: price(200), elapsed: .zero))),
                at: .zero)
        }
        #expect(model.sale.revealed.count == 100)
        model.receive(.event(.ended(lots: 1)), at: .zero)
        for name in names { model.receive(.event(.championNamed(name, score: 1)), at: .zero) }
        #expect(model.sale.champions.count == 100)
        model.model.load(
            .standings, .standings(150),
            names.map { .standing(StandingsRow(rank: 1, bidder: $0, lots: 0, spent: 0)) }, at: .zero
        )
        #expect(model.standings.count == 100)
    }

    @Test("the standings are asked for after each end of a lot, but not while disconnected")
    func standingsVersion() {
        var model = PlayedModel(Self.opened)
        #expect(model.standingsVersion == nil)
        model.model.follow(isLive: true, at: .zero)
        let first = model.standingsVersion
        #expect(first != nil)
        model.receive(.event(.askFell(price(90))), at: .zero)
        #expect(model.standingsVersion == first)
        model.receive(.event(.lotPassed(Self.vase, reason: "no-bids", elapsed: nil)), at: .zero)
        #expect(model.standingsVersion != first)
        model.model.follow(isLive: false, at: .zero)
        #expect(model.standingsVersion == nil)
    }
}

/// What a user would earn, and may bid.
@Suite struct EarningsTests {
    private static let worth = ServerMessage.event(StageSale.drawn(143))
    private static let estimate = ServerMessage.event(StageSale.drawn(143, isEstimate: true))
    private static let opened = GameModelTests.opened

    private static func terms(_ format: AuctionFormat, _ buy: Int64?) -> ServerMessage {
        GameModelTests.terms(format, buy: buy)
    }

    private static func bid(_ name: String) -> ServerMessage {
        .event(.bidPlaced(lap(1, 120, name)), .init(remaining: .seconds(7)))
    }

    private static func sold(_ name: String) -> ServerMessage {
        lotSold(1, "Vase", to: name, for: 120, at: .seconds(9))
    }

    @Test("the earnings are the value less the price at which the user would get the lot")
    func amounts() {
        let ask = ServerMessage.event(.askFell(price(90)))
        let own = ServerMessage.event(
            .bidSealed(SealedBid(bidder: bidder("alice"), price: price(140), elapsed: .zero)))
        let cases: [([ServerMessage], Int64?, Earnings.Condition?)] = [
            ([Self.opened], nil, nil),
            ([Self.opened, Self.worth], 93, .ifBought(at: price(50))),
            ([Self.opened, Self.worth, Self.bid("bob")], 22, .ifBought(at: price(121))),
            ([Self.opened, Self.worth, Self.bid("alice")], 23, .ifWon),
            (
                [Self.opened, Self.terms(.dutch, nil), Self.worth, ask], 53,
                .ifBought(at: price(90))
            ),
            ([Self.opened, Self.terms(.sealed, nil), Self.worth], nil, nil),
            ([Self.opened, Self.terms(.sealed, nil), Self.worth, own], 3, .ifWon),
            ([Self.opened, Self.terms(.vickrey, nil), Self.worth, own], 3, .atLeastIfWon),
            ([Self.opened, Self.worth, Self.sold("alice")], 23, .won),
            ([Self.opened, Self.worth, Self.sold("bob")], nil, nil),
            (
                [Self.opened, Self.estimate, Self.sold("alice"), .event(.valueRevealed(117))], -3,
                .won
            ),
        ]
        for (news, amount, condition) in cases {
            let earnings = PlayedModel(of: "alice", news).earnings
            #expect(earnings?.amount == amount)
            #expect(earnings?.condition == condition)
        }
    }

    @Test("earnings by an estimate are an estimate until the value is revealed")
    func estimates() {
        #expect(
            PlayedModel(of: "alice", [Self.opened, Self.estimate]).earnings?.isEstimate == true)
        let sold = PlayedModel(
            of: "alice",
            [
                Self.opened, Self.estimate, Self.sold("alice"), .event(.valueRevealed(117)),
            ])
        #expect(sold.earnings?.isEstimate == false)
    }

    @Test("no bid above the purse is offered, but what the user's own bid reserves counts")
    func purse() {
        func purse(_ amount: Int64) -> ServerMessage {
            .event(StageSale.secrets(purse: amount)[0])
        }
        let cases: [([ServerMessage], offer: Int64?, buy: Int64?)] = [
            ([purse(99)], nil, nil), ([purse(100)], 100, nil), ([purse(500)], 100, 500),
            ([Self.bid("alice"), purse(500)], nil, 500),
            ([Self.bid("alice"), purse(499)], nil, nil),
        ]
        for (news, offer, buy) in cases {
            var model = PlayedModel(of: "alice", [Self.opened, Self.terms(.english, 500)] + news)
            model.model.follow(isLive: true, at: .zero)
            #expect(model.offer?.amount == offer)
            #expect(model.buyOffer?.amount == buy)
        }
    }
}

extension PlayedModel {
    /// Makes the model of alice after a greeting and messages that were received at 0 s.
    fileprivate init(_ messages: ServerMessage...) {
        self.init(of: "alice", messages)
    }
}
