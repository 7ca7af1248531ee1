import AuctionRules
import Wire

extension Room {
    /// Lets the auction decide a bid, and tells its bidder and then everybody.
    mutating func bid(_ price: Price, by id: SessionID, tag: String?, at now: Instant) {
        guard let bidder = sessions[id]?.bidder else {
            return reply(.error(.notNamed, tag: tag), to: id)
        }
        do throws(Auction.Refusal) {
            let event = try auction.decide(.bid(price, by: bidder), at: now)
            reply(.ok(.bid(price), tag: tag), to: id)
            if let event { record(event, at: now) }
        } catch {
            reply(.error(fault(error), tag: tag), to: id)
        }
    }

    /// Does what was due for the lots by the instant up to which all input was read.
    mutating func expireLot(at now: Instant, heardUntil: Instant) {
        if let deadline = auction.deadline {
            guard untoldBeginning == nil else { return }
            guard !countdown.hasMissed(at: heardUntil, before: deadline) else {
                return restartCountdown(at: now)
            }
            showCountdown(at: now, heardUntil: heardUntil)
            if let event = try? auction.decide(.expire, at: heardUntil) { record(event, at: now) }
        } else if let opening = nextOpening, opening <= heardUntil {
            openNextLot(at: now)
        }
    }

    /// Applies what was decided, and tells everybody.
    mutating func record(_ event: Auction.Event, at now: Instant) {
        auction.apply(event)
        switch event {
        case .bidPlaced(let bid, let deadline, let isNowLast):
            names.noteBid(by: bid.bidder, in: auction.lot.number)
            let setsBack = isNowLast || !auction.isLast
            announcePrice(bid, until: deadline, setsBack: setsBack, at: now)
            if isNowLast { announce(.last) }
        case .hammerFell(let hammer):
            announceSale(hammer: hammer)
            planNextLot(at: now)
        case .hammered(let hammer):
            announce(.hammered)
            finishHammering(at: hammer)
        case .paused:
            stopCountdown()
            nextOpening = nil
            announce(.paused)
        case .resumed(let deadline):
            goOn(until: deadline, at: now)
        case .bidVoided(let bid, let deadline):
            tellVoided(bid, until: deadline, at: now)
        case .lotClosed:
            stopCountdown()
            announce(.passed(auction.lot, reason: "closed"))
            planNextLot(at: now)
        }
    }

    /// Announces the price, and the countdown if the bid resets it.
    mutating func announcePrice(
        _ bid: Bid, until deadline: Instant?, setsBack: Bool = true, at now: Instant
    ) {
        let timeLeft = deadline == nil ? nil : remaining(at: now)
        let seq = announce(.price(bid, lot: auction.lot.number, remaining: timeLeft))
        guard deadline != nil, setsBack else { return }
        untoldBeginning = seq
        showCountdown(at: now)
    }

    /// Forgets the countdown, so that the next tells all of its seconds.
    mutating func stopCountdown() {
        untoldBeginning = nil
        countdown.restart()
    }

    /// Tells the seconds that are left if their number has changed, and returns under which number.
    ///
    /// The number is that at `heardUntil`, so that a late server skips none; the remaining time is
    /// that of now.
    @discardableResult
    mutating func showCountdown(at now: Instant, heardUntil: Instant? = nil) -> Int? {
        let remaining = auction.remaining(at: heardUntil ?? now) ?? .zero
        guard let seconds = countdown.show(remaining: remaining) else { return nil }
        let seq = announce(.countdown(seconds, remaining: auction.remaining(at: now) ?? .zero))
        if let warning = countdown.warning(at: seconds) { announce(.going(warning)) }
        return seq
    }

    /// Gives the full seconds again, after a stall in which nobody could hear or answer some.
    private mutating func restartCountdown(at now: Instant) {
        auction.beginCountdown(at: now)
        countdown.restart()
        untoldBeginning = showCountdown(at: now)
    }

    mutating func announceSale(hammer: Instant) {
        guard let bid = auction.leading else {
            preconditionFailure("the hammer falls only after a bid")
        }
        let sale = Sale(
            number: auction.lot.number, title: auction.lot.title, bidder: bid.bidder,
            price: bid.price, elapsed: auction.openedAt.duration(to: hammer))
        announce(.winner(sale))
    }

    /// Lets the next lot open in a while, unless the sale is paused; or ends the sale, where there
    /// is nothing left to go on with.
    mutating func planNextLot(at now: Instant) {
        guard catalogue.lot(auction.lot.number + 1) != nil else {
            isOver = true
            if auction.isPaused { auction.apply(.resumed(deadline: nil)) }
            announce(.over(lots: auction.lot.number))
            return
        }
        nextOpening = auction.isPaused ? nil : now.advanced(by: catalogue.pause)
    }

    mutating func announceLot() {
        announce(.lot(auction.lot, start: rules.start, elapsed: .zero))
    }

    mutating func openNextLot(at now: Instant) {
        nextOpening = nil
        guard let lot = catalogue.lot(auction.lot.number + 1) else { return }
        formerLots.note(former: auction.lot)
        auction = Auction(lot, rules: rules, openedAt: now)
        countdown = Countdown(seconds: rules.seconds)
        announceLot()
    }

    func fault(_ refusal: Auction.Refusal) -> Fault {
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
