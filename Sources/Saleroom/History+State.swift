import AuctionRules
import Wire

/// The state at the beginning of a segment: the lines behind its header, in one fixed order.
///
/// The order is: the time, the identity of the game, the names, the lots, the newest bids, the
/// news that still holds, under its event numbers, and the results so far. A line that is out of
/// order, repeated or contradicts the others makes the segment unreadable.
extension History {
    /// How much of a state has been read.
    struct StateProgress: Equatable {
        /// The number of lines still to be read.
        var linesLeft = 0
        /// The highest event number that may be restated.
        var bound = 0
        var hasTime = false
        /// Whether the lot was restated under its event number: then it is open.
        var isLotRestated = false
        /// The event numbers restated so far; none may be restated twice.
        var restated: Set<Int> = []
        /// The lot whose result was read last; 0 before the first.
        var resultLot = 0
        /// The state at the end of the segment before, if that segment was read.
        var before: Holding?
    }

    /// The facts that must be equal at the end of a segment and in the state of the next.
    struct Holding: Equatable {
        let game: GameID?
        let lot: Lot?
        let bids: ArraySlice<Bid>
        let board: Board
        let isClosed: Bool
        let isOver: Bool
        let isPaused: Bool
    }

    /// Begins a segment with its first event number and the number of its state lines.
    ///
    /// Returns false if no segment can begin so. If the segment before was read, the state must
    /// agree with its end.
    public mutating func beginSegment(first: Int, state lines: Int) -> Bool {
        let isFirst = first == 1
        guard state.linesLeft == 0, isFirst == (lines == 0) else { return false }
        let before = lot == nil ? nil : holding(newest: bids.count)
        let results = results
        self = History()
        self.results = results
        seq = first - 1
        state = StateProgress(linesLeft: lines, bound: first - 1, before: before)
        return true
    }

    /// Reads one line of the state; false if it cannot stand there.
    mutating func restate(_ record: Record, number: Int?) -> Bool {
        guard restateLine(record, number: number) else { return false }
        state.linesLeft -= 1
        return state.linesLeft > 0 || endState()
    }

    private mutating func restateLine(_ record: Record, number: Int?) -> Bool {
        if let number {
            guard number > 0, number <= state.bound, state.restated.insert(number).inserted else {
                return false
            }
        }
        if case .result(let notice, let seq, let time) = record {
            return number == nil && restate(Result(notice, seq: seq, time: time))
        }
        guard state.resultLot == 0 else { return false }
        switch record {
        case .time(let milliseconds):
            guard number == nil, game == nil, !state.hasTime else { return false }
            (time, state.hasTime) = (milliseconds, true)
            return true
        case .game(let identity):
            guard number == nil, game == nil else { return false }
            game = identity
            return true
        case .name(let bidder, let token, let hasBid, let used):
            guard number == nil, game != nil, lot == nil, owners[bidder] == nil else {
                return false
            }
            return own(bidder, token: token, hasBid: hasBid, used: used)
        case .barred(let bidder, let until):
            guard number == nil, game != nil, lot == nil, bars[bidder] == nil else { return false }
            bars[bidder] = until
            return true
        case .freed, .result: return false
        case .notice(let notice): return restate(notice, number: number)
        }
    }

    private mutating func restate(_ notice: Notice, number: Int?) -> Bool {
        guard game != nil else { return false }
        switch notice {
        case .who(let bidder):
            return number == nil && lot == nil && setPresent(bidder, true)
        case .lot(let newest, _, _):
            guard newest.number > lot?.number ?? 0, !state.isLotRestated, bids.isEmpty,
                board.isBlank(but: false)
            else { return false }
            noteFormerLot()
            lot = newest
            state.isLotRestated = number != nil
        case .lap(let bid):
            guard number == nil, lot != nil, board.isBlank(but: state.isLotRestated) else {
                return false
            }
            return restate(bid)
        case .last:
            guard board.hasPrice, !isLast, number != nil else { return false }
            isLast = true
        case .price(let bid, _, _):
            guard state.isLotRestated, !board.hasPrice, bids.last == bid else { return false }
        case .countdown(let seconds, _):
            guard board.hasPrice, !board.hasCountdown, Self.isCountdown(seconds) else {
                return false
            }
        case .winner, .passed:
            guard lot != nil, !state.isLotRestated, !isClosed, isEnd(notice) else { return false }
            isClosed = true
        case .over(let lots):
            guard isClosed, !isOver, lots == lot?.number else { return false }
            isOver = true
        case .paused:
            guard lot != nil, !isOver, !isPaused else { return false }
            isPaused = true
        case .hello, .going, .resumed, .hammered, .voided, .kicked, .stopped, .joined, .left,
            .skipped, .bye, .help, .ok, .error:
            return false
        }
        guard let number else { return isLot(notice) }
        board.record(numbered(notice), seq: number)
        return true
    }

    /// Reads how a lot ended; false if it is out of order, or differs from what an earlier segment
    /// says.
    private mutating func restate(_ result: Result?) -> Bool {
        guard let result, let lot, result.seq <= state.bound, result.lot > state.resultLot,
            result.lot < lot.number || isClosed && result.lot == lot.number
        else { return false }
        state.resultLot = result.lot
        let place = results.firstIndex(notBefore: result.lot)
        if place < results.count, results[place].lot == result.lot {
            return results[place] == result
        }
        results.insert(result, at: place)
        return true
    }

    /// Takes the results from a history that was read from an older segment on.
    public mutating func takeResults(of whole: History) {
        results = whole.results
        lacksResults = false
    }

    /// Reads a bid; there may be a gap between the first bid of the lot and the newest ones.
    private mutating func restate(_ bid: Bid) -> Bool {
        if let first, bids.count == 1, bids[0].number == 1, bid.number > 2 {
            guard bid.price > first.price, bid.elapsed >= first.elapsed else { return false }
            bids = []
        }
        return add(bid, isFirst: bids.isEmpty)
    }

    /// Ends the state; false if a room cannot be in it, or it differs from the segment before.
    private mutating func endState() -> Bool {
        guard let lot, isClosed != state.isLotRestated else { return false }
        if !isClosed {
            guard board.hasPrice == !bids.isEmpty,
                bids.last.map({ owners[$0.bidder] != nil }) ?? true
            else { return false }
        }
        guard board.isInOrder, lot.number > 0 else { return false }
        lacksResults = state.resultLot == 0 && (lot.number > 1 || isClosed)
        let before = state.before
        state = StateProgress()
        return before == nil || before?.newest(bids.count) == holding(newest: bids.count)
    }

    private func holding(newest count: Int) -> Holding {
        Holding(
            game: game, lot: lot, bids: bids.suffix(count), board: board, isClosed: isClosed,
            isOver: isOver, isPaused: isPaused)
    }

    private func isLot(_ notice: Notice) -> Bool {
        if case .lot = notice { true } else { false }
    }
}

extension History.Holding {
    /// The same with only the newest bids.
    fileprivate func newest(_ count: Int) -> Self {
        Self(
            game: game, lot: lot, bids: bids.suffix(count), board: board, isClosed: isClosed,
            isOver: isOver, isPaused: isPaused)
    }

    static func == (one: Self, other: Self) -> Bool {
        one.game == other.game && one.lot == other.lot && one.bids.elementsEqual(other.bids)
            && one.board == other.board && one.isClosed == other.isClosed
            && one.isOver == other.isOver && one.isPaused == other.isPaused
    }
}

extension [History.Result] {
    /// The first place whose lot has this number or a later one, found in logarithmic time.
    fileprivate func firstIndex(notBefore lot: Int) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].lot < lot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
