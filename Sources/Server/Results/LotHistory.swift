import Auction

/// What a journal has recorded of one lot: its bids, what it was worth to whom, and how it ended.
package struct LotHistory: Equatable {
    /// The lot.
    let lot: Lot
    /// The format of the auction; nil if the lines that said it are not in the journal any more.
    private(set) var format: AuctionFormat?
    /// The least that can be bid, or the first asking price; nil if the room's options say it.
    private(set) var start: Price?
    /// Every accepted bid that is known, in the order of acceptance.
    private(set) var bids: [Entry] = []
    /// How the lot ended; nil while it is open.
    private(set) var outcome: LotResult.Outcome?
    /// The common value, which was drawn for everybody.
    private(set) var commonValue: Int64?
    /// What the lot is worth to each bidder: a private value, or an estimate.
    private(set) var worths: [Bidder: Int64] = [:]
    /// The maximum up to which the server bids for each bidder who has set one.
    private(set) var maxima: [Bidder: Price] = [:]
    /// The places in `bids` of those that were not voided and are not sealed.
    private var open: [Int] = []
    /// The places in `bids` of the sealed bids that count.
    private var sealed: [Bidder: Int] = [:]

    /// An accepted bid.
    struct Entry: Equatable {
        let bidder: Bidder
        let price: Price
        /// The time since the lot opened.
        let elapsed: Duration
        /// Why the bid no longer counts; nil if it does.
        var end: End?

        /// The reasons why an accepted bid no longer counts.
        enum End: String {
            /// The auctioneer voided it.
            case void
            /// The bidder replaced it by another sealed bid.
            case replaced
            /// The bidder was kicked.
            case withdrawn
        }
    }

    /// Begins the history of a lot; without terms it is a plain English auction.
    init(of lot: Lot, _ terms: Terms?) {
        self.lot = lot
        (format, start) = (terms?.format ?? .english, terms?.start)
    }

    /// Creates the history of a lot of which only the end is known.
    init(_ result: LotResult) {
        lot = result.lot
        outcome = result.outcome
    }

    /// The winner and the price; nil if the lot was not sold.
    var sale: SoldLot? {
        guard case .sold(let sold)? = outcome else { return nil }
        return sold
    }

    /// The place in `bids` of the bid that won; nil if none did, or it is not known.
    var winning: Int? {
        guard let sale else { return nil }
        if let last = open.last, bids[last].bidder == sale.bidder { return last }
        return sealed[sale.bidder]
    }

    /// What a bid that did not win has cost its bidder; nil if nothing.
    ///
    /// After a purchase, which is an open bid, nobody pays for a sealed one.
    func cost(ofLosing place: Int) -> Int64? {
        guard sale != nil, open.isEmpty, format?.pricing == .everyBid, place != winning,
            bids[place].end == nil
        else { return nil }
        return bids[place].price.amount
    }

    /// What the lot is worth to a bidder who wins it; nil if it has no value, or that is not known.
    func value(to bidder: Bidder) -> Int64? { commonValue ?? worths[bidder] }

    /// Records an event of the lot; ignores all others.
    mutating func record(_ event: SaleEvent) {
        switch event {
        case .bidPlaced(let bid): place(bid)
        case .bidSealed(let bid):
            end(sealed[bid.bidder], .replaced)
            sealed[bid.bidder] = bids.count
            bids.append(Entry(bidder: bid.bidder, price: bid.price, elapsed: bid.elapsed))
        case .bidVoided(let voided):
            end(open.popLast(), .void)
            maxima[voided.bidder] = nil
        case .bidderKicked(let bidder, _):
            end(sealed.removeValue(forKey: bidder), .withdrawn)
            maxima[bidder] = nil
        case .termsAnnounced(let terms): (format, start) = (terms.format, terms.start)
        case .maximumSet(let bidder, let maximum): maxima[bidder] = maximum
        case .valueDrawn(let value): commonValue = value
        case .worthDrawn(let worth): worths[worth.bidder] = worth.amount
        case .lotSold(let sold): outcome = .sold(sold)
        case .lotPassed(_, let reason, let elapsed):
            outcome = .passed(reason: reason, elapsed: elapsed)
        default: break
        }
    }

    /// Records a bid, unless it only leads again after a void.
    mutating func place(_ bid: Bid) {
        let last = open.last.map { bids[$0] }
        let isRepeated =
            last?.bidder == bid.bidder && last?.price == bid.price
            && last?.elapsed == bid.elapsed
        guard !isRepeated else { return }
        open.append(bids.count)
        bids.append(Entry(bidder: bid.bidder, price: bid.price, elapsed: bid.elapsed))
    }

    private mutating func end(_ place: Int?, _ end: Entry.End) {
        if let place { bids[place].end = end }
    }
}

