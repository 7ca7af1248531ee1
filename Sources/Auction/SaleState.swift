/// The state with which a segment of the log begins, as it is read line by line.
///
/// The lines stand in the order of `Part`. A line that is out of order, repeated or contradicts the
/// others makes the segment unreadable.
struct SaleState {
    /// The highest event number that may be restated.
    let bound: Int
    private var linesLeft: Int
    private var numbersRead: Set<Int> = []
    private var part = Part.time

    private(set) var serverID: Identity?
    private(set) var time: Int64?
    private(set) var names = Names()
    private(set) var bars: [Bidder: Int64] = [:]
    private(set) var options: GameOptions?
    private(set) var muted: Set<Bidder> = []
    private(set) var tallies: [Tally] = []
    private var tallied: Set<Bidder> = []
    private(set) var added: [LotPlan] = []
    private(set) var formerLots: [Lot] = []
    private(set) var plan: (terms: Terms, reserve: Price?)?
    private(set) var lot: Lot?
    private(set) var value: Int64?
    private(set) var worths: [Worth] = []
    private(set) var format = Auction.FormatState()
    private(set) var bids: [Bid] = []
    private(set) var first: Bid?
    private(set) var numbers = Sale.Numbers()
    private(set) var secondsLeft: Int?
    private(set) var result: LotResult?
    private(set) var isOver = false
    private(set) var results: [LotResult] = []

