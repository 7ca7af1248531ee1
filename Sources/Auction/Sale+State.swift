extension Sale {
    /// The records of a state from which the sale can continue.
    ///
    /// `number` is that of the event which the record restates, if the event still holds. The
    /// records are in the order in which `restore` needs them. Absent names come first, and of the
    /// bids of the newest lot there are the first and the newest 1,000. Secrets of a lot that has
    /// ended are left out.
    package var state: [(record: Record, number: Int?)] {
        var state: [(record: Record, number: Int?)] = []
        appendState(to: &state)
        return state
    }

    /// Appends the records of `state`.
    package func appendState(to state: inout [(record: Record, number: Int?)]) {
        func append(_ event: SaleEvent) { state.append((.event(event), nil)) }
        if let time { append(.timeNoted(time)) }
        if let serverID { append(.saleBegan(serverID)) }
        if let options { append(.gameSet(options)) }
        names.forEach { account in
            state.append((account.record, nil))
            if account.isPresent { state.append((.present(account.bidder), nil)) }
            if let display = names.display(of: account.bidder) {
                append(.displayNameSet(account.bidder, text: display))
            }
        }
        for bidder in bars.keys.sorted(by: { $0.precedes($1) }) {
            append(.nameBarred(bidder, until: bars[bidder] ?? 0))
        }
        for bidder in muted.sorted(by: { $0.precedes($1) }) { append(.bidderMuted(bidder)) }
        for tally in ledger.ranked { state.append((.tally(tally), nil)) }
        for award in awards.best { state.append((.award(award), nil)) }
        for plan in added { append(.lotAdded(plan)) }
        for number in titles.keys.sorted() {
            append(.lotRenamed(Lot(number: number, title: titles[number] ?? "")))
        }
        if let setOptions { append(.optionsSet(setOptions)) }
        if let drawnRound {
            append(.roundBegan(drawnRound.round, members: drawnRound.members))
            for bidder in drawnRound.places.keys.sorted(by: { $0.precedes($1) }) {
                drawnRound.places[bidder].map { append(.memberDrawn(bidder, $0)) }
            }
        }
        if games > 1 { append(.rematchBegan(games: games, firstLot: firstLot)) }
        for lot in formerLots.suffix(Self.mostKept) { append(.lotOpened(lot)) }
        appendLotState(to: &state)
        for result in results.suffix(mostResults) { state.append((.result(result), nil)) }
    }

    /// Appends the records of the newest lot.
    private func appendLotState(to state: inout [(record: Record, number: Int?)]) {
        func append(_ event: SaleEvent) { state.append((.event(event), nil)) }
        // A sale that waits for its start has no lot.
        if hasLot {
            if isPlanned {
                append(.lotPlanned(auction.rules.terms, reserve: auction.rules.reserve))
            }
            state.append((.event(.lotOpened(auction.lot)), numbers.lot))
        }
        if let value = valuations.common { append(.valueDrawn(value)) }
        if result == nil {
            let worths = valuations.worths.values
            for worth in worths.sorted(by: { $0.bidder.precedes($1.bidder) }) {
                append(.worthDrawn(worth))
            }
        }
        let bids = auction.bids
        if let first = auction.first, let oldest = bids.first, first.number < oldest.number {
            state.append((.bid(first), nil))
        }
        for bid in bids { state.append((.bid(bid), nil)) }
        if result == nil {
            let isSealed = auction.rules.format.isSealed
            for bid in auction.offersByTime {
                append(isSealed ? .bidSealed(bid) : .maximumSet(bid.bidder, bid.price))
            }
        }
        for (event, number) in snapshot.drop(while: { $0.number == numbers.lot }) {
            state.append((.event(event), number))
        }
    }

    /// The events that still hold, with their numbers: what a newcomer receives.
    package var snapshot: [(event: SaleEvent, number: Int)] {
        var entries: [(SaleEvent?, Int?)] = [
            (.waiting(people: toldPeople), numbers.waiting),
            (.lotOpened(auction.lot), numbers.lot),
            (.termsAnnounced(auction.rules.terms), numbers.terms),
            (auction.leading.map { .bidPlaced($0) }, numbers.price),
            (auction.ask.map { .askFell($0) }, numbers.ask),
            (.bidsSealed(auction.sealedCount), numbers.sealed),
            (auction.lastRevealed.map { .bidRevealed($0) }, numbers.revealed),
            (secondsLeft.map { .secondsLeft($0) }, numbers.countdown),
            (.lastReset, numbers.last), (.reserveMet, numbers.reserve),
            (result?.event, numbers.result),
            (valuations.common.map { .valueRevealed($0) }, numbers.value),
            (.ended(lots: drawnRound?.round.number ?? auction.lot.number), numbers.end),
        ]
        entries += numbers.champions.map {
            (.championNamed($0.bidder, score: $0.score), $0.number)
        }
        entries += zip(awards.best, numbers.awards).map { (.awardGiven($0), $1) }
        entries.append((.paused, numbers.pause))
        return entries.compactMap { event, number in
            guard let event, let number else { return nil }
            return (event, number)
        }
    }
}

extension Account {
    /// The line of a state that records the owner of the name.
    fileprivate var record: Record {
        guard hasBid || isAbsent else { return .event(.nameTaken(bidder, tokenHash)) }
        return .name(bidder, tokenHash, used: isPresent ? nil : used, hasBid: hasBid)
    }
}

extension Sale {
    /// What the sale holds, for one line: `3 lots, lot 4 open at 120 by alice, 18 bids`.
    public var summary: String {
        guard hasLot else { return "nothing" }
        let done = auction.isClosed ? auction.lot.number : auction.lot.number - 1
        let lots = done == 0 ? [] : [counted(done, "lot")]
        return (lots + present + (auction.isPaused ? ["paused"] : [])).joined(separator: ", ")
    }

    private var present: [String] {
        guard !auction.isClosed else { return isOver ? ["the sale is over"] : [] }
        let lot = "lot \(auction.lot.number) open"
        guard let bid = auction.leading else { return [lot, "no bids"] }
        return ["\(lot) at \(bid.price.amount) by \(bid.bidder)", counted(bid.number, "bid")]
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
