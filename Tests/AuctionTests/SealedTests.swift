import Auction
import Testing

@Suite struct SealedTests {
    private static func rules(
        _ format: AuctionFormat, reserve: Int64? = nil, buy: Int64? = nil
    ) -> Rules {
        Rules(
            seconds: 10, start: .of(5), format: format, reserve: reserve.map { .of($0) },
            buy: buy.map { .of($0) })
    }

    private static let three = [
        ("1 ann bid 60", "ann seals 60, sealed 1"), ("2 bob bid 100", "bob seals 100, sealed 2"),
        ("3 cid bid 80", "cid seals 80, sealed 3"), ("9.9 expire", "no: not due"),
        ("10 expire", "reveal 100 bob, reveal 80 cid, reveal 60 ann, end"),
    ]

    private static let cases: [PlayedCase] = [
        // P. Klemperer, "Auction Theory: A Guide to the Literature", 1999: in a first-price
        // sealed-bid auction the highest bidder pays the own bid, in a second-price one the
        // second-highest.
        PlayedCase(
            "sealed: the highest pays its bid", rules(.sealed), three, outcome: "bob pays 100"),
        PlayedCase(
            "vickrey: the highest pays the second-highest bid", rules(.vickrey), three,
            outcome: "bob pays 80"),
        PlayedCase(
            "allpay: the highest wins", rules(.allpay, reserve: 90), three, outcome: "bob pays 100"),
        PlayedCase(
            "vickrey: a reserve above the second-highest bid is the price",
            rules(.vickrey, reserve: 90), three, outcome: "bob pays 90"),
        PlayedCase(
            "sealed: the reserve does not change the price", rules(.sealed, reserve: 90), three,
            outcome: "bob pays 100"),
        PlayedCase(
            "below the reserve the lot passes, and all is revealed", rules(.vickrey, reserve: 101),
            three, outcome: "reserve-not-met"),
        PlayedCase(
            "vickrey: a single bid pays the start", rules(.vickrey),
            [
                ("1 ann bid 60", "ann seals 60, sealed 1"), ("10 expire", "reveal 60 ann, end"),
            ], outcome: "ann pays 5"),
        PlayedCase(
            "vickrey: a single bid pays the reserve", rules(.vickrey, reserve: 50),
            [
                ("1 ann bid 60", "ann seals 60, sealed 1"), ("10 expire", "reveal 60 ann, end"),
            ], outcome: "ann pays 50"),
        PlayedCase(
            "of two equal bids the first wins", rules(.vickrey),
            [
                ("1 ann bid 60", "ann seals 60, sealed 1"),
                ("2 bob bid 60", "bob seals 60, sealed 2"),
                ("10 expire", "reveal 60 ann, reveal 60 bob, end"),
            ], outcome: "ann pays 60"),
        PlayedCase(
            "a bid may be replaced, up or down, and is then as new as it is", rules(.sealed),
            [
                ("1 ann bid 60", "ann seals 60, sealed 1"),
                ("2 bob bid 70", "bob seals 70, sealed 2"), ("3 ann bid 70", "ann seals 70"),
                ("4 bob bid 70", ""), ("5 ann bid 8", "ann seals 8"),
                ("6 ann bid 70", "ann seals 70"),
                ("10 expire", "reveal 70 bob, reveal 70 ann, end"),
            ], outcome: "bob pays 70"),
        PlayedCase(
            "a bid below the start is refused, and nobody leads or is raised", rules(.sealed),
            [
                ("1 ann bid 4", "no: at least 5"), ("1 ann max 70", "no: sealed"),
                ("1 ann take", "no: sealed"), ("1 ann buy", "no: no buy price"),
                ("2 ann bid 5", "ann seals 5, sealed 1"), ("3 void", "no: sealed"),
            ], outcome: "ann pays 5"),
        PlayedCase(
            "a lot without bids passes", rules(.vickrey),
            [("1 hammer", "no: no bids"), ("10 expire", "end"), ("11 ann bid 9", "no: closed")],
            outcome: "no-bids"),
        PlayedCase(
            "the hammer reveals and sells at once", rules(.vickrey),
            [
                ("1 ann bid 60", "ann seals 60, sealed 1"),
                ("2 bob bid 50", "bob seals 50, sealed 2"),
                ("3 hammer", "hammer, reveal 60 ann, reveal 50 bob, end"),
            ], outcome: "ann pays 50"),
        PlayedCase(
            "the auctioneer closes a lot without revealing", rules(.sealed),
            [("1 ann bid 60", "ann seals 60, sealed 1"), ("3 close", "closed"), ("20", "")],
            outcome: "closed"),
        PlayedCase(
            "a purchase ends the lot, all is revealed, and the buyer pays the buy price",
            rules(.vickrey, buy: 100),
            [
                ("1 ann bid 99", "ann seals 99, sealed 1"),
                ("2 bob bid 60", "bob seals 60, sealed 2"),
                ("3 bob buy", "bob 100, reveal 99 ann, reveal 60 bob, end"),
            ], outcome: "bob pays 100"),
        PlayedCase(
            "a sealed bid of at least the buy price buys", rules(.sealed, buy: 100),
            [("1 ann bid 300", "ann 100, end")], outcome: "ann pays 100"),
        PlayedCase(
            "a kick takes the bid back, and the count says so", rules(.vickrey),
            [
                ("1 ann bid 60", "ann seals 60, sealed 1"),
                ("2 bob bid 50", "bob seals 50, sealed 2"), ("3 remove ann", "sealed 1"),
                ("10 expire", "reveal 50 bob, end"),
            ], outcome: "bob pays 5"),
        PlayedCase(
            "after a pause the countdown is full again", rules(.sealed),
            [
                ("8 pause", "paused"), ("9 ann bid 9", "no: paused"), ("20 resume", "resumed"),
                ("29.9 expire", "no: not due"), ("30 expire", "end"),
            ], outcome: "no-bids"),
        PlayedCase(
            "after a restart the countdown is full again, and the bids stand", rules(.vickrey),
            [
                ("1 ann bid 60", "ann seals 60, sealed 1"),
                ("2 bob bid 60", "bob seals 60, sealed 2"), ("40 restart", ""),
                ("41 bob bid 60", ""), ("49.9 expire", "no: not due"),
                ("50 expire", "reveal 60 ann, reveal 60 bob, end"),
            ], outcome: "ann pays 60"),
    ]

