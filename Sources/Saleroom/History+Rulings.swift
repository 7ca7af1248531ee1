import AuctionRules
import Wire

/// Applies the auctioneer's rulings; each returns false if it cannot follow here.
extension History {
    mutating func pause() -> Bool {
        guard !isPaused, !isOver, !isRestating, !isHammered else { return false }
        isPaused = true
        return true
    }

    mutating func resume() -> Bool {
        guard isPaused, !isRestating, !isHammered else { return false }
        isPaused = false
        return true
    }

    mutating func hammer() -> Bool {
        guard !isClosed, !bids.isEmpty, !isRestating, !isHammered else { return false }
        isHammered = true
        return true
    }

    /// Takes the last bid back; the one before is to be told again.
    mutating func void(_ price: Price, by bidder: Bidder) -> Bool {
        guard let last = bids.last, !isClosed, !isRestating, !isHammered,
            (last.price, last.bidder) == (price, bidder), last.number == 1 || bids.count > 1
        else { return false }
        bids.removeLast()
        isLast = false
        if bids.isEmpty { first = nil }
        isRestating = !bids.isEmpty
        return true
    }
}
