import Auction
import Basics
import Strategies
import Testing

@Suite struct StrategyTests {
    private static let start = Instant(nanoseconds: 0)

    /// A view of a lot with a worth of 100, three rivals, and values from 0 to 100.
    private func view(
        _ format: AuctionFormat = .english, price: Int64? = nil, ask: Int64? = nil,
        remaining: Duration? = nil
    ) -> LotView {
        var view = LotView(
            lot: 1, terms: Terms(format: format, seconds: 7, step: Price(5) ?? .lowest),
            rivals: 3, worth: 100, prior: 0...100)
        view.price = price.flatMap { Price($0) }
        view.minimum = price.map { $0 + 5 } ?? 1
        view.ask = ask.flatMap { Price($0) }
        view.remaining = remaining
        return view
    }

    private func bid(_ amount: Int64) -> Move? { Price(amount).map { .bid($0) } }

    private func decide(_ kind: StrategyKind, _ view: LotView) -> Move? {
        var strategy = kind.make(seed: 1)
        return strategy.decide(view, at: Self.start)
    }

    @Test(arguments: [(nil, 1), (50, 55), (95, 100), (96, nil)] as [(Int64?, Int64?)])
    func truthfulRaisesByTheLeastUpToItsValue(price: Int64?, expected: Int64?) {
        #expect(decide(.truthful, view(price: price)) == expected.flatMap(bid))
    }

    @Test func truthfulBidsItsValueUnderSealAndTakesItAsAnAsk() {
        #expect(decide(.truthful, view(.vickrey)) == bid(100))
        #expect(decide(.truthful, view(.sealed)) == bid(100))
        #expect(decide(.truthful, view(.dutch, ask: 101)) == nil)
        #expect(decide(.truthful, view(.dutch, ask: 100)) == .take)
    }

    @Test func shaderBidsItsValueLessThePartOfItsRivals() {
        #expect(decide(.shader, view(.sealed)) == bid(75))
        #expect(decide(.shader, view(.dutch, ask: 76)) == nil)
        #expect(decide(.shader, view(.dutch, ask: 75)) == .take)
        #expect(decide(.shader, view(price: 71)) == nil)
    }

    @Test(arguments: [(50, 50), (150, 125), (49, 49)] as [(Int64, Int64)])
    func theEquilibriumBidBeginsAtTheLowestValue(worth: Int64, expected: Int64) {
        var view = view(.sealed)
        (view.worth, view.prior) = (worth, 50...150)
        #expect(view.equilibriumBid == expected)
    }

    @Test func theEquilibriumBidIsTheStartWithoutRivals() {
        var view = view(.sealed)
        view.rivals = 0
        #expect(view.equilibriumBid == 1)
    }

    @Test func theEquilibriumBidIsExactForTheHighestAmounts() {
        var view = view(.sealed)
        (view.rivals, view.worth) = (1, Price.highest.amount)
        view.prior = 0...Price.highest.amount
        #expect(abs(view.equilibriumBid - Price.highest.amount / 2) <= 1)
    }

    @Test func sniperWaitsForTheLastSecond() {
        #expect(decide(.sniper, view(price: 50, remaining: .seconds(2))) == nil)
        #expect(decide(.sniper, view(price: 50, remaining: .seconds(1))) == bid(55))
        #expect(decide(.sniper, view(.vickrey, remaining: .seconds(2))) == nil)
        #expect(decide(.sniper, view(.vickrey, remaining: .milliseconds(900))) == bid(100))
    }

    @Test func sniperOpensALotThatNobodyOpens() {
        var strategy = StrategyKind.sniper.make(seed: 1)
        #expect(strategy.decide(view(), at: Self.start) == nil)
        #expect(strategy.decide(view(), at: Instant(nanoseconds: 6_999_999_999)) == nil)
        #expect(strategy.decide(view(), at: Instant(nanoseconds: 7_000_000_000)) == bid(1))
    }

