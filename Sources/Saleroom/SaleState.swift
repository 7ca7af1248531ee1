import AuctionRules
import Wire

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
                case .message(let message) = record
            else { return false }
            guard results.isEmpty, readNews(message, number: number) else { return false }
        } else {
            guard readFact(record) else { return false }
        }
        linesLeft -= 1
        return !isComplete || isConsistent
    }

    /// Reads a line without an event number.
    private mutating func readFact(_ record: Record) -> Bool {
        if case .result(let message, let number, let time) = record {
            return read(LotResult(message, number: number, time: time))
        }
        guard results.isEmpty else { return false }
        switch record {
        case .time(let milliseconds):
            guard game == nil, time == nil else { return false }
            time = milliseconds
        case .game(let identity):
            guard game == nil else { return false }
            game = identity
        case .name(let bidder, let token, let hasBid, let used):
            guard game != nil, lot == nil, bars.isEmpty, names[bidder] == nil,
                let token = Token(token)
            else { return false }
            names.add(bidder, token: token)
            if hasBid { names.restoreAbsent(bidder, used: used ?? time ?? 0) }
        case .barred(let bidder, let end):
            guard game != nil, lot == nil, bars[bidder] == nil else { return false }
            bars[bidder] = end
        case .message(.who(let bidder)):
            guard lot == nil, names[bidder]?.isPresent == false else { return false }
            names.join(bidder)
        case .message(.lot(let newest, _, _)): return readLot(newest)
        case .message(.lap(let bid)): return read(bid)
        case .freed, .result, .message: return false
        }
        return true
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
        // Of a lot that has ended, the name may be free, or somebody else's by now.
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

    /// Reads news that still holds, under the number of its event.
    private mutating func readNews(_ message: ServerMessage, number: Int) -> Bool {
        if case .lot(let newest, _, _) = message {
            guard readLot(newest) else { return false }
            numbers.lot = number
            return true
        }
        guard let lot else { return false }
        switch message {
        case .price(let bid, _, _):
            guard numbers.lot != nil, numbers.price == nil, bids.last == bid else { return false }
            numbers.price = number
        case .countdown(let seconds, _):
            guard numbers.price != nil, numbers.countdown == nil,
                (0...Rules.allowedSeconds.upperBound).contains(seconds)
            else { return false }
            (numbers.countdown, secondsLeft) = (number, seconds)
        case .last:
            guard numbers.price != nil, numbers.last == nil else { return false }
            numbers.last = number
        case .winner(let sold):
            guard let leading = bids.last, sold.title == lot.title,
                leading.isPaid(by: sold)
            else { return false }
            return end(with: .winner(sold.ofLot(lot.number)), number)
        case .passed(let passed, _, _): return passed == lot && end(with: message, number)
        case .over(let lots):
            guard result != nil, !isOver, lots == lot.number else { return false }
            (isOver, numbers.end) = (true, number)
        case .paused:
            guard !isOver, numbers.pause == nil else { return false }
            numbers.pause = number
        default: return false  // No other news holds for longer than a moment.
        }
        return true
    }

    private mutating func end(with message: ServerMessage, _ number: Int) -> Bool {
        guard numbers.lot == nil, result == nil else { return false }
        numbers.result = number
        result = LotResult(message, number: number, time: 0)
        return true
    }

    private mutating func read(_ ended: LotResult) -> Bool {
        guard let lot, ended.number <= bound, ended.lot > results.last?.lot ?? 0,
            ended.lot < lot.number || isClosed && ended.lot == lot.number
        else { return false }
        if ended.lot == lot.number {
            guard ended.message == result?.message, ended.number == result?.number else {
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
    /// The lines of a state from which the sale can continue, each with the number of the event
    /// that it restates, if any.
    ///
    /// Of a lot's bids it has the first and the newest 1,000.
    func state(at now: Instant) -> [(record: Record, number: Int?)] {
        var state: [(Record, Int?)] = []
        if let time { state.append((.time(time), nil)) }
        if let game { state.append((.game(game), nil)) }
        names.forEach { account in
            state.append((.name(account), nil))
            if account.isPresent { state.append((.message(.who(account.bidder)), nil)) }
        }
        for (bidder, end) in bars.sorted(by: { $0.key.description < $1.key.description }) {
            state.append((.barred(bidder, until: end), nil))
        }
        for lot in formerLots.suffix(Self.mostKept) {
            state.append((.message(.lot(lot, start: nil, elapsed: nil)), nil))
        }
        let lot = ServerMessage.lot(auction.lot, start: rules.start, elapsed: nil)
        state.append((.message(lot), numbers.lot))
        let bids = auction.bids
        if let first = auction.first, let oldest = bids.first, first.number < oldest.number {
            state.append((.message(.lap(first)), nil))
        }
        state += bids.map { (.message(.lap($0)), nil) }
        for news in snapshot(at: now, remaining: nil).drop(while: { $0.number == numbers.lot }) {
            state.append((.message(news.message), news.number))
        }
        return state + results.suffix(Self.mostKept).map { ($0.record, nil) }
    }

    /// The news that still holds, with the numbers of the events: what a newcomer is told.
    ///
    /// `remaining` is the time left of the countdown.
    func snapshot(
        at now: Instant, remaining: Duration?
    ) -> [(message: ServerMessage, number: Int)] {
        let elapsed = auction.openedAt.duration(to: now)
        let entries: [(ServerMessage?, Int?)] = [
            (.lot(auction.lot, start: rules.start, elapsed: elapsed), numbers.lot),
            (
                auction.leading.map {
                    .price($0, lot: auction.lot.number, remaining: remaining)
                }, numbers.price
            ),
            (secondsLeft.map { .countdown($0, remaining: remaining) }, numbers.countdown),
            (.last, numbers.last), (result?.message, numbers.result),
            (.over(lots: auction.lot.number), numbers.end), (.paused, numbers.pause),
        ]
        return entries.compactMap { message, number in
            guard let message, let number else { return nil }
            return (message, number)
        }
    }
}

extension Bid {
    /// Whether a lot on which the bid leads can end with this sale.
    func isPaid(by sold: SoldLot) -> Bool {
        bidder == sold.bidder && price == sold.price && elapsed <= sold.elapsed
    }
}

extension Record {
    /// The line that says who owns a name.
    fileprivate static func name(_ account: Account) -> Record {
        .name(
            account.bidder, token: account.token.description, hasBid: account.hasBid,
            used: account.isPresent ? nil : account.used)
    }
}
