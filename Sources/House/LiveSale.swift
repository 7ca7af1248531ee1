import Auction
import Basics
import Wire

/// A running sale: it opens and ends its lots by itself, and sends the countdown.
///
/// It commits what was decided and what follows from it: records it in the `Sale`, and appends it to
/// the outputs. It reads no clock; time is an argument that must never decrease.
struct LiveSale {
    /// The room that the sale is in.
    let room: RoomID
    /// The name of the room, for the log.
    let roomName: RoomName
    /// The recorded state.
    private(set) var sale: Sale
    /// The rules of a lot without options.
    @Indirect private(set) var rules: Rules
    var schedule: LotSchedule
    var countdown: SentCountdown
    /// Whether a lot has ended, and what follows is not planned yet.
    var isNextLotDue = false
    /// The number of bids that were voided since the start.
    var voidCount = 0
    private var lines = PrivateLines()
    private var sent = SentState()

    /// Creates a sale with no lot open, or continues one that was recovered from its log.
    init(
        in room: RoomID, _ roomName: RoomName, rules: Rules, catalogue: Catalogue,
        showsProfits: Bool, resuming recovered: Sale?, at now: Instant
    ) {
        (self.room, self.roomName, self.rules) = (room, roomName, rules)
        sale = recovered ?? Sale(rules: rules, in: roomName)
        sale.showProfits(showsProfits)
        let following =
            sale.hasLot
            ? catalogue.following(sale.formerLots + [sale.auction.lot], added: sale.added)
            : catalogue
        schedule = LotSchedule(following, in: room)
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
            guard let hammer = sale.auction.deadline else { return schedule.opening }
            guard let change = countdown.nextChange(before: hammer) else { return nil }
            return Instant.earliest(change, sale.auction.nextFall)
        }
    }

    /// The time left until the hammer; it stands still while a time that was told is not published.
    ///
    /// Always inlined: to call it copies the sale.
    @inline(__always)
    func remaining(at now: Instant) -> Duration? {
        let left = sale.auction.remaining(at: now)
        guard let left, let least = countdown.unpublishedTime else { return left }
        return max(left, least)
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
        switch event.audience {
        case .everyone:
            var details = event.details(
                lot: auction.lot.number, rules: auction.rules, elapsed: .zero,
                remaining: remaining(at: now))
            if sent.isFollowed { details.state = change(by: event, at: now) }
            outputs.perform(.news(event, details, room: room, seq: sale.eventNumber))
        case .bidder:
            outputs.perform(.note(event))
            if case .worthDrawn(let worth) = event { lines.send(worth, &outputs) }
        case .log: outputs.perform(.note(event))
        }
        if lines.areKnown { lines.sendChanges(after: event, from: sale, &outputs) }
        return sale.eventNumber
    }

    private mutating func change(by event: SaleEvent, at now: Instant) -> [UInt8]? {
        let isSecond = if case .secondsLeft = event { true } else { false }
        return sent.change(to: moment(at: now), isSecond: isSecond)
    }

    private func moment(at now: Instant) -> SentState.Moment {
        var state = sale.publicState(remaining: remaining(at: now), at: now)
        state.lots = schedule.lastLot
        state.next =
            sent.titles(after: state.lot, added: sale.added.count)
            ?? schedule.titles(after: state.lot, atMost: LotState.mostTitles)
        state.nextOpening = schedule.opening.map { now.duration(to: $0) }
        return SentState.Moment(
            state: state, end: state.remaining == nil ? nil : auction.deadline,
            opening: auction.isClosed ? nil : auction.openedAt, nextOpening: schedule.opening,
            added: sale.added.count)
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

    /// Sends a connection the terms of the game, if it is one, and the news that still holds.
    ///
    /// With `withRule`, the rule of the lot follows its terms.
    func sendSnapshot(
        to id: SessionID, withRule: Bool = false, at now: Instant, _ outputs: inout Outputs
    ) {
        if let game = sale.publicGame(lots: schedule.lastLot) {
            outputs.reply(.game(game), to: id)
        }
        let (elapsed, remaining) = (auction.openedAt.duration(to: now), remaining(at: now))
        for (event, number) in sale.snapshot {
            let details = event.details(
                lot: auction.lot.number, rules: auction.rules, elapsed: elapsed,
                remaining: remaining)
            outputs.restate(.event(event, details), seq: number, to: id)
            guard withRule, case .termsAnnounced(let terms) = event else { continue }
            outputs.reply(.help(Help.rule(of: terms.format)), to: id)
        }
        sendState(to: id, at: now, &outputs)
    }

    /// Sends a connection the whole state; it is left out of text, and where nobody uses JSON.
    func sendState(to id: SessionID, at now: Instant, _ outputs: inout Outputs) {
        guard sent.isFollowed else { return }
        let state = moment(at: now).state.json(after: nil, clocks: .all) ?? []
        outputs.restate(.state(state), seq: sale.eventNumber, to: id)
    }

    /// Notes that a connection follows the sale in an encoding; in JSON, news has what it changes.
    mutating func addFollower(in encoding: Encoding, at now: Instant) {
        guard encoding != .text else { return }
        if !sent.isFollowed { lines.beginFollowing(sale) }
        sent.addFollower(knowing: sent.isFollowed ? nil : moment(at: now))
    }

    /// Notes that a connection follows the sale in an encoding no longer.
    mutating func removeFollower(in encoding: Encoding) {
        guard encoding != .text else { return }
        sent.removeFollower()
        if !sent.isFollowed { lines.endFollowing(sale) }
    }

    /// Notes which connection holds a name, and receives the bidder's private lines.
    mutating func connect(_ bidder: Bidder, to id: SessionID) {
        lines.connect(bidder, to: id, from: sale, isFollowed: sent.isFollowed)
    }

    /// Notes that no connection holds a name.
    mutating func disconnect(_ bidder: Bidder) {
        lines.disconnect(bidder)
    }

    /// Sends a connection what holds for its bidder alone: the purse, the worth, the bids.
    func sendPrivateState(of bidder: Bidder, to id: SessionID, _ outputs: inout Outputs) {
        lines.sendState(of: bidder, from: sale, to: id, &outputs)
    }

    // Countdown

    /// Does what is due for the lots; all input until `handledUntil` must have been handled.
    mutating func expire(at now: Instant, handledUntil: Instant, _ outputs: inout Outputs) {
        if let deadline = auction.deadline {
            guard countdown.isRunning else { return }
            guard !countdown.hasMissed(at: handledUntil, before: deadline) else {
                return restartCountdown(before: deadline, at: now, &outputs)
            }
            tellDueTimes(at: now, handledUntil: handledUntil, &outputs)
            if let event = try? auction.decide(.expire, at: handledUntil) {
                record(event, at: now, &outputs)
            }
        } else if let opening = schedule.opening, opening <= handledUntil {
            openNextLot(at: now, &outputs)
        }
    }

    /// Commits the asking price and the second that are due.
    ///
    /// At most one of each: the next begins only when this one is published. The asking price
    /// comes first, because it can move the deadline to which the seconds count down.
    private mutating func tellDueTimes(
        at now: Instant, handledUntil: Instant, _ outputs: inout Outputs
    ) {
        if let fall = auction.nextFall, fall <= handledUntil, let deadline = auction.deadline,
            let price = auction.nextAsk
        {
            tell(.askFell(price), leaving: fall.duration(to: deadline), at: now, &outputs)
        }
        guard let deadline = auction.deadline else { return }
        let due = countdown.shownEnd(before: deadline)
        guard due <= handledUntil else { return }
        if let number = showCountdown(at: now, handledUntil: handledUntil, &outputs) {
            countdown.note(number, due: due)
        }
    }

    /// Commits an event that tells the remaining time, and returns its number.
    ///
    /// At least that time, less the tolerance, is left now and again when the event is published.
    @discardableResult
    private mutating func tell(
        _ event: SaleEvent, leaving remaining: Duration, at now: Instant, _ outputs: inout Outputs
    ) -> Int {
        let least = remaining - SentCountdown.tolerance
        guard least > .zero else { return commit(event, at: now, &outputs) }
        sale.postponeDeadline(toLeave: least, at: now)
        let number = commit(event, at: now, &outputs)
        countdown.tell(least, in: number)
        return number
    }

    /// Notes that the news up to this number was published.
    ///
    /// The times that it tells run from this instant.
    mutating func published(
        upTo seq: Int, at now: Instant, _ lateness: inout DurationHistogram
    ) {
        if let remaining = countdown.published(upTo: seq, at: now, &lateness) {
            sale.postponeDeadline(toLeave: remaining, at: now)
        }
    }

    /// Starts the countdown of a lot that begins at its opening, once a bidder is present.
    mutating func startCountdown(at now: Instant, _ outputs: inout Outputs) {
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
        beginCountdown(after: sale.eventNumber, at: now, &outputs)
    }

    /// Lets the countdown begin when the event of this number is published, if one can run.
    ///
    /// Returns the number of the event with its seconds, unless they were sent last.
    @discardableResult
    mutating func beginCountdown(
        after number: Int, at now: Instant, _ outputs: inout Outputs
    ) -> Int? {
        guard let remaining = sale.auction.remaining(at: now) else { return nil }
        countdown.tell(remaining, in: number)
        return showCountdown(at: now, &outputs)
    }

    /// Commits the whole seconds that are left if they have changed, and returns the event's
    /// number.
    ///
    /// The seconds are those at `handledUntil`, so that a late server skips none; the remaining
    /// time is the current one.
    @discardableResult
    mutating func showCountdown(
        at now: Instant, handledUntil: Instant? = nil, _ outputs: inout Outputs
    ) -> Int? {
        let remaining = sale.auction.remaining(at: handledUntil ?? now) ?? .zero
        guard let seconds = countdown.show(remaining: remaining) else { return nil }
        let number = tell(
            .secondsLeft(seconds), leaving: .seconds(seconds), at: now, &outputs)
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
        let missed = countdown.shownEnd(before: deadline)
        sale.postponeDeadline(toLeave: auction.countdownLeft, at: now)
        countdown.stop()
        if let number = beginCountdown(after: sale.eventNumber, at: now, &outputs) {
            countdown.note(number, due: missed)
        }
    }
}