    @Test func jumperJumpsOnceOnEachLot() {
        var strategy = StrategyKind.jumper.make(seed: 1)
        #expect(strategy.decide(view(price: 15), at: Self.start) == bid(60))
        #expect(strategy.decide(view(price: 65), at: Self.start) == bid(70))
        var next = view()
        next.lot = 2
        #expect(strategy.decide(next, at: Self.start) == bid(50))
    }

    @Test func randomBidsAnythingUpToItsValueAndNothingAbove() {
        var strategy = StrategyKind.random.make(seed: 1)
        var seen: Set<Int64> = []
        for _ in 0..<1_000 {
            guard case .bid(let price) = strategy.decide(view(price: 85), at: Self.start) else {
                Issue.record("no bid")
                return
            }
            seen.insert(price.amount)
        }
        #expect(seen == Set(90...100))
        #expect(strategy.decide(view(price: 96), at: Self.start) == nil)
    }

    @Test func randomDrawsOneSealedBidForALot() {
        var strategy = StrategyKind.random.make(seed: 1)
        let first = strategy.decide(view(.sealed), at: Self.start)
        #expect(first != nil)
        #expect(strategy.decide(view(.sealed), at: Self.start) == first)
    }

    @Test func zipAsksForMoreProfitAfterACheapLotAndForLessAfterALostOne() throws {
        for (paid, isWon, grows) in [(10, true, true), (99, false, false)] as [(Int64, Bool, Bool)]
        {
            var strategy = StrategyKind.zip.make(seed: 1)
            let before = try amount(strategy.decide(view(.sealed), at: Self.start))
            strategy.learn(LotEnd(lot: 1, price: Price(paid), isWon: isWon))
            let after = try amount(strategy.decide(view(.sealed), at: Self.start))
            #expect(grows ? after < before : after > before)
        }
    }

    private func amount(_ move: Move?) throws -> Int64 {
        guard case .bid(let price)? = move else { throw NoBid() }
        return price.amount
    }

    private struct NoBid: Error {}

    @Test func proxySetsItsMaximumOnce() throws {
        let value = try #require(Price(100))
        #expect(decide(.proxy, view(price: 50)) == .maximum(value))
        var later = view(price: 50)
        later.maximum = value
        #expect(decide(.proxy, later) == nil)
        #expect(decide(.proxy, view(.vickrey)) == bid(100))
    }

    @Test(arguments: StrategyKind.allCases)
    func noStrategyRaisesItsOwnBid(kind: StrategyKind) {
        var view = view(price: 50, remaining: .seconds(1))
        view.isLeading = true
        #expect(decide(kind, view) == nil)
    }

    @Test(arguments: StrategyKind.allCases, AuctionFormat.allCases)
    func noStrategySpendsMoreThanItsPurse(kind: StrategyKind, format: AuctionFormat) {
        var view = view(format, ask: 61, remaining: .seconds(1))
        view.purse = 60
        switch decide(kind, view) {
        case .bid(let price), .maximum(let price): #expect(price.amount <= 60)
        case .take, .buy: Issue.record("takes for 61")
        case nil: break
        }
    }

    @Test(arguments: StrategyKind.allCases, AuctionFormat.allCases)
    func noStrategyBidsBelowTheMinimum(kind: StrategyKind, format: AuctionFormat) {
        var view = view(format, ask: 500, remaining: .seconds(1))
        view.minimum = 101
        #expect(decide(kind, view) == nil)
    }

    @Test(arguments: StrategyKind.allCases)
    func aSealedBidThatStandsIsNotRepeated(kind: StrategyKind) {
        var strategy = kind.make(seed: 1)
        var view = view(.sealed, remaining: .seconds(1))
        guard case .bid(let price)? = strategy.decide(view, at: Self.start) else {
            Issue.record("no bid")
            return
        }
        view.sealedBid = price
        #expect(strategy.decide(view, at: Self.start) == nil)
    }

    @Test func aSealedBidStaysBelowTheBuyPrice() {
        var view = view(.sealed)
        view.terms = Terms(format: .sealed, seconds: 7, buy: Price(90))
        #expect(view.move(upTo: 100) == bid(89))
    }
}
