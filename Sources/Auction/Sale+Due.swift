import Basics

extension Sale {
    /// Whether the newest lot is open, and no event follows by itself from a bid on it.
    ///
    /// Then `dueEvent` is nil. Each bid asks this, so it is inlinable: a call into another module
    /// would copy the sale.
    @inlinable @inline(__always) package var isQuiet: Bool {
        auction.isQuiet && !isPlanned && options == nil
    }

    /// The next event that follows by itself from the state; nil if there is none.
    ///
    /// The caller applies it and asks again until nil: after every other event and after a
    /// recovery, so that a server may end between any two events. Only the fall of a Dutch asking
    /// price depends on `now`; the seconds and the end of a countdown are not among these events.
    /// O(1).
    package func dueEvent(at now: Instant) -> SaleEvent? {
        // The sale of a class has no lots of its own.
        guard hasLot else { return isOver ? dueChampion : nil }
        if result == nil {
            if isPlanned, numbers.terms == nil { return .termsAnnounced(auction.rules.terms) }
            if let draw = dueDraw { return draw }
            return auction.dueEvent(at: now)
        }
        if !valuations.isRevealed, let value = valuations.common { return .valueRevealed(value) }
        return isOver ? dueChampion ?? dueAward : nil
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

    /// The next champion to be named, after the end of the sale.
    private var dueChampion: SaleEvent? {
        unnamedChampions.first.map { .championNamed($0.bidder, score: score(of: $0)) }
    }

    /// The next award to be given, after the champions.
    private var dueAward: SaleEvent? {
        awards.best.dropFirst(numbers.awards.count).first.map { .awardGiven($0) }
    }
}
