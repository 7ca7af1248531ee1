import Auction
import Basics
import Testing

@Suite struct DutchTests {
    /// Asks 100, 80, 60, 40, 30: five asking prices of two seconds each.
    private static let rules = Rules(
        seconds: 10, start: .of(100), step: .of(20), format: .dutch, reserve: .of(30))

    private static let cases: [PlayedCase] = [
        // The clock of the flower auction in Aalsmeer: it falls from a high price, and who stops it
        // buys at the price that it shows. R. Cassady, "Auctions and Auctioneering", 1967.
        PlayedCase(
            "the first bidder who takes the asking price wins at it", rules,
            [
                ("1.9", ""), ("2", "ask 80"), ("3.9 ann take", "ann 80, end"),
                ("4 bob take", "no: closed"),
            ], outcome: "ann pays 80"),
        PlayedCase(
            "a bid of at least the asking price pays the asking price", rules,
            [("1 ann bid 99", "no: at least 100"), ("1 ann bid 500", "ann 100, end")],
            outcome: "ann pays 100"),
        PlayedCase(
            "the last asking price is the reserve, and without a bid the lot ends after it", rules,
            [
                ("2 expire", "ask 80, no: not due"), ("4", "ask 60"), ("6", "ask 40"),
                ("8", "ask 30"), ("9.9 expire", "no: not due"), ("10 expire", "end"),
            ], outcome: "no-bids"),
        PlayedCase(
            "the last asking price can be taken", rules,
            [("8", "ask 80, ask 60, ask 40, ask 30"), ("9.9 ann take", "ann 30, end")],
            outcome: "ann pays 30"),
        PlayedCase(
            "without a reserve the price falls to 1",
            Rules(seconds: 3, start: .of(5), step: .of(2), format: .dutch),
            [("1", "ask 3"), ("2", "ask 1"), ("3 expire", "end")], outcome: "no-bids"),
        PlayedCase(
            "a bid that arrives before the next asking price is said takes the one that was said",
            rules, [("2", "ask 80"), ("3.99 ann take", "ann 80, end")], outcome: "ann pays 80"),
        PlayedCase(
            "a pause stops the price, which then has its full time again", rules,
            [
                ("3", "ask 80"), ("3 pause", "paused"), ("50 ann take", "no: paused"),
                ("50 ann bid 80", "no: paused"), ("60 resume", "resumed"), ("61.9", ""),
                ("62", "ask 60"), ("64", "ask 40"), ("66", "ask 30"), ("68 expire", "end"),
            ], outcome: "no-bids"),
        PlayedCase(
            "after a restart the price continues from the one that was said last", rules,
            [
                ("3", "ask 80"), ("70 restart", ""), ("71.9", ""), ("72", "ask 60"),
                ("73 ann take", "ann 60, end"),
            ], outcome: "ann pays 60"),
        PlayedCase(
            "the auctioneer can close the lot, but has no bid to hammer or to void", rules,
            [
                ("1 hammer", "no: no bids"), ("1 void", "no: no bids"),
                ("2 close", "ask 80, closed"),
                ("4", ""),
            ], outcome: "closed"),
        PlayedCase(
            "there is no maximum and no purchase", rules,
            [("1 ann max 50", "no: dutch"), ("1 ann buy", "no: no buy price")],
            outcome: "no-bids"),
    ]

    @Test("the price falls until somebody takes it", arguments: cases)
    func falling(played: PlayedCase) throws {
        try played.check()
    }

    @Test("the asking prices share the seconds exactly, down to the last nanosecond")
    func evenTimes() throws {
        let rules = Rules(seconds: 1, start: .of(8), step: .of(1), format: .dutch, reserve: .of(2))
        var auction = Auction(Lot(number: 1), rules: rules, openedAt: .atSeconds(0))
        #expect(auction.nextFall == nil && auction.deadline == nil)
        auction.start(at: .atSeconds(0))
        #expect(auction.deadline == .atSeconds(1))
        for fall in 1...6 {
            let due = try #require(auction.nextFall)
            // A seventh of a second each, without a sum of rounding errors.
            let ideal = Int64(fall) * 1_000_000_000 / 7
            #expect(abs(due.nanoseconds - ideal) <= 1)
            let early = Instant(nanoseconds: due.nanoseconds - 1)
            #expect(auction.dueEvent(at: early) == nil)
            let event = try #require(auction.dueEvent(at: due))
            #expect(event == .askFell(.of(8 - Int64(fall))))
            auction.apply(event, at: due)
        }
        #expect(auction.nextFall == nil && auction.deadline == .atSeconds(1))
        #expect(auction.minimum == 2)
    }

    @Test("a countdown that begins late gives the asking price its full time")
    func lateBeginning() throws {
        var play = Play(Self.rules)
        _ = try play.say("4 expire")
        #expect(play.auction.ask == .of(60))
        var auction = play.auction
        auction.postponeDeadline(toLeave: auction.countdownLeft, at: .atSeconds(20))
        #expect(auction.deadline == .atSeconds(26) && auction.nextFall == .atSeconds(22))
        #expect(auction.remaining(at: .atSeconds(21)) == .seconds(5))
    }

    @Test("extreme terms neither overflow nor divide by nothing")
    func extremes() {
        let extremes: [(Int64, Int64, Int64)] = [(1, 1, 1), (5, 9, 1), (1_000_000_000_000, 1, 1)]
        for (start, reserve, step) in extremes {
            let rules = Rules(
                seconds: 3600, start: .of(start), step: .of(step), format: .dutch,
                reserve: .of(reserve))
            #expect(rules.problem != nil)
            var auction = Auction(Lot(number: 1), rules: rules, openedAt: .atSeconds(0))
            auction.start(at: .atSeconds(0))
            #expect(auction.deadline == .atSeconds(3600) && auction.minimum == start)
            #expect(auction.nextFall.map { $0 > .atSeconds(0) } ?? true)
        }
    }
}
