import AuctionRules
import MonotonicTime
import Sale
import Wire

/// A running sale: it opens and ends its lots by itself, and sends the countdown.
///
/// It commits what was decided and what follows from it: records it in the `Sale`, and appends it to
/// the outputs. It reads no clock; time is an argument that must never decrease.
struct LiveSale {
    /// The least time from the opening of a lot to that of the next, except in `main`.
    ///
    /// Anybody can open a room, and each opening can cost a draw for every bidder in it.
    private static let leastLotTime = Duration.seconds(1)

    /// The room that the sale is in.
    let room: RoomID
    /// The name of the room, for the log.
    let roomName: RoomName
    /// The recorded state.
    private(set) var sale: Sale
    /// The rules of a lot without options.
    @Indirect private var rules: Rules
    /// The lots of the operator's list; those that were added come after it.
    private var catalogue: Catalogue
    private var countdown: SentCountdown
    /// The next lot, and when it opens; nil while one is open, or none follows.
    @Indirect private var next: (plan: LotPlan, opening: Instant)?
    /// When the newest lot opened; nil if that was before the start.
    private var openedAt: Instant?
    /// Whether a lot has ended, and what follows is not planned yet.
    private var isNextLotDue = false
    private var lines = PrivateLines()

    /// Creates a sale with no lot open, or continues one that was recovered from its log.
    init(
        in room: RoomID, _ roomName: RoomName, rules: Rules, catalogue: Catalogue,
        resuming recovered: Sale?, at now: Instant
    ) {
        (self.room, self.roomName, self.rules) = (room, roomName, rules)
        sale = recovered ?? Sale(rules: rules, in: roomName)
        self.catalogue =
            sale.hasLot
            ? catalogue.following(sale.formerLots + [sale.auction.lot], added: sale.added)
            : catalogue
        sale.resume(with: rules, at: now)
        countdown = SentCountdown(seconds: sale.auction.rules.seconds)
    }

    /// The newest lot.
    var auction: Auction { sale.auction }

    /// Whether every lot of the catalogue has ended.
    var isOver: Bool { sale.isOver }

    // Time

    /// When `expire` is next due for the lots; nil if nothing is.
    ///
    /// Mutating, though it changes nothing: a getter would copy the sale out of its room.
    var deadline: Instant? {
        mutating get {
            guard let hammer = sale.auction.deadline else { return next?.opening }
            guard let change = countdown.nextChange(before: hammer) else { return nil }
            return Instant.earliest(change, sale.auction.nextFall)
        }
    }

    /// The time left until the hammer; the full time while the beginning of the countdown is not
    /// published.
    ///
    /// Always inlined: to call it copies the sale.
    @inline(__always)
    func remaining(at now: Instant) -> Duration? {
        let left = sale.auction.remaining(at: now)
        guard let left, !countdown.isRunning else { return left }
        // Only asking prices have less than the full time.
        guard sale.auction.ask != nil else { return .seconds(sale.auction.rules.seconds) }
        return max(left, sale.auction.countdownLeft)
    }

    // Commits

    /// Records an event and appends it to the outputs; returns the number of the last public event.
    @discardableResult
    mutating func commit(_ event: SaleEvent, at now: Instant, _ outputs: inout Outputs) -> Int {
        noteTime(at: now, &outputs)
        // Only in debug builds, because it costs a bid a tenth of its instructions.
        assert(sale.admits(event), "an event that cannot follow would ruin the log")
        sale.apply(event, at: now)
        outputs.enter(room, roomName)
        let details = SaleEvent.Details(
            lot: auction.lot.number, start: auction.rules.start, elapsed: .zero,
            remaining: remaining(at: now))
        if let message = event.message(details) {
            if case .bidder(let bidder) = event.audience {
                outputs.perform(.note(event))
                lines.send(message, to: bidder, &outputs)
            } else {
                outputs.perform(.news(message, seq: sale.eventNumber, room: room))
            }
        } else {
            outputs.perform(.note(event))
        }
        if lines.tellsPurses { lines.sendPurses(after: event, from: sale, &outputs) }
        return sale.eventNumber
    }

    /// Records the time of day when its second has changed.
    private mutating func noteTime(at now: Instant, _ outputs: inout Outputs) {
        let time = outputs.clock.current(at: now)
        guard sale.time.map({ $0 / 1000 != time / 1000 }) ?? true else { return }
        sale.apply(.timeNoted(time), at: now)
        outputs.enter(room, roomName)
        outputs.perform(.note(.timeNoted(time)))
        endBars(at: now, &outputs)
    }

