/// What only one bidder may know of the sale.
package struct OwnState: Equatable, Sendable {
    package var name: Bidder
    /// Whether the bidder leads the newest lot, or has won it.
    package var leads = false
    /// What is left of the purse, less what the open lot may cost; nil without a purse.
    package var left: Int64?
    /// The highest bid on the open lot that the purse allows; nil without a purse.
    package var most: Int64?
    /// What the newest lot is worth to the bidder; nil if it has no values, or none was drawn.
    package var worth: Int64?
    /// Whether `worth` is an estimate of a value that is common to all.
    package var isEstimate = false
    /// The price up to which the server bids for the bidder; nil if it does not.
    package var maximum: Price?
    /// The sealed bid on the open lot; nil if there is none.
    package var sealed: Price?
    /// What the bidder has paid for the newest lot; nil if nothing.
    ///
    /// Nil also after a restart, for a bidder who has not won it.
    package var paid: Price?
    /// The rank in the standings; nil for a bidder without a lot.
    package var rank: Int?

    /// Makes a state in which only the name is known.
    package init(_ name: Bidder) {
        self.name = name
    }

    /// Whether a bid of another bidder may change this state.
    package var isAtStake: Bool { leads || maximum != nil || sealed != nil }
}

extension Sale {
    /// What only this bidder may know, without the rank.
    package func ownState(of bidder: Bidder) -> OwnState {
        var state = OwnState(bidder)
        state.leads = leader == bidder
        (state.left, state.most) = (left(of: bidder), limit(of: bidder))
        if let worth = worth(of: bidder) {
            (state.worth, state.isEstimate) = (worth.amount, worth.isEstimate)
        }
        if case .sold(let sold)? = result?.outcome {
            let isWinner = sold.bidder == bidder
            state.paid = isWinner ? sold.price : auction.price(losing: bidder)
        }
        guard !auction.isClosed else { return state }
        state.maximum = auction.maximum(of: bidder)
        state.sealed = auction.sealedBid(of: bidder)?.price
        return state
    }

    /// The ranks of those who have won a lot, up to `mostStandings` of them.
    package var ranks: [Bidder: Int] {
        let winners = standings.filter { $0.lots > 0 }
        return Dictionary(uniqueKeysWithValues: winners.map { ($0.bidder, $0.rank) })
    }

    /// Who leads the newest lot, or has won it.
    var leader: Bidder? {
        guard hasLot else { return nil }
        return switch result?.outcome {
        case .sold(let sold)?: sold.bidder
        case .passed?: nil
        case nil: auction.leading?.bidder
        }
    }
}
