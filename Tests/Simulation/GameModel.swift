import Auction
import Wire

/// The state of a game, computed by the simulator itself: the offers, the price and the purses.
///
/// It reads the events of a server, one by one, and checks them without the code that decided them.
package struct GameModel {
    /// A maximum bid or a sealed bid.
    struct Secret {
        let amount: Int64
        /// Greater than that of every offer that was made before.
        let order: Int
    }

    private let base: Rules
    private let purse: Int64?
    private var planned: Rules?
    /// The rules of the newest lot.
    private(set) var rules: Rules
    private(set) var lot = 0
    private(set) var isOpen = false
    private(set) var secrets: [Bidder: Secret] = [:]
    private(set) var leading: Bid?
    private var ask: Int64
    private var revealed: [Bidder] = []
    private var isHammered = false
    private var isPaused = false
    private var wasVoided = false
    private var order = 0
    /// What each bidder who has paid anything has paid.
    private(set) var spent: [Bidder: Int64] = [:]
    private var muted: Set<Bidder> = []
    /// The lots in which nothing but bids has made the price.
    private(set) var plainLots: Set<Int> = []

    package init(_ rules: Rules, purse: Int64?) {
        (base, self.purse, self.rules) = (rules, purse, rules)
        ask = rules.start.amount
    }

    /// Continues with a sale that a server has recovered.
    init(_ sale: Sale, rules: Rules, purse: Int64?, plainLots: Set<Int>) {
        self.init(rules, purse: purse)
        let auction = sale.auction
        (self.rules, lot, isOpen) = (auction.rules, auction.lot.number, !auction.isClosed)
        (leading, isPaused, wasVoided) = (auction.leading, auction.isPaused, true)
        (isHammered, muted, self.plainLots) = (sale.isHammered, sale.muted, plainLots)
        ask = (auction.ask ?? auction.rules.start).amount
        if sale.isHammered { isOpen = true }
        if isOpen {
            for bid in auction.offersByTime { offer(bid.price, by: bid.bidder) }
        }
        revealed = Array(ranked.prefix(auction.revealed))
        for row in sale.completeStandings where row.spent > 0 { spent[row.bidder] = row.spent }
    }

    /// What the next bid must have.
    private var minimum: Int64 {
        guard let leading else { return rules.start.amount }
        let next = leading.price.amount + rules.step.amount
        return min(next, rules.buy?.amount ?? next)
    }

    /// The most that the next bid or maximum may have.
    private var maximum: Int64 {
        rules.mostRaise.map { (leading?.price ?? rules.start).amount + $0.amount } ?? .max
    }

    /// Whether the newest lot is a rising one with a countdown that bids restart.
    var isRising: Bool { rules.format == .english }

    /// The time of each asking price; nil in other formats.
    var askTime: Duration? {
        guard rules.format == .dutch else { return nil }
        let fall = rules.start.amount - min(rules.reserve ?? .lowest, rules.start).amount
        return rules.countdown / ((fall + rules.step.amount - 1) / rules.step.amount + 1)
    }

    /// Whether an open lot has an offer that may win.
    var hasOffers: Bool { isOpen && (leading != nil || !secrets.isEmpty) }

    /// Whether the leading bid ends the lot at once.
    var isWon: Bool {
        leading.map { !isRising || $0.price >= rules.buy ?? .highest && rules.buy != nil } ?? false
    }

    /// The bidders with a secret, the best offer first.
    private var ranked: [Bidder] {
        secrets.sorted { one, other in
            one.value.amount == other.value.amount
                ? one.value.order < other.value.order : one.value.amount > other.value.amount
        }.map(\.key)
    }

    /// What a bidder's purse must be told to hold; nil without purses.
    func left(of bidder: Bidder) -> Int64? {
        purse.map { $0 - (spent[bidder] ?? 0) - reserved(by: bidder) }
    }

    private func reserved(by bidder: Bidder) -> Int64 {
        guard isOpen else { return 0 }
        let price = leading.flatMap { $0.bidder == bidder ? $0.price.amount : nil }
        guard let secret = secrets[bidder]?.amount else { return price ?? 0 }
        if rules.format.isSealed { return leading == nil ? secret : price ?? 0 }
        return price != nil || secret >= minimum ? max(secret, price ?? 0) : 0
    }

    private mutating func offer(_ price: Price, by bidder: Bidder) {
        order += 1
        secrets[bidder] = Secret(amount: price.amount, order: order)
    }
}