    /// Unblocks the kicked names whose time is over.
    private mutating func endBars(at now: Instant, _ outputs: inout Outputs) {
        guard !sale.bars.isEmpty else { return }
        let time = outputs.clock.sinceStart(at: now)
        let ended = sale.bars.filter { $0.value <= time }.keys
        for bidder in ended.sorted(by: { $0.precedes($1) }) {
            commit(.barEnded(bidder), at: now, &outputs)
        }
    }

    // Connections

    /// Sends a connection the news that still holds.
    func sendSnapshot(to id: SessionID, at now: Instant, _ outputs: inout Outputs) {
        let details = SaleEvent.Details(
            lot: auction.lot.number, start: auction.rules.start,
            elapsed: auction.openedAt.duration(to: now), remaining: remaining(at: now))
        for (event, number) in sale.snapshot {
            guard let message = event.message(details) else { continue }
            outputs.restate(message, seq: number, to: id)
        }
    }

    /// Notes which connection holds a name, and receives the bidder's private lines.
    mutating func connect(_ bidder: Bidder, to id: SessionID) {
        lines.connect(bidder, to: id, from: sale)
    }

    /// Notes that no connection holds a name.
    mutating func disconnect(_ bidder: Bidder) {
        lines.disconnect(bidder)
    }

    /// Sends a connection what holds for its bidder alone: the purse, the worth, the bids.
    func sendPrivateState(of bidder: Bidder, to id: SessionID, _ outputs: inout Outputs) {
        PrivateLines.sendState(of: bidder, from: sale, to: id, &outputs)
    }

    // Commands

    /// Returns the event that a command causes, if any.
    ///
    /// The maximum of the leader may first raise the price to the amount of a bid.
    ///
    /// - Throws: Why the rules refuse it; `closed` also if the sale is over.
    mutating func decide(
        _ command: Auction.Command, at now: Instant, _ outputs: inout Outputs
    ) throws(Auction.Refusal) -> Auction.Event? {
        // Without purses the auction alone decides, and to ask the sale costs a copy of it.
        let isPlain = sale.options == nil && !sale.isOver
        let event =
            isPlain
            ? try sale.auction.decide(command, at: now) : try sale.decide(command, at: now)
        guard !sale.auction.isQuiet,
            let raise = auction.automaticBid(against: command, at: now)
        else { return event }
        record(raise, at: now, &outputs)
        return try sale.decide(command, at: now)
    }

    /// Commits an event that was decided, and what follows from it.
    mutating func record(_ event: Auction.Event, at now: Instant, _ outputs: inout Outputs) {
        if case .bidPlaced(let bid) = event {
            // Most events; the others need the sale, which costs a copy of it.
            placeBid(bid, at: now, &outputs)
        } else {
            perform(sale.event(event, at: now), at: now, &outputs)
        }
        settle(at: now, &outputs)
    }

    /// Why a lot cannot be added; nil if it can.
    func refusal(of plan: LotPlan) -> ErrorReply? {
        let most = Sale.mostKept(in: roomName)
        guard sale.added.count < most else {
            return .badOption("at most \(most) lots can be added to a sale")
        }
        do throws(LotOptions.Problem) {
            _ = try plan.options.rules(rules)
            return nil
        } catch {
            return .badOption(error.description)
        }
    }

    /// Adds a lot after all others; a sale that is over continues with it.
    mutating func add(_ plan: LotPlan, at now: Instant, _ outputs: inout Outputs) {
        commit(.lotAdded(plan), at: now, &outputs)
        catalogue.append(plan, after: auction.lot.number + (next == nil ? 0 : 1))
        guard isOver, next == nil, let plan = catalogue.plan(auction.lot.number + 1) else { return }
        next = (plan, earliestOpening(at: now))
        if earliestOpening(at: now) <= now { openNextLot(at: now, &outputs) }
    }

    /// Commits the events that follow by themselves from what has happened.
    ///
    /// These are bids that the server makes, draws of values, the end of a lot that is won, the next
    /// lot, and the beginning of a countdown. What depends on time follows if it was due by
    /// `handledUntil`; nil means now.
    mutating func settle(
        at now: Instant, handledUntil: Instant? = nil, _ outputs: inout Outputs
    ) {
        assert(
            !sale.isQuiet || sale.dueEvent(at: handledUntil ?? now) == nil,
            "nothing follows in a quiet lot")
        repeat {
            while !sale.isQuiet, let event = sale.dueEvent(at: handledUntil ?? now) {
                // An asking price has its full time after the countdown was published.
                if case .askFell = event, !countdown.isRunning { break }
                perform(event, at: now, &outputs)
            }
        } while planNextLot(at: now, &outputs)
        startCountdown(at: now, &outputs)
    }

