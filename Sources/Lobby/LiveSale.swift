import AuctionRules
import MonotonicTime
import Queues
import Sale
import Wire

/// A running sale: it opens and ends its lots by itself, and sends the countdown.
///
/// It decides what follows from each event, and commits it: records it in the `Sale`, and appends
/// it to the outputs. It reads no clock; time is an argument that must never decrease.
struct LiveSale {
    /// The recorded state.
    private(set) var sale: Sale
    private let catalogue: Catalogue
    private var countdown: Countdown
    /// When the next lot opens; nil while one is open, or none follows.
    private var nextOpening: Instant?
    /// The number of the news with which the countdown begins, until it is published.
    private var unpublishedBeginning: Int?
    /// The unpublished seconds of countdowns: the number of the news, and when each was due.
    private var unpublishedSeconds = Queue<(number: Int, due: Instant)>()
    /// How late each second of a countdown was published, down to the hammer.
    private(set) var countdownLateness = DurationHistogram()
    private var clock: SaleClock

    /// Creates a sale with no lot open, or continues one that was recovered from its log.
    ///
    /// `timeOfDay` is the time of `now` in milliseconds since 1970.
    init(
        rules: Rules, catalogue: Catalogue, resuming recovered: Sale?, at now: Instant,
        timeOfDay: Int64
    ) {
        sale = recovered ?? Sale(rules: rules)
        self.catalogue =
            sale.hasLot
            ? catalogue.following(
                sale.formerLots + [sale.auction.lot], added: sale.added) : catalogue
        countdown = Countdown(seconds: rules.seconds)
        clock = SaleClock(at: now, timeOfDay: timeOfDay)
        sale.resume(with: rules, at: now)
    }

    /// The newest lot.
    var auction: Auction { sale.auction }

    /// Whether every lot of the catalogue has ended.
    var isOver: Bool { sale.isOver }

    /// The titles of the next lots, in order; nil if the lots never end.
    var titlesAhead: [String]? {
        guard !catalogue.isEndless else { return nil }
        var titles: [String] = []
        while let plan = catalogue.plan(auction.lot.number + 1 + titles.count) {
            titles.append(plan.title)
        }
        return titles
    }

    // Time

    /// When `expire` is next due for the lots; nil if nothing is.
    var deadline: Instant? {
        let hammer = unpublishedBeginning == nil ? auction.deadline : nil
        return Instant.earliest(hammer.map { countdown.nextChange(before: $0) }, nextOpening)
    }

    /// The time left until the hammer; the full time while the beginning of the countdown is not
    /// published.
    func remaining(at now: Instant) -> Duration? {
        auction.remaining(at: now)
            .map { unpublishedBeginning == nil ? $0 : sale.rules.countdown }
    }

    /// The time of day at an instant, in milliseconds since 1970, by the clock at the start.
    ///
    /// It ignores changes of the system's clock, so that no change ends a kick.
    func timeOfDay(at now: Instant) -> Int64 { clock.sinceStart(at: now) }

    /// The earlier of the times of day by the clock at the start and by the system's clock.
    ///
    /// Names have the time of the system's clock at which they were used, so their ages count from
    /// this one: no change of the clock makes a name look older than it is.
    func earliestTimeOfDay(at now: Instant) -> Int64 {
        min(clock.sinceStart(at: now), clock.current(at: now))
    }

    /// Sets the time of day at an instant, in milliseconds since 1970, as the log records it.
    mutating func setTimeOfDay(_ timeOfDay: Int64, at now: Instant) {
        clock.set(timeOfDay, at: now)
    }

    // Commits

    /// Records an event and appends it to the outputs; returns the number of the last public event.
    @discardableResult
    mutating func commit(_ event: SaleEvent, at now: Instant, _ outputs: inout Outputs) -> Int {
        noteTime(at: now, &outputs)
        // Only in debug builds, because it costs a bid a tenth of its instructions.
        assert(sale.admits(event), "an event that cannot follow would ruin the log")
        sale.apply(event, at: now)
        let details = SaleEvent.Details(
            lot: auction.lot.number, start: sale.rules.start, elapsed: .zero,
            remaining: remaining(at: now))
        if let message = event.message(details) {
            outputs.perform(.news(message, seq: sale.eventNumber))
        } else {
            outputs.perform(.note(event))
        }
        return sale.eventNumber
    }

    /// Records the time of day when its second has changed.
    private mutating func noteTime(at now: Instant, _ outputs: inout Outputs) {
        let time = clock.current(at: now)
        guard sale.time.map({ $0 / 1000 != time / 1000 }) ?? true else { return }
        sale.apply(.timeNoted(time), at: now)
        outputs.perform(.note(.timeNoted(time)))
        endBars(at: now, &outputs)
    }

    /// Sends a connection the news that still holds.
    func sendSnapshot(to id: SessionID, at now: Instant, _ outputs: inout Outputs) {
        let details = SaleEvent.Details(
            lot: auction.lot.number, start: sale.rules.start,
            elapsed: auction.openedAt.duration(to: now), remaining: remaining(at: now))
        for (event, number) in sale.snapshot {
            guard let message = event.message(details) else { continue }
            outputs.restate(message, seq: number, to: id)
        }
    }

