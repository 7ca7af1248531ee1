import AuctionRules
import BidderView
import Testing
import Wire

@Suite struct LotClockTests {
    static let vase = Lot(number: 1, title: "Vase")
    static let heard = ServerMessage.lot(vase, start: nil, elapsed: .seconds(3))
    let running: LotClock = LotClock().hearing(Self.heard, at: .seconds(10))

    @Test("before a lot is heard of there is no time")
    func unknown() {
        #expect(LotClock().elapsed(at: .seconds(9)) == nil)
        #expect(LotClock().runningSince == nil)
    }

    @Test(
        "a lot opened as long ago as the server says",
        arguments: [(Duration?.none, 10), (.zero, 10), (.seconds(3), 7)] as [(Duration?, Int)])
    func opened(elapsed: Duration?, expected: Int) {
        let clock = LotClock().hearing(
            .lot(Self.vase, start: nil, elapsed: elapsed), at: .seconds(10))
        #expect(clock.runningSince == .seconds(expected))
        #expect(clock.elapsed(at: .seconds(12)) == .seconds(12 - expected))
    }

    @Test(
        "a bid sets a slow clock right, and never turns one back",
        arguments: [(2, 7), (5, 7), (6, 6)])
    func corrected(elapsed: Int, expected: Int) {
        let bid = lap(1, 5, "bob", at: .seconds(elapsed))
        let clock = running.hearing(.price(bid, lot: nil, remaining: nil), at: .seconds(12))
        #expect(clock.openedAt == .seconds(expected))
    }

    @Test("the hammer stops the clock at the time that the server says")
    func sold() {
        let sale = SoldLot(
            number: 1, title: "Vase", bidder: bidder("bob"), price: price(5), elapsed: .seconds(8))
        let clock = running.hearing(.winner(sale), at: .seconds(20))
        #expect(clock.elapsed(at: .seconds(99)) == .seconds(8))
        #expect(clock.runningSince == nil)
        #expect(clock.openedAt == .seconds(7))
    }

    @Test("a lot that passes stops the clock when it is told")
    func passed() {
        let clock = running.hearing(.passed(Self.vase, reason: "no-bids"), at: .seconds(20))
        #expect(clock.elapsed(at: .seconds(99)) == .seconds(13))
        #expect(clock.runningSince == nil)
    }

    @Test("a newcomer between lots learns how long the last was open, and not when")
    func newcomer() {
        let sale = SoldLot(
            number: 1, title: "Vase", bidder: bidder("bob"), price: price(5), elapsed: .seconds(8))
        let clock = LotClock().hearing(.winner(sale), at: .seconds(20))
        #expect(clock.elapsed(at: .seconds(30)) == .seconds(8))
        #expect(clock.openedAt == nil)
    }

    @Test("the end of a lot whose opening was not heard tells nothing of when that was")
    func otherLot() {
        let clock = running.hearing(.passed(Lot(number: 2), reason: "no-bids"), at: .seconds(20))
        #expect(clock.openedAt == nil)
        #expect(clock.runningSince == nil)
        #expect(clock.elapsed(at: .seconds(30)) == nil)
    }

    @Test("a lot that passed stays as long as it was when that is told again")
    func passedAgain() {
        let passed = ServerMessage.passed(Self.vase, reason: "no-bids")
        let clock = running.hearing(passed, at: .seconds(20)).hearing(passed, at: .seconds(50))
        #expect(clock.elapsed(at: .seconds(99)) == .seconds(13))
    }

    @Test("the next lot starts it again")
    func next() {
        let clock = running.hearing(.passed(Self.vase, reason: "no-bids"), at: .seconds(20))
            .hearing(.lot(Lot(number: 2), start: nil, elapsed: .zero), at: .seconds(25))
        #expect(clock.runningSince == .seconds(25))
        #expect(clock.elapsed(at: .seconds(26)) == .seconds(1))
    }
}