    /// Commits an event with what it does to the countdown and the next lot.
    private mutating func perform(
        _ event: SaleEvent, at now: Instant, _ outputs: inout Outputs
    ) {
        switch event {
        case .bidPlaced(let bid): placeBid(bid, at: now, &outputs)
        case .paused:
            countdown.stop()
            next = nil
            commit(event, at: now, &outputs)
        case .resumed: goOn(at: now, &outputs)
        case .bidVoided(let voided): void(voided, at: now, &outputs)
        case .hammered:
            commit(event, at: now, &outputs)
            showCountdown(at: now, &outputs)
        case .lotSold:
            outputs.figures.lotsSold += 1
            endLot(with: event, at: now, &outputs)
        case .lotPassed:
            outputs.figures.lotsPassed += 1
            endLot(with: event, at: now, &outputs)
        default: commit(event, at: now, &outputs)
        }
    }

    private mutating func placeBid(_ bid: Bid, at now: Instant, _ outputs: inout Outputs) {
        let isReset = !auction.isLast
        let number = commit(.bidPlaced(bid), at: now, &outputs)
        // A bid that wins at once ends the countdown.
        if isReset, auction.deadline != nil { beginCountdown(after: number, at: now, &outputs) }
    }

    /// Continues after a pause: a countdown or the time up to the next lot begins again.
    private mutating func goOn(at now: Instant, _ outputs: inout Outputs) {
        let number = commit(.resumed, at: now, &outputs)
        if auction.deadline != nil {
            beginCountdown(after: number, at: now, &outputs)
        } else if auction.isClosed {
            isNextLotDue = true
        }
    }

    /// Takes the last bid back, and repeats the price before it.
    private mutating func void(
        _ voided: VoidedBid, at now: Instant, _ outputs: inout Outputs
    ) {
        countdown.stop()
        commit(.bidVoided(voided), at: now, &outputs)
        guard let leading = voided.leading else { return }
        let number = commit(.bidPlaced(leading), at: now, &outputs)
        if auction.deadline != nil { beginCountdown(after: number, at: now, &outputs) }
    }

    private mutating func endLot(
        with event: SaleEvent, at now: Instant, _ outputs: inout Outputs
    ) {
        countdown.stop()
        commit(event, at: now, &outputs)
        isNextLotDue = true
    }

    // Countdown

    /// Does what is due for the lots; all input until `handledUntil` must have been handled.
    mutating func expire(at now: Instant, handledUntil: Instant, _ outputs: inout Outputs) {
        if let deadline = auction.deadline {
            guard countdown.isRunning else { return }
            guard !countdown.hasMissed(at: handledUntil, before: deadline) else {
                return restartCountdown(before: deadline, at: now, &outputs)
            }
            if let number = showCountdown(at: now, handledUntil: handledUntil, &outputs) {
                countdown.note(number, due: countdown.due(before: deadline))
            }
            settle(at: now, handledUntil: handledUntil, &outputs)
            if let event = try? auction.decide(.expire, at: handledUntil) {
                record(event, at: now, &outputs)
            }
        } else if let next, next.opening <= handledUntil {
            openNextLot(at: now, &outputs)
        }
    }

    /// Notes that the news up to this number was published.
    ///
    /// A countdown runs from the instant at which its beginning is published.
    mutating func published(
        upTo seq: Int, at now: Instant, _ lateness: inout DurationHistogram
    ) {
        if countdown.published(upTo: seq, at: now, &lateness) { sale.beginCountdown(at: now) }
    }

    /// Starts the countdown of a lot that begins at its opening, once a bidder is present.
    private mutating func startCountdown(at now: Instant, _ outputs: inout Outputs) {
        guard auction.rules.format.beginsAtOpening, !auction.isStarted, !auction.isClosed,
            sale.names.presentCount > 0
        else { return }
        start(at: now, &outputs)
    }

    /// Starts the countdown of a lot with sealed bids that waits for a bidder after a restart.
    mutating func decideSealedBids(at now: Instant, _ outputs: inout Outputs) {
        guard auction.sealedCount > 0, !auction.isStarted, !auction.isClosed, !auction.isPaused
        else { return }
        start(at: now, &outputs)
    }

    private mutating func start(at now: Instant, _ outputs: inout Outputs) {
        sale.startCountdown(at: now)
        guard auction.deadline != nil else { return }
        beginCountdown(after: sale.eventNumber, at: now, &outputs)
    }

