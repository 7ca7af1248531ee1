import Auction
import Testing

@Suite struct TermsTests {
    private static func english(
        reserve: Int64? = nil, buy: Int64? = nil, mostRaise: Int64? = nil, selfRaise: Bool = false
    ) -> Rules {
        Rules(
            seconds: 7, start: .of(10), step: .of(5), allowsSelfRaise: selfRaise,
            mostRaise: mostRaise.map { .of($0) }, reserve: reserve.map { .of($0) },
            buy: buy.map { .of($0) })
    }

    private static let cases: [PlayedCase] = [
        PlayedCase(
            "a lot below its reserve passes", english(reserve: 50),
            [("1 ann bid 49", "ann 49"), ("8 expire", "end")], outcome: "reserve-not-met"),
        PlayedCase(
            "the reserve is announced once, at the bid that meets it", english(reserve: 50),
            [
                ("1 ann bid 20", "ann 20"), ("2 bob bid 50", "bob 50, reserve met"),
                ("3 ann bid 55", "ann 55"), ("10 expire", "end"),
            ], outcome: "ann pays 55"),
        PlayedCase(
            "after a void the reserve is announced again only if it still holds",
            english(reserve: 50),
            [
                ("1 ann bid 20", "ann 20"), ("2 bob bid 50", "bob 50, reserve met"),
                ("3 ann bid 60", "ann 60"), ("4 void", "void ann 60, reserve met"),
                ("5 void", "void bob 50"), ("6 bob bid 70", "bob 70, reserve met"),
            ], outcome: "bob pays 70"),
        PlayedCase(
            "the auctioneer's hammer does not sell below the reserve", english(reserve: 50),
            [("1 hammer", "no: no bids"), ("1 ann bid 20", "ann 20"), ("2 hammer", "hammer, end")],
            outcome: "reserve-not-met"),
        PlayedCase(
            "a lot with a reserve and no bid never expires", english(reserve: 50),
            [("5000 expire", "no: not due"), ("5001 close", "closed")], outcome: "closed"),
        PlayedCase(
            "a maximum that reaches the reserve bids it at once", english(reserve: 50),
            [
                ("1 ann max 49", "max ann 49, ann 10"),
                ("2 bob max 80", "max bob 80, bob 54, reserve met"),
            ], outcome: "bob pays 54"),
        PlayedCase(
            "a maximum above the reserve bids the reserve", english(reserve: 50),
            [
                ("1 ann max 20", "max ann 20, ann 10"),
                ("2 bob max 80", "max bob 80, bob 50, reserve met"),
            ], outcome: "bob pays 50"),
        PlayedCase(
            "a leader's maximum does not raise the price to the reserve, but jumps to it when a rival bids",
            english(reserve: 50),
            [
                ("1 ann bid 20", "ann 20"), ("2 ann max 60", "max ann 60"),
                ("3 bob bid 30", "bob 30, ann 50, reserve met"),
                ("4 bob bid 60", "ann 60, no: outbid 65"),
            ], outcome: "ann pays 60"),
        PlayedCase(
            "a leader below the reserve whom nobody challenges does not win the lot",
            english(reserve: 50),
            [("1 ann bid 20", "ann 20"), ("2 ann max 60", "max ann 60"), ("8 expire", "end")],
            outcome: "reserve-not-met"),
        PlayedCase(
            "the jump to the reserve is no more than the greatest raise",
            english(reserve: 50, mostRaise: 20),
            [
                ("1 ann max 60", "no: at most 30"), ("1 ann max 30", "max ann 30, ann 10"),
                ("2 bob max 30", "ann 30, no: outbid 35"),
                ("3 bob max 50", "max bob 50, bob 50, reserve met"),
            ], outcome: "bob pays 50"),
        PlayedCase(
            "where leaders may raise their bids, a leader's maximum reaches the reserve by itself",
            english(reserve: 50, selfRaise: true),
            [
                ("1 ann bid 20", "ann 20"), ("2 ann max 49", "max ann 49"),
                ("3 ann max 50", "max ann 50, ann 50, reserve met"),
            ], outcome: "ann pays 50"),
        PlayedCase(
            "a purchase ends the lot at the buy price", english(buy: 100),
            [
                ("1 ann bid 20", "ann 20"), ("2 bob buy", "bob 100, end"),
                ("3 ann bid 200", "no: closed"), ("3 ann buy", "no: closed"),
            ], outcome: "bob pays 100"),
        PlayedCase(
            "the leader may buy", english(buy: 100),
            [("1 ann bid 20", "ann 20"), ("2 ann buy", "ann 100, end")], outcome: "ann pays 100"),
        PlayedCase(
            "a bid of at least the buy price buys at the buy price", english(buy: 100),
            [("1 ann bid 20", "ann 20"), ("2 bob bid 500", "bob 100, end")],
            outcome: "bob pays 100"),
        PlayedCase(
            "within one step of the buy price only a purchase is accepted", english(buy: 100),
            [
                ("1 ann bid 98", "ann 98"), ("2 bob bid 99", "no: at least 100"),
                ("3 bob bid 100", "bob 100, end"),
            ], outcome: "bob pays 100"),
        PlayedCase(
            "a maximum bids the buy price only when a rival forces it", english(buy: 100),
            [
                ("1 ann max 500", "max ann 100, ann 10"), ("2 bob bid 40", "bob 40, ann 45"),
                ("3 bob max 96", "ann 96, no: outbid 100"), ("4 bob buy", "bob 100, end"),
            ], outcome: "bob pays 100"),
        PlayedCase(
            "of two maxima above the buy price the earlier buys", english(buy: 100),
            [
                ("1 ann max 100", "max ann 100, ann 10"),
                ("2 bob max 500", "ann 100, end, no: outbid"),
            ], outcome: "ann pays 100"),
        PlayedCase(
            "a purchase precedes the automatic bid of a maximum", english(buy: 100),
            [("1 ann max 100", "max ann 100, ann 10"), ("2 bob bid 100", "bob 100, end")],
            outcome: "bob pays 100"),
        PlayedCase(
            "the greatest raise does not forbid a purchase",
            Rules(seconds: 7, mostRaise: .of(10), buy: .of(100)),
            [("1 ann bid 50", "no: at most 11"), ("2 ann bid 100", "ann 100, end")],
            outcome: "ann pays 100"),
        PlayedCase(
            "while the sale is paused nobody buys", english(buy: 100),
            [("1 pause", "paused"), ("2 ann buy", "no: paused"), ("3 ann bid 100", "no: paused")],
            outcome: "no-bids"),
        PlayedCase(
            "a plain lot has no buy price and no asking price", english(),
            [
                ("1 ann buy", "no: no buy price"), ("1 ann take", "no: english"),
                ("2 ann bid 10", "ann 10"), ("2 ann bid 10", ""),
            ], outcome: "ann pays 10"),
        PlayedCase(
            "a restart after a purchase changes nothing", english(buy: 100),
            [("1 ann buy", "ann 100, end"), ("5 restart", "")], outcome: "ann pays 100"),
    ]

