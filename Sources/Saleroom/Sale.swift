import AuctionRules
import Wire

/// A sale: many lots in a row, and everything that its log records.
///
/// `apply` records an event in the same way live, on recovery and in tests. The deadline of the
/// countdown is not recorded; a sale that is recovered gives the full seconds again. Two things
/// change without an event: bars that have expired are dropped, and a name that has bid on the open
/// lot moves to the end of the order in which unused names are freed.
public struct Sale {
    /// The most former lots and results that are kept; up to twice as many until old ones are cut.
    public static let mostKept = 10_000

    /// The rules of every lot.
    public private(set) var rules: Rules

    /// The identity of the game; nil before the first event.
    public private(set) var game: GameID?

    /// The number of the last public event; 0 before the first.
    public private(set) var eventNumber: Int

    /// The newest lot; lot 0, which is closed, before the first.
    public private(set) var auction: Auction

    /// Whether every lot of the catalogue is done.
    public private(set) var isOver = false

    /// The lots before the newest that have a title of their own, oldest first.
    private(set) var formerLots: [Lot] = []

    /// How the lots ended, by their numbers.
    public private(set) var results: [LotResult] = []

    /// How the newest lot ended; nil while it is open, and between `hammered` and `lotSold`.
    private(set) var result: LotResult?

    /// The newest news, since the newest segment of the log began.
    private(set) var recentNews: RecentNews

    /// The names that are owned, and who is present.
    ///
    /// What it says of connections is not recorded.
    var names = Names()

    /// The names that were kicked, and when each may be taken again, in milliseconds since 1970.
    private(set) var bars: [Bidder: Int64] = [:]

    /// The time of day that was noted last, in milliseconds since 1970; nil before the first.
    private(set) var time: Int64?

    /// The numbers of the events that still hold.
    private(set) var numbers = Numbers()

    /// The whole seconds that were told last; nil before a lot's first bid.
    private(set) var secondsLeft: Int?

    private let mostResults: Int

    /// Begins before the first event.
    ///
    /// `mostResults` is how many results are kept, the newest.
    public init(rules: Rules, mostResults: Int = Sale.mostKept) {
        self.init(rules: rules, mostResults: mostResults, eventNumber: 0)
    }

    init(rules: Rules, mostResults: Int, eventNumber: Int) {
        (self.rules, self.mostResults, self.eventNumber) = (rules, mostResults, eventNumber)
        recentNews = RecentNews(after: eventNumber)
        auction = Auction(
            resuming: Lot(number: 0), rules: rules, bids: [], isClosed: true,
            at: Instant(nanoseconds: 0))
    }

    /// Whether a lot has opened yet.
    public var hasLot: Bool { auction.lot.number > 0 }

    /// The number of lots that have ended, which is the number of the newest of them.
    var lotsEnded: Int { results.last?.lot ?? 0 }

    /// Whether the auctioneer ordered the hammer and the winner was not told yet.
    var isHammered: Bool { hasLot && auction.isClosed && result == nil }

    /// Whether the price that leads must be told again, because the bid after it was voided.
    var isPriceDue: Bool { !auction.isClosed && auction.leading != nil && numbers.price == nil }

    /// The numbers of the events of which a newcomer is told, because they still hold.
    struct Numbers: Equatable {
        var lot: Int?
        var price: Int?
        var countdown: Int?
        var last: Int?
        var result: Int?
        var end: Int?
        var pause: Int?
    }

    /// Records an event.
    ///
    /// Total: an event that was decided once is never refused, so a log can be replayed.
    mutating func apply(_ event: SaleEvent, at now: Instant) {
        if event.isPublic { eventNumber += 1 }
        switch event {
        case .lotOpened(let lot): open(lot, at: now)
        case .bidPlaced(let bid):
            auction.apply(.bidPlaced(bid), at: now)
            names.noteBid(by: bid.bidder, in: auction.lot.number)
            numbers.price = eventNumber
        case .priceRestored: numbers.price = eventNumber
        case .lastReset:
            auction.apply(.lastReset, at: now)
            numbers.last = eventNumber
        case .secondsLeft(let seconds): (secondsLeft, numbers.countdown) = (seconds, eventNumber)
        case .lotSold(let sold):
            if !auction.isClosed { auction.apply(.hammerFell(at: now), at: now) }
            end(with: .winner(sold))
        case .lotPassed(let lot, let reason, let elapsed):
            auction.apply(.lotClosed, at: now)
            end(with: .passed(lot, reason: reason, elapsed: elapsed))
        case .ended: end(at: now)
        case .paused:
            auction.apply(.paused, at: now)
            numbers.pause = eventNumber
        case .resumed:
            auction.apply(.resumed, at: now)
            numbers.pause = nil
        case .hammered: auction.apply(.hammered(at: now), at: now)
        case .bidVoided(let bid):
            auction.apply(.bidVoided(bid), at: now)
            (numbers.price, numbers.countdown, numbers.last) = (nil, nil, nil)
        case .bidderJoined(let bidder): names.join(bidder)
        case .bidderLeft(let bidder): names.leave(bidder, at: time ?? 0)
        case .gameCreated(let game): self.game = game
        case .nameTaken(let bidder, let token): names.add(bidder, token: token)
        case .nameFreed(let bidder): names.free(bidder)
        case .nameBarred(let bidder, let end): bars[bidder] = end
        case .timeNoted(let time): self.time = time
        case .warned, .bidderKicked, .stopped: break
        }
        if case .message(let news) = event.record(in: self, remaining: nil) {
            recentNews.append(news)
        }
    }

