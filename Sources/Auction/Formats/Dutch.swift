import Basics

/// An auction with a falling asking price; the first to take it has won.
///
/// Source: V. Krishna, "Auction Theory", 2nd edition, 2010, chapter 1.
struct Dutch: FormatLogic {
    /// The most times that the asking price may fall in a second.
    private static let mostFallsPerSecond = 10

    var traits: AuctionFormat.Traits {
        AuctionFormat.Traits(
            rule: "the price falls: the first taker wins",
            advice: "the price of this lot falls, type: take", pricing: .ownBid, verb: .take)
    }

    func problem(of terms: Terms, reserve: Price?) -> String? {
        let floor = (reserve ?? .lowest).amount
        guard terms.buy == nil else {
            return "a dutch auction has no buy price: to take the asking price is to buy"
        }
        guard terms.start.amount > floor else {
            return "a dutch auction falls from its start: use a start above \(floor)"
        }
        let mostFalls = Int64(terms.seconds * Self.mostFallsPerSecond)
        let least = (terms.start.amount - floor + mostFalls - 1) / mostFalls
        guard terms.step.amount >= least else {
            return "a dutch auction falls at most \(Self.mostFallsPerSecond) times a second: "
                + "use a step of at least \(least)"
        }
        return nil
    }

    /// A bid of at least the asking price buys at the asking price.
    func decideBid(
        _ price: Price, by bidder: Bidder, in auction: Auction, at now: Instant
    ) throws(Auction.Refusal) -> SaleEvent? {
        try auction.requireUnpaused()
        guard price.amount >= auction.minimum else { throw .belowMinimum(auction.minimum) }
        return try decideTake(by: bidder, in: auction, at: now)
    }

    func decideTake(
        by bidder: Bidder, in auction: Auction, at now: Instant
    ) throws(Auction.Refusal) -> SaleEvent {
        try auction.requireUnpaused()
        return auction.placed(auction.ask ?? auction.rules.start, by: bidder, at: now)
    }

    func dueEvent(in auction: Auction, at now: Instant) -> SaleEvent? {
        guard let ask = auction.nextAsk, let fall = auction.nextFall, now >= fall else {
            return nil
        }
        return .askFell(ask)
    }

    /// The time for which this asking price and all later ones hold.
    func countdown(of auction: Auction) -> Duration {
        let rules = auction.rules
        return DutchClock(rules).duration(from: auction.ask ?? rules.start)
    }
}

extension Auction {
    /// When the asking price falls next; nil if it does not.
    public var nextFall: Instant? {
        guard let nextAsk, let deadline else { return nil }
        return deadline.advanced(by: .zero - DutchClock(rules).duration(from: nextAsk))
    }

    /// The asking price after the current one; nil if it is the last, or there is none.
    public var nextAsk: Price? { ask.flatMap { DutchClock(rules).ask(after: $0) } }
}

/// The asking prices of a lot, and the time that each has.
///
/// The price falls by `step` from the start to the floor, which is the last asking price even if
/// the last step is smaller. All asking prices together last the full countdown, each the same
/// time.
private struct DutchClock {
    private let start: Int64
    private let floor: Int64
    private let step: Int64
    private let countdown: Duration

    init(_ rules: Rules) {
        start = rules.start.amount
        floor = min(rules.reserve ?? .lowest, rules.start).amount
        step = rules.step.amount
        countdown = rules.countdown
    }

    /// The asking price after this one; nil if it is the last.
    func ask(after ask: Price) -> Price? {
        ask.amount > floor ? Price(max(ask.amount - step, floor)) : nil
    }

    /// The time from the beginning of this asking price to the end of the lot.
    func duration(from ask: Price) -> Duration {
        let asks = falls(to: floor) + 1
        let left = asks - min(falls(to: ask.amount), asks - 1)
        return countdown * left / asks
    }

    /// The number of falls from the start to an asking price.
    private func falls(to ask: Int64) -> Int64 {
        (max(start - ask, 0) + step - 1) / step
    }
}
