import Auction
import Wire

/// The state of the sale according to the news, with the clocks of the lot.
///
/// Times are those of the timeline of the view.
public struct SaleState: Equatable, Sendable {
    /// The maximum number of champions that are kept.
    private static let maximumChampions = 100

    /// The end of a lot.
    public enum Outcome: Equatable, Sendable {
        /// The lot was sold.
        case sold(SoldLot)
        /// The lot was not sold, for a reason of one word.
        case passed(reason: String)
    }

    /// The newest greeting of the server.
    public private(set) var greeting: Greeting?
    /// The lot that is open, or was open last.
    public private(set) var lot: Lot?
    /// The highest bid of the lot.
    public private(set) var leading: Bid?
    /// How the lot ended; nil while it is open.
    public private(set) var outcome: Outcome?
    /// The terms of the lot, if they are not those of a plain English auction.
    public private(set) var terms: Terms?
    /// The asking price of a Dutch lot; nil before it is announced.
    public private(set) var ask: Price?
    /// The sealed bids on the lot.
    public private(set) var sealedBids = SealedBids()
    /// Whether the price has met the reserve.
    public private(set) var isReserveMet = false
    /// The common value of the lot, once it is revealed.
    public private(set) var value: Int64?
    /// The number of lots, once the sale is over.
    public private(set) var lotsDone: Int?
    /// The winners of the sale, once they are named; more than one only if they tie.
    public private(set) var champions: [Champion] = []
    /// Whether the auctioneer has paused the sale.
    public private(set) var isPaused = false
    /// The title of the next lot, once it is announced; nil while a lot is open.
    public private(set) var nextTitle: String?
    /// When the next lot opens; nil if that is unknown.
    package private(set) var nextOpening: Duration?
    /// When the lot opened; nil if unknown.
    package private(set) var openedAt: Duration?
    /// The time from the opening to the end; nil while the lot is open, or if unknown.
    private var length: Duration?
    /// When the countdown ends as far as the server has announced it; nil if none runs.
    private var countdownEnd: Duration?
    /// The last warning in this countdown.
    private var warning: Warning?
    /// The minimum of the first bid.
    private var start: Price?
    /// The least and the highest next bid, as the server says them in JSON.
    private var amounts: ClosedRange<Int64>?

    /// Makes the state before any news.
    public init() {}

    /// Whether a lot is open.
    public var isOpen: Bool { lot != nil && outcome == nil }

    /// Whether bids are accepted.
    public var acceptsBids: Bool { isOpen && !isPaused }

    /// How the lot is sold.
    public var format: AuctionFormat { terms?.format ?? .english }

    /// The seconds of a full countdown; nil if they are unknown.
    public var fullSeconds: Int? { terms?.seconds ?? greeting?.seconds }

    /// The minimum of the next bid; nil if it is unknown, or no bid is possible.
    ///
    /// In a Dutch auction the asking price; in a sealed one the least that can be sealed.
    public var leastBid: Price? {
        guard isOpen, let greeting else { return nil }
        if let amounts { return Price(amounts.lowerBound) }
        if format.verb == .take { return leading == nil ? ask : nil }
        if format.isSealed { return terms?.start }
        guard let leading else { return terms?.start ?? start }
        let next = Price(leading.price.amount + (terms?.step ?? greeting.step).amount)
        guard let buy = buyPrice else { return next }
        return next.map { min($0, buy) } ?? buy
    }

    /// The price at which the lot can be bought at once; nil if it cannot.
    public var buyPrice: Price? {
        guard isOpen, let buy = terms?.buy, leading.map({ $0.price < buy }) ?? true else {
            return nil
        }
        return buy
    }

    /// When the lot opened; nil if it has ended.
    package var runningSince: Duration? { outcome == nil ? openedAt : nil }

    /// The time since the opening, which stops at the end of the lot.
    package func elapsed(at now: Duration) -> Duration? {
        outcome == nil ? openedAt.map { now - $0 } : length
    }

    /// The time left of the countdown; nil if none runs.
    package func timeLeft(at now: Duration) -> TimeLeft? {
        countdownEnd.map { TimeLeft(remaining: max(.zero, $0 - now), warning: warning) }
    }

    /// The state after a message that was received at `now`.
    package func applying(_ message: ServerMessage, at now: Duration) -> SaleState {
        var next = self
        switch message {
        case .hello(let seconds, let step, let serverID, let room, let sale):
            next.greet(
                Greeting(seconds: seconds, step: step, serverID: serverID, room: room, sale: sale))
        case .event(let event, let details): next.apply(event, details, at: now)
        // A snapshot follows, and includes `PAUSED` if the sale is paused.
        case .skipped: next.isPaused = false
        default: break
        }
        return next
    }

