import Auction
import Basics
import TestSupport
import Testing

/// Lots of all kinds, played at random with small numbers, so that ties and limits are frequent.
@Suite struct RandomPlayTests {
    @Test("in random play every promise of the rules holds", arguments: 0..<24 as Range<UInt64>)
    func promises(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        for _ in 0..<60 {
            var referee = Referee(&dice)
            try referee.play(&dice)
        }
    }
}

/// Plays one lot, and compares what happens with what the rules promise.
private struct Referee {
    private static let bidders = ["ann", "bob", "cid", "dan"].compactMap { Bidder($0) }
    /// Revealing, the end, and what an offer causes; the falls of a price come in addition.
    private static let mostDue = 10
    private static let mostFalls = 30

    private var auction: Auction
    private var now = Instant.atSeconds(0)
    /// The newest offers, and the order in which they were made.
    private var offers: [Bidder: (amount: Int64, order: Int)] = [:]
    /// The most that each bidder has ever offered.
    private var mostOffered: [Bidder: Int64] = [:]
    private var order = 0
    private var isAnythingVoided = false

    init(_ dice: inout SplitMix64) {
        auction = Auction(Lot(number: 1), rules: Self.rules(&dice), openedAt: now)
    }

    /// Rules that go together.
    private static func rules(_ dice: inout SplitMix64) -> Rules {
        while true {
            let format = AuctionFormat.allCases.randomElement(using: &dice) ?? .english
            let start = Int64.random(in: format == .dutch ? 5...30 : 1...6, using: &dice)
            let rules = Rules(
                seconds: .random(in: 2...6, using: &dice), start: .of(start),
                step: .of(.random(in: 1...4, using: &dice)),
                allowsSelfRaise: Bool.random(using: &dice),
                longest: Bool.random(using: &dice) ? .seconds(8) : nil,
                mostRaise: Bool.random(using: &dice) ? .of(.random(in: 4...15, using: &dice)) : nil,
                format: format,
                reserve: Bool.random(using: &dice) ? .of(.random(in: 1...20, using: &dice)) : nil,
                buy: Bool.random(using: &dice) ? .of(.random(in: 8...30, using: &dice)) : nil)
            if rules.problem == nil { return rules }
        }
    }

    mutating func play(_ dice: inout SplitMix64) throws {
        auction.start(at: now)
        for _ in 0..<40 where !auction.isClosed {
            now = now.advanced(by: .milliseconds(.random(in: 0...1500, using: &dice)))
            try follow(&dice)
            expectTotal()
            try play(command(&dice), &dice)
            try follow(&dice)
            expectFairLeader()
        }
        try end(&dice)
    }

    private func command(_ dice: inout SplitMix64) -> Auction.Command {
        let bidder = Self.bidders.randomElement(using: &dice) ?? Self.bidders[0]
        let amount = Int64.random(in: 1...32, using: &dice)
        switch Int.random(in: 0..<40, using: &dice) {
        case 0..<14:
            let raise = Int64.random(in: 0...3, using: &dice)
            let isNear = Bool.random(using: &dice)
            return .bid(Price(isNear ? auction.minimum + raise : amount) ?? .lowest, by: bidder)
        case 14..<26: return .setMaximum(.of(amount), by: bidder)
        case 26: return .setMaximum(nil, by: bidder)
        case 27: return .take(by: bidder)
        case 28: return .buy(by: bidder)
        case 29..<31: return .pause
        case 31..<35: return .resume
        case 35: return .hammer
        case 36: return .void
        case 37: return .close
        default: return .expire
        }
    }

    private mutating func play(_ command: Auction.Command, _ dice: inout SplitMix64) throws {
        if let (bid, refusal) = auction.automaticBid(against: command, at: now) {
            let before = auction
            expectAutomatic(bid, offered: command.amount)
            apply(bid)
            let isRefused =
                (try? before.decide(command, at: now)) != nil
                && (try? auction.decide(command, at: now)) == nil
            #expect(isRefused, "\(command) after \(bid)")
            let isBought = auction.leading.map { $0.price >= auction.rules.buy ?? .highest } == true
            if refusal != .outbid(minimum: isBought ? nil : auction.minimum) {
                Issue.record("\(refusal)")
            }
            return
        }
        guard let event = try? auction.decide(command, at: now) else { return }
        noteOffer(event, command)
        apply(event)
        if case .lotSold = event { expectEnd() }
    }

    private mutating func noteOffer(_ event: SaleEvent, _ command: Auction.Command) {
        order += 1
        switch event {
        case .bidPlaced(let bid):
            #expect(command.amount.map { $0 >= bid.price.amount } ?? true)
            note(bid.price, of: bid.bidder)
        case .bidSealed(let bid): note(bid.price, of: bid.bidder)
        case .maximumSet(let bidder, let price?): note(price, of: bidder)
        case .bidVoided: isAnythingVoided = true
        default: break
        }
    }

    private mutating func note(_ price: Price, of bidder: Bidder) {
        offers[bidder] = (price.amount, order)
        mostOffered[bidder] = max(mostOffered[bidder] ?? 0, price.amount)
    }

    /// Applies what is due until nothing is, with a crash and a recovery now and then.
    private mutating func follow(_ dice: inout SplitMix64) throws {
        var count = 0
        while let event = auction.dueEvent(at: now) {
            count += 1
            try #require(count <= Self.mostDue + (auction.ask == nil ? 0 : Self.mostFalls))
            if case .bidPlaced = event { expectAutomatic(event, offered: nil) }
            apply(event)
            if Int.random(in: 0..<8, using: &dice) == 0 { recover() }
        }
        if Int.random(in: 0..<8, using: &dice) == 0 { recover() }
    }

