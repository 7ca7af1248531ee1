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
        if let end = sale.bars[bidder] {
            let left = Duration.milliseconds(end - timeOfDay(at: now))
            if left > .zero {
                let due = now.advanced(by: left)
                return reply(.error(.kicked(seconds: seconds(to: due, at: now)), tag: tag), to: id)
            }
        }
        guard let claim = sale.names[bidder] else {
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
        takeOver(claim, by: id, tag: tag, at: now)
    }

    /// Answers a token that was found wrong, whatever it should have proved.
    ///
    /// After too many from an address, each is told to slow down. A right one opens its name even
    /// then: nobody can guess 128 bits, and a stranger's guesses must lock nobody out. Too many in
    /// a row close the connection.
    mutating func refuseToken(
        _ fault: ErrorReply, from id: SessionID, tag: String?, at now: Instant
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
        sale.names.present(after: arrival, limit: limit)
    }

    /// Releases a name whose connection has ended; `LEFT` is sent after `limits.absence`.
    mutating func release(_ bidder: Bidder?, by id: SessionID, at now: Instant) {
        guard let bidder, let claim = sale.names[bidder], claim.holder == id else { return }
        guard limits.absence > .zero else { return depart(claim.bidder, at: now) }
        sale.names.disconnect(bidder, until: now.advanced(by: limits.absence))
    }

    /// Announces that a present owner left.
    mutating func depart(_ bidder: Bidder, at now: Instant) {
        commit(.bidderLeft(bidder), at: now)
    }

    /// Announces the owners who were without a connection for too long.
    mutating func expireAbsences(at now: Instant) {
        while let bidder = sale.names.takeAway(at: now) { depart(bidder, at: now) }
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
        if let former = sale.names[bidder] { depart(former.bidder, at: now) }
        found(bidder, by: id, tag: tag, at: now)
    }

    private mutating func found(
        _ bidder: Bidder, by id: SessionID, tag: String?, at now: Instant
    ) {
        commit(.nameTaken(bidder, makeToken()), at: now)
        sale.names.hand(bidder, to: id)
        guard let claim = sale.names[bidder] else { return }
        name(id, bidder)
        confirm(claim, to: id, tag: tag)
        commit(.bidderJoined(bidder), at: now)
    }

    /// Hands an owned name to another connection, and sends away the one that has it, if there is
    /// one.
    private mutating func takeOver(
        _ claim: Claim, by id: SessionID, tag: String?, at now: Instant
    ) {
        let (former, wasPresent) = (claim.holder, claim.isPresent)
        sale.names.hand(claim.bidder, to: id)
        name(id, claim.bidder)
        if let holder = former { replace(holder) }
        confirm(claim, to: id, tag: tag)
        if !wasPresent { commit(.bidderJoined(claim.bidder), at: now) }
    }

    private mutating func name(_ id: SessionID, _ bidder: Bidder) {
        guard let index = sessions.index(forKey: id) else { return }
        sessions.values[index].bidder = bidder
        sessionEvents.append(SessionEvent(.named, of: id, sessions.values[index]))
    }

    private mutating func confirm(_ claim: Claim, to id: SessionID, tag: String?) {
        reply(.ok(.name(claim.bidder, token: claim.token.description), tag: tag), to: id)
    }

    /// Releases the names of a sale that was recovered: nobody is connected yet.
    ///
    /// A bar lasts for `limits.kick` at most, because the clock may have been changed.
    mutating func takeBackNames(at now: Instant) {
        for entry in sale.names.present(after: 0, limit: .max) { depart(entry.bidder, at: now) }
        for bidder in sale.names.pending { commit(.nameFreed(bidder), at: now) }
        let latest = timeOfDay(at: now.advanced(by: limits.kick))
        for (bidder, end) in sale.bars where end > latest {
            commit(.nameBarred(bidder, until: latest), at: now)
        }
        sale.forgetBars(at: timeOfDay(at: now))
    }
}