    @Test("sealed bids stay secret until the end, and the highest wins", arguments: cases)
    func sealed(played: PlayedCase) throws {
        try played.check()
    }

    /// What the lot of `three` costs each bidder, after what has happened since.
    private static let payments: [(Rules, then: [String], payments: String)] = [
        (rules(.sealed), [], "bob 100"), (rules(.vickrey), [], "bob 80"),
        (rules(.allpay), [], "bob 100, cid 80, ann 60"),
        (rules(.allpay, reserve: 100), [], "bob 100, cid 80, ann 60"),
        (rules(.allpay, reserve: 101), [], ""), (rules(.allpay), ["5 close"], ""),
        (rules(.allpay), ["5 hammer"], "bob 100, cid 80, ann 60"),
        (rules(.allpay), ["5 ann bid 100"], "bob 100, ann 100, cid 80"),
        (rules(.allpay), ["5 remove bob"], "cid 80, ann 60"),
        (rules(.allpay, buy: 200), ["5 ann buy"], "ann 200"),
    ]

    @Test(
        "the winner pays, in an all-pay auction everybody, and for an unsold lot nobody",
        arguments: payments)
    func paid(rules: Rules, then lines: [String], payments: String) throws {
        var play = Play(rules)
        for line in Self.three.dropLast(2).map(\.0) + lines + ["10 expire"] {
            _ = try play.say(line)
        }
        let words = play.auction.payments.map { "\($0.bidder) \($0.price.amount)" }
        #expect(words.joined(separator: ", ") == payments)
    }

    @Test("after a crash between two revealed bids the rest follows, and no bid is taken")
    func crashWhileRevealing() throws {
        var play = Play(Self.rules(.vickrey))
        for step in Self.three.dropLast() { _ = try play.say(step.0) }
        var auction = play.auction
        let first = try #require(try auction.decide(.expire, at: .atSeconds(10)))
        auction.apply(first, at: .atSeconds(10))
        var recovered = auction
        recovered.resume(with: auction.rules, at: .atSeconds(60))
        recovered.start(at: .atSeconds(60))
        #expect(recovered.deadline == nil && recovered.lastRevealed?.price == .of(100))
        let dan = try #require(Bidder("dan"))
        #expect(throws: Auction.Refusal.closed) {
            try recovered.decide(.bid(.of(500), by: dan), at: .atSeconds(60))
        }
        var events: [String] = []
        while let event = recovered.dueEvent(at: .atSeconds(60)) {
            events.append(event.words)
            recovered.apply(event, at: .atSeconds(60))
        }
        #expect(events == ["reveal 80 cid", "reveal 60 ann", "end"])
        #expect(recovered.outcome.words == "bob pays 80" && recovered.nextRevealed == nil)
    }

    @Test("after a crash behind the hammer the bids are revealed")
    func crashAfterHammer() throws {
        var play = Play(Self.rules(.sealed))
        _ = try play.say("1 ann bid 60")
        var auction = play.auction
        auction.apply(.hammered, at: .atSeconds(2))
        auction.resume(with: auction.rules, at: .atSeconds(60))
        #expect(auction.isClosed && auction.dueEvent(at: .atSeconds(60))?.words == "reveal 60 ann")
    }

    @Test("a sealed bid is reserved until the lot ends, and with it only the buyer's price")
    func reserved() throws {
        let (ann, bob) = (try #require(Bidder("ann")), try #require(Bidder("bob")))
        var play = Play(Self.rules(.sealed, buy: 100))
        let steps: [(String, ann: Int64, bob: Int64)] = [
            ("1 ann bid 20", 20, 0), ("2 bob bid 10", 20, 10), ("3 ann bid 15", 15, 10),
            ("4 remove ann", 0, 10),
        ]
        for step in steps {
            _ = try play.say(step.0)
            #expect(play.auction.reserved(by: ann) == step.ann, "\(step)")
            #expect(play.auction.reserved(by: bob) == step.bob, "\(step)")
        }
        var auction = play.auction
        let bought = try #require(try auction.decide(.buy(by: ann), at: .atSeconds(5)))
        auction.apply(bought, at: .atSeconds(5))
        #expect(auction.reserved(by: ann) == 100 && auction.reserved(by: bob) == 0)
        while let due = auction.dueEvent(at: .atSeconds(5)) {
            auction.apply(due, at: .atSeconds(5))
        }
        #expect(auction.reserved(by: ann) == 0)
    }
}
