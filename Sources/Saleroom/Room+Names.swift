import AuctionRules
import Wire

extension Room {
    /// Gives a name to a connection, or says why not.
    ///
    /// A name is owned from the moment it is taken. It is free again when its connection ends
    /// without an accepted bid under it; with one it stays owned, and only its token opens it.
    /// Until `LEFT` is sent, the token opens it in either case.
    mutating func claim(
        _ bidder: Bidder, token: String?, by id: SessionID, tag: String?, at now: Instant
    ) {
        if let present = sessions[id]?.bidder, present != bidder {
            return reply(.error(.alreadyNamed(present), tag: tag), to: id)
        }
        if let end = bars.end(of: bidder, at: now) {
            return reply(.error(.kicked(seconds: seconds(to: end, at: now)), tag: tag), to: id)
        }
        guard let claim = names[bidder] else {
            return foundIfDue(bidder, by: id, tag: tag, at: now)
        }
        if claim.holder == id {
            return confirm(claim, to: id, tag: tag)
        }
        if let token, claim.token.isSpelled(token) {
            return openIfDue(claim, by: id, tag: tag, at: now)
        }
        if claim.holder == nil, !claim.hasBid {
            return foundIfDue(bidder, by: id, tag: tag, at: now)
        }
        guard token != nil else {
            return reply(.error(.nameTaken, tag: tag), to: id)
        }
        refuseToken(.wrongToken, from: id, tag: tag, at: now)
    }

    /// Gives a name to a connection that proved it, unless it was opened too often.
    private mutating func openIfDue(
        _ claim: Claim, by id: SessionID, tag: String?, at now: Instant
    ) {
        if let seconds = secondsToNextOpening(of: claim, by: id, at: now) {
            note(.openings)
            return reply(.error(.openedTooOften(seconds: seconds), tag: tag), to: id)
        }
        countOpening(of: claim.bidder, by: id, at: now)
        sessions[id]?.wrongTokens = 0
        takeOver(claim, by: id, tag: tag)
    }

    /// Answers a token that was found wrong, whatever it should have proved.
    ///
    /// After too many from an address, each is told to slow down. A right one opens its name even
    /// then: nobody can guess 128 bits, and a stranger's guesses must lock nobody out. Too many in
    /// a row close the connection.
    mutating func refuseToken(
        _ fault: Fault, from id: SessionID, tag: String?, at now: Instant
    ) {
        if let seconds = secondsToNextToken(of: id, at: now) {
            note(.wrongTokens)
            reply(.error(.tooManyTokens(seconds: seconds), tag: tag), to: id)
        } else {
            countWrongToken(of: id, at: now)
            reply(.error(fault, tag: tag), to: id)
        }
        guard let index = sessions.index(forKey: id) else { return }
        sessions.values[index].wrongTokens += 1
        guard let most = limits.wrongTokensInRow, sessions.values[index].wrongTokens >= most else {
            return
        }
        dismiss(id, .wrongToken, at: now)
    }

    /// Returns at most `limit` present bidders who arrived after this number, in order; 0 is before
    /// all.
    ///
    /// O(log n + limit): a list in parts continues after the number of its last entry.
    func presentBidders(after arrival: Int, limit: Int) -> [NumberedNames.Entry] {
        names.present(after: arrival, limit: limit)
    }

    /// Releases a name whose connection has ended; `LEFT` is sent after `limits.absence`.
    mutating func release(_ bidder: Bidder?, by id: SessionID, at now: Instant) {
        guard let bidder, let claim = names[bidder], claim.holder == id else { return }
        guard limits.absence > .zero else { return depart(claim.bidder, at: now) }
        names.disconnect(bidder, until: now.advanced(by: limits.absence))
    }

    /// Announces that a present owner left.
    mutating func depart(_ bidder: Bidder, at now: Instant) {
        names.leave(bidder, at: timeOfDay(at: now))
        announce(.left(bidder))
    }

    /// Announces the owners who were without a connection for too long.
    mutating func expireAbsences(at now: Instant) {
        while let bidder = names.takeAway(at: now) { depart(bidder, at: now) }
    }

    /// Gives a name that nobody owns to a connection, unless its address took too many.
    private mutating func foundIfDue(
        _ bidder: Bidder, by id: SessionID, tag: String?, at now: Instant
    ) {
        guard makeRoomForName(at: now) else {
            note(.namesFull)
            return reply(.error(.namesFull, tag: tag), to: id)
        }
        if let seconds = chargeName(to: id, at: now) {
            note(.names)
            return reply(.error(.tooManyNames(seconds: seconds), tag: tag), to: id)
        }
        // Its last owner disconnected a moment ago, and `LEFT` was not sent yet.
        if let former = names[bidder] { depart(former.bidder, at: now) }
        found(bidder, by: id, tag: tag)
    }

    private mutating func found(_ bidder: Bidder, by id: SessionID, tag: String?) {
        names.add(bidder, token: makeToken(), holder: id)
        guard let claim = names[bidder] else { return }
        name(id, bidder)
        perform(.note(.name(claim)))
        confirm(claim, to: id, tag: tag)
        announce(.joined(bidder))
    }

    /// Hands an owned name to another connection, and sends away the one that has it, if there is
    /// one.
    private mutating func takeOver(_ claim: Claim, by id: SessionID, tag: String?) {
        let (former, wasPresent) = (claim.holder, claim.isPresent)
        names.hand(claim.bidder, to: id)
        name(id, claim.bidder)
        if let holder = former { replace(holder) }
        confirm(claim, to: id, tag: tag)
        if !wasPresent { announce(.joined(claim.bidder)) }
    }

    private mutating func name(_ id: SessionID, _ bidder: Bidder) {
        guard let index = sessions.index(forKey: id) else { return }
        sessions.values[index].bidder = bidder
        passages.append(Passage(.named, by: id, sessions.values[index]))
    }

    private mutating func confirm(_ claim: Claim, to id: SessionID, tag: String?) {
        reply(.ok(.name(claim.bidder, token: claim.token.description), tag: tag), to: id)
    }
}
