import Auction
import Testing

@Suite struct AuctioneerTests {
    /// How a lot can stand.
    enum State: CaseIterable {
        case open, led, paused, pausedAndLed, sold, pausedAndSold
    }

    let alice: Bidder
    let bob: Bidder

    init() throws {
        alice = try #require(Bidder("alice"))
        bob = try #require(Bidder("bob"))
    }

    func auction(_ state: State, seconds: Int = 7) throws -> Auction {
        var auction = Auction(
            Lot(number: 1), rules: Rules(seconds: seconds), openedAt: .atSeconds(100))
        let steps: [Auction.Command] =
            switch state {
            case .open: []
            case .led: [.bid(.of(5), by: alice)]
            case .paused: [.pause]
            case .pausedAndLed: [.bid(.of(5), by: alice), .pause]
            case .sold: [.bid(.of(5), by: alice), .hammer]
            case .pausedAndSold: [.bid(.of(5), by: alice), .pause, .hammer]
            }
        for step in steps { try auction.run(step, at: .atSeconds(101)) }
        return auction
    }

    enum Outcome: Equatable {
        case event(SaleEvent)
        case nothing
        case refused(Auction.Refusal)
    }

    private static let closed = SaleEvent.lotPassed(
        Lot(number: 1), reason: "closed", elapsed: .seconds(3))

    static let table: [(Auction.Command, State, Outcome)] = [
        (.pause, .open, .event(.paused)), (.pause, .led, .event(.paused)),
        (.pause, .paused, .nothing), (.pause, .pausedAndLed, .nothing),
        (.pause, .sold, .event(.paused)), (.pause, .pausedAndSold, .nothing),
        (.resume, .open, .nothing), (.resume, .led, .nothing), (.resume, .sold, .nothing),
        (.resume, .paused, .event(.resumed)),
        (.resume, .pausedAndLed, .event(.resumed)),
        (.resume, .pausedAndSold, .event(.resumed)),
        (.hammer, .open, .refused(.noBids)), (.hammer, .paused, .refused(.noBids)),
        (.hammer, .led, .event(.hammered)),
        (.hammer, .pausedAndLed, .event(.hammered)),
        (.hammer, .sold, .refused(.closed)), (.hammer, .pausedAndSold, .refused(.closed)),
        (.void, .open, .refused(.noBids)), (.void, .paused, .refused(.noBids)),
        (.void, .sold, .refused(.closed)), (.void, .pausedAndSold, .refused(.closed)),
        (.close, .open, .event(closed)), (.close, .led, .event(closed)),
        (.close, .paused, .event(closed)), (.close, .pausedAndLed, .event(closed)),
        (.close, .sold, .refused(.closed)), (.close, .pausedAndSold, .refused(.closed)),
        (.expire, .paused, .refused(.notDue)), (.expire, .pausedAndLed, .refused(.notDue)),
    ]

    @Test("each order has its outcome in each state of the lot", arguments: table)
    func orders(command: Auction.Command, state: State, expected: Outcome) throws {
        let auction = try auction(state)
        let outcome: Outcome
        do throws(Auction.Refusal) {
            let event = try auction.decide(command, at: .atSeconds(103))
            outcome = event.map { .event($0) } ?? .nothing
        } catch {
            outcome = .refused(error)
        }
        #expect(outcome == expected)
    }

    @Test("a paused lot takes no bid, but grants the one that leads again")
    func pausedBids() throws {
        let paused = try auction(.pausedAndLed)
        for (price, bidder) in [(4, bob), (6, bob), (6, alice)] as [(Int64, Bidder)] {
            #expect(throws: Auction.Refusal.paused) {
                try paused.decide(.bid(.of(price), by: bidder), at: .atSeconds(102))
            }
        }
        #expect(try paused.decide(.bid(.of(5), by: alice), at: .atSeconds(102)) == nil)
    }

    @Test("a pause stops the countdown, and going on gives the full seconds")
    func countdown() throws {
        var auction = try auction(.led)
        try auction.run(.pause, at: .atSeconds(107))
        #expect(auction.deadline == nil)
        auction.postponeDeadline(toLeave: .seconds(7), at: .atSeconds(107))
        #expect(auction.deadline == nil)
        try auction.run(.resume, at: .atSeconds(500))
        #expect(auction.deadline == .atSeconds(507))
    }

    @Test("after a void the bid before leads again, with the full seconds, and its number is free")
    func void() throws {
        var auction = try auction(.led)
        let first = auction.leading
        try auction.run(.bid(.of(9), by: bob), at: .atSeconds(103))
        try auction.run(.void, at: .atSeconds(105))
        #expect(auction.leading == first)
        #expect(auction.minimum == 6)
        #expect(auction.deadline == .atSeconds(112))
        try auction.run(.bid(.of(7), by: bob), at: .atSeconds(106))
        #expect(auction.bids.map(\.number) == [1, 2])
    }

    @Test("after a void of the only bid the lot is as before the first")
    func voidOnly() throws {
        var auction = try auction(.led)
        try auction.run(.void, at: .atSeconds(105))
        #expect(auction.leading == nil)
        #expect(auction.deadline == nil)
        #expect(auction.minimum == 1)
        #expect(auction.bidCount == 0)
    }

    @Test("a void while paused starts no countdown")
    func voidPaused() throws {
        var auction = try auction(.led)
        try auction.run(.bid(.of(9), by: bob), at: .atSeconds(103))
        try auction.run(.pause, at: .atSeconds(104))
        try auction.run(.void, at: .atSeconds(105))
        #expect(auction.deadline == nil)
        try auction.run(.resume, at: .atSeconds(200))
        #expect(auction.deadline == .atSeconds(207))
    }

    @Test("in an auction resumed with its newest bids, the oldest known bid cannot be voided")
    func lastKnown() throws {
        let bids = [(6, 60), (7, 70)].map { number, price in
            Bid(number: number, price: .of(Int64(price)), bidder: alice, elapsed: .seconds(number))
        }
        var auction = Auction(
            Lot(number: 1), rules: Rules(seconds: 7), openedAt: .atSeconds(200))
        for bid in bids { auction.apply(.bidPlaced(bid), at: .atSeconds(200)) }
        try auction.run(.void, at: .atSeconds(201))
        #expect(auction.leading?.number == 6)
        #expect(throws: Auction.Refusal.lastKnown) {
            try auction.decide(.void, at: .atSeconds(202))
        }
    }

    @Test("only the newest bids can be voided, and one more after each new bid")
    func mostVoided() throws {
        var auction = Auction(
            Lot(number: 1), rules: Rules(seconds: 7, allowsSelfRaise: true),
            openedAt: .atSeconds(100))
        for amount in 1...1000 {
            try auction.run(.bid(.of(Int64(amount)), by: alice), at: .atSeconds(101))
        }
        for _ in 0..<Auction.mostVoided { try auction.run(.void, at: .atSeconds(102)) }
        expect(auction, refuses: .void, with: .lastKnown)
        try auction.run(.bid(.of(5000), by: alice), at: .atSeconds(103))
        try auction.run(.void, at: .atSeconds(104))
        expect(auction, refuses: .void, with: .lastKnown)
    }

    private func expect(
        _ auction: Auction, refuses command: Auction.Command, with refusal: Auction.Refusal
    ) {
        #expect(throws: refusal) { try auction.decide(command, at: .atSeconds(150)) }
    }
}