    private mutating func apply(
        _ event: SaleEvent, _ details: SaleEvent.Details, at now: Duration
    ) {
        switch event {
        case .lotOpened(let lot):
            amounts = details.amounts
            forgetTerms()
            show(lot, start: details.start)
            openedAt = now - (details.elapsed ?? .zero)
        case .termsAnnounced(let terms): self.terms = terms
        case .askFell(let price):
            amounts = details.amounts
            lower(to: price, details.remaining, at: now)
        case .bidsSealed(let count): sealedBids.seal(count)
        case .bidRevealed(let bid): sealedBids.reveal(bid)
        case .reserveMet: isReserveMet = true
        case .valueRevealed(let value): self.value = value
        case .bidPlaced(let bid):
            amounts = details.amounts
            accept(bid, details.remaining, at: now)
        case .secondsLeft(let seconds) where !isPaused:
            let remaining = details.remaining ?? .seconds(seconds)
            correctCountdown(to: now + min(remaining, .seconds(seconds)))
        case .warned(let warning): self.warning = warning
        case .lotSold(let sold): sell(sold)
        case .lotPassed(let lot, let reason, let elapsed):
            pass(lot, reason: reason, after: elapsed, at: now)
        case .nextAnnounced(let title, let seconds):
            (nextTitle, nextOpening) = (title, now + .seconds(seconds))
        case .ended(let lots):
            (lotsDone, isPaused) = (lots, false)
            champions = []
        case .championNamed(let bidder, let score):
            crown(Champion(bidder: bidder, score: score))
        case .bidVoided(let voided):
            amounts = details.amounts
            leading = voided.leading
            // `RESERVE met` is repeated if the price that leads again has met it.
            isReserveMet = false
            stopCountdown()
        case .paused:
            isPaused = true
            nextOpening = nil
            stopCountdown()
        // A snapshot follows `HELLO`, and includes `PAUSED` if the sale is paused.
        case .resumed: isPaused = false
        default: break
        }
    }

    /// Begins with a greeting; nothing is left of another room.
    private mutating func greet(_ greeting: Greeting) {
        if let known = self.greeting, !known.isOfSameSale(as: greeting) { self = SaleState() }
        self.greeting = greeting
        stopCountdown()
        isPaused = false
        nextOpening = nil
    }

    /// Shows a lot; the price of an earlier bid follows, also in a snapshot.
    private mutating func show(_ lot: Lot, start: Price?) {
        stopCountdown()
        leading = nil
        self.lot = lot
        self.start = start ?? self.start
        outcome = nil
        (lotsDone, champions) = (nil, [])
        (nextTitle, nextOpening) = (nil, nil)
    }

    /// Forgets what was announced about the terms of a lot, because another one is shown.
    private mutating func forgetTerms() {
        (terms, ask, sealedBids) = (nil, nil, SealedBids())
        (isReserveMet, value) = (false, nil)
    }

    private mutating func accept(_ bid: Bid, _ remaining: Duration?, at now: Duration) {
        leading = bid
        // A bid is never later than now, so the `LOT` message was delayed.
        openedAt = min(openedAt ?? now, now - bid.elapsed)
        guard !isPaused else { return }
        warning = nil
        let left = remaining ?? fullSeconds.map { .seconds($0) }
        countdownEnd = left.map { now + $0 }
    }

    /// Lowers the asking price; the time left to the end is that of the announcement, if it is sent.
    private mutating func lower(to price: Price, _ remaining: Duration?, at now: Duration) {
        ask = price
        if !isPaused, let remaining { countdownEnd = now + remaining }
    }

    private mutating func crown(_ champion: Champion) {
        guard champions.count < Self.maximumChampions,
            !champions.contains(where: { $0.bidder == champion.bidder })
        else { return }
        champions.append(champion)
    }

    private mutating func sell(_ sold: SoldLot) {
        stopCountdown()
        if sold.bidder != leading?.bidder || sold.price != leading?.price { leading = nil }
        // Text has no number; the lot is then the known one.
        if let number = sold.number, number != lot?.number {
            forgetTerms()
            openedAt = nil
        }
        lot = Lot(number: sold.number ?? lot?.number ?? 1, title: sold.title)
        outcome = .sold(sold)
        length = sold.elapsed
        (lotsDone, champions) = (nil, [])
    }

    /// Ends a lot unsold; of an unknown lot the time of opening is unknown.
    private mutating func pass(
        _ passed: Lot, reason: String, after elapsed: Duration?, at now: Duration
    ) {
        let isKnown = passed.number == lot?.number
        // A repeated `PASSED`, as in a snapshot, does not move the end.
        length = isKnown ? self.elapsed(at: now) : elapsed
        if !isKnown {
            forgetTerms()
            openedAt = nil
        }
        show(passed, start: nil)
        outcome = .passed(reason: reason)
    }

    private mutating func stopCountdown() {
        (countdownEnd, warning) = (nil, nil)
    }

    /// Moves the end of the countdown to an announced time.
    ///
    /// A later time is due to network delay and ignored, unless it is later by a second: then the
    /// server itself was stopped for a while.
    private mutating func correctCountdown(to announced: Duration) {
        guard let known = countdownEnd, announced < known + .seconds(1) else {
            countdownEnd = announced
            return
        }
        countdownEnd = min(known, announced)
    }
}

/// A winner of a sale.
public struct Champion: Equatable, Sendable {
    /// The bidder.
    public let bidder: Bidder
    /// The profit, or without values the number of lots.
    public let score: Int64

    package init(bidder: Bidder, score: Int64) {
        (self.bidder, self.score) = (bidder, score)
    }
}

/// The time left of the countdown at one instant.
public struct TimeLeft: Equatable, Sendable {
    /// The time left, not negative.
    public let remaining: Duration
    /// The last warning in this countdown.
    public let warning: Warning?

    package init(remaining: Duration, warning: Warning?) {
        self.remaining = remaining
        self.warning = warning
    }

    /// The whole seconds left, rounded up as the server does.
    public var seconds: Int64 {
        let (seconds, attoseconds) = remaining.components
        return seconds + (attoseconds > 0 ? 1 : 0)
    }

    /// The part of a full countdown that is left, from 0 to 1.
    public func fraction(ofSeconds seconds: Int) -> Double {
        min(1, remaining / .seconds(max(1, seconds)))
    }
}
