import AuctionRules

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
        case .nameBarred: return hasLot
        case .lotOpened(let lot):
            return game != nil && auction.isClosed && !isHammered && !auction.isPaused
                && lot.number == auction.lot.number + 1
        case .bidderJoined(let bidder): return hasLot && names[bidder]?.isPresent == false
        case .bidderLeft(let bidder), .bidderKicked(let bidder, _):
            return hasLot && names[bidder]?.isPresent == true
        case .stopped: return hasLot
        case .bidPlaced, .priceRestored, .lastReset, .secondsLeft, .warned, .lotSold, .lotPassed,
            .ended, .paused, .resumed, .hammered, .bidVoided:
            return hasLot && admitsForLot(event)
        }
    }

    private func admitsForLot(_ event: SaleEvent) -> Bool {
        // Between a void and the price that holds again, nothing else happens to the lot.
        if isPriceDue { return event == auction.leading.map { .priceRestored($0) } }
        let isLed = !auction.isClosed && auction.leading != nil
        switch event {
        case .bidPlaced(let bid):
            return !auction.isClosed && !auction.isPaused && names[bid.bidder]?.isPresent == true
                && bid.follows(auction.leading)
        case .lastReset: return isLed && numbers.last == nil
        case .secondsLeft(let seconds):
            return isCounting(isLed) && (0...Rules.allowedSeconds.upperBound).contains(seconds)
        case .warned: return isCounting(isLed)
        case .lotSold(let sold):
            return (isHammered || isLed && !auction.isPaused) && ends(with: sold)
        case .lotPassed(let lot, _, _): return !auction.isClosed && lot == auction.lot
        case .ended(let lots): return result != nil && !isOver && lots == auction.lot.number
        case .paused: return !auction.isPaused && !isOver && !isHammered
        case .resumed: return auction.isPaused && !isHammered
        case .hammered: return isLed
        case .bidVoided(let price, let bidder, let number):
            guard isLed, let bid = auction.leading else { return false }
            return (bid.price, bid.bidder) == (price, bidder)
                && (number ?? bid.number) == bid.number
                && (bid.number == 1 || auction.bids.count > 1)
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
