import Auction
import Wire

/// The lots as the journal records them, checked line by line against the rules.
package struct LotRecord {
    /// One lot, as far as it has come.
    struct Entry {
        let lot: Lot
        var bids: [Bid] = []
        var voided: [Bid] = []
        /// The number of the event with which it ended; nil while it is open.
        var ended: Int?
        /// Its entry in the list of results, without the time if that is unknown; nil while it is
        /// open.
        fileprivate(set) var result: ServerMessage?

        var isClosed: Bool { ended != nil }
    }

    private let rules: Rules
    /// Whether the sale has lots of its own.
    private let hasLots: Bool
    /// The rules by which each lot is checked; nil for the lot of another kind of auction.
    private var lotRules: Rules?
    private(set) var lots: [Entry] = []
    private var events = 0
    private(set) var isPaused = false
    /// Whether the auctioneer sells the lot now, and nobody has won yet.
    private(set) var isHammered = false
    /// Whether bids no longer reset the countdown.
    private(set) var isLast = false

    package init(rules: Rules, hasLots: Bool = true) {
        (self.rules, self.hasLots) = (rules, hasLots)
        lotRules = rules
    }

    /// Whether a lot was sold at a price to somebody, or had such a bid.
    func holds(_ price: Int64, by bidder: Bidder, inLot number: Int) -> Bool {
        lots.indices.contains(number - 1)
            && (lots[number - 1].bids + lots[number - 1].voided).contains {
                $0.price.amount == price && $0.bidder == bidder
            }
    }

    /// Whether an entry of the list of results is that of a lot.
    func hasResult(_ entry: ServerMessage, ofLot number: Int) -> Bool {
        guard case .result(let lot, let winner, let price, _) = entry,
            lots.indices.contains(number - 1), let result = lots[number - 1].result
        else { return false }
        let isTimed = winner != nil
        let untimed = ServerMessage.result(lot, winner: winner, price: price, elapsed: nil)
        return result.words == (isTimed ? entry : untimed).words
    }

    /// The number of lots that have ended.
    var endedCount: Int { lots.count(where: \.isClosed) }

    /// Whether a message repeats the price that leads again after a void.
    func repeats(_ message: ServerMessage?) -> Bool {
        guard case .bidPlaced(let bid)? = message?.event, let last = lots.last?.bids.last else {
            return false
        }
        return (bid.number, bid.price, bid.bidder) == (last.number, last.price, last.bidder)
    }

    /// Takes the words of an event, and returns what is wrong with them.
    package mutating func take(_ words: String) -> Violation? { take(words, in: rules) }

    /// Takes the words of an event of a lot with rules of its own.
    ///
    /// With nil, what makes the price is not checked.
    mutating func take(_ words: String, in rules: Rules?) -> Violation? {
        lotRules = rules
        events += 1
        guard let message = ServerMessage(text: words) else {
            return Violation(promise: .replays, facts: "no message: \(words)")
        }
        return take(message).map { Violation(promise: $0, facts: words) }
    }

    private mutating func take(_ message: ServerMessage) -> Promise? {
        switch message.event {
        case .lotOpened(let lot): return open(lot)
        case .bidPlaced(let bid): return place(bid)
        case .lotSold(let sale): return close(sale)
        case .lastReset: return last()
        case .secondsLeft, .warned:
            return lotRules == nil || lots.last?.bids.isEmpty == false ? nil : .countdown
        case .ended:
            isPaused = false
            return lots.last?.isClosed ?? !hasLots ? nil : .oneLot
        case .paused: return pause(true)
        case .resumed: return pause(false)
        case .bidVoided(let voided): return void(voided)
        case .hammered:
            isHammered = true
            let isEmpty = lotRules != nil && lots.last?.bids.isEmpty != false
            return lots.last?.isClosed == false && !isEmpty ? nil : .rulings
        case .lotPassed(let lot, _, _): return pass(lot)
        default: return message.event == nil ? .oneLot : nil  // No other event changes a lot.
        }
    }

    private mutating func pause(_ isNow: Bool) -> Promise? {
        defer { isPaused = isNow }
        return isPaused == isNow ? .rulings : nil
    }

    private mutating func void(_ voided: VoidedBid) -> Promise? {
        guard let lot = lots.last, !lot.isClosed, let last = lot.bids.last,
            voided == VoidedBid(last, leading: lot.bids.dropLast().last)
        else { return .rulings }
        lots[lots.count - 1].voided.append(last)
        lots[lots.count - 1].bids.removeLast()
        isLast = isLast && lot.bids.count > 1
        return nil
    }

    /// The bid before came so long after the first that none sets the countdown back behind it.
    private mutating func last() -> Promise? {
        guard let longest = lotRules?.longest else {
            isLast = true
            return lotRules == nil ? nil : .countdown
        }
        guard let lot = lots.last, !lot.isClosed, !isLast,
            let first = lot.bids.first, let newest = lot.bids.last
        else { return .countdown }
        isLast = true
        let isVoided = !lot.voided.isEmpty
        // The text has tenths.
        let elapsed = newest.elapsed - first.elapsed
        return isVoided || elapsed >= longest - .milliseconds(100) ? nil : .countdown
    }

    private mutating func pass(_ lot: Lot) -> Promise? {
        guard let last = lots.last, !last.isClosed, last.lot == lot else { return .oneLot }
        end(.result(lot, winner: nil, price: nil, elapsed: nil))
        return nil
    }

    private mutating func end(_ result: ServerMessage) {
        (lots[lots.count - 1].ended, lots[lots.count - 1].result) = (events, result)
        (isHammered, isLast) = (false, false)
    }

    private mutating func open(_ lot: Lot) -> Promise? {
        guard !isPaused else { return .rulings }
        guard lot.number == lots.count + 1, lots.last?.isClosed != false else { return .oneLot }
        lots.append(Entry(lot: lot))
        return nil
    }

    private mutating func place(_ bid: Bid) -> Promise? {
        guard let lot = lots.last, !lot.isClosed else { return .oneWinner }
        if lot.bids.last == bid { return lot.voided.isEmpty ? .rises : nil }
        guard !isPaused, !isHammered else { return .rulings }
        guard bid.number == lot.bids.count + 1 else { return .rises }
        defer { lots[lots.count - 1].bids.append(bid) }
        guard let rules = lotRules else {
            return lot.bids.last.map { bid.price > $0.price } ?? true ? nil : .rises
        }
        if let last = lot.bids.last {
            guard bid.price.amount >= last.price.amount + rules.step.amount else { return .rises }
            guard bid.bidder != last.bidder || rules.allowsSelfRaise else { return .rises }
        } else if bid.price < rules.start {
            return .rises
        }
        return nil
    }

    private mutating func close(_ sale: SoldLot) -> Promise? {
        guard let lot = lots.last, !lot.isClosed, sale.title == lot.lot.title else {
            return .oneWinner
        }
        if lotRules != nil {
            guard let bid = lot.bids.last, bid.price == sale.price, bid.bidder == sale.bidder
            else { return .oneWinner }
        }
        guard !isPaused || isHammered else { return .rulings }
        end(.result(lot.lot, winner: sale.bidder, price: sale.price, elapsed: sale.elapsed))
        return nil
    }
}
