import Auction
import Basics
import Strategies
import Wire

/// What a bot knows of the sale: the news and its own private lines, as the view of a strategy.
struct BotKnowledge: Sendable {
    /// How long a bot waits for a value before it believes that the game has none.
    static let worthPatience = Duration.seconds(1)

    /// The lot that is open, as far as the bot knows.
    private struct OpenLot {
        let number: Int
        let since: Instant
        var terms: Terms
        var leading: Bid?
        var ask: Price?
        var deadline: Instant?
        var worth: (amount: Int64, isEstimate: Bool)?
        var sealedBid: Price?
        var maximum: Price?
        var minimum: Int64?
        var ceiling: Int64?
        /// Whether the bot does nothing more on this lot, because a command of it makes no sense.
        var isGivenUp = false

        /// Forgets the bounds of bids that refusals named, because the price has changed.
        mutating func forgetBounds() {
            minimum = nil
            ceiling = nil
        }
    }

    /// The name of the bot.
    var bidder: Bidder
    private var prior: ClosedRange<Int64>
    private let seed: UInt64
    /// How many lots the sale has; nil if it has no end, or that was not told.
    private var lots: Int?
    private var greeting = Greeting(seconds: 1, step: .lowest)
    private var lot: OpenLot?
    private var present: Set<Bidder> = []
    /// What is left of the purse; nil if the game has none.
    private var left: Int64?
    /// Whether the server has drawn a value before, so that it draws one for each lot.
    private var hasValues = false
    private var isPaused = false
    /// Whether all lots have ended.
    private(set) var isOver = false

    /// Knows nothing yet; where the server draws no values, the seed draws them from `prior`.
    ///
    /// A game that announces the range of its values replaces `prior`.
    init(of bidder: Bidder, prior: ClosedRange<Int64>, seed: UInt64) {
        (self.bidder, self.prior, self.seed) = (bidder, prior, seed)
    }

    /// Whether a lot is open on which the bot may act.
    var canAct: Bool { lot.map { !$0.isGivenUp } ?? false && !isPaused && !isOver }

    /// The time left of the countdown; nil while none runs.
    func remaining(at now: Instant) -> Duration? {
        lot?.deadline.map { max(now.duration(to: $0), .zero) }
    }

    /// What a strategy may know now; nil if there is no lot to act on, or its value is not known.
    func view(at now: Instant) -> LotView? {
        guard canAct, let lot, let worth = lot.worth ?? ownWorth(of: lot, at: now) else {
            return nil
        }
        var view = LotView(
            lot: lot.number, terms: lot.terms, rivals: max(present.count - 1, 0),
            worth: worth.amount, prior: prior, isEstimate: worth.isEstimate)
        view.lotsLeft = lots.map { max($0 - lot.number, 0) }
        view.price = lot.leading?.price
        view.isLeading = lot.leading?.bidder == bidder
        let reserved = max(
            lot.maximum?.amount ?? 0, lot.sealedBid?.amount ?? 0,
            view.isLeading ? view.price?.amount ?? 0 : 0)
        view.purse = left.map { $0 + reserved }
        view.minimum = max(lot.minimum ?? 0, minimum(of: lot))
        if let ceiling = lot.ceiling { view.ceiling = ceiling }
        // The first ask is the start, which no line of its own announces.
        view.ask = lot.terms.format == .dutch ? lot.ask ?? lot.terms.start : nil
        view.sealedBid = lot.sealedBid
        view.maximum = lot.maximum
        view.remaining = remaining(at: now)
        return view
    }

    private func minimum(of lot: OpenLot) -> Int64 {
        lot.leading.map { $0.price.amount + lot.terms.step.amount } ?? lot.terms.start.amount
    }