    /// The parts of a state, in their order.
    private enum Part: Int {
        case time, serverID, options, names, bars, muted, tallies, added, lots, plan, newestLot,
            value, worths, bids, sealedBids, maxima, news, results
    }

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
                case .event(let event) = record, readNews(event, number: number)
            else { return false }
        } else {
            guard readFact(record) else { return false }
        }
        linesLeft -= 1
        return !isComplete || isConsistent
    }

    /// Moves on to a part; false if it is before the one that is read, or that has one line alone.
    private mutating func enter(_ next: Part, isRepeated: Bool = true) -> Bool {
        guard next.rawValue > part.rawValue || isRepeated && next == part else { return false }
        part = next
        return true
    }

    /// Reads a line without an event number.
    private mutating func readFact(_ record: Record) -> Bool {
        switch record {
        case .event(let event): return readFact(event)
        case .name(let bidder, let token, let used, let hasBid):
            guard mayAdd(bidder) else { return false }
            names.add(bidder, token: token)
            names.restoreAbsent(bidder, used: used ?? time ?? 0, hasBid: hasBid)
        case .present(let bidder):
            guard part == .names, names[bidder]?.isPresent == false else { return false }
            names.join(bidder)
        case .tally(let tally):
            guard enter(.tallies), tally.lots >= 0, tallied.insert(tally.bidder).inserted
            else { return false }
            tallies.append(tally)
        case .bid(let bid): return enter(.bids) && read(bid)
        case .result(let result): return enter(.results) && read(result)
        case .room, .roomOpened, .roomEnded, .roomState: return false  // They are of no sale.
        }
        return true
    }

    /// Reads an event without its number: it is for the log alone, or no longer holds.
    private mutating func readFact(_ event: SaleEvent) -> Bool {
        switch event {
        case .timeNoted(let milliseconds):
            guard part == .time, time == nil else { return false }
            time = milliseconds
        case .saleBegan(let identity):
            guard enter(.serverID, isRepeated: false) else { return false }
            serverID = identity
        case .gameSet(let options):
            guard serverID != nil, enter(.options, isRepeated: false) else { return false }
            self.options = options
        case .nameTaken(let bidder, let token):
            guard mayAdd(bidder) else { return false }
            names.add(bidder, token: token)
        case .nameBarred(let bidder, let end):
            guard serverID != nil, enter(.bars), bars[bidder] == nil else { return false }
            bars[bidder] = end
        case .bidderMuted(let bidder):
            return serverID != nil && enter(.muted) && muted.insert(bidder).inserted
        case .lotAdded(let plan):
            guard serverID != nil, enter(.added) else { return false }
            added.append(plan)
        default: return readLotFact(event)
        }
        return true
    }

    /// Reads an event of the newest lot or of a lot before.
    private mutating func readLotFact(_ event: SaleEvent) -> Bool {
        switch event {
        case .lotPlanned(let terms, let reserve):
            guard serverID != nil, enter(.plan, isRepeated: false),
                terms.hasReserve == (reserve != nil),
                Rules.problem(of: terms, reserve: reserve) == nil
            else { return false }
            plan = (terms, reserve)
        case .lotOpened(let newest): return readLot(newest, number: nil)
        case .valueDrawn(let value):
            guard lot != nil, enter(.value, isRepeated: false) else { return false }
            self.value = value
        case .worthDrawn(let worth):
            // The game may have no values any more: a restart can end them within a lot.
            guard isOpen, enter(.worths) else { return false }
            worths.append(worth)
        case .bidSealed(let bid):
            guard isOpen, enter(.sealedBids), format(is: \.isSealed) else { return false }
            format.sealedBids.append(bid)
            return names[bid.bidder] != nil
        case .maximumSet(let bidder, let maximum?):
            guard isOpen, enter(.maxima), format(is: \.isRising) else { return false }
            format.maxima.append(MaximumBid(bidder: bidder, price: maximum))
            return noteBid(by: bidder)
        default: return false  // Other lines of the state have what the other events changed.
        }
        return true
    }

    private func format(is condition: (AuctionFormat) -> Bool) -> Bool {
        condition(plan?.terms.format ?? .english)
    }

    private mutating func mayAdd(_ bidder: Bidder) -> Bool {
        serverID != nil && enter(.names) && names[bidder] == nil
    }

    /// Whether the newest lot was read, and is open.
    private var isOpen: Bool { numbers.lot != nil }

    private mutating func noteBid(by bidder: Bidder) -> Bool {
        guard let lot, names[bidder]?.hasBid == true else { return false }
        names.noteBid(by: bidder, in: lot.number)
        return true
    }

    /// Reads a lot: an earlier one, or the newest, which has a number if it is open.
    private mutating func readLot(_ newest: Lot, number: Int?) -> Bool {
        guard serverID != nil, newest.number > lot?.number ?? 0, !isOpen else { return false }
        // The newest lot ends the part in which lots can follow, which is known after a plan or a
        // number alone.
        let isNewest = number != nil || part == .plan
        guard enter(isNewest ? .newestLot : .lots, isRepeated: !isNewest) else { return false }
        if let lot { formerLots.append(lot) }
        (lot, numbers.lot) = (newest, number)
        return true
    }

    /// Reads a bid; there may be a gap between the first bid of the lot and the newest ones.
    private mutating func read(_ bid: Bid) -> Bool {
        guard lot != nil, bid.number > 0 else { return false }
        // After the lot has ended, the name may be free or have another owner.
        if isOpen {
            guard noteBid(by: bid.bidder) else { return false }
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
        if case .lotOpened(let newest) = event { return readLot(newest, number: number) }
        guard let lot, enter(.news) else { return false }
        switch event {
        case .bidPlaced(let bid):
            guard numbers.lot != nil, numbers.price == nil, bids.last == bid else { return false }
            numbers.price = number
        case .termsAnnounced(let terms):
            guard isOpen, numbers.terms == nil, terms == plan?.terms else { return false }
            numbers.terms = number
        case .askFell(let price):
            guard isOpen, numbers.ask == nil, format(is: { $0.verb == .take }) else { return false }
            (numbers.ask, format.ask) = (number, price)
        case .bidsSealed(let count):
            guard isOpen, numbers.sealed == nil, format(is: \.isSealed), count >= 0 else {
                return false
            }
            (numbers.sealed, format.announced) = (number, count)
        case .bidRevealed(let bid):
            guard isOpen, numbers.revealed == nil, let place = format.revealed(upTo: bid) else {
                return false
            }
            (numbers.revealed, format.revealed) = (number, place)
        case .reserveMet:
            guard isOpen, numbers.reserve == nil, plan?.reserve != nil else { return false }
            (numbers.reserve, format.isReserveMet) = (number, true)
        case .valueRevealed(let revealed):
            guard result != nil, numbers.value == nil, revealed == value else { return false }
            numbers.value = number
        case .championNamed(let bidder, let score):
            guard isOver, !tallies.isEmpty else { return false }
            numbers.champions.append(
                Sale.Champion(number: number, bidder: bidder, score: score))
        case .secondsLeft(let seconds):
            guard numbers.price != nil || format(is: \.beginsAtOpening),
                numbers.countdown == nil,
                (0...Rules.allowedSeconds.upperBound).contains(seconds)
            else { return false }
            (numbers.countdown, secondsLeft) = (number, seconds)
        case .lastReset:
            guard numbers.price != nil, numbers.last == nil else { return false }
            numbers.last = number
        case .lotSold(let sold):
            guard sold.title == lot.title, mayEnd(with: sold) else { return false }
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

    /// Whether the newest lot can end with a sale, of whose sealed bids nothing is left.
    private func mayEnd(with sold: SoldLot) -> Bool {
        guard let leading = bids.last else { return format(is: \.isSealed) }
        return leading.isPaid(by: sold)
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
        return [terms, price, ask, sealed, revealed, countdown, last, reserve].allSatisfy {
            follows($0, lot)
        }
            && follows(value, result) && follows(end, result)
            && champions.allSatisfy { follows($0.number, end) }
    }
}

extension Auction.FormatState {
    /// The number of bids that have been revealed when this one was the last; nil if it is none.
    fileprivate func revealed(upTo last: SealedBid) -> Int? {
        guard let index = sealedBids.firstIndex(where: { $0.isRevealed(by: last) }) else {
            return nil
        }
        // They stand in the order of time, so of equal bids the earlier were revealed before.
        return sealedBids[...index].count { $0.price >= last.price }
            + sealedBids[index...].count { $0.price > last.price }
    }
}

extension Bid {
    /// Whether a lot on which the bid leads can end with this sale.
    func isPaid(by sold: SoldLot) -> Bool {
        bidder == sold.bidder && price == sold.price && elapsed <= sold.elapsed
    }
}
