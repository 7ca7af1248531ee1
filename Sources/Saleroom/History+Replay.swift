import AuctionRules
import Wire

extension History {
    /// Takes in one line; false if it cannot follow the lines before it.
    ///
    /// `number` is that of the event, or of the event that the line restates; nil for a note. Lines
    /// must be in the order in which a room writes them.
    public mutating func replay(_ record: Record, number: Int?) -> Bool {
        if state.linesLeft > 0 { return restate(record, number: number) }
        guard let number else { return note(record) }
        guard case .notice(let notice) = record, game != nil, number == seq + 1 else {
            return false
        }
        guard follow(notice) else { return false }
        seq = number
        let told = numbered(notice)
        board.record(told, seq: number)
        noteResult(told, seq: number)
        return true
    }

    /// Applies a note that stands after the state.
    private mutating func note(_ record: Record) -> Bool {
        switch record {
        case .time(let milliseconds): time = milliseconds
        case .name(let bidder, let token, let hasBid, let used):
            guard !hasBid, used == nil, lot != nil, owners[bidder]?.isFree != false else {
                return false
            }
            return own(bidder, token: token, hasBid: false, used: nil)
        case .freed(let bidder): return free(bidder)
        case .barred(let bidder, let until):
            guard lot != nil else { return false }
            bars[bidder] = until
        case .game(let identity):
            guard game == nil, seq == 0 else { return false }
            game = identity
        case .notice, .result: return false
        }
        return true
    }

    /// Applies an event; false if it cannot follow here.
    private mutating func follow(_ notice: Notice) -> Bool {
        if case .lot(let newest, _, _) = notice { return open(newest) }
        guard lot != nil else { return false }
        switch notice {
        case .price(let bid, _, _): return accept(bid)
        case .countdown(let seconds, _): return isCounting && Self.isCountdown(seconds)
        case .going: return isCounting
        case .last: return endSettingBack()
        case .winner, .passed: return close(with: notice)
        case .over(let lots): return end(after: lots)
        case .paused: return pause()
        case .resumed: return resume()
        case .hammered: return hammer()
        case .voided(let price, let bidder, _, _): return void(price, by: bidder)
        case .kicked(let bidder, _): return owners[bidder]?.isPresent == true
        case .stopped: return true
        case .joined(let bidder): return setPresent(bidder, true)
        case .left(let bidder): return setPresent(bidder, false)
        case .lot, .who, .lap, .hello, .skipped, .bye, .help, .ok, .error: return false
        }
    }

    /// A notice with the number of its lot added.
    func numbered(_ notice: Notice) -> Notice {
        guard let lot else { return notice }
        switch notice {
        case .price(let bid, _, _): return .price(bid, lot: lot.number, remaining: nil)
        case .winner(let sale): return .winner(sale.ofLot(lot.number))
        case .voided, .last, .lot, .countdown, .going, .passed, .over, .paused, .resumed, .hammered,
            .kicked, .stopped, .joined, .left, .who, .lap, .hello, .skipped, .bye, .help, .ok,
            .error:
            return notice
        }
    }

    /// Whether a countdown is possible: somebody leads, and the lot is open.
    private var isCounting: Bool {
        !isClosed && !bids.isEmpty && !isRestating && (!isPaused || isHammered)
    }

    /// Whether this number is possible in a countdown.
    static func isCountdown(_ seconds: Int) -> Bool {
        (0...Rules.allowedSeconds.upperBound).contains(seconds)
    }

    private mutating func endSettingBack() -> Bool {
        guard !isClosed, !bids.isEmpty, !isRestating, !isHammered, !isLast else { return false }
        isLast = true
        return true
    }

    private mutating func open(_ newest: Lot) -> Bool {
        guard !isPaused, lot == nil || isClosed, newest.number == (lot?.number ?? 0) + 1 else {
            return false
        }
        noteFormerLot()
        lot = newest
        (bids, first, isLast, isClosed, isOver) = ([], nil, false, false, false)
        return true
    }

    /// Moves the newest lot to the former lots, before another one opens.
    mutating func noteFormerLot() {
        guard let lot else { return }
        formerLots.note(former: lot)
    }

