import AuctionRules
import Lobby
import Sale
import Wire

/// Compares what a server decides, publishes and recovers with the model of a game.
struct GameReferee {
    private let settings: GameSettings
    private let base: Rules
    /// The game by what was decided, and by what was published.
    private(set) var model: GameModel
    private var published: GameModel
    /// The offers of the newest lot that were decided and are not published, by their bidders.
    private var pending: [Bidder: [Int64?]] = [:]
    private var rulesByLot: [Int: Rules] = [:]
    /// What each lot is worth to each bidder.
    private var worths: [String: Int64] = [:]
    /// The bidder of each connection, by the answers to `name`.
    private var holders: [SessionID: Bidder] = [:]
    private var asked: Set<String> = []
    private var askedAmounts: Set<Int64> = []
    private(set) var secrecy = Secrecy()

    init(_ rules: Rules, _ settings: GameSettings) {
        (base, self.settings) = (rules, settings)
        model = GameModel(rules, purse: settings.purse?.amount)
        published = model
    }

    mutating func noteAsked(_ amount: Int64, by bidder: Bidder) {
        asked.insert("\(bidder) \(amount)")
        askedAmounts.insert(amount)
    }

    /// The rules of a lot in which bids alone make the price; nil for any other.
    func plainRules(ofLot number: Int) -> Rules? {
        model.plainLots.contains(number) ? rulesByLot[number] : nil
    }

    // Decisions

    mutating func decide(_ effect: Effect) -> Violation? {
        switch effect {
        case .note(let event): return take(event, effect)
        case .news(let message, _, _):
            secrecy.publish(message)
            return SaleEvent(message).flatMap { take($0, effect) }
        case .reply(.ok(.name(let bidder, _), _), let id):
            holders[id] = bidder
            return nil
        case .reply(let message, let id):
            return isTrue(message, to: id)
                ? nil
                : Violation(
                    promise: .personal, facts: message.words)
        default: return nil
        }
    }

    /// Requires after a step that every maximum has bid what it had to.
    func checkSettled() -> Violation? {
        model.checkSettled().map { Violation(promise: $0, facts: "lot \(model.lot)") }
    }

    private mutating func take(_ event: SaleEvent, _ effect: Effect) -> Violation? {
        let (asked, amounts) = (asked, askedAmounts)
        let promise = model.take(event) { bidder, amount in
            bidder.map { asked.contains("\($0) \(amount)") } ?? amounts.contains(amount)
        }
        note(event)
        return promise.map { Violation(promise: $0, facts: "\(event)") }
    }

    private mutating func note(_ event: SaleEvent) {
        switch event {
        case .lotPlanned(_, let reserve?): secrecy.keep(reserve.amount, of: nil)
        case .lotOpened(let lot):
            rulesByLot[lot.number] = model.rules
            pending = [:]
        case .bidSealed(let bid):
            secrecy.keep(bid.price.amount, of: bid.bidder)
            pending[bid.bidder, default: []].append(bid.price.amount)
        case .maximumSet(let bidder, let price):
            price.map { secrecy.keep($0.amount, of: bidder) }
            pending[bidder, default: []].append(price?.amount)
        case .bidVoided(let voided): pending[voided.bidder, default: []].append(nil)
        case .bidderKicked(let bidder, _): pending[bidder, default: []].append(nil)
        case .valueDrawn(let value): secrecy.keep(value, of: nil)
        case .worthDrawn(let worth):
            worths["\(model.lot) \(worth.bidder)"] = worth.amount
            secrecy.keep(worth.amount, of: worth.bidder)
        default: break
        }
    }

    /// Whether a private line tells its bidder what the model has.
    private func isTrue(_ message: ServerMessage, to id: SessionID) -> Bool {
        let bidder = holders[id]
        switch message {
        case .purse(let left): return bidder.flatMap { model.left(of: $0) } == left
        case .worth(let amount, _):
            return bidder.flatMap { worths["\(model.lot) \($0)"] } == amount
        case .maximum(let price), .ownBid(let price):
            return bidder.flatMap { model.secrets[$0]?.amount } == price.amount
        default: return true
        }
    }

    // Publishing, and starts

    mutating func publish(_ effect: Effect) {
        let event: SaleEvent? =
            switch effect {
            case .note(let event): event
            case .news(let message, _, _): SaleEvent(message)
            default: nil
            }
        guard let event else { return }
        _ = published.take(event) { _, _ in true }
        switch event {
        case .bidSealed(let bid): settle(bid.bidder)
        case .maximumSet(let bidder, _), .bidderKicked(let bidder, _): settle(bidder)
        case .bidVoided(let voided): settle(voided.bidder)
        default: break
        }
    }

    /// Forgets the oldest offer of a bidder that was not published.
    private mutating func settle(_ bidder: Bidder) {
        guard published.lot == model.lot, pending[bidder]?.isEmpty == false else { return }
        pending[bidder]?.removeFirst()
    }

    /// Continues with what a start has recovered, which has every offer that was published.
    mutating func recover(_ sale: Sale) -> Violation? {
        var sale = sale
        // The log has the rules of the lots alone that have their own.
        sale.resume(with: base, at: Instant(nanoseconds: 0))
        let purse = settings.purse?.amount
        let found = GameModel(sale, rules: base, purse: purse, plainLots: model.plainLots)
        defer { (model, published, pending, holders) = (found, found, [:], [:]) }
        rulesByLot[found.lot] = found.rules
        guard found.lot == published.lot, found.isOpen, published.isOpen else { return nil }
        for bidder in Set(published.secrets.keys).union(found.secrets.keys) {
            let allowed = [published.secrets[bidder]?.amount] + (pending[bidder] ?? [])
            guard allowed.contains(found.secrets[bidder]?.amount) else {
                return Violation(promise: .kept, facts: "the offer of \(bidder) is another")
            }
        }
        return nil
    }
}

/// The amounts that not everybody may know.
struct Secrecy {
    /// The only bidder who may know each; nobody if there is none.
    private var owners: [Int64: Set<Bidder>] = [:]
    private var published: Set<Int64> = []

    mutating func keep(_ amount: Int64, of bidder: Bidder?) {
        guard amount >= GameTerms.secretAmounts.lowerBound else { return }
        owners[amount, default: []].formUnion([bidder].compactMap { $0 })
    }

    /// Notes the amounts that news makes known.
    mutating func publish(_ message: ServerMessage) {
        switch message {
        case .price(let bid, _, _): published.insert(bid.price.amount)
        case .revealed(_, let price, _), .ask(let price, _): published.insert(price.amount)
        case .winner(let sold): published.insert(sold.price.amount)
        case .value(let value): published.insert(value)
        default: break
        }
    }

    /// Whether news or the minimum after it can be this amount by itself.
    private func isNearNews(_ amount: Int64) -> Bool {
        published.contains { abs($0 - amount) <= 100 }
    }

    /// A secret in a line that a client with these names receives; nil if there is none.
    ///
    /// `sent` are the amounts that the client has sent.
    func leak(in line: String, to names: Set<Bidder>, sent: Set<Int64>) -> Int64? {
        for digits in line.utf8.split(whereSeparator: { !(48...57).contains($0) })
        where digits.count >= 9 {
            guard let amount = Int64(String(decoding: digits, as: UTF8.self)),
                let owners = owners[amount], !isNearNews(amount), !sent.contains(amount),
                owners.isDisjoint(with: names)
            else { continue }
            return amount
        }
        return nil
    }
}
