import AuctionRules

/// A sale: many lots in a row, and everything that its log records.
///
/// `apply` records an event in the same way live, on recovery and in tests. The deadline of the
/// countdown is not recorded; a sale that is recovered gives the full seconds again.
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
    package private(set) var formerLots: [Lot] = []

    /// How the lots ended, by their numbers.
    public private(set) var results: [LotResult] = []

    /// How the newest lot ended; nil while it is open, and between `hammered` and `lotSold`.
    package private(set) var result: LotResult?

    /// The newest news, since the newest segment of the log began.
    package private(set) var recentNews: RecentNews

    /// The names that are owned, and which of their owners are present.
    package private(set) var names = Names()

    /// The names that were kicked, and when each may be taken again, in milliseconds since 1970.
    package private(set) var bars: [Bidder: Int64] = [:]

    /// The time of day that was noted last, in milliseconds since 1970; nil before the first.
    package private(set) var time: Int64?

    /// The numbers of the events that still hold.
    private(set) var numbers = Numbers()

    /// The whole seconds that were sent last; nil before a lot's first bid.
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
    package var lotsEnded: Int { results.last?.lot.number ?? 0 }

    /// Whether the auctioneer ordered the hammer and the winner was not announced yet.
    package var isHammered: Bool { hasLot && auction.isClosed && result == nil }

    /// The numbers of the events that still hold, which a snapshot restates.
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
    package mutating func apply(_ event: SaleEvent, at now: Instant) {
        let isPublic = event.audience == .everyone
        if isPublic { eventNumber += 1 }
        switch event {
        case .lotOpened(let lot): open(lot, at: now)
        case .bidPlaced(let bid):
            if bid.number != auction.leading?.number { place(bid, at: now) }
            numbers.price = eventNumber
        case .lastReset:
            auction.apply(.lastReset, at: now)
            numbers.last = eventNumber
        case .secondsLeft(let seconds): (secondsLeft, numbers.countdown) = (seconds, eventNumber)
        case .lotSold(let sold):
            if !auction.isClosed { auction.apply(.hammerFell(at: now), at: now) }
            end(with: .sold(sold.ofLot(auction.lot.number)))
        case .lotPassed(_, let reason, let elapsed):
            auction.apply(.lotClosed, at: now)
            end(with: .passed(reason: reason, elapsed: elapsed))
        case .ended: end(at: now)
        case .paused:
            auction.apply(.paused, at: now)
            numbers.pause = eventNumber
        case .resumed:
            auction.apply(.resumed, at: now)
            numbers.pause = nil
        case .hammered: auction.apply(.hammered(at: now), at: now)
        case .bidVoided(let voided): void(voided, at: now)
        case .bidderJoined(let bidder): names.join(bidder)
        case .bidderLeft(let bidder): names.leave(bidder, at: time ?? 0)
        case .gameCreated(let game): self.game = game
        case .nameTaken(let bidder, let token): names.add(bidder, token: token)
        case .nameFreed(let bidder): names.free(bidder)
        case .nameKept(let bidder): names.postpone(bidder, at: time ?? 0)
        case .nameBarred(let bidder, let end): bars[bidder] = end
        case .barEnded(let bidder): bars[bidder] = nil
        case .timeNoted(let time): self.time = time
        case .warned, .nextAnnounced, .bidderKicked, .stopped: break
        case .termsAnnounced, .askFell, .bidsSealed, .bidRevealed, .reserveMet, .valueRevealed,
            .championNamed, .messageSaid, .worthDrawn, .gameSet, .lotPlanned, .lotAdded,
            .valueDrawn, .bidSealed, .maximumSet, .bidderMuted, .bidderUnmuted:
            break
        }
        if isPublic { recentNews.append(event, lot: auction.lot.number, time: time) }
    }

    private mutating func place(_ bid: Bid, at now: Instant) {
        auction.apply(.bidPlaced(bid), at: now)
        names.noteBid(by: bid.bidder, in: auction.lot.number)
    }

    private mutating func void(_ voided: VoidedBid, at now: Instant) {
        guard let bid = auction.leading else { return }
        auction.apply(.bidVoided(bid, leading: voided.leading), at: now)
        numbers.price = voided.leading.map { _ in eventNumber }
        numbers.countdown = nil
        if !auction.isLast { numbers.last = nil }
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

    private mutating func end(with outcome: LotResult.Outcome) {
        numbers = Numbers(result: eventNumber, pause: numbers.pause)
        let result = LotResult(auction.lot, outcome, number: eventNumber, time: time ?? 0)
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
    package mutating func resume(with rules: Rules, at now: Instant) {
        self.rules = rules
        auction = Auction(
            resuming: auction.lot, rules: rules, bids: Array(auction.bids), first: auction.first,
            isLast: auction.isLast, isClosed: auction.isClosed, isPaused: auction.isPaused, at: now)
    }

    /// Starts the countdown of the leading bid at this instant, at which it was published.
    package mutating func beginCountdown(at now: Instant) {
        auction.beginCountdown(at: now)
    }

    /// Replaces the results with a list that includes those of earlier segments.
    mutating func takeResults(_ results: [LotResult]) {
        self.results = results
    }
}

extension Sale {
    /// Whether an event can follow what happened so far.
    ///
    /// True for every event that a server commits; if it is false, no server wrote the log. O(1).
    package func admits(_ event: SaleEvent) -> Bool {
        switch event {
        case .gameCreated: return game == nil && eventNumber == 0
        case .timeNoted: return true
        case .nameTaken(let bidder, _): return hasLot && names[bidder]?.isFree ?? true
        case .nameFreed(let bidder): return names[bidder]?.isPresent == false
        case .nameKept(let bidder): return names[bidder]?.isAbsent == true
        case .nameBarred: return hasLot
        case .barEnded(let bidder): return bars[bidder] != nil
        case .lotOpened(let lot):
            return game != nil && auction.isClosed && !isHammered && !auction.isPaused
                && lot.number == auction.lot.number + 1
        case .bidderJoined(let bidder): return hasLot && names[bidder]?.isPresent == false
        case .bidderLeft(let bidder), .bidderKicked(let bidder, _):
            return hasLot && names[bidder]?.isPresent == true
        case .stopped: return hasLot
        case .bidPlaced, .lastReset, .secondsLeft, .warned, .lotSold, .lotPassed,
            .nextAnnounced, .ended, .paused, .resumed, .hammered, .bidVoided:
            return hasLot && admitsForLot(event)
        case .termsAnnounced, .askFell, .bidsSealed, .bidRevealed, .reserveMet, .valueRevealed,
            .championNamed, .messageSaid, .worthDrawn, .gameSet, .lotPlanned, .lotAdded,
            .valueDrawn, .bidSealed, .maximumSet, .bidderMuted, .bidderUnmuted:
            return false
        }
    }

    private func admitsForLot(_ event: SaleEvent) -> Bool {
        let isLed = !auction.isClosed && auction.leading != nil
        switch event {
        case .bidPlaced(let bid):
            // After a void the price that leads again is repeated, also while the sale is paused.
            if isLed, bid == auction.leading { return true }
            return !auction.isClosed && !auction.isPaused && names[bid.bidder]?.isPresent == true
                && bid.follows(auction.leading)
        case .lastReset: return isLed && numbers.last == nil
        case .secondsLeft(let seconds):
            return isCounting(isLed) && (0...Rules.allowedSeconds.upperBound).contains(seconds)
        case .warned: return isCounting(isLed)
        case .lotSold(let sold):
            return (isHammered || isLed && !auction.isPaused) && ends(with: sold)
        case .lotPassed(let lot, _, _): return !auction.isClosed && lot == auction.lot
        case .nextAnnounced(let title, let seconds):
            return result != nil && !isOver && !auction.isPaused && seconds > 0
                && Lot.isTitle(title)
        case .ended(let lots): return result != nil && !isOver && lots == auction.lot.number
        case .paused: return !auction.isPaused && !isOver && !isHammered
        case .resumed: return auction.isPaused && !isHammered
        case .hammered: return isLed
        case .bidVoided(let voided):
            guard isLed, let bid = auction.leading else { return false }
            let before = auction.bids.dropLast().last
            return voided == VoidedBid(bid, leading: before) && (bid.number == 1) == (before == nil)
        default: return false
        }
    }

    private func isCounting(_ isLed: Bool) -> Bool {
        isHammered || isLed && !auction.isPaused
    }

    private func ends(with sold: SoldLot) -> Bool {
        sold.title == auction.lot.title && auction.leading?.isPaid(by: sold) == true
    }
}

extension Bid {
    /// Whether the bid can be the next after another, or the first of a lot.
    func follows(_ before: Bid?) -> Bool {
        guard let before else { return number == 1 }
        return number == before.number + 1 && price > before.price && elapsed >= before.elapsed
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
