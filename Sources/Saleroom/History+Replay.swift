import AuctionRules
import Wire

extension History {
    /// Takes in one line; false if it cannot follow the lines before it.
    ///
    /// `number` is that of the event, or of the one that the line restates; nil for neither.
    public mutating func replay(_ record: Record, number: Int?) -> Bool {
        switch record {
        case .time(let milliseconds):
            time = milliseconds
            return true
        case .game(let identity):
            guard game == nil else { return false }
            game = identity
            return true
        case .name(let bidder, let token, let hasBid):
            return own(bidder, token: token, hasBid: hasBid)
        case .notice(let notice):
            let isEvent = number.map { $0 > seq } ?? false
            guard let told = follow(notice, isEvent: isEvent) else { return false }
            if let number {
                seq = max(seq, number)
                board.record(told, seq: number)
                if isEvent { note(told, seq: number) }
            }
            return true
        }
    }

    /// Lets a notice change what holds, and returns it with what its words leave out; nil if it
    /// cannot follow.
    private mutating func follow(_ notice: Notice, isEvent: Bool) -> Notice? {
        switch notice {
        case .lot(let newest, _, _):
            guard !isPaused else { return nil }
            open(newest)
        case .lap(let bid):
            return add(bid, isFirst: bids.isEmpty) ? notice : nil
        case .price(let bid, _, _):
            guard let lot, isEvent ? accept(bid) : bids.last == bid else { return nil }
            return .price(bid, lot: lot.number, remaining: nil)
        case .winner(let sale):
            guard let lot, let bid = bids.last, bid.isPaid(by: sale), !isPaused || isHammered
            else { return nil }
            close()
            return .winner(sale.ofLot(lot.number))
        case .passed: close()
        case .over: (isOver, isPaused) = (true, false)
        case .paused: return pause() ? notice : nil
        case .resumed: return resume() ? notice : nil
        case .hammered: return hammer() ? notice : nil
        case .voided(let price, let bidder, _, _): return void(price, by: bidder)
        case .kicked(let bidder, _): return owners[bidder]?.isPresent == true ? notice : nil
        case .stopped: break
        case .joined(let bidder), .who(let bidder): return setPresent(bidder, true) ? notice : nil
        case .left(let bidder): return setPresent(bidder, false) ? notice : nil
        case .countdown, .going: break
        case .hello, .skipped, .bye, .help, .ok, .error: return nil
        }
        return notice
    }

    private mutating func open(_ newest: Lot) {
        lot = newest
        bids = []
        isClosed = false
        isOver = false
        isHammered = false
        isRestating = false
    }

    private mutating func close() {
        isClosed = true
        isHammered = false
        isRestating = false
    }

    /// Takes in a price: that of a new bid, or the one that leads again since another was voided.
    private mutating func accept(_ bid: Bid) -> Bool {
        guard isRestating else { return !isPaused && place(bid) }
        isRestating = false
        return bids.last == bid
    }

    private mutating func place(_ bid: Bid) -> Bool {
        guard !isClosed, owners[bid.bidder] != nil, add(bid, isFirst: bid.number == 1) else {
            return false
        }
        owners[bid.bidder]?.hasBid = true
        return true
    }

    /// Adds a bid that passes the one before.
    private mutating func add(_ bid: Bid, isFirst: Bool) -> Bool {
        if let last = bids.last {
            guard bid.number == last.number + 1, bid.price > last.price else { return false }
        } else if !isFirst {
            return false
        }
        bids.append(bid)
        return true
    }

    private mutating func own(_ bidder: Bidder, token: String, hasBid: Bool) -> Bool {
        guard let token = Token(token), owners[bidder]?.isFree != false else { return false }
        lastNumber += 1
        owners[bidder] = Owner(bidder: bidder, token: token, hasBid: hasBid, number: lastNumber)
        return true
    }

    /// Notes who comes and goes; a name without a bid goes with its owner.
    private mutating func setPresent(_ bidder: Bidder, _ isPresent: Bool) -> Bool {
        guard var owner = owners[bidder], owner.isPresent != isPresent else { return false }
        owner.isPresent = isPresent
        lastNumber += 1
        owner.number = lastNumber
        owners[bidder] = owner.isFree ? nil : owner
        return true
    }

    private mutating func note(_ notice: Notice, seq: Int) {
        switch notice {
        case .winner, .passed:
            results.append(Result(seq: seq, notice: notice, time: time))
        case .hello, .lot, .price, .countdown, .going, .over, .paused, .resumed, .hammered, .voided,
            .kicked, .stopped, .joined, .left, .skipped, .bye, .lap, .who, .help, .ok, .error:
            break
        }
    }
}

extension Bid {
    fileprivate func isPaid(by sale: Sale) -> Bool {
        bidder == sale.bidder && price == sale.price
    }
}

extension Sale {
    /// The same sale, of the lot with this number.
    fileprivate func ofLot(_ number: Int) -> Sale {
        Sale(number: number, title: title, bidder: bidder, price: price, elapsed: elapsed)
    }
}
