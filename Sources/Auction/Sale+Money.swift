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

    /// Whether a bidder has paid for a lot of a game that goes on, in which the name still counts.
    package func hasPaidInGame(_ bidder: Bidder) -> Bool {
        options != nil && !isOver && ledger[bidder]?.spent ?? 0 > 0
    }

    /// Requires that the purse of its bidder has what an event could cost.
    ///
    /// - Throws: `overPurse` if it has not.
    package func requirePurse(for event: Auction.Event) throws(Auction.Refusal) {
        guard options?.purse != nil, let (bidder, price) = event.offer,
            let limit = limit(of: bidder)
        else { return }
        guard price.amount <= limit else { throw .overPurse(left: limit) }
    }
}