    /// Replaces the auction with one that continues after a restart.
    private mutating func recover() {
        var recovered = auction
        recovered.resume(with: auction.rules, at: now)
        if auction.isStarted { recovered.start(at: now) }
        #expect(recovered.offersByTime == auction.offersByTime)
        #expect(recovered.minimum == auction.minimum && recovered.ask == auction.ask)
        #expect(recovered.outcome == auction.outcome)
        for bidder in Self.bidders {
            #expect(recovered.reserved(by: bidder) == auction.reserved(by: bidder))
        }
        auction = recovered
    }

    private mutating func apply(_ event: SaleEvent) {
        let before = auction
        auction.apply(event, at: now)
        switch event {
        case .bidPlaced(let bid):
            #expect(bid.number == before.bidCount + 1 && auction.leading == bid)
            guard auction.rules.format == .english else { break }
            #expect(bid.price > before.leading?.price ?? .of(1) || before.leading == nil)
            #expect(bid.price.amount >= before.minimum)
        case .askFell(let ask):
            #expect(ask < before.ask ?? .lowest && ask >= auction.rules.reserve ?? .lowest)
        default:
            #expect(auction.ask == before.ask, "\(event)")
        }
    }

    /// An automatic bid is within the maximum of its bidder, and the least that wins.
    private func expectAutomatic(_ event: SaleEvent, offered: Int64?) {
        guard case .bidPlaced(let bid) = event else { return }
        let price = bid.price.amount
        #expect(auction.maximum(of: bid.bidder).map { price <= $0.amount } ?? false)
        #expect(price <= auction.maximum, "\(bid) is more than the greatest raise")
        if let offered { return #expect(price <= offered) }
        let rival = Self.bidders.filter { $0 != bid.bidder }.compactMap {
            auction.maximum(of: $0)?.amount
        }.max()
        let hasRival = rival.map { $0 >= auction.minimum } ?? false
        let isLeader = auction.leading?.bidder == bid.bidder
        #expect(hasRival || !isLeader || auction.rules.allowsSelfRaise, "\(bid) is against nobody")
        let least = max(auction.minimum, rival.map { $0 + auction.rules.step.amount } ?? 0)
        #expect(price <= max(least, auction.rules.reserve?.amount ?? 0), "\(bid)")
    }

    /// No maximum that does not lead could lead, and of equal offers the earlier leads.
    private func expectFairLeader() {
        guard auction.rules.format == .english, !auction.isClosed, !auction.isPaused,
            let leading = auction.leading
        else { return }
        for rival in Self.bidders where rival != leading.bidder {
            guard let maximum = auction.maximum(of: rival) else { continue }
            #expect(maximum.amount < auction.minimum, "\(rival) \(maximum) against \(leading)")
            guard !isAnythingVoided, let own = offers[leading.bidder], let offer = offers[rival],
                own.amount == offer.amount, own.amount == mostOffered[leading.bidder]
            else { continue }
            #expect(own.order < offer.order, "\(leading.bidder) came after \(rival)")
        }
    }

    /// Every command has an answer in every state.
    private func expectTotal() {
        for bidder in Self.bidders.prefix(2) {
            for price in [Price.lowest, .of(10), .highest] {
                _ = try? auction.decide(.bid(price, by: bidder), at: now)
                _ = try? auction.decide(.setMaximum(price, by: bidder), at: now)
                _ = auction.automaticBid(against: .bid(price, by: bidder), at: now)
            }
            for command in [Auction.Command.take(by: bidder), .buy(by: bidder), .expire, .void] {
                _ = try? auction.decide(command, at: now)
            }
        }
    }

    private mutating func end(_ dice: inout SplitMix64) throws {
        for _ in 0..<4 where !auction.isClosed {
            if auction.isPaused { auction.apply(.resumed, at: now) }
            now = now.advanced(by: .seconds(60))
            try follow(&dice)
            now = now.advanced(by: .seconds(60))
            guard let event = try? auction.decide(.expire, at: now) else { continue }
            apply(event)
            try follow(&dice)
        }
        if auction.isClosed { return expectEnd() }
        #expect(auction.rules.format == .english && auction.leading == nil)
    }

    private func expectEnd() {
        guard case .sold(let bidder, let price) = auction.outcome else { return }
        let floor = auction.rules.reserve ?? .lowest
        #expect(price >= floor)
        if auction.rules.format != .dutch { #expect(price >= auction.rules.start) }
        #expect(price.amount <= mostOffered[bidder] ?? 0, "\(bidder) never offered \(price)")
        guard auction.rules.format.isSealed, auction.leading == nil else { return }
        expectSealedEnd(bidder, price, floor: max(floor, auction.rules.start))
    }

    private func expectSealedEnd(_ winner: Bidder, _ price: Price, floor: Price) {
        #expect(auction.nextRevealed == nil)
        let ranked = offers.sorted {
            $0.value.amount == $1.value.amount
                ? $0.value.order < $1.value.order : $0.value.amount > $1.value.amount
        }
        #expect(ranked.first?.key == winner)
        let second = ranked.dropFirst().first?.value.amount ?? 0
        let isFirstPrice = auction.rules.format != .vickrey
        #expect(
            price.amount
                == (isFirstPrice ? ranked.first?.value.amount : max(second, floor.amount)))
    }
}

extension Auction.Command {
    fileprivate var amount: Int64? {
        switch self {
        case .bid(let price, _), .setMaximum(let price?, _): price.amount
        default: nil
        }
    }
}