extension GameModel {
    /// Takes an event, and returns which promise it breaks, if any.
    ///
    /// `hasAsked` tells whether a bidder, or for nil anybody, has asked for a price.
    package mutating func take(
        _ event: SaleEvent, hasAsked: (Bidder?, Int64) -> Bool
    ) -> Promise? {
        switch event {
        case .lotPlanned(let terms, let reserve): planned = base.with(terms, reserve: reserve)
        case .lotOpened(let lot): open(lot)
        case .bidPlaced(let bid): return place(bid, hasAsked: hasAsked)
        case .askFell(let price): return fall(to: price)
        case .bidSealed(let bid):
            let isRight = rules.format.isSealed && revealed.isEmpty && bid.price >= rules.start
            offer(bid.price, by: bid.bidder)
            return isRight && isPayable(bid.bidder) ? nil : .affordable
        case .maximumSet(let bidder, let price):
            plainLots.remove(lot)
            guard let price else {
                secrets[bidder] = nil
                return nil
            }
            offer(price, by: bidder)
            guard price.amount <= maximum else { return .fair }
            return isPayable(bidder) ? nil : .affordable
        case .bidsSealed(let count): return count == secrets.count ? nil : .fair
        case .bidRevealed(let bid): return reveal(bid)
        case .reserveMet:
            return leading.map { $0.price >= rules.reserve ?? .highest } == true ? nil : .fair
        case .lotSold(let sold): return sell(sold)
        case .lotPassed(_, let reason, _): return pass(reason)
        case .hammered: isHammered = true
        case .paused: isPaused = true
        case .resumed, .ended: isPaused = false
        case .bidVoided(let voided):
            (leading, wasVoided) = (voided.leading, true)
            secrets[voided.bidder] = nil
        case .bidderKicked(let bidder, _):
            if isOpen, revealed.isEmpty { secrets[bidder] = nil }
        case .rematchBegan: spent = [:]
        case .bidderMuted(let bidder): muted.insert(bidder)
        case .bidderUnmuted(let bidder): muted.remove(bidder)
        case .messageSaid(let bidder, _), .reacted(let bidder, _):
            return muted.contains(bidder) ? .rulings : nil
        default: break
        }
        return nil
    }

    /// Requires after a step that no maximum which does not lead could, and that of two equal
    /// offers the earlier leads.
    func checkSettled() -> Promise? {
        guard isOpen, isRising, !isPaused, !isHammered, let leading else { return nil }
        for (rival, secret) in secrets where rival != leading.bidder {
            guard secret.amount < minimum else { return .fair }
            guard !wasVoided, let own = secrets[leading.bidder], own.amount == secret.amount else {
                continue
            }
            guard own.order < secret.order else { return .fair }
        }
        return nil
    }

    /// Whether an answer is right at this moment of a lot in which bids alone make the price.
    ///
    /// The answer to an accepted bid comes before the price.
    package func explains(_ answer: ServerMessage, to bidder: Bidder?) -> Bool {
        if case .ok(.bid(let price), _) = answer {
            return bidder.map { accepts(price.amount, by: $0) } ?? false
        }
        return if case .error(let fault, _) = answer { explains(fault, to: bidder) } else { true }
    }

    private func accepts(_ amount: Int64, by bidder: Bidder) -> Bool {
        guard isOpen else { return false }
        let leads = leading?.bidder == bidder
        if leads, leading?.price.amount == amount { return true }
        return !isPaused && (!leads || rules.allowsSelfRaise) && amount >= minimum
            && amount <= maximum
    }

    private func explains(_ fault: ErrorReply, to bidder: Bidder?) -> Bool {
        let fact = fault.facts.first?.value
        let own = leading.flatMap { $0.bidder == bidder ? $0.price.amount : nil }
        return switch fault.code {
        // A leader's maximum may be the price.
        case .tooLow: fact == minimum || own != nil && fact == own
        case .tooHigh: fact == maximum
        case .leading: own != nil && fact == own
        case .closed: !isOpen
        case .paused: isPaused
        default: true
        }
    }

