import Auction
import Basics

// What is decided, and what follows from it by itself.
extension LiveSale {
    /// Returns the event that a command causes, if any.
    ///
    /// With `lot` the command is for the lot of that number only.
    ///
    /// - Throws: Why the rules refuse it; `closed` also if the sale is over. After `outbid` the
    ///   maximum of the leader has raised the price to the amount of the command.
    mutating func decide(
        _ command: Auction.Command, onLot lot: Int? = nil, at now: Instant,
        _ outputs: inout Outputs
    ) throws(Auction.Refusal) -> Auction.Event? {
        if let lot { try sale.auction.require(lot: lot) }
        // Without purses the auction alone decides, and to ask the sale costs a copy of it.
        let isPlain = sale.options == nil && !sale.isOver
        let event =
            isPlain
            ? try sale.auction.decide(command, at: now) : try sale.decide(command, at: now)
        guard !sale.auction.isQuiet,
            let (bid, refusal) = auction.automaticBid(against: command, at: now)
        else { return event }
        record(bid, at: now, &outputs)
        throw refusal
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

    /// Commits the events that follow by themselves from what has happened.
    ///
    /// These are bids that the server makes, draws of values, the end of a lot that is won, the next
    /// lot, and the beginning of a countdown. What depends on time is left to `expire`.
    mutating func settle(at now: Instant, _ outputs: inout Outputs) {
        assert(
            !sale.isQuiet || sale.dueEvent(at: now) == nil, "nothing follows in a quiet lot")
        repeat {
            while !sale.isQuiet, let event = sale.dueEvent(at: now) {
                if case .askFell = event { break }
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
            schedule.cancel()
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
        if isReset { beginCountdown(after: number, at: now, &outputs) }
    }

    /// Continues after a pause: a countdown or the time up to the next lot begins again.
    private mutating func goOn(at now: Instant, _ outputs: inout Outputs) {
        let number = commit(.resumed, at: now, &outputs)
        beginCountdown(after: number, at: now, &outputs)
        if auction.isClosed { isNextLotDue = true }
    }

    /// Takes the last bid back, and repeats the price before it.
    private mutating func void(
        _ voided: VoidedBid, at now: Instant, _ outputs: inout Outputs
    ) {
        countdown.stop()
        voidCount += 1
        commit(.bidVoided(voided), at: now, &outputs)
        guard let leading = voided.leading else { return }
        let number = commit(.bidPlaced(leading), at: now, &outputs)
        beginCountdown(after: number, at: now, &outputs)
    }

    private mutating func endLot(
        with event: SaleEvent, at now: Instant, _ outputs: inout Outputs
    ) {
        countdown.stop()
        commit(event, at: now, &outputs)
        outputs.reveal(in: room)
        isNextLotDue = true
    }
}
