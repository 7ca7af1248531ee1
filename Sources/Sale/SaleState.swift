import AuctionRules

/// The state with which a segment of the log begins, as it is read line by line.
///
/// The lines stand in one fixed order: the time, the identity of the game, the names, the bars, the
/// lots, the newest bids, the news that still holds, under its event numbers, and the results. A
/// line that is out of order, repeated or contradicts the others makes the segment unreadable.
struct SaleState {
    /// The highest event number that may be restated.
    let bound: Int
    private var linesLeft: Int
    private var numbersRead: Set<Int> = []

    private(set) var game: GameID?
    private(set) var time: Int64?
    private(set) var names = Names()
    private(set) var bars: [Bidder: Int64] = [:]
    private(set) var formerLots: [Lot] = []
    private(set) var lot: Lot?
    private(set) var bids: [Bid] = []
    private(set) var first: Bid?
    private(set) var numbers = Sale.Numbers()
    private(set) var secondsLeft: Int?
    private(set) var result: LotResult?
    private(set) var isOver = false
    private(set) var results: [LotResult] = []

    /// Begins a state of `lines` lines, in a segment whose first event is `firstEvent`.
    init(firstEvent: Int, lines: Int) {
        (bound, linesLeft) = (firstEvent - 1, lines)
    }

    /// Whether all of its lines were read.
    var isComplete: Bool { linesLeft == 0 }

    /// Whether the lot has ended.
    var isClosed: Bool { numbers.lot == nil }

    /// Reads the next line; false if it cannot stand there.
    mutating func read(_ record: Record, number: Int?) -> Bool {
        if let number {
            guard (1...max(bound, 1)).contains(number), numbersRead.insert(number).inserted,
                case .event(let event) = record
            else { return false }
            guard results.isEmpty, readNews(event, number: number) else { return false }
        } else {
            guard readFact(record) else { return false }
        }
        linesLeft -= 1
        return !isComplete || isConsistent
    }

    /// Reads a line without an event number.
    private mutating func readFact(_ record: Record) -> Bool {
        if case .result(let result) = record { return read(result) }
        guard results.isEmpty else { return false }
        switch record {
        case .event(let event): return readFact(event)
        case .name(let bidder, let token, let used):
            guard mayAdd(bidder) else { return false }
            names.add(bidder, token: token)
            names.restoreAbsent(bidder, used: used ?? time ?? 0)
        case .present(let bidder):
            guard lot == nil, names[bidder]?.isPresent == false else { return false }
            names.join(bidder)
        case .bid(let bid): return read(bid)
        case .result, .tally: return false
        }
        return true
    }

    /// Reads an event without its number: it is for the log alone, or no longer holds.
    private mutating func readFact(_ event: SaleEvent) -> Bool {
        switch event {
        case .timeNoted(let milliseconds):
            guard game == nil, time == nil else { return false }
            time = milliseconds
        case .gameCreated(let identity):
            guard game == nil else { return false }
            game = identity
        case .nameTaken(let bidder, let token):
            guard mayAdd(bidder) else { return false }
            names.add(bidder, token: token)
        case .nameBarred(let bidder, let end):
            guard game != nil, lot == nil, bars[bidder] == nil else { return false }
            bars[bidder] = end
        case .lotOpened(let newest): return readLot(newest)
        default: return false  // Other lines of the state have what the other events changed.
        }
        return true
    }

    private func mayAdd(_ bidder: Bidder) -> Bool {
        game != nil && lot == nil && bars.isEmpty && names[bidder] == nil
    }

    private mutating func readLot(_ newest: Lot) -> Bool {
        guard game != nil, newest.number > lot?.number ?? 0, numbers.lot == nil, bids.isEmpty,
            numbers == Sale.Numbers()
        else { return false }
        if let lot { formerLots.append(lot) }
        lot = newest
        return true
    }

    /// Reads a bid; there may be a gap between the first bid of the lot and the newest ones.
    private mutating func read(_ bid: Bid) -> Bool {
        guard let lot, numbers == Sale.Numbers(lot: numbers.lot), bid.number > 0 else {
            return false
        }
        // After the lot has ended, the name may be free or have another owner.
        if numbers.lot != nil {
            guard names[bid.bidder]?.hasBid == true else { return false }
            names.noteBid(by: bid.bidder, in: lot.number)
        }
        if let first, bids.count == 1, bids[0].number == 1, bid.number > 2 {
            guard bid.price > first.price, bid.elapsed >= first.elapsed else { return false }
            bids = []
        } else if let last = bids.last {
            guard bid.follows(last) else { return false }
        }
        bids.append(bid)
        if bid.number == 1 { first = bid }
        return true
    }

