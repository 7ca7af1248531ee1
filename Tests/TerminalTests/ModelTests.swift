import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

/// The model without a connection: messages, loads and times as numbers.
@Suite struct ModelTests {
    @Test("laps grow with bids, shrink with voids, and are replaced by loads and lots")
    func laps() {
        var model = PlayedModel(openedAt: .zero)
        var counts: [Int] = []
        func count(_ change: (inout PlayedModel) -> Void) {
            change(&model)
            counts.append(model.laps.count)
        }
        for number in [1, 2, 4] { count { $0.bid(number, at: .zero) } }
        count { $0.load((1...3).map { lap($0, 9, "bob") }, at: .zero) }
        count {
            let voided = VoidedBid(number: 3, price: price(9), bidder: bidder("bob"), leading: nil)
            $0.receive(.event(.bidVoided(voided)))
        }
        count { $0.receive(.event(.lotOpened(Lot(number: 2))), at: .zero) }
        #expect(counts == [1, 2, 4, 3, 2, 0])
    }

    @Test("the recent bids are those of the last five seconds, once a second")
    func recentBids() {
        var model = PlayedModel(openedAt: .seconds(100))
        var counts: [Int] = []
        let numbers = [0: 1, 1: 2, 4: 3]
        for second in 0..<10 {
            if let number = numbers[second] { model.bid(number, at: .seconds(100 + second)) }
            model.model.endTick(at: .milliseconds(100_500 + second * 1000))
            model.model.endTick(at: .seconds(101 + second))
            counts.append(model.recentBids)
        }
        #expect(counts == [1, 2, 2, 2, 3, 2, 1, 1, 1, 0])
    }

    @Test("all bids of one second count")
    func burst() {
        var model = PlayedModel(openedAt: .zero)
        for number in 1...4 { model.bid(number, at: .milliseconds(200 * number)) }
        model.model.endTick(at: .seconds(1))
        #expect(model.recentBids == 4)
    }

    @Test("a lot that is not followed live has no recent bids, and later news at its own time")
    func notLive() {
        var model = PlayedModel(openedAt: .zero)
        model.bid(1, at: .zero)
        model.model.endTick(at: .seconds(1))
        #expect(model.recentBids == 1)
        model.model.follow(isLive: false, at: .seconds(2))
        #expect(model.recentBids == 0)
        model.bid(2, at: .seconds(2))
        model.model.endTick(at: .seconds(4))
        #expect(model.recentBids == 0)
        model.model.follow(isLive: true, at: .seconds(5))
        model.model.endTick(at: .seconds(5))
        #expect(model.recentBids == 2)
        #expect(
            model.series.points.map(\.price?.amount) == [1, 1, 1, 1] + Array(repeating: 2, count: 6)
        )
    }

    @Test("each tick adds the present price")
    func ticks() {
        var model = PlayedModel(openedAt: .zero)
        model.model.endTick(at: .milliseconds(500))
        model.bid(1, at: .milliseconds(700))
        model.model.endTick(at: .seconds(1))
        model.model.endTick(at: .milliseconds(1500))
        #expect(model.series.points.map(\.price?.amount) == [nil, 1, 1])
        #expect(model.series.points.map(\.bids) == [0, 1, 1])
    }

    @Test("a join marks the present tick")
    func marks() {
        var model = PlayedModel(openedAt: .zero)
        model.model.endTick(at: .milliseconds(500))
        model.receive(joined("bob"), at: .milliseconds(600))
        for tick in 2...4 { model.model.endTick(at: .milliseconds(500 * tick)) }
        #expect(model.series.points.map(\.hasJoin) == [false, true, false, false])
    }

    @Test("a load fills in the past of the chart, and new points follow it")
    func loaded() {
        var model = PlayedModel(openedAt: .seconds(8))
        model.bid(2, at: .seconds(9))
        model.model.advance(to: .seconds(10))
        let bids = [lap(1, 1, "bob", at: .milliseconds(600)), lap(2, 2, "bob", at: .seconds(1))]
        model.load(bids, at: .seconds(10))
        model.model.endTick(at: .milliseconds(10_500))
        #expect(model.series.points.map(\.price?.amount) == [nil, 1, 2, 2, 2])
    }

    @Test("the next lot begins with an empty chart")
    func nextLot() {
        var model = PlayedModel(openedAt: .zero)
        model.model.endTick(at: .milliseconds(500))
        model.receive(lotPassed(1), at: .seconds(1))
        #expect(model.series.points.count == 1)
        model.receive(.event(.lotOpened(Lot(number: 2))), at: .seconds(2))
        #expect(model.series.points.isEmpty)
    }

    @Test("bidders are loaded, and then join and leave with the news")
    func bidders() {
        var model = PlayedModel(openedAt: .zero)
        #expect(model.bidders == nil)
        model.model.load(
            .bidders, .who(2), [.who(bidder("al"), display: "Al"), .who(bidder("bob"))], at: .zero)
        #expect(model.displayNames == [bidder("al"): "Al"])
        model.receive(joined("AL"), at: .zero)
        #expect(model.bidders?.map(\.description) == ["bob", "AL"])
        model.receive(left("Bob"), at: .zero)
        #expect(model.bidders?.map(\.description) == ["AL"])
    }

    @Test("the clocks show the time of the last message or beat")
    func clocks() {
        var model = PlayedModel(openedAt: .zero)
        model.bid(1, at: .seconds(1))
        #expect(model.elapsed == .seconds(1))
        #expect(model.countdown?.remaining == .seconds(7))
        model.model.advance(to: .seconds(3))
        #expect(model.elapsed == .seconds(3))
        #expect(model.countdown?.remaining == .seconds(5))
    }
}

extension PlayedModel {
    /// Makes the model of an observer of a lot that is followed live.
    fileprivate init(openedAt: Duration) {
        self.init(at: openedAt, [.event(.lotOpened(Lot(number: 1)))])
        model.follow(isLive: true, at: openedAt)
    }

    /// Receives a bid whose amount is its number.
    fileprivate mutating func bid(_ number: Int, at now: Duration) {
        let bid = lap(
            number, Int64(number), "bob", at: now - (self.sale.openedAt ?? now))
        receive(.event(.bidPlaced(bid)), at: now)
    }
}
