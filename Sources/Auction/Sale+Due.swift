import Basics

extension Sale {
    /// Whether the newest lot is open, and nothing follows by itself from a bid on it or from time.
    ///
    /// Then `dueEvent` is nil. Each bid asks this, so it is inlinable: to call a method of another
    /// module copies the sale.
    @inlinable package var isQuiet: Bool { auction.isQuiet && !isPlanned && options == nil }

    /// The event that follows by itself from what has happened, or from time; nil if none does.
    ///
    /// To be asked, and its event applied, until it is nil: after every other event, when time has
    /// passed, and after a recovery, so that it does not matter between which events a server
    /// ended. O(1).
    package func dueEvent(at now: Instant) -> SaleEvent? {
        guard hasLot else { return nil }
        if result == nil {
            if isPlanned, numbers.terms == nil { return .termsAnnounced(auction.rules.terms) }
            if let draw = dueDraw { return draw }
            return auction.dueEvent(at: now)
        }
        if !valuations.isRevealed, let value = valuations.common { return .valueRevealed(value) }
        return isOver ? dueChampion : nil
    }

    private var dueDraw: SaleEvent? {
        guard let options, options.values != nil, !auction.isClosed else { return nil }
        let lot = auction.lot.number
        if valuations.common == nil, let value = options.commonValue(ofLot: lot) {
            return .valueDrawn(value)
        }
        guard let bidder = valuations.undrawn.last else { return nil }
        return options.worth(ofLot: lot, to: bidder, common: valuations.common).map {
            .worthDrawn($0)
        }
    }

    /// The next of the champions to be named, after the end of the sale.
    private var dueChampion: SaleEvent? {
        unnamedChampions.first.map { .championNamed($0.bidder, score: score(of: $0)) }
    }
}
