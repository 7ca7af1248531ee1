import Auction
import Basics
import Testing

@Suite struct AuctionTests {
    let alice: Bidder
    let bob: Bidder

    init() throws {
        alice = try #require(Bidder("alice"))
        bob = try #require(Bidder("bob"))
    }

    func opened(_ rules: Rules = Rules(seconds: 7)) -> Auction {
        Auction(Lot(number: 1), rules: rules, openedAt: .atSeconds(100))
    }

    @Test("an open lot has no deadline until its first bid")
    func noDeadlineBeforeFirstBid() {
        #expect(opened().deadline == nil)
        #expect(opened().leading == nil)
        #expect(opened().minimum == 1)
        #expect(throws: Auction.Refusal.notDue) {
            try opened().decide(.expire, at: .atSeconds(5000))
        }
    }

    @Test("a bid becomes the price and starts the full countdown")
    func bidSetsPriceAndDeadline() throws {
        var auction = opened()
        try auction.run(.bid(.of(120), by: alice), at: .atSeconds(103))
        #expect(
            auction.leading
                == Bid(number: 1, price: .of(120), bidder: alice, elapsed: .seconds(3)))
        #expect(auction.deadline == .atSeconds(110))
        #expect(auction.minimum == 121)
    }

    @Test("each accepted bid restarts the countdown")
    func everyBidResetsCountdown() throws {
        var auction = opened()
        for second in 0..<5 {
            let bidder = second.isMultiple(of: 2) ? alice : bob
            try auction.run(
                .bid(.of(10 + Int64(second)), by: bidder), at: .atSeconds(100 + Int64(second) * 6))
            #expect(auction.deadline == .atSeconds(107 + Int64(second) * 6))
        }
        #expect(auction.bids.map(\.number) == [1, 2, 3, 4, 5])
    }

    @Test(
        "a bid below the minimum is refused with the minimum",
        arguments: [(99, 100), (1, 100), (100, nil), (5000, nil)] as [(Int64, Int64?)])
    func firstBidAgainstStart(amount: Int64, minimum: Int64?) {
        let auction = opened(Rules(seconds: 7, start: .of(100), step: .of(10)))
        expect(
            auction, .bid(.of(amount), by: alice), refusedWith: minimum.map { .belowMinimum($0) })
    }

    @Test(
        "after a bid of 100 the minimum is the price plus the step",
        arguments: [(99, 110), (100, 110), (109, 110), (110, nil)] as [(Int64, Int64?)])
    func laterBidAgainstStep(amount: Int64, minimum: Int64?) throws {
        var auction = opened(Rules(seconds: 7, start: .of(100), step: .of(10)))
        try auction.run(.bid(.of(100), by: alice), at: .atSeconds(100))
        expect(auction, .bid(.of(amount), by: bob), refusedWith: minimum.map { .belowMinimum($0) })
    }

    @Test("of two equal bids the first received wins")
    func equalBids() throws {
        var auction = opened()
        try auction.run(.bid(.of(5), by: alice), at: .atSeconds(101))
        expect(auction, .bid(.of(5), by: bob), refusedWith: .belowMinimum(6))
    }

    @Test("a leader may not bid another amount")
    func leaderCannotRaise() throws {
        var auction = opened()
        try auction.run(.bid(.of(5), by: alice), at: .atSeconds(101))
        expect(auction, .bid(.of(6), by: alice), refusedWith: .leading(.of(5)))
        expect(auction, .bid(.of(4), by: alice), refusedWith: .leading(.of(5)))
        let shouting = try #require(Bidder("ALICE"))
        expect(auction, .bid(.of(6), by: shouting), refusedWith: .leading(.of(5)))
    }

    @Test("if the rules allow it, the leader can raise by at least a step")
    func leaderRaises() throws {
        var auction = opened(Rules(seconds: 7, allowsSelfRaise: true))
        try auction.run(.bid(.of(5), by: alice), at: .atSeconds(101))
        expect(auction, .bid(.of(4), by: alice), refusedWith: .belowMinimum(6))
        try auction.run(.bid(.of(6), by: alice), at: .atSeconds(102))
        #expect(auction.leading?.price == .of(6))
    }

    @Test(
        "repeating the leading bid is accepted and changes nothing",
        arguments: [true, false])
    func retry(allowsSelfRaise: Bool) throws {
        var auction = opened(Rules(seconds: 7, allowsSelfRaise: allowsSelfRaise))
        try auction.run(.bid(.of(5), by: alice), at: .atSeconds(101))
        let before = auction
        #expect(try auction.decide(.bid(.of(5), by: alice), at: .atSeconds(104)) == nil)
        #expect(auction == before)
    }

    @Test("a refused bid changes nothing, and does not move the deadline")
    func refusalChangesNothing() throws {
        var auction = opened()
        try auction.run(.bid(.of(5), by: alice), at: .atSeconds(101))
        let before = auction
        #expect(throws: Auction.Refusal.belowMinimum(6)) {
            try auction.run(.bid(.of(2), by: bob), at: .atSeconds(106))
        }
        #expect(auction == before)
    }

    @Test("the countdown ends at the deadline and not a nanosecond before")
    func hammerAtDeadline() throws {
        var auction = opened()
        try auction.run(.bid(.of(5), by: alice), at: .atSeconds(101))
        let early = Instant(nanoseconds: Instant.atSeconds(108).nanoseconds - 1)
        #expect(throws: Auction.Refusal.notDue) { try auction.decide(.expire, at: early) }
        try auction.run(.expire, at: .atSeconds(108))
        #expect(auction.isClosed)
        #expect(auction.deadline == nil)
        #expect(auction.leading?.bidder == alice)
    }

    @Test("a bid received before the lot ends is in time, even past the deadline")
    func bidHeardBeforeHammer() throws {
        var auction = opened()
        try auction.run(.bid(.of(5), by: alice), at: .atSeconds(101))
        try auction.run(.bid(.of(6), by: bob), at: .atSeconds(109))
        #expect(auction.deadline == .atSeconds(116))
    }

    @Test("after the end everything is refused as closed")
    func closed() throws {
        var auction = opened()
        try auction.run(.bid(.of(5), by: alice), at: .atSeconds(101))
        try auction.run(.expire, at: .atSeconds(108))
        expect(auction, .bid(.of(6), by: bob), refusedWith: .closed)
        expect(auction, .bid(.of(5), by: alice), refusedWith: .closed)
        expect(auction, .expire, refusedWith: .closed)
    }

    @Test(
        "the time left is always from 0 to the full countdown",
        arguments: [(90, 7), (101, 7), (102, 6), (107, 1), (108, 0), (109, 0), (500, 0)]
            as [(Int64, Int)])
    func remaining(second: Int64, left: Int) throws {
        var auction = opened()
        #expect(auction.remaining(at: .atSeconds(second)) == nil)
        try auction.run(.bid(.of(5), by: alice), at: .atSeconds(101))
        #expect(auction.remaining(at: .atSeconds(second)) == .seconds(left))
        try auction.run(.pause, at: .atSeconds(101))
        #expect(auction.remaining(at: .atSeconds(second)) == nil)
    }

    @Test("past the highest price nothing more is accepted, and nothing overflows")
    func highestPrice() throws {
        var auction = opened(Rules(seconds: 7, step: .highest))
        try auction.run(.bid(.highest, by: alice), at: .atSeconds(101))
        expect(
            auction, .bid(.highest, by: bob), refusedWith: .belowMinimum(2_000_000_000_000))
    }

    @Test("replaying the events gives the same auction")
    func replay() throws {
        var auction = opened()
        var events: [(event: SaleEvent, at: Instant)] = []
        let commands: [(Auction.Command, Int64)] = [
            (.bid(.of(5), by: alice), 101), (.bid(.of(6), by: bob), 103), (.void, 104),
            (.pause, 105), (.resume, 106), (.bid(.of(7), by: bob), 107), (.expire, 114),
        ]
        for (command, second) in commands {
            let now = Instant.atSeconds(second)
            if let event = try auction.run(command, at: now) { events.append((event, now)) }
        }
        var replayed = opened()
        for (event, now) in events { replayed.apply(event, at: now) }
        #expect(replayed == auction)
    }

    private func expect(
        _ auction: Auction, _ command: Auction.Command, refusedWith refusal: Auction.Refusal?
    ) {
        do throws(Auction.Refusal) {
            _ = try auction.decide(command, at: .atSeconds(150))
            #expect(refusal == nil)
        } catch {
            #expect(error == refusal)
        }
    }
}

extension Auction {
    @discardableResult
    mutating func run(
        _ command: Command, at now: Instant
    ) throws(Refusal) -> SaleEvent? {
        let event = try decide(command, at: now)
        if let event { apply(event, at: now) }
        while let due = dueEvent(at: now) { apply(due, at: now) }
        return event
    }
}

extension Instant {
    static func atSeconds(_ seconds: Int64) -> Instant {
        Instant(nanoseconds: seconds * 1_000_000_000)
    }
}

extension Price {
    static func of(_ amount: Int64) -> Price {
        guard let price = Price(amount) else { preconditionFailure("a test's price is in bounds") }
        return price
    }
}
