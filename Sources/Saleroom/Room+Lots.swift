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

    /// Does what is due of the lots at this instant.
    mutating func expireLot(at now: Instant) {
        if let deadline = auction.deadline {
            guard untoldPrice == nil else { return }
            guard !countdown.hasMissed(at: now, before: deadline) else {
                return restartCountdown(at: now)
            }
            showCountdown(until: deadline, at: now)
            if let event = try? auction.decide(.expire, at: now) { record(event, at: now) }
        } else if let opening = nextOpening, opening <= now {
            openNextLot(at: now)
        }
    }

    private mutating func record(_ event: Auction.Event, at now: Instant) {
        let deadline = auction.deadline
        auction.apply(event)
        switch event {
        case .bidPlaced(let bid, let newDeadline):
            if claims[bid.bidder]?.hasBid == false { claims[bid.bidder]?.hasBid = true }
            let remaining = now.duration(to: newDeadline)
            untoldPrice = announce(
                .price(bid, lot: auction.lot.number, remaining: remaining))
            showCountdown(until: newDeadline, at: now)
        case .hammerFell:
            announceSale(hammer: deadline ?? now)
            planNextLot(at: now)
        }
    }

    mutating func showCountdown(until deadline: Instant, at now: Instant) {
        let remaining = now.duration(to: deadline)
        guard let seconds = countdown.show(remaining: remaining) else { return }
        announce(.countdown(seconds, remaining: remaining))
        if let warning = countdown.warning(at: seconds) { announce(.going(warning)) }
    }

    /// Gives the full seconds again, after a stall in which nobody could hear or answer some.
    private mutating func restartCountdown(at now: Instant) {
        auction.beginCountdown(at: now)
        countdown.restart()
        showCountdown(until: now.advanced(by: rules.countdown), at: now)
    }

    private mutating func announceSale(hammer: Instant) {
        guard let bid = auction.leading else {
            preconditionFailure("the hammer falls only after a bid")
        }
        let sale = Sale(
            number: auction.lot.number, title: auction.lot.title, bidder: bid.bidder,
            price: bid.price, elapsed: auction.openedAt.duration(to: hammer))
        announce(.winner(sale))
    }

    mutating func planNextLot(at now: Instant) {
        guard catalogue.lot(auction.lot.number + 1) != nil else {
            isOver = true
            announce(.over(lots: auction.lot.number))
            return
        }
        nextOpening = now.advanced(by: catalogue.pause)
    }

    mutating func announceLot() {
        announce(.lot(auction.lot, start: rules.start, elapsed: .zero))
    }

    mutating func openNextLot(at now: Instant) {
        nextOpening = nil
        guard let lot = catalogue.lot(auction.lot.number + 1) else { return }
        auction = Auction(lot, rules: rules, openedAt: now)
        countdown = Countdown(seconds: rules.seconds)
        announceLot()
    }

    private func fault(_ refusal: Auction.Refusal) -> Fault {
        switch refusal {
        case .closed: isOver ? .over : .closed
        case .leading(let price): .leading(at: price)
        case .belowMinimum(let minimum): .tooLow(minimum: minimum)
        case .notDue: preconditionFailure("a bid is never early")
        }
    }
}
