import AuctionRules
import Wire

extension Room {
    /// Opens the room where a history ends: an open lot with a leader gets its full seconds again.
    ///
    /// `timeOfDay` is the time of `now` in milliseconds since 1970; names age while the server is
    /// down, too. `game` is the identity to use if the history has none, as in a new journal.
    /// Everybody who was connected then is gone now, and a name without a bid with them.
    public init(
        rules: Rules, catalogue: Catalogue = Catalogue(), limits: Limits = Limits(),
        resuming history: History, at now: Instant, timeOfDay: Int64 = 0,
        game: GameID = Room.randomGame(),
        makeToken: @escaping () -> Token = Room.randomToken
    ) {
        guard let lot = history.lot else {
            // No segment begins so but one that somebody else wrote: the numbers still go on.
            let first = catalogue.lot(1) ?? Lot(number: 1)
            self.init(
                Auction(first, rules: rules, openedAt: now), catalogue, limits, (now, timeOfDay),
                board: Board(), seq: history.seq, history.game ?? game, makeToken)
            if history.game == nil { perform(.note(.game(game))) }
            advance(to: now)
            takeBack(history, at: now)
            announceLot()
            return
        }
        self.init(
            Auction(
                resuming: lot, rules: rules, bids: history.bids, first: history.first,
                isLast: history.isLast, isClosed: history.isClosed, isPaused: history.isPaused,
                at: now),
            catalogue.following(history.formerLots + [lot]), limits, (now, timeOfDay),
            board: history.board, seq: history.seq, history.game ?? game, makeToken)
        formerLots = history.formerLots
        if history.game == nil { perform(.note(.game(game))) }
        advance(to: now)
        takeBack(history, at: now)
        goOn(isOver: history.isOver, isHammered: history.isHammered, at: now)
    }

    /// What holds now, as lines that a history can begin with; each with the number of the event
    /// that it restates, where there is one.
    ///
    /// Of a lot's bids it has the first and the newest 1,000.
    public var state: [(record: Record, number: Int?)] {
        var state: [(Record, Int?)] = [(.game(game), nil)]
        names.forEach { claim in
            state.append((.name(claim), nil))
            if claim.isPresent { state.append((.notice(.who(claim.bidder)), nil)) }
        }
        for (bidder, end) in bars.all {
            state.append((.barred(bidder, until: timeOfDay(at: end)), nil))
        }
        for lot in formerLots.suffix(History.mostFormerLots) {
            state.append((.notice(.lot(lot, start: nil, elapsed: nil)), nil))
        }
        var told = board.entries[...]
        if case .lot = told.first?.notice, let lot = told.popFirst() {
            state.append((.notice(lot.notice), lot.seq))
        } else {
            state.append((.notice(.lot(auction.lot, start: nil, elapsed: nil)), nil))
        }
        let bids = auction.bids
        if let first = auction.first, let oldest = bids.first, first.number < oldest.number {
            state.append((.notice(.lap(first)), nil))
        }
        state += bids.map { (.notice(.lap($0)), nil) }
        return state + told.map { (.notice($0.notice), $0.seq) }
    }

    /// Gives the names back to those who own them, none of whom is here.
    private mutating func takeBack(_ history: History, at now: Instant) {
        let owners = history.owners.values.filter { !$0.isFree }.sorted { $0.number < $1.number }
        for owner in owners where !owner.isPresent { takeBack(owner, at: now) }
        for owner in owners where owner.isPresent { takeBack(owner, at: now) }
        for bid in history.bids { names.noteBid(by: bid.bidder, in: auction.lot.number) }
        takeBack(history.bars, at: now)
    }

    /// Bars names for the rest of their time, but never for longer than `limits.kick`, because the
    /// clock may have been changed.
    private mutating func takeBack(_ bars: [Bidder: Int64], at now: Instant) {
        for (bidder, until) in bars {
            let left = min(.milliseconds(until - timeOfDay(at: now)), limits.kick)
            if left > .zero { self.bars.add(bidder, until: now.advanced(by: left)) }
        }
    }

    private mutating func takeBack(_ owner: History.Owner, at now: Instant) {
        if owner.hasBid {
            let used = owner.isPresent ? timeOfDay(at: now) : owner.used
            names.add(absent: owner.bidder, token: owner.token, used: used)
        }
        if owner.isPresent { announce(.left(owner.bidder)) }
    }

    private mutating func goOn(isOver wasOver: Bool, isHammered: Bool, at now: Instant) {
        // What was cut off behind a bid that was voided: the one that leads again.
        if !auction.isClosed, !board.hasPrice, let leading = auction.leading {
            announcePrice(leading, until: nil, at: now)
        }
        if isHammered {
            auction.apply(.hammered(at: now))
            finishHammering(at: now)
        } else if auction.deadline != nil {
            untoldBeginning = showCountdown(at: now)
        } else if auction.isClosed, !wasOver {
            planNextLot(at: now)
        } else if wasOver, catalogue.lot(auction.lot.number + 1) != nil {
            openNextLot(at: now)
        } else {
            isOver = wasOver
        }
    }
}

extension Record {
    /// The line that says who owns a name.
    static func name(_ claim: Claim) -> Record {
        .name(
            claim.bidder, token: claim.token.description, hasBid: claim.hasBid,
            used: claim.isPresent ? nil : claim.used)
    }
}