/// A reader of a journal that divides what happened in a room into the histories of its lots.
///
/// A room that has ended and was opened again has lots from 1 on each time. Memory: that of the
/// bids of one lot, and of the results with which the oldest segment begins.
package struct LotHistoryReader {
    private let room: RoomName
    /// The newest lot; nil before the first, and after its end.
    package private(set) var current: LotHistory?
    /// The number of the oldest lot of which bids may be missing; nil if nothing is missing.
    package private(set) var firstPartial: Int?
    /// The terms of the next lot.
    private var planned: Terms?
    /// Whether the next line belongs to the room.
    private var isInRoom = false
    /// The lines that are left of the state of all rooms, and of one room.
    private var stateLines = (all: 0, room: 0)
    /// Whether the lines of the room's state repeat what was read.
    private var isRepetition = false
    /// Whether the room was open in an earlier line.
    private var hasBegun = false
    /// The lots that had ended before the oldest segment.
    private var former: [LotHistory] = []

    /// Creates a reader of the lines of one room.
    package init(of room: RoomName = .main) {
        self.room = room
    }

    /// Begins a segment with the number of its state lines.
    package mutating func beginSegment(state: Int) {
        stateLines = (state, 0)
        isInRoom = room == .main
        if state == 0 { hasBegun = isInRoom }
    }

    /// Reads one line, and returns the lots that are complete now, by rising numbers.
    package mutating func read(_ record: Record) -> [LotHistory] {
        guard stateLines.all == 0 else { return readState(record) }
        switch record {
        case .room(let next): isInRoom = next == room
        case .roomOpened(let opened, _, _):
            isInRoom = opened == room
            if isInRoom { hasBegun = true }
        case .roomEnded(let ended):
            isInRoom = room == .main
            guard ended == room else { return [] }
            hasBegun = false
            planned = nil
            return current.take().map { [$0] } ?? []
        case .event(let event): if isInRoom { return read(event) }
        case .name, .present, .bid, .result, .tally, .award, .roomState: break
        }
        return []
    }

    private mutating func read(_ event: SaleEvent) -> [LotHistory] {
        switch event {
        case .lotPlanned(let terms, _): planned = terms
        case .lotOpened(let lot): open(lot)
        default: current?.record(event)
        }
        guard let ended = current, ended.outcome != nil else { return [] }
        current = nil
        return [ended]
    }

    /// Reads a line of the state with which a segment begins.
    private mutating func readState(_ record: Record) -> [LotHistory] {
        stateLines.all -= 1
        if stateLines.all == 0 { isInRoom = room == .main }
        guard stateLines.room > 0 else {
            if case .roomState(let name, _, let lines) = record, name == room {
                beginRoomState(lines: lines)
            }
            return []
        }
        stateLines.room -= 1
        guard !isRepetition else { return [] }
        readRoomState(record)
        return stateLines.room == 0 ? completeState() : []
    }

    private mutating func beginRoomState(lines: Int) {
        stateLines.room = lines
        (isRepetition, hasBegun) = (hasBegun, true)
    }

    private mutating func readRoomState(_ record: Record) {
        switch record {
        case .event(.lotPlanned(let terms, _)): planned = terms
        case .event(.lotOpened(let lot)):
            open(lot)
            firstPartial = lot.number
        case .event(let event): current?.record(event)
        case .bid(let bid): current?.place(bid)
        case .result(let result) where result.lot.number != current?.lot.number:
            former.append(LotHistory(result))
        case .result, .name, .present, .tally, .award, .room, .roomOpened, .roomEnded, .roomState:
            break
        }
    }

    private mutating func completeState() -> [LotHistory] {
        var ended = former
        former = []
        if let last = current, last.outcome != nil {
            ended.append(last)
            current = nil
        }
        return ended
    }

    private mutating func open(_ lot: Lot) {
        current = LotHistory(of: lot, planned)
        planned = nil
    }
}
