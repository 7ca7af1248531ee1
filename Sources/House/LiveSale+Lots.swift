import Auction
import Basics
import Wire

// The lots: what is added to them, and how they follow each other.
extension LiveSale {
    /// The titles of the next lots, in order; nil if the lots never end.
    var titlesAhead: [String]? {
        schedule.lastLot.map { schedule.titles(after: auction.lot.number, atMost: $0) }
    }

    /// Why a lot cannot be added; nil if it can.
    func refusal(of plan: LotPlan) -> ErrorReply? {
        let most = Sale.mostKept(in: roomName)
        guard sale.added.count < most else {
            return .badOption("at most \(most) lots can be added to a sale")
        }
        do throws(OptionProblem) {
            _ = try plan.options.rules(rules)
            return nil
        } catch {
            return .badOption(error.description)
        }
    }

    /// Adds a lot after all others; a sale that is over continues with it.
    mutating func add(_ plan: LotPlan, at now: Instant, _ outputs: inout Outputs) {
        commit(.lotAdded(plan), at: now, &outputs)
        let number = auction.lot.number
        schedule.append(plan, after: number)
        guard isOver, schedule.opening == nil, let plan = schedule.plan(after: number) else {
            return
        }
        schedule.planOpening(of: plan, soonestAt: now)
        if let opening = schedule.opening, opening <= now { openNextLot(at: now, &outputs) }
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
        if auction.deadline != nil {
            beginCountdown(after: sale.eventNumber, at: now, &outputs)
        } else if wasOver, schedule.plan(after: auction.lot.number) != nil {
            openNextLot(at: now, &outputs)
        }
    }

    /// Plans the opening of the next lot after one has ended; false if none has.
    ///
    /// A paused sale waits, and one without a next lot is over.
    mutating func planNextLot(at now: Instant, _ outputs: inout Outputs) -> Bool {
        guard isNextLotDue else { return false }
        isNextLotDue = false
        guard let plan = schedule.plan(after: auction.lot.number) else {
            commit(.ended(lots: auction.lot.number), at: now, &outputs)
            return true
        }
        guard !auction.isPaused else {
            schedule.cancel()
            return true
        }
        schedule.planOpening(of: plan, afterPauseFrom: now)
        let (seconds, rest) = schedule.pause.components
        guard seconds > 0 else { return true }
        let announced = SaleEvent.nextAnnounced(
            title: plan.title, seconds: Int(seconds) + (rest > 0 ? 1 : 0))
        commit(announced, at: now, &outputs)
        return true
    }

    mutating func openNextLot(at now: Instant, _ outputs: inout Outputs) {
        guard let plan = schedule.takeNext(after: auction.lot.number) else { return }
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
        schedule.noteOpening(at: now)
        let lot = Lot(number: auction.lot.number + 1, title: plan.title)
        commit(.lotOpened(lot), at: now, &outputs)
        settle(at: now, &outputs)
    }
}
