import AuctionRules
import Wire

extension Room {
    /// Makes a connection the auctioneer's, if its token proves that.
    mutating func appoint(_ id: SessionID, token: String, tag: String?, at now: Instant) {
        guard !isAuctioneerLocal || sessions[id]?.address == .local else {
            return reply(.error(.auctioneerElsewhere, tag: tag), to: id)
        }
        guard let auctioneerToken, auctioneerToken.isSpelled(token) else {
            return refuseToken(.wrongAuctioneerToken, from: id, tag: tag, at: now)
        }
        sessions[id]?.isAuctioneer = true
        sessions[id]?.wrongTokens = 0
        note(.appointed, of: id)
        reply(.ok(.auctioneer, tag: tag), to: id)
    }

    /// Does what only the auctioneer may order.
    mutating func obey(_ ruling: AuctioneerCommand, of id: SessionID, tag: String?, at now: Instant)
    {
        guard sessions[id]?.isAuctioneer == true else {
            return reply(.error(.notAuctioneer, tag: tag), to: id)
        }
        do throws(Auction.Refusal) {
            switch ruling {
            case .pause: try decide(.pause, ruling.verb, of: id, tag: tag, at: now)
            case .resume: try decide(.resume, ruling.verb, of: id, tag: tag, at: now)
            case .hammer: try decide(.hammer, ruling.verb, of: id, tag: tag, at: now)
            case .void: try decide(.void, ruling.verb, of: id, tag: tag, at: now)
            case .close: try decide(.close, ruling.verb, of: id, tag: tag, at: now)
            case .kick(let bidder, let reason):
                kick(bidder, reason: reason, for: id, tag: tag, at: now)
            case .stop: stop(for: id, tag: tag, at: now)
            }
        } catch {
            reply(.error(fault(error), tag: tag), to: id)
        }
    }

    private mutating func decide(
        _ command: Auction.Command, _ verb: AuctioneerCommand.Verb, of id: SessionID, tag: String?,
        at now: Instant
    ) throws(Auction.Refusal) {
        guard !isOver else { throw .closed }
        let event = try sale.auction.decide(command, at: now)
        grant(verb, of: id, tag: tag)
        if let event { record(event, at: now) }
    }

    private mutating func kick(
        _ bidder: Bidder, reason: String, for id: SessionID, tag: String?, at now: Instant
    ) {
        guard let claim = sale.names[bidder], claim.isPresent else {
            return reply(.error(.notHere(bidder), tag: tag), to: id)
        }
        grant(.kick, of: id, tag: tag)
        bar(claim.bidder, at: now)
        commit(.bidderKicked(claim.bidder, reason: reason), at: now)
        depart(claim.bidder, at: now)
        if let holder = claim.holder { dismiss(holder, .kicked, at: now) }
    }

    /// Bars a name for a while, also across restarts.
    private mutating func bar(_ bidder: Bidder, at now: Instant) {
        guard limits.kick > .zero else { return }
        commit(.nameBarred(bidder, until: timeOfDay(at: now.advanced(by: limits.kick))), at: now)
    }

    /// Says goodbye to everybody; whoever owns the room ends with it.
    private mutating func stop(for id: SessionID, tag: String?, at now: Instant) {
        grant(.stop, of: id, tag: tag)
        commit(.stopped, at: now)
        isStopped = true
        shutDown(at: now)
    }

    private mutating func grant(_ verb: AuctioneerCommand.Verb, of id: SessionID, tag: String?) {
        note(.ordered(verb), of: id)
        reply(.ok(.ruled(verb), tag: tag), to: id)
    }

    private mutating func note(_ step: SessionEvent.Kind, of id: SessionID) {
        guard let session = sessions[id] else { return }
        sessionEvents.append(SessionEvent(step, of: id, session))
    }

    /// Lets the leader win, whatever is left of the countdown.
    mutating func finishHammering(at hammer: Instant) {
        unpublishedBeginning = nil
        showCountdown(at: hammer)
        sell(hammer: hammer, at: hammer)
        planNextLot(at: hammer)
    }

    /// Continues after a pause: a leader's countdown, or the time up to the next lot, begins anew.
    mutating func goOn(at now: Instant) {
        let number = commit(.resumed, at: now)
        if auction.deadline != nil {
            beginCountdown(after: number, at: now)
        } else if auction.isClosed {
            planNextLot(at: now)
        }
    }

    /// Takes a bid back, and announces the price that holds again.
    mutating func void(_ bid: Bid, at now: Instant) {
        stopCountdown()
        commit(.bidVoided(bid), at: now)
        guard let leading = auction.leading else { return }
        let number = commit(.priceRestored(leading), at: now)
        if auction.deadline != nil { beginCountdown(after: number, at: now) }
        if auction.isLast { commit(.lastReset, at: now) }
    }
}
