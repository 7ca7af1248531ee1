import Basics

extension Sale {
    /// What a bidder may still spend on lots, including the open one; nil without a purse.
    package func limit(of bidder: Bidder) -> Int64? {
        guard let purse = options?.purse else { return nil }
        return max(purse.amount - (ledger[bidder]?.spent ?? 0), 0)
    }

    /// What is left of the purse of a bidder, without what the open lot may cost them.
    ///
    /// That is the leading bid, the maximum or the sealed bid, whichever is more. Nil without a
    /// purse.
    package func left(of bidder: Bidder) -> Int64? {
        let reserved = result == nil ? auction.reserved(by: bidder) : 0
        return limit(of: bidder).map { max($0 - reserved, 0) }
    }

    /// What everybody may know of the game; nil if the sale has neither purses nor values.
    package func publicGame(lots: Int?) -> PublicGame? {
        guard let options, options.purse != nil || options.values != nil else { return nil }
        return PublicGame(lots: lots, purse: options.purse, values: options.values)
    }

    /// What the newest lot is worth to a bidder; nil if it has no values, or none was drawn.
    package func worth(of bidder: Bidder) -> Worth? { valuations.worths[bidder] }

    /// Whether a bidder has won a lot of a game that goes on, in which the name still counts.
    package func hasWonInGame(_ bidder: Bidder) -> Bool {
        options != nil && !isOver && ledger[bidder]?.lots ?? 0 > 0
    }

    /// Returns the event that a command causes, if any, and changes nothing.
    ///
    /// - Throws: Why the rules refuse it: `closed` also if the sale is over, and after all others
    ///   `overPurse`, if it could cost more than the bidder's purse has.
    package func decide(
        _ command: Auction.Command, at now: Instant
    ) throws(Auction.Refusal) -> Auction.Event? {
        guard !isOver else { throw .closed }
        let event = try auction.decide(command, at: now)
        guard options?.purse != nil, let event, let (bidder, price) = event.offer,
            let limit = limit(of: bidder)
        else { return event }
        guard price.amount <= limit else { throw .overPurse(left: limit) }
        return event
    }
}