    private mutating func close(with notice: Notice) -> Bool {
        guard !isClosed, !isRestating, isEnd(notice) else { return false }
        if case .winner = notice { guard !isPaused || isHammered else { return false } }
        if case .passed = notice { guard !isHammered else { return false } }
        (isClosed, isHammered) = (true, false)
        return true
    }

    /// Whether a `WINNER` or `PASSED` matches the lot.
    func isEnd(_ notice: Notice) -> Bool {
        guard let lot else { return false }
        switch notice {
        case .winner(let sale):
            return bids.last?.isPaid(by: sale) == true && sale.title == lot.title
        case .passed(let passed, _): return passed == lot
        default: return false
        }
    }

    private mutating func end(after lots: Int) -> Bool {
        guard isClosed, !isOver, lots == lot?.number else { return false }
        (isOver, isPaused) = (true, false)
        return true
    }

    /// Takes in a price: that of a new bid, or the one that leads again since another was voided.
    private mutating func accept(_ bid: Bid) -> Bool {
        guard isRestating else { return place(bid) }
        isRestating = false
        return bids.last == bid
    }

    private mutating func place(_ bid: Bid) -> Bool {
        guard !isClosed, !isPaused, !isHammered, owners[bid.bidder] != nil,
            add(bid, isFirst: bid.number == 1)
        else { return false }
        owners[bid.bidder]?.hasBid = true
        return true
    }

    /// Adds a bid that passes the one before.
    mutating func add(_ bid: Bid, isFirst: Bool) -> Bool {
        guard bid.number > 0 else { return false }
        if let last = bids.last {
            guard bid.number == last.number + 1, bid.price > last.price, bid.elapsed >= last.elapsed
            else { return false }
        } else if !isFirst {
            return false
        }
        if bids.count >= 2 * Auction.mostKept { bids.removeFirst(Auction.mostKept) }
        bids.append(bid)
        if bid.number == 1 { first = bid }
        return true
    }

    /// Adds the owner of a name; false if the token belongs to another name.
    mutating func own(_ bidder: Bidder, token: String, hasBid: Bool, used: Int64?) -> Bool {
        if let former = owners[bidder] { tokens.remove(former.token.description) }
        guard let token = Token(token), tokens.insert(token.description).inserted else {
            return false
        }
        lastNumber += 1
        owners[bidder] = Owner(
            bidder: bidder, token: token, hasBid: hasBid, used: used ?? time, number: lastNumber)
        return true
    }

    /// Frees a name; false if its owner is present.
    private mutating func free(_ bidder: Bidder) -> Bool {
        guard let owner = owners[bidder], !owner.isPresent else { return false }
        tokens.remove(owner.token.description)
        owners[bidder] = nil
        return true
    }

    /// Notes who comes and goes; a name without a bid goes with its owner.
    mutating func setPresent(_ bidder: Bidder, _ isPresent: Bool) -> Bool {
        guard var owner = owners[bidder], owner.isPresent != isPresent else { return false }
        owner.isPresent = isPresent
        if !isPresent { owner.used = time }
        lastNumber += 1
        owner.number = lastNumber
        owners[bidder] = owner.isFree ? nil : owner
        if owner.isFree { tokens.remove(owner.token.description) }
        return true
    }

    private mutating func noteResult(_ notice: Notice, seq: Int) {
        if let result = Result(notice, seq: seq, time: time) { results.append(result) }
    }
}

extension Bid {
    fileprivate func isPaid(by sale: Sale) -> Bool {
        bidder == sale.bidder && price == sale.price && elapsed <= sale.elapsed
    }
}

extension [Lot] {
    /// Appends a lot if it has a title of its own, and removes the oldest ones over the limit.
    mutating func note(former lot: Lot) {
        guard lot != Lot(number: lot.number) else { return }
        if count >= 2 * History.mostFormerLots { removeFirst(History.mostFormerLots) }
        append(lot)
    }
}

extension Sale {
    /// The same sale, of the lot with this number.
    fileprivate func ofLot(_ number: Int) -> Sale {
        Sale(number: number, title: title, bidder: bidder, price: price, elapsed: elapsed)
    }
}
