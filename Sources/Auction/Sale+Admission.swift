extension Sale {
    /// Whether an event can follow what happened so far.
    ///
    /// True for every event that a server commits; if it is false, no server wrote the log. O(1).
    package func admits(_ event: SaleEvent) -> Bool {
        switch event {
        case .saleBegan: return serverID == nil && eventNumber == 0
        case .timeNoted: return true
        case .nameTaken(let bidder, _): return hasLot && names[bidder]?.mayBeTaken ?? true
        case .nameFreed(let bidder): return names[bidder]?.isPresent == false
        case .nameKept(let bidder):
            return names[bidder].map { $0.isAbsent && $0.hasBid } ?? false
        case .nameBarred: return hasLot
        case .barEnded(let bidder): return bars[bidder] != nil
        case .lotOpened(let lot):
            return serverID != nil && auction.isClosed && !isHammered && !auction.isPaused
                && lot.number == auction.lot.number + 1
        case .bidderJoined(let bidder): return hasLot && names[bidder]?.isPresent == false
        case .bidderLeft(let bidder): return hasLot && names[bidder]?.isPresent == true
        case .bidderKicked(let bidder, _): return names[bidder]?.isFree == false
        case .stopped: return hasLot
        case .bidPlaced, .lastReset, .secondsLeft, .warned, .lotSold, .lotPassed,
            .nextAnnounced, .ended, .paused, .resumed, .hammered, .bidVoided:
            return hasLot && admitsForLot(event)
        case .termsAnnounced, .askFell, .bidSealed, .bidsSealed, .bidRevealed, .maximumSet,
            .reserveMet:
            return hasLot && result == nil && admitsForTerms(event)
        case .lotPlanned, .gameSet, .lotAdded, .valueDrawn, .worthDrawn, .valueRevealed,
            .championNamed, .messageSaid, .bidderMuted, .bidderUnmuted:
            return serverID != nil && admitsForGame(event)
        }
    }

    private func admitsForLot(_ event: SaleEvent) -> Bool {
        switch event {
        case .bidPlaced(let bid): return admits(bid)
        case .lastReset: return isOpen && isLed && numbers.last == nil
        case .secondsLeft(let seconds):
            return isCounting && (0...Rules.allowedSeconds.upperBound).contains(seconds)
        case .warned: return isCounting
        case .lotSold(let sold):
            return (isHammered || isOpen && !auction.isPaused) && ends(with: sold)
        case .lotPassed(let lot, let reason, _):
            guard lot == auction.lot, isOpen || isHammered else { return false }
            return isOpen || auction.outcome == Outcome.Reason(rawValue: reason).map(Outcome.passed)
        case .nextAnnounced(let title, let seconds):
            return result != nil && !isOver && !auction.isPaused && seconds > 0
                && Lot.isTitle(title)
        case .ended(let lots): return result != nil && !isOver && lots == auction.lot.number
        case .paused: return !auction.isPaused && !isOver && !isHammered
        case .resumed: return auction.isPaused && !isHammered
        case .hammered: return isOpen && (isLed || auction.sealedCount > 0)
        case .bidVoided(let voided):
            guard isOpen, !auction.rules.format.beginsAtOpening, let bid = auction.leading else {
                return false
            }
            let before = auction.bids.dropLast().last
            return voided == VoidedBid(bid, leading: before) && (bid.number == 1) == (before == nil)
        default: return false
        }
    }

    /// Whether a bid can be the next, or repeat the price that leads again after a void.
    private func admits(_ bid: Bid) -> Bool {
        guard isOpen else { return false }
        if isLed, bid == auction.leading { return true }
        let isPresent = names[bid.bidder]?.isPresent == true
        guard !auction.isPaused, bid.follows(auction.leading),
            isPresent || auction.maximum(of: bid.bidder) != nil
        else { return false }
        return auction.rules.format.kind.admits(bid, in: auction)
    }

    private func admitsForTerms(_ event: SaleEvent) -> Bool {
        let rules = auction.rules
        switch event {
        case .termsAnnounced(let terms):
            return isPlanned && numbers.terms == nil && terms == rules.terms
        case .askFell(let price):
            return isOpen && auction.ask.map { price < $0 } == true
                && price >= rules.reserve ?? .lowest
        case .bidSealed(let bid):
            return isOpen && !auction.isPaused && rules.format.isSealed && !isLed
                && names[bid.bidder]?.isPresent == true && bid.price >= rules.start
        case .bidsSealed(let count): return rules.format.isSealed && count == auction.sealedCount
        case .bidRevealed(let bid): return auction.nextRevealed?.isRevealed(by: bid) == true
        case .maximumSet(let bidder, let maximum):
            return isOpen && rules.isRising
                && (maximum == nil || names[bidder]?.isPresent == true)
        case .reserveMet:
            guard let reserve = rules.reserve, let leading = auction.leading else { return false }
            return isOpen && numbers.reserve == nil && leading.price >= reserve
        default: return false
        }
    }

    private func admitsForGame(_ event: SaleEvent) -> Bool {
        switch event {
        case .lotPlanned(let terms, let reserve):
            return auction.isClosed && !isHammered && terms.hasReserve == (reserve != nil)
                && Rules.problem(of: terms, reserve: reserve) == nil
        case .gameSet: return true
        case .lotAdded(let plan): return Lot.isTitle(plan.title) && added.count < Self.mostKept
        case .valueDrawn(let value):
            return isOpen && valuations.common == nil
                && options?.commonValue(ofLot: auction.lot.number) == value
        case .worthDrawn(let worth):
            let bidder = worth.bidder
            // Older servers repeated a draw for the next owner of a name.
            let isNew = valuations.worths[bidder].map { $0 == worth } ?? true
            return isOpen && names[bidder]?.isPresent == true && isNew
                && worth
                    == options?.worth(
                        ofLot: auction.lot.number, to: bidder, common: valuations.common)
        case .valueRevealed(let value):
            return result != nil && valuations.common == value && !valuations.isRevealed
        case .championNamed(let bidder, let score):
            // Older servers named the best of those who had bid.
            return isOver
                && (event == dueChampion || ledger[bidder].map { self.score(of: $0) } == score)
        case .messageSaid(let bidder, let text):
            return names[bidder]?.isPresent == true && Lot.isTitle(text)
        case .bidderMuted(let bidder):
            return hasLot && !muted.contains(bidder) && mayMuteMore
        case .bidderUnmuted(let bidder): return muted.contains(bidder)
        default: return false
        }
    }

    private var isOpen: Bool { !auction.isClosed }

    private var isLed: Bool { auction.leading != nil }

    /// Whether a countdown runs, or has just ended.
    private var isCounting: Bool {
        isHammered
            || isOpen && !auction.isPaused && (isLed || auction.rules.format.beginsAtOpening)
    }

    private func ends(with sold: SoldLot) -> Bool {
        sold.title == auction.lot.title && auction.nextRevealed == nil
            && auction.outcome == .sold(to: sold.bidder, for: sold.price)
            && sold.elapsed >= auction.leading?.elapsed ?? .zero
    }
}

extension Bid {
    /// Whether the bid can be the next after another, or the first of a lot.
    func follows(_ before: Bid?) -> Bool {
        guard let before else { return number == 1 }
        return number == before.number + 1 && price > before.price && elapsed >= before.elapsed
    }
}

extension SealedBid {
    /// Whether the bid is the one that was revealed, without the time that only its bidder knows.
    func isRevealed(by revealed: SealedBid) -> Bool {
        bidder == revealed.bidder && price == revealed.price
    }
}