    /// Ends the bars of kicked names that have expired.
    private mutating func endBars(at now: Instant, _ outputs: inout Outputs) {
        guard !sale.bars.isEmpty else { return }
        let time = timeOfDay(at: now)
        let ended = sale.bars.filter { $0.value <= time }.keys
        for bidder in ended.sorted(by: { $0.description < $1.description }) {
            commit(.barEnded(bidder), at: now, &outputs)
        }
    }

    // Commands

    /// Returns the event that a command causes, if any, and changes nothing.
    ///
    /// - Throws: Why the rules refuse it; `closed` also if the sale is over.
    func decide(
        _ command: Auction.Command, at now: Instant
    ) throws(Auction.Refusal) -> Auction.Event? {
        guard !isOver else { throw .closed }
        return try auction.decide(command, at: now)
    }

    /// Commits an event that was decided, and what follows from it.
    mutating func record(_ event: Auction.Event, at now: Instant, _ outputs: inout Outputs) {
        switch event {
        case .bidPlaced(let bid): placeBid(bid, at: now, &outputs)
        case .lastReset: preconditionFailure("the last reset follows a bid")
        case .askFell, .bidSealed, .bidsSealed, .bidRevealed, .maximumSet, .reserveMet:
            preconditionFailure("lots are plain English auctions")
        case .hammerFell(let hammer):
            sell(hammer: hammer, at: now, &outputs)
            planNextLot(at: now, &outputs)
        case .hammered(let hammer):
            commit(.hammered, at: hammer, &outputs)
            finishHammering(at: hammer, &outputs)
        case .paused:
            stopCountdown()
            nextOpening = nil
            commit(.paused, at: now, &outputs)
        case .resumed: goOn(at: now, &outputs)
        case .bidVoided(let bid, let leading):
            void(VoidedBid(bid, leading: leading), at: now, &outputs)
        case .lotClosed:
            stopCountdown()
            let elapsed = auction.openedAt.duration(to: now)
            commit(
                .lotPassed(auction.lot, reason: "closed", elapsed: elapsed), at: now, &outputs)
            outputs.figures.lotsPassed += 1
            planNextLot(at: now, &outputs)
        }
    }

    private mutating func placeBid(_ bid: Bid, at now: Instant, _ outputs: inout Outputs) {
        let isReset = !auction.isLast
        let number = commit(.bidPlaced(bid), at: now, &outputs)
        if isReset { beginCountdown(after: number, at: now, &outputs) }
        if auction.isLastResetDue { commit(.lastReset, at: now, &outputs) }
    }

    /// Continues after a pause: a leader's countdown or the time up to the next lot begins anew.
    private mutating func goOn(at now: Instant, _ outputs: inout Outputs) {
        let number = commit(.resumed, at: now, &outputs)
        if auction.deadline != nil {
            beginCountdown(after: number, at: now, &outputs)
        } else if auction.isClosed {
            planNextLot(at: now, &outputs)
        }
    }

    /// Takes the last bid back, and repeats the price before it.
    private mutating func void(
        _ voided: VoidedBid, at now: Instant, _ outputs: inout Outputs
    ) {
        stopCountdown()
        commit(.bidVoided(voided), at: now, &outputs)
        guard let leading = voided.leading else { return }
        let number = commit(.bidPlaced(leading), at: now, &outputs)
        if auction.deadline != nil { beginCountdown(after: number, at: now, &outputs) }
    }

    // Countdown

    /// Does what is due for the lots; all input until `handledUntil` must have been handled.
    mutating func expire(at now: Instant, handledUntil: Instant, _ outputs: inout Outputs) {
        if let deadline = auction.deadline {
            guard unpublishedBeginning == nil else { return }
            guard !countdown.hasMissed(at: handledUntil, before: deadline) else {
                return restartCountdown(before: deadline, at: now, &outputs)
            }
            if let number = showCountdown(at: now, handledUntil: handledUntil, &outputs) {
                unpublishedSeconds.append((number, countdown.instant(before: deadline)))
            }
            if let event = try? auction.decide(.expire, at: handledUntil) {
                record(event, at: now, &outputs)
            }
        } else if let opening = nextOpening, opening <= handledUntil {
            openNextLot(at: now, &outputs)
        }
    }

    /// Notes that the news up to this number was published: a countdown runs from the instant at
    /// which its beginning is published.
    mutating func published(upTo seq: Int, at now: Instant) {
        while let (number, due) = unpublishedSeconds.first, number <= seq {
            countdownLateness.record(now.nanoseconds - due.nanoseconds)
            _ = unpublishedSeconds.popFirst()
        }
        guard let beginning = unpublishedBeginning, beginning <= seq else { return }
        unpublishedBeginning = nil
        sale.beginCountdown(at: now)
    }

    /// Lets the countdown begin when the event of this number is published.
    private mutating func beginCountdown(
        after number: Int, at now: Instant, _ outputs: inout Outputs
    ) {
        unpublishedBeginning = number
        showCountdown(at: now, &outputs)
    }

