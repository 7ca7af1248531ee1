import AuctionRules
import Wire

extension Room {
    /// Lets the auction decide a bid, and tells its bidder and then everybody.
    mutating func bid(_ price: Price, by id: SessionID, tag: String?, at now: Instant) {
        guard let index = sessions.index(forKey: id) else { return }
        let (bidder, format) = withSession(at: index) { ($0.bidder, $0.format) }
        guard let bidder else { return reply(.error(.notNamed, tag: tag), to: id) }
        do throws(Auction.Refusal) {
            let event = try sale.auction.decide(.bid(price, by: bidder), at: now)
            replyAccepted(price, tag: tag, to: id, as: format)
            if let event { record(event, at: now) }
        } catch {
            reply(.error(fault(error), tag: tag), to: id)
        }
    }

    /// Does what was due for the lots by the instant up to which all input was read.
    mutating func expireLot(at now: Instant, handledUntil: Instant) {
        if let deadline = auction.deadline {
            guard unpublishedBeginning == nil else { return }
            guard !countdown.hasMissed(at: handledUntil, before: deadline) else {
                return restartCountdown(at: now)
            }
            showCountdown(at: now, handledUntil: handledUntil)
            if let event = try? auction.decide(.expire, at: handledUntil) { record(event, at: now) }
        } else if let opening = nextOpening, opening <= handledUntil {
            openNextLot(at: now)
        }
    }

    /// Commits what was decided, and what follows from it.
    mutating func record(_ event: Auction.Event, at now: Instant) {
        switch event {
        case .bidPlaced(let bid): placeBid(bid, at: now)
        case .lastReset: preconditionFailure("the last reset follows a bid")
        case .hammerFell(let hammer):
            sell(hammer: hammer, at: now)
            planNextLot(at: now)
        case .hammered(let hammer):
            commit(.hammered, at: hammer)
            finishHammering(at: hammer)
        case .paused:
            stopCountdown()
            nextOpening = nil
            commit(.paused, at: now)
        case .resumed: goOn(at: now)
        case .bidVoided(let bid): void(bid, at: now)
        case .lotClosed:
            stopCountdown()
            let elapsed = auction.openedAt.duration(to: now)
            commit(.lotPassed(auction.lot, reason: "closed", elapsed: elapsed), at: now)
            planNextLot(at: now)
        }
    }

    private mutating func placeBid(_ bid: Bid, at now: Instant) {
        let isReset = !sale.auction.isLast
        let number = commit(.bidPlaced(bid), at: now)
        if isReset { beginCountdown(after: number, at: now) }
        if sale.auction.isLastResetDue { commit(.lastReset, at: now) }
    }

    /// Has the countdown begin when everybody has been told the event of this number.
    mutating func beginCountdown(after number: Int, at now: Instant) {
        unpublishedBeginning = number
        showCountdown(at: now)
    }

    /// Forgets the countdown, so that the next tells all of its seconds.
    mutating func stopCountdown() {
        unpublishedBeginning = nil
        countdown.restart()
    }

    /// Tells the seconds that are left if their number has changed, and returns under which number.
    ///
    /// The number is that at `handledUntil`, so that a late server skips none; the remaining time is
    /// that of now.
    @discardableResult
    mutating func showCountdown(at now: Instant, handledUntil: Instant? = nil) -> Int? {
        let remaining = auction.remaining(at: handledUntil ?? now) ?? .zero
        guard let seconds = countdown.show(remaining: remaining) else { return nil }
        let number = commit(.secondsLeft(seconds), at: now)
        if let warning = countdown.warning(at: seconds) { commit(.warned(warning), at: now) }
        return number
    }

    /// Gives the full seconds again, after a stall in which nobody could hear or answer some.
    private mutating func restartCountdown(at now: Instant) {
        sale.beginCountdown(at: now)
        countdown.restart()
        unpublishedBeginning = showCountdown(at: now)
    }

    mutating func sell(hammer: Instant, at now: Instant) {
        guard let bid = auction.leading else {
            preconditionFailure("the hammer falls only after a bid")
        }
        let sold = SoldLot(
            number: auction.lot.number, title: auction.lot.title, bidder: bid.bidder,
            price: bid.price, elapsed: auction.openedAt.duration(to: hammer))
        commit(.lotSold(sold), at: now)
    }

    /// Lets the next lot open in a while, unless the sale is paused; or ends the sale, where there
    /// is nothing left to go on with.
    mutating func planNextLot(at now: Instant) {
        guard catalogue.lot(auction.lot.number + 1) != nil else {
            commit(.ended(lots: auction.lot.number), at: now)
            return
        }
        nextOpening = auction.isPaused ? nil : now.advanced(by: catalogue.pause)
    }

    mutating func openNextLot(at now: Instant) {
        nextOpening = nil
        guard let lot = catalogue.lot(auction.lot.number + 1) else { return }
        countdown = Countdown(seconds: rules.seconds)
        commit(.lotOpened(lot), at: now)
    }

    /// Continues with the lots of a sale that was recovered, or begins with the first.
    mutating func continueLots(at now: Instant) {
        if sale.isPriceDue, let leading = auction.leading {
            // The journal ended between a void and the price that holds again.
            commit(.priceRestored(leading), at: now)
        }
        if !auction.isClosed, auction.isLast, sale.numbers.last == nil {
            commit(.lastReset, at: now)
        }
        if !sale.hasLot {
            // A new journal, or one that ended before the first lot opened.
            commit(.lotOpened(catalogue.lot(1) ?? Lot(number: 1)), at: now)
        } else if sale.isHammered {
            finishHammering(at: now)
        } else if auction.deadline != nil {
            unpublishedBeginning = showCountdown(at: now)
        } else if sale.isOver {
            if catalogue.lot(auction.lot.number + 1) != nil { openNextLot(at: now) }
        } else if auction.isClosed {
            planNextLot(at: now)
        }
    }

    func fault(_ refusal: Auction.Refusal) -> ErrorReply {
        switch refusal {
        case .closed: isOver ? .over : .closed
        case .paused: .paused
        case .leading(let price): .leading(at: price)
        case .belowMinimum(let minimum): .tooLow(minimum: minimum)
        case .aboveMaximum(let maximum): .tooHigh(maximum: maximum)
        case .noBids: .noBids
        case .lastKnown: .lastKnown
        case .notDue: preconditionFailure("nobody but the clock can be early")
        }
    }
}