    /// Reads an event that still holds, with its number.
    private mutating func readNews(_ event: SaleEvent, number: Int) -> Bool {
        if case .lotOpened(let newest) = event {
            guard readLot(newest) else { return false }
            numbers.lot = number
            return true
        }
        guard let lot else { return false }
        switch event {
        case .bidPlaced(let bid):
            guard numbers.lot != nil, numbers.price == nil, bids.last == bid else { return false }
            numbers.price = number
        case .secondsLeft(let seconds):
            guard numbers.price != nil, numbers.countdown == nil,
                (0...Rules.allowedSeconds.upperBound).contains(seconds)
            else { return false }
            (numbers.countdown, secondsLeft) = (number, seconds)
        case .lastReset:
            guard numbers.price != nil, numbers.last == nil else { return false }
            numbers.last = number
        case .lotSold(let sold):
            guard let leading = bids.last, sold.title == lot.title,
                leading.isPaid(by: sold)
            else { return false }
            return end(with: .sold(sold.ofLot(lot.number)), number)
        case .lotPassed(let passed, let reason, let elapsed):
            return passed == lot && end(with: .passed(reason: reason, elapsed: elapsed), number)
        case .ended(let lots):
            guard result != nil, !isOver, lots == lot.number else { return false }
            (isOver, numbers.end) = (true, number)
        case .paused:
            guard !isOver, numbers.pause == nil else { return false }
            numbers.pause = number
        default: return false  // No other event holds for longer than a moment.
        }
        return true
    }

    private mutating func end(with outcome: LotResult.Outcome, _ number: Int) -> Bool {
        guard let lot, numbers.lot == nil, result == nil else { return false }
        numbers.result = number
        result = LotResult(lot, outcome, number: number, time: 0)
        return true
    }

    private mutating func read(_ ended: LotResult) -> Bool {
        guard let lot, ended.number <= bound, ended.lot.number > results.last?.lot.number ?? 0,
            ended.lot.number < lot.number || isClosed && ended.lot.number == lot.number
        else { return false }
        if ended.lot.number == lot.number {
            guard ended.outcome == result?.outcome, ended.number == result?.number else {
                return false
            }
            result = ended
        }
        results.append(ended)
        return true
    }

    /// Whether a sale can be in this state.
    private var isConsistent: Bool {
        guard let lot, lot.number > 0, isClosed == (result != nil) else { return false }
        if !isClosed {
            guard (numbers.price != nil) == !bids.isEmpty else { return false }
        }
        return numbers.areInOrder
    }
}

extension Sale.Numbers {
    /// Whether the events can have happened in this order.
    fileprivate var areInOrder: Bool {
        func follows(_ number: Int?, _ before: Int?) -> Bool {
            guard let number, let before else { return true }
            return number > before
        }
        return follows(price, lot) && follows(countdown, lot) && follows(last, lot)
            && follows(end, result)
    }
}

extension Sale {
    /// The records of a state from which the sale can continue, each with the number of the event
    /// that it restates, if the event still holds.
    ///
    /// In this order: the time, the game, the names (the absent ones first), the bars, the lots,
    /// the first and the newest 1,000 bids of the newest lot, the events that still hold, the
    /// results.
    package var state: [(record: Record, number: Int?)] {
        var state: [(Record, Int?)] = []
        func append(_ event: SaleEvent) { state.append((.event(event), nil)) }
        if let time { append(.timeNoted(time)) }
        if let game { append(.gameCreated(game)) }
        names.forEach { account in
            state.append((account.record, nil))
            if account.isPresent { state.append((.present(account.bidder), nil)) }
        }
        for (bidder, end) in bars.sorted(by: { $0.key.description < $1.key.description }) {
            append(.nameBarred(bidder, until: end))
        }
        for lot in formerLots.suffix(Self.mostKept) { append(.lotOpened(lot)) }
        state.append((.event(.lotOpened(auction.lot)), numbers.lot))
        let bids = auction.bids
        if let first = auction.first, let oldest = bids.first, first.number < oldest.number {
            state.append((.bid(first), nil))
        }
        state += bids.map { (.bid($0), nil) }
        for (event, number) in snapshot.drop(while: { $0.number == numbers.lot }) {
            state.append((.event(event), number))
        }
        return state + results.suffix(Self.mostKept).map { (.result($0), nil) }
    }

    /// The events that still hold, with their numbers: what a newcomer receives.
    package var snapshot: [(event: SaleEvent, number: Int)] {
        let entries: [(SaleEvent?, Int?)] = [
            (.lotOpened(auction.lot), numbers.lot),
            (auction.leading.map { .bidPlaced($0) }, numbers.price),
            (secondsLeft.map { .secondsLeft($0) }, numbers.countdown),
            (.lastReset, numbers.last), (result?.event, numbers.result),
            (.ended(lots: auction.lot.number), numbers.end), (.paused, numbers.pause),
        ]
        return entries.compactMap { event, number in
            guard let event, let number else { return nil }
            return (event, number)
        }
    }
}

extension Bid {
    /// Whether a lot on which the bid leads can end with this sale.
    func isPaid(by sold: SoldLot) -> Bool {
        bidder == sold.bidder && price == sold.price && elapsed <= sold.elapsed
    }
}

extension Account {
    /// The line of a state that records the owner of the name.
    fileprivate var record: Record {
        guard hasBid else { return .event(.nameTaken(bidder, token)) }
        return .name(bidder, token, used: isPresent ? nil : used)
    }
}