    /// Ends the countdown, so that the next one shows all of its seconds.
    private mutating func stopCountdown() {
        unpublishedBeginning = nil
        countdown.restart()
    }

    /// Commits the whole seconds that are left if they have changed, and returns the event's
    /// number.
    ///
    /// The seconds are those at `handledUntil`, so that a late server skips none; the remaining
    /// time is the current one.
    @discardableResult
    private mutating func showCountdown(
        at now: Instant, handledUntil: Instant? = nil, _ outputs: inout Outputs
    ) -> Int? {
        let remaining = auction.remaining(at: handledUntil ?? now) ?? .zero
        guard let seconds = countdown.show(remaining: remaining) else { return nil }
        let number = commit(.secondsLeft(seconds), at: now, &outputs)
        if let warning = countdown.warning(at: seconds) {
            commit(.warned(warning), at: now, &outputs)
        }
        return number
    }

    /// Restarts the full countdown after a stall in which some of its seconds were not sent.
    private mutating func restartCountdown(
        before deadline: Instant, at now: Instant, _ outputs: inout Outputs
    ) {
        let missed = countdown.nextChange(before: deadline)
        sale.beginCountdown(at: now)
        countdown.restart()
        unpublishedBeginning = showCountdown(at: now, &outputs)
        if let number = unpublishedBeginning { unpublishedSeconds.append((number, missed)) }
    }

    // Lots

    /// Continues with the lots of a recovered sale, or opens the first.
    mutating func continueLots(at now: Instant, _ outputs: inout Outputs) {
        if !sale.hasLot {
            // A new log, or one that ended before the first lot opened.
            commit(.lotOpened(lot(1) ?? Lot(number: 1)), at: now, &outputs)
        } else if sale.isHammered {
            finishHammering(at: now, &outputs)
        } else if auction.deadline != nil {
            unpublishedBeginning = showCountdown(at: now, &outputs)
        } else if isOver {
            if lot(auction.lot.number + 1) != nil { openNextLot(at: now, &outputs) }
        } else if auction.isClosed {
            planNextLot(at: now, &outputs)
        }
    }

    /// Sells the lot to the leader, whatever is left of the countdown.
    private mutating func finishHammering(at hammer: Instant, _ outputs: inout Outputs) {
        unpublishedBeginning = nil
        showCountdown(at: hammer, &outputs)
        sell(hammer: hammer, at: hammer, &outputs)
        planNextLot(at: hammer, &outputs)
    }

    private mutating func sell(hammer: Instant, at now: Instant, _ outputs: inout Outputs) {
        guard let bid = auction.leading else {
            preconditionFailure("the hammer falls only after a bid")
        }
        let sold = SoldLot(
            number: auction.lot.number, title: auction.lot.title, bidder: bid.bidder,
            price: bid.price, elapsed: auction.openedAt.duration(to: hammer))
        commit(.lotSold(sold), at: now, &outputs)
        outputs.figures.lotsSold += 1
    }

    /// Plans the opening of the next lot, unless the sale is paused; ends the sale if none follows.
    private mutating func planNextLot(at now: Instant, _ outputs: inout Outputs) {
        guard let next = lot(auction.lot.number + 1) else {
            commit(.ended(lots: auction.lot.number), at: now, &outputs)
            return
        }
        guard !auction.isPaused else {
            nextOpening = nil
            return
        }
        nextOpening = now.advanced(by: catalogue.pause)
        let (seconds, rest) = catalogue.pause.components
        guard seconds > 0 else { return }
        let announced = SaleEvent.nextAnnounced(
            title: next.title, seconds: Int(seconds) + (rest > 0 ? 1 : 0))
        commit(announced, at: now, &outputs)
    }

    private func lot(_ number: Int) -> Lot? {
        catalogue.plan(number).map { Lot(number: number, title: $0.title) }
    }

    private mutating func openNextLot(at now: Instant, _ outputs: inout Outputs) {
        nextOpening = nil
        guard let lot = lot(auction.lot.number + 1) else { return }
        countdown = Countdown(seconds: sale.rules.seconds)
        commit(.lotOpened(lot), at: now, &outputs)
    }
}

/// The time of day for a sale, counted from instants at which it was known.
private struct SaleClock {
    /// An instant, and the time of day at it in milliseconds since 1970.
    private typealias Reading = (instant: Instant, timeOfDay: Int64)

    private let start: Reading
    private var latest: Reading

    init(at now: Instant, timeOfDay: Int64) {
        start = (now, timeOfDay)
        latest = start
    }

    mutating func set(_ timeOfDay: Int64, at now: Instant) {
        latest = (now, timeOfDay)
    }

    /// The time of day counted from the start.
    func sinceStart(at now: Instant) -> Int64 { Self.time(at: now, after: start) }

    /// The time of day counted from the newest reading.
    func current(at now: Instant) -> Int64 { Self.time(at: now, after: latest) }

    private static func time(at now: Instant, after reading: Reading) -> Int64 {
        let elapsed = now.nanoseconds - reading.instant.nanoseconds
        return max(reading.timeOfDay + elapsed / 1_000_000, 0)
    }
}
