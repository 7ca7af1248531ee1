import AuctionRules
import Wire

extension Room {
    /// Gives a name to a connection, or says why not.
    ///
    /// A name is owned from the moment it is taken. It is free again when its connection ends
    /// without an accepted bid under it; with one it stays owned, and only its token opens it.
    mutating func claim(_ bidder: Bidder, token: String?, by id: SessionID, tag: String?) {
        if let present = sessions[id]?.bidder, present != bidder {
            return reply(.error(.alreadyNamed(present), tag: tag), to: id)
        }
        guard let claim = claims[bidder] else {
            return found(bidder, by: id, tag: tag)
        }
        if claim.holder == id {
            return confirm(claim, to: id, tag: tag)
        }
        guard let token else {
            return reply(.error(.nameTaken, tag: tag), to: id)
        }
        guard Token(token) == claim.token else {
            return refuseToken(.wrongToken, from: id, tag: tag)
        }
        takeOver(claim, by: id, tag: tag)
    }

    /// Answers a token that was found wrong, whatever it should have proved.
    mutating func refuseToken(_ fault: Fault, from id: SessionID, tag: String?) {
        reply(.error(fault, tag: tag), to: id)
    }

    /// Lists who is connected under a name, in the order of their coming.
    func presentBidders() -> [Bidder] {
        claims.values.filter { $0.holder != nil }
            .sorted { $0.arrival < $1.arrival }
            .map(\.bidder)
    }

    /// Lets go of a name whose connection is gone.
    mutating func release(_ bidder: Bidder?) {
        guard let bidder else { return }
        claims[bidder]?.holder = nil
        if claims[bidder]?.hasBid == false { claims[bidder] = nil }
        announce(.left(bidder))
    }

    private mutating func found(_ bidder: Bidder, by id: SessionID, tag: String?) {
        let claim = Claim(
            bidder: bidder, token: makeToken(), holder: id, arrival: nextArrival())
        claims[bidder] = claim
        sessions[id]?.bidder = bidder
        perform(.note(.name(claim)))
        confirm(claim, to: id, tag: tag)
        announce(.joined(bidder))
    }

    /// Hands an owned name to another connection, and sends away the one that has it, if there is
    /// one.
    private mutating func takeOver(_ owned: Claim, by id: SessionID, tag: String?) {
        var claim = owned
        let former = claim.holder
        claim.holder = id
        if former == nil { claim.arrival = nextArrival() }
        claims[claim.bidder] = claim
        sessions[id]?.bidder = claim.bidder
        if let holder = former {
            sessions[holder]?.bidder = nil
            dismiss(holder, .replaced)
        }
        confirm(claim, to: id, tag: tag)
        if former == nil { announce(.joined(claim.bidder)) }
    }

    private mutating func confirm(_ claim: Claim, to id: SessionID, tag: String?) {
        reply(.ok(.name(claim.bidder, token: claim.token.description), tag: tag), to: id)
    }

    private mutating func nextArrival() -> Int {
        arrivals += 1
        return arrivals
    }
}