    private func isPayable(_ bidder: Bidder) -> Bool { left(of: bidder).map { $0 >= 0 } ?? true }

    private mutating func open(_ lot: Lot) {
        rules = planned ?? base.plain
        (planned, self.lot, isOpen, isHammered) = (nil, lot.number, true, false)
        (secrets, leading, revealed, wasVoided) = ([:], nil, [], false)
        ask = rules.start.amount
        if rules.isPlain { plainLots.insert(lot.number) }
    }

    private mutating func place(_ bid: Bid, hasAsked: (Bidder?, Int64) -> Bool) -> Promise? {
        if bid == leading || bid.isSame(as: leading) { return nil }
        let price = bid.price.amount
        defer { leading = bid }
        switch rules.format {
        case .english: guard price >= minimum else { return .rises }
        case .dutch: guard price == ask else { return .fair }
        case .sealed, .vickrey, .allpay: guard bid.price == rules.buy else { return .fair }
        }
        let before = minimum
        let rival = secrets.filter { $0.key != bid.bidder }.map(\.value.amount).max()
        if isRising, bid.price != rules.buy, price > maximum { return .fair }
        if isRising, !hasAsked(bid.bidder, price), bid.price != rules.buy {
            let isAlone = rival ?? 0 < before && !hasAsked(nil, price)
            if isAlone, bid.bidder == leading?.bidder, !rules.allowsSelfRaise { return .fair }
            guard let most = secrets[bid.bidder], most.amount >= price else { return .applied }
            let least = max(before, (rival ?? 0) + rules.step.amount, rules.reserve?.amount ?? 0)
            guard price <= least || hasAsked(nil, price) else { return .fair }
        }
        var after = self
        after.leading = bid
        return after.isPayable(bid.bidder) ? nil : .affordable
    }

    private mutating func fall(to price: Price) -> Promise? {
        let floor = rules.reserve ?? .lowest
        let next = max(ask - rules.step.amount, floor.amount)
        defer { ask = price.amount }
        return price.amount < ask && price.amount == next ? nil : .fair
    }

    private mutating func reveal(_ bid: SealedBid) -> Promise? {
        let order = ranked
        guard revealed.count < order.count, order[revealed.count] == bid.bidder,
            secrets[bid.bidder]?.amount == bid.price.amount
        else { return .fair }
        revealed.append(bid.bidder)
        return nil
    }

    private mutating func sell(_ sold: SoldLot) -> Promise? {
        let expected = expectedSale
        isOpen = false
        spent[sold.bidder, default: 0] += sold.price.amount
        if rules.format == .allpay, leading == nil {
            for (bidder, secret) in secrets where bidder != sold.bidder {
                spent[bidder, default: 0] += secret.amount
            }
        }
        guard expected?.bidder == sold.bidder, expected?.price == sold.price.amount else {
            return .fair
        }
        return isPayable(sold.bidder) ? nil : .affordable
    }

    private mutating func pass(_ reason: String) -> Promise? {
        let expected = expectedSale
        isOpen = false
        switch reason {
        case "no-bids": return leading == nil && secrets.isEmpty ? nil : .fair
        case "reserve-not-met":
            return expected == nil && (leading != nil || !secrets.isEmpty) ? nil : .fair
        default: return nil
        }
    }

    /// Who must get the lot, and for what; nil if nobody.
    private var expectedSale: (bidder: Bidder, price: Int64)? {
        let floor = max(rules.reserve?.amount ?? 0, rules.format == .dutch ? 0 : rules.start.amount)
        if let leading {
            return leading.price.amount >= floor ? (leading.bidder, leading.price.amount) : nil
        }
        let order = ranked
        guard rules.format.isSealed, revealed.count == order.count, let best = order.first,
            let amount = secrets[best]?.amount, amount >= floor
        else { return nil }
        guard rules.format == .vickrey else { return (best, amount) }
        let second = order.dropFirst().first.flatMap { secrets[$0]?.amount }
        return (best, max(second ?? floor, floor))
    }
}

extension Bid {
    /// Whether it is this bid, whatever its exact time.
    fileprivate func isSame(as other: Bid?) -> Bool {
        guard let other else { return false }
        return (number, price, bidder) == (other.number, other.price, other.bidder)
    }
}