    /// The value that the bot draws itself in a game without values.
    private func ownWorth(of lot: OpenLot, at now: Instant) -> (Int64, Bool)? {
        guard !hasValues, lot.since.duration(to: now) >= Self.worthPatience else { return nil }
        var chance = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: lot.number))
        return (.random(in: prior, using: &chance), false)
    }

    /// Learns from the greeting of the server.
    mutating func greet(_ greeting: Greeting) {
        self.greeting = greeting
    }

    /// Learns who is present.
    mutating func count(_ bidders: [Bidder]) {
        present = Set(bidders)
    }

    /// Learns from a message; returns how a lot ended if the message says so.
    mutating func receive(_ message: ServerMessage, at now: Instant) -> LotEnd? {
        switch message {
        case .game(let game):
            lots = game.lots
            prior = game.values?.range ?? prior
        case .event(let event, let details): return receive(event, details, at: now)
        case .purse(let left): self.left = left
        case .worth(let amount, let isEstimate):
            hasValues = true
            lot?.worth = (amount, isEstimate)
        case .maximum(let price): lot?.maximum = price
        case .ownBid(let price): lot?.sealedBid = price
        default: break
        }
        return nil
    }

    private mutating func receive(
        _ event: SaleEvent, _ details: SaleEvent.Details, at now: Instant
    ) -> LotEnd? {
        switch event {
        case .lotOpened(let opened): open(opened, from: details.start, at: now)
        case .termsAnnounced(let terms): lot?.terms = terms
        case .bidPlaced(let bid): lead(bid, details.remaining, at: now)
        case .askFell(let price):
            lot?.ask = price
            count(down: details.remaining, at: now)
        case .secondsLeft(let seconds): count(down: details.remaining ?? .seconds(seconds), at: now)
        case .bidVoided(let voided): void(voided)
        case .lotSold(let sold): return end(at: sold.price, isWon: sold.bidder == bidder)
        case .lotPassed: return end(at: nil, isWon: false)
        case .ended: isOver = true
        case .paused:
            isPaused = true
            lot?.deadline = nil
        case .resumed: isPaused = false
        case .bidderJoined(let other): present.insert(other)
        case .bidderLeft(let other): present.remove(other)
        default: break
        }
        return nil
    }

    /// A snapshot begins with the lot too; then what the server keeps for this bidder still holds.
    private mutating func open(_ opened: Lot, from start: Price?, at now: Instant) {
        let known = lot.flatMap { $0.number == opened.number ? $0 : nil }
        let terms = Terms(
            seconds: greeting.seconds, start: start ?? .lowest, step: greeting.step)
        lot = OpenLot(number: opened.number, since: known?.since ?? now, terms: terms)
        lot?.worth = known?.worth
        lot?.sealedBid = known?.sealedBid
        lot?.maximum = known?.maximum
        lot?.isGivenUp = known?.isGivenUp ?? false
        // A snapshot says last whether the sale is paused.
        isPaused = false
    }

    private mutating func lead(_ bid: Bid, _ remaining: Duration?, at now: Instant) {
        lot?.leading = bid
        lot?.forgetBounds()
        if let remaining { count(down: remaining, at: now) }
    }

    private mutating func count(down remaining: Duration?, at now: Instant) {
        lot?.deadline = remaining.map { now.advanced(by: $0) }
    }

    private mutating func void(_ voided: VoidedBid) {
        lot?.leading = voided.leading
        lot?.forgetBounds()
        lot?.deadline = nil
        if voided.bidder == bidder { lot?.maximum = nil }
    }

    private mutating func end(at price: Price?, isWon: Bool) -> LotEnd? {
        lot.take().map { LotEnd(lot: $0.number, price: price, isWon: isWon) }
    }

    /// Learns from the acceptance of its own command, before the news of it arrives.
    mutating func accept(_ answer: Answer) {
        switch answer {
        case .bid(let price):
            if lot?.terms.format.isSealed == true { lot?.sealedBid = price }
        case .maximum(let price): lot?.maximum = price
        default: break
        }
    }

    /// Learns from the refusal of its own command; returns whether to decide again at once.
    mutating func learn(from error: ErrorReply) -> Bool {
        func fact(_ name: String) -> Int64? { error.facts.first { $0.name == name }?.value }
        switch error.code {
        case .tooLow, .outbid:
            guard let minimum = fact("minimum"), let known = lot?.minimum ?? lot.map(self.minimum),
                minimum > known
            else { return false }
            lot?.minimum = minimum
            return true
        case .tooHigh:
            lot?.ceiling = fact("maximum")
            return lot?.ceiling != nil
        case .overPurse: left = fact("left")
        // What follows as news decides; until then the bot waits.
        case .leading, .closed, .otherLot, .paused, .slowDown, .unavailable: break
        default: lot?.isGivenUp = true
        }
        return false
    }
}