    @Test("reserve and buy price hold in a rising auction", arguments: cases)
    func rising(played: PlayedCase) throws {
        try played.check()
    }

    @Test("a lot that was bought and not ended when the server stopped ends after the restart")
    func recoveredPurchase() throws {
        let ann = try #require(Bidder("ann"))
        let bid = Bid(number: 1, price: .of(100), bidder: ann, elapsed: .seconds(2))
        var auction = Auction(
            Lot(number: 1), rules: Self.english(buy: 100), openedAt: .atSeconds(0))
        auction.apply(.bidPlaced(bid), at: .atSeconds(2))
        auction.resume(with: auction.rules, at: .atSeconds(50))
        #expect(auction.deadline == nil)
        #expect(auction.dueEvent(at: .atSeconds(51))?.words == "end")
    }

    private static let problems: [(Terms, reserve: Int64?, problem: String?)] = [
        (Terms(seconds: 7), nil, nil), (Terms(seconds: 7), 1, nil),
        (Terms(seconds: 0), nil, "seconds is 0: use 1 to 3600"),
        (Terms(seconds: 3601), nil, "seconds is 3601: use 1 to 3600"),
        (
            Terms(seconds: 7, start: .of(10)), 9,
            "the reserve is below the start: use a reserve of at least 10"
        ),
        (
            Terms(format: .sealed, seconds: 7, start: .of(10), buy: .of(10)), nil,
            "the buy price is not above the start: use more than 10"
        ),
        (
            Terms(format: .vickrey, seconds: 7, buy: .of(79)), 80,
            "the buy price is below the reserve: use at least the reserve"
        ),
        (Terms(format: .vickrey, seconds: 7, buy: .of(80)), 80, nil),
        (
            Terms(format: .dutch, seconds: 7, start: .of(9), buy: .of(80)), nil,
            "a dutch auction has no buy price: to take the asking price is to buy"
        ),
        (
            Terms(format: .dutch, seconds: 7), nil,
            "a dutch auction falls from its start: use a start above 1"
        ),
        (
            Terms(format: .dutch, seconds: 7, start: .of(80)), 80,
            "a dutch auction falls from its start: use a start above 80"
        ),
        (Terms(format: .dutch, seconds: 10, start: .of(200), step: .of(1)), 100, nil),
        (
            Terms(format: .dutch, seconds: 10, start: .of(201), step: .of(1)), 100,
            "a dutch auction falls at most 10 times a second: use a step of at least 2"
        ),
        (Terms(format: .dutch, seconds: 10, start: .of(201), step: .of(2)), 100, nil),
        (
            Terms(format: .dutch, seconds: 3600, start: .highest), nil,
            "a dutch auction falls at most 10 times a second: use a step of at least 27777778"
        ),
    ]

    @Test("contradictory terms are refused with advice")
    func wrongTerms() {
        for (terms, reserve, problem) in Self.problems {
            let reserve = reserve.map { Price.of($0) }
            #expect(Rules.problem(of: terms, reserve: reserve) == problem)
            guard problem == nil else { continue }
            let rules = Rules(seconds: 7).with(terms, reserve: reserve)
            #expect(rules.problem == nil && rules.reserve == reserve)
            let told = Terms(
                format: terms.format, seconds: terms.seconds, start: terms.start, step: terms.step,
                hasReserve: reserve != nil, buy: terms.buy, longest: terms.longest)
            #expect(rules.terms == told)
        }
    }

    @Test("a lot's terms replace those of the rules, and raise `mostRaise` to at least the step")
    func withTerms() {
        let base = Rules(
            seconds: 7, step: .of(2), allowsSelfRaise: true, longest: .seconds(60),
            mostRaise: .of(10), reserve: .of(50), buy: .of(90))
        #expect(!base.isPlain && base.plain.isPlain)
        #expect(base.plain.with(base.terms, reserve: .of(50)) == base)
        let lot = base.with(Terms(format: .vickrey, seconds: 20, step: .of(30)), reserve: nil)
        #expect(lot.allowsSelfRaise && lot.mostRaise == .of(30) && lot.reserve == nil)
        #expect(lot.format == .vickrey && lot.seconds == 20 && lot.longest == nil)
    }
}