    /// Lets the countdown begin when the event of this number is published.
    private mutating func beginCountdown(
        after number: Int, at now: Instant, _ outputs: inout Outputs
    ) {
        countdown.begin(after: number)
        showCountdown(at: now, &outputs)
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
        let remaining = sale.auction.remaining(at: handledUntil ?? now) ?? .zero
        guard let seconds = countdown.show(remaining: remaining) else { return nil }
        let number = commit(.secondsLeft(seconds), at: now, &outputs)
        // Only in an English lot can a leader win by waiting.
        if auction.rules.format == .english, let warning = countdown.warning(at: seconds) {
            commit(.warned(warning), at: now, &outputs)
        }
        return number
    }

    /// Restarts the countdown after a stall in which some of its seconds were not sent.
    private mutating func restartCountdown(
        before deadline: Instant, at now: Instant, _ outputs: inout Outputs
    ) {
        let missed = countdown.nextChange(before: deadline)
        sale.beginCountdown(at: now)
        countdown.stop()
        guard let number = showCountdown(at: now, &outputs) else { return }
        countdown.begin(after: number)
        if let missed { countdown.note(number, due: missed) }
    }

    // Lots

    /// The titles of the next lots, in order; nil if the lots never end.
    var titlesAhead: [String]? {
        guard !catalogue.isEndless else { return nil }
        var titles: [String] = []
        while let plan = catalogue.plan(auction.lot.number + 1 + titles.count) {
            titles.append(plan.title)
        }
        return titles
    }

    /// Continues with the lots of a recovered sale, or opens the first.
    mutating func continueLots(at now: Instant, _ outputs: inout Outputs) {
        guard sale.hasLot else {
            // A new log, or one that ended before the first lot opened.
            return openNextLot(at: now, &outputs)
        }
        if sale.isHammered { showCountdown(at: now, &outputs) }
        let wasOver = isOver
        isNextLotDue = auction.isClosed && !sale.isHammered && !isOver
        settle(at: now, &outputs)
        if auction.deadline != nil, let number = showCountdown(at: now, &outputs) {
            countdown.begin(after: number)
        } else if wasOver, catalogue.plan(auction.lot.number + 1) != nil {
            openNextLot(at: now, &outputs)
        }
    }

    /// Plans the opening of the next lot after one has ended; false if none has.
    ///
    /// A paused sale waits, and one without a next lot is over.
    private mutating func planNextLot(at now: Instant, _ outputs: inout Outputs) -> Bool {
        guard isNextLotDue else { return false }
        isNextLotDue = false
        guard let plan = catalogue.plan(auction.lot.number + 1) else {
            commit(.ended(lots: auction.lot.number), at: now, &outputs)
            return true
        }
        guard !auction.isPaused else {
            next = nil
            return true
        }
        next = (plan, nextOpening(at: now))
        let (seconds, rest) = catalogue.pause.components
        guard seconds > 0 else { return true }
        let announced = SaleEvent.nextAnnounced(
            title: plan.title, seconds: Int(seconds) + (rest > 0 ? 1 : 0))
        commit(announced, at: now, &outputs)
        return true
    }

    /// When the lot opens that follows one which has ended now.
    private func nextOpening(at now: Instant) -> Instant {
        max(now.advanced(by: catalogue.pause), earliestOpening(at: now))
    }

    /// When the next lot may open, without the pause between two lots.
    private func earliestOpening(at now: Instant) -> Instant {
        guard room != .main, let openedAt else { return now }
        return max(now, openedAt.advanced(by: Self.leastLotTime))
    }

    private mutating func openNextLot(at now: Instant, _ outputs: inout Outputs) {
        guard let plan = next?.plan ?? catalogue.plan(auction.lot.number + 1) else { return }
        next = nil
        open(plan, at: now, &outputs)
    }

    private mutating func open(_ plan: LotPlan, at now: Instant, _ outputs: inout Outputs) {
        // Options that do not go together with changed flags are left out.
        let rules = (try? plan.options.rules(rules)) ?? rules
        // After a log that ends with a plan, the sale has one that must not hold for this lot.
        if rules != sale.rules || sale.hasPlan {
            commit(.lotPlanned(rules.terms, reserve: rules.reserve), at: now, &outputs)
        }
        countdown.reset(seconds: rules.seconds)
        openedAt = now
        let lot = Lot(number: auction.lot.number + 1, title: plan.title)
        commit(.lotOpened(lot), at: now, &outputs)
        settle(at: now, &outputs)
    }
}
