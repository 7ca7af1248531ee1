import Auction
import Testing

@Suite struct LongLotTests {
    private let alice: Bidder
    private let bob: Bidder

    init() throws {
        alice = try #require(Bidder("alice"))
        bob = try #require(Bidder("bob"))
    }

    private func opened(_ rules: Rules) -> Auction {
        Auction(Lot(number: 1), rules: rules, openedAt: .atSeconds(100))
    }

    @Test("the first bid after the longest time sets the countdown back for the last time")
    func longest() throws {
        var auction = opened(Rules(seconds: 7, longest: .seconds(10)))
        // Ten seconds from the first bid, not from the opening.
        let steps: [(second: Int64, deadline: Int64, isLast: Bool)] = [
            (150, 157, false), (155, 162, false), (159, 166, false), (160, 167, true),
            (161, 167, true), (166, 167, true), (167, 167, true),
        ]
        for (index, step) in steps.enumerated() {
            let bidder = index.isMultiple(of: 2) ? alice : bob
            let price = Price.of(10 + Int64(index))
            try auction.run(.bid(price, by: bidder), at: .atSeconds(step.second))
            #expect(auction.deadline == .atSeconds(step.deadline), "\(step)")
            #expect(auction.isLast == step.isLast, "\(step)")
        }
        try auction.run(.expire, at: .atSeconds(167))
        #expect(auction.isClosed)
    }

    @Test("a bid received before a late hammer is in time, and the lot ends with it")
    func heardBeforeHammer() throws {
        var auction = opened(Rules(seconds: 7, longest: .seconds(1)))
        try auction.run(.bid(.of(1), by: alice), at: .atSeconds(100))
        try auction.run(.bid(.of(2), by: bob), at: .atSeconds(102))
        try auction.run(.bid(.of(3), by: alice), at: .atSeconds(110))
        #expect(auction.deadline == .atSeconds(110) && auction.leading?.bidder == alice)
    }

    @Test("a pause and a void give the full seconds again, and a lot without bids begins anew")
    func setBackOtherwise() throws {
        var auction = opened(Rules(seconds: 7, longest: .seconds(1)))
        try auction.run(.bid(.of(1), by: alice), at: .atSeconds(100))
        try auction.run(.bid(.of(2), by: bob), at: .atSeconds(102))
        try auction.run(.pause, at: .atSeconds(103))
        try auction.run(.resume, at: .atSeconds(200))
        #expect(auction.deadline == .atSeconds(207) && auction.isLast)
        try auction.run(.void, at: .atSeconds(201))
        #expect(auction.deadline == .atSeconds(208) && auction.isLast)
        try auction.run(.void, at: .atSeconds(202))
        #expect(auction.deadline == nil && !auction.isLast)
        try auction.run(.bid(.of(2), by: bob), at: .atSeconds(300))
        #expect(auction.deadline == .atSeconds(307) && !auction.isLast)
    }

    @Test(
        "a bid that passes the price by more than the greatest raise is refused with the most",
        arguments: [(100, nil), (150, nil), (151, 150)] as [(Int64, Int64?)])
    func mostRaise(amount: Int64, maximum: Int64?) throws {
        let rules = Rules(seconds: 7, start: .of(100), step: .of(10), mostRaise: .of(50))
        var auction = opened(rules)
        #expect(refusal(of: amount, by: alice, in: auction) == maximum.map { .aboveMaximum($0) })
        try auction.run(.bid(.of(120), by: alice), at: .atSeconds(101))
        let later = maximum.map { Auction.Refusal.aboveMaximum($0 + 20) }
        #expect(
            refusal(of: amount + 20, by: bob, in: auction)
                == (amount == 100 ? .belowMinimum(130) : later))
    }

    private func refusal(of amount: Int64, by bidder: Bidder, in auction: Auction) -> Auction
        .Refusal?
    {
        do throws(Auction.Refusal) {
            _ = try auction.decide(.bid(.of(amount), by: bidder), at: .atSeconds(101))
            return nil
        } catch {
            return error
        }
    }

    @Test("the greatest raise ends at the highest price")
    func highestRaise() throws {
        var auction = opened(Rules(seconds: 7, start: .of(1), mostRaise: .highest))
        try auction.run(.bid(.highest, by: alice), at: .atSeconds(101))
        #expect(auction.maximum == Price.highest.amount)
    }

    @Test("the newest 1,000 bids of a lot are kept, and all are counted")
    func kept() throws {
        var auction = opened(Rules(seconds: 7, allowsSelfRaise: true))
        for amount in 1...5_250 {
            try auction.run(.bid(.of(Int64(amount)), by: alice), at: .atSeconds(101))
            let known = max(1, amount - 999)...amount
            #expect(auction.bids.first?.number == known.lowerBound)
            #expect(auction.bidCount == amount && auction.bids.count == known.count)
        }
        #expect(auction.bid(number: 4_250) == nil && auction.bid(number: 5_251) == nil)
        #expect(auction.bid(number: 4_251)?.price == .of(4_251))
        #expect(auction.first?.number == 1)
        for _ in 0..<Auction.mostVoided { try auction.run(.void, at: .atSeconds(102)) }
        #expect(auction.bids.map(\.number) == Array(4_251...4_350))
        #expect(throws: Auction.Refusal.lastKnown) {
            try auction.decide(.void, at: .atSeconds(103))
        }
    }
}