    /// The news with this number, as a client that missed it receives it.
    ///
    /// The minimum of a first bid is that of today's rules; the time that was left is not known.
    func missedNews(_ number: Int) -> ServerMessage {
        switch recentNews[number] {
        case .lot(let lot, _, let elapsed): .lot(lot, start: rules.start, elapsed: elapsed)
        case .countdown(let seconds, _): .countdown(seconds, remaining: nil)
        case let news: news
        }
    }

    private mutating func open(_ lot: Lot, at now: Instant) {
        noteFormerLot()
        auction = Auction(lot, rules: rules, openedAt: now)
        (isOver, result, secondsLeft) = (false, nil, nil)
        numbers = Numbers(lot: eventNumber)
    }

    private mutating func noteFormerLot() {
        guard auction.lot != Lot(number: auction.lot.number) else { return }
        if formerLots.count >= 2 * Self.mostKept { formerLots.removeFirst(Self.mostKept) }
        formerLots.append(auction.lot)
    }

    private mutating func end(with message: ServerMessage) {
        numbers = Numbers(result: eventNumber, pause: numbers.pause)
        let result = LotResult(message, number: eventNumber, time: time ?? 0)
        self.result = result
        if results.count / 2 >= mostResults { results.removeFirst(mostResults) }
        results.append(result)
    }

    private mutating func end(at now: Instant) {
        isOver = true
        if auction.isPaused { auction.apply(.resumed, at: now) }
        (numbers.end, numbers.pause) = (eventNumber, nil)
    }

    /// Continues after a restart, with these rules.
    ///
    /// Nobody could bid meanwhile, so an open lot with a leader gets the full seconds.
    mutating func resume(with rules: Rules, at now: Instant) {
        self.rules = rules
        auction = Auction(
            resuming: auction.lot, rules: rules, bids: Array(auction.bids), first: auction.first,
            isLast: auction.isLast, isClosed: auction.isClosed, isPaused: auction.isPaused, at: now)
    }

    /// Starts the countdown of the leading bid at this instant, when everybody was told of it.
    mutating func beginCountdown(at now: Instant) {
        auction.beginCountdown(at: now)
    }

    /// Replaces the results with a list that includes those of earlier segments.
    mutating func takeResults(_ results: [LotResult]) {
        self.results = results
    }

    /// Forgets the bars that have expired at this time, in milliseconds since 1970.
    mutating func forgetBars(at time: Int64) {
        guard !bars.isEmpty else { return }
        bars = bars.filter { $0.value > time }
    }
}

extension Sale {
    /// Takes over the state with which a segment of the log begins.
    init(_ state: SaleState, rules: Rules, mostResults: Int) {
        self.init(rules: rules, mostResults: mostResults, eventNumber: state.bound)
        (game, time, names, bars) = (state.game, state.time, state.names, state.bars)
        (formerLots, results, numbers) = (state.formerLots, state.results, state.numbers)
        (isOver, result, secondsLeft) = (state.isOver, state.result, state.secondsLeft)
        auction = Auction(
            resuming: state.lot ?? auction.lot, rules: rules, bids: state.bids, first: state.first,
            isLast: numbers.last != nil, isClosed: state.isClosed,
            isPaused: numbers.pause != nil, at: Instant(nanoseconds: 0))
    }
}

/// How a lot ended.
public struct LotResult: Equatable, Sendable {
    /// The winner, or that the lot passed.
    public let message: ServerMessage
    /// The number of the event.
    public let number: Int
    /// The time of day to the second, in milliseconds since 1970.
    public let time: Int64

    init(_ message: ServerMessage, number: Int, time: Int64) {
        (self.message, self.number, self.time) = (message, number, time)
    }

    /// The line of a state that tells it.
    var record: Record { .result(message, seq: number, time: time) }

    /// The number of the lot.
    var lot: Int { message.endedLot ?? 0 }
}
