import Auction
import Basics
import House
import Wire

/// Compares what a server decides, publishes and recovers with the model of a game.
struct GameReferee {
    private let purse: Price?
    private let base: Rules
    private let amounts: Amounts
    /// The game by what was decided, and by what was published.
    private(set) var model: GameModel
    private var published: GameModel
    /// The offers of the newest lot that were decided and are not published, by their bidders.
    private var pending: [Bidder: [Int64?]] = [:]
    private var rulesByLot: [Int: Rules] = [:]
    /// What each lot is worth to each bidder.
    private var worths: [String: Int64] = [:]

    init(_ rules: Rules, purse: Price?, _ amounts: Amounts) {
        (base, self.purse, self.amounts) = (rules, purse, amounts)
        model = GameModel(rules, purse: purse?.amount)
        published = model
    }

    /// The rules of a lot in which bids alone make the price; nil for any other.
    func plainRules(ofLot number: Int) -> Rules? {
        model.plainLots.contains(number) ? rulesByLot[number] : nil
    }

    // Decisions

    /// Takes an effect of the room; `bidder` is that of its connection, if it has one.
    mutating func decide(_ effect: Effect, of bidder: Bidder?) -> Violation? {
        switch effect {
        case .journal(let event): return take(event)
        case .news(let event, _, _, _):
            amounts.secrecy.publish(.event(event))
            return take(event)
        case .reply(let message, _):
            guard isTrue(message, to: bidder) else {
                return Violation(promise: .personal, facts: message.words)
            }
            return plainRules(ofLot: model.lot) == nil || model.explains(message, to: bidder)
                ? nil : Violation(promise: .linearizable, facts: message.words)
        default: return nil
        }
    }

    /// Requires after a step that every maximum has bid what it had to.
    func checkSettled() -> Violation? {
        model.checkSettled().map { Violation(promise: $0, facts: "lot \(model.lot)") }
    }

    private mutating func take(_ event: SaleEvent) -> Violation? {
        let promise = model.take(event) { [amounts] in amounts.hasAsked($0, $1) }
        note(event)
        return promise.map { Violation(promise: $0, facts: "\(event)") }
    }

    private mutating func note(_ event: SaleEvent) {
        switch event {
        case .lotPlanned(_, let reserve?): amounts.secrecy.keep(reserve.amount, of: nil)
        case .lotOpened(let lot):
            rulesByLot[lot.number] = model.rules
            pending = [:]
        case .bidSealed(let bid):
            amounts.secrecy.keep(bid.price.amount, of: bid.bidder)
            pending[bid.bidder, default: []].append(bid.price.amount)
        case .maximumSet(let bidder, let price):
            price.map { amounts.secrecy.keep($0.amount, of: bidder) }
            pending[bidder, default: []].append(price?.amount)
        case .bidVoided(let voided): pending[voided.bidder, default: []].append(nil)
        case .bidderKicked(let bidder, _): pending[bidder, default: []].append(nil)
        case .valueDrawn(let value): amounts.secrecy.keep(value, of: nil)
        case .worthDrawn(let worth):
            worths["\(model.lot) \(worth.bidder)"] = worth.amount
            amounts.secrecy.keep(worth.amount, of: worth.bidder)
        default: break
        }
    }

    /// Whether a private message tells its bidder what the model has.
    private func isTrue(_ message: ServerMessage, to bidder: Bidder?) -> Bool {
        switch message {
        case .purse(let left): return bidder.flatMap { model.left(of: $0) } == left
        case .worth(let amount, _):
            return bidder.flatMap { worths["\(model.lot) \($0)"] } == amount
        case .maximum(let price), .ownBid(let price):
            return bidder.flatMap { model.secrets[$0]?.amount } == price.amount
        case .you(let members):
            guard let bidder else { return false }
            var own = OwnState(bidder)
            own.merge(json: members)
            let left = own.left.map { $0 == model.left(of: bidder) }
            let worth = own.worth.map { $0 == worths["\(model.lot) \(bidder)"] }
            let offer = (own.maximum ?? own.sealed).map {
                $0.amount == model.secrets[bidder]?.amount
            }
            return [left, worth, offer].allSatisfy { $0 ?? true }
        default: return true
        }
    }

    // Publishing, and starts

    mutating func publish(_ effect: Effect) {
        guard let event = effect.event else { return }
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
        // The journal has only the rules of lots with rules of their own.
        sale.resume(with: base, at: Instant(nanoseconds: 0))
        let found = GameModel(
            sale, rules: base, purse: purse?.amount, plainLots: model.plainLots)
        defer { (model, published, pending) = (found, found, [:]) }
        rulesByLot[found.lot] = found.rules
        guard found.lot == published.lot, found.isOpen, published.isOpen else { return nil }
        guard found.spent == published.spent else {
            return Violation(promise: .kept, facts: "bidders have paid other amounts")
        }
        for bidder in Set(published.secrets.keys).union(found.secrets.keys) {
            let allowed = [published.secrets[bidder]?.amount] + (pending[bidder] ?? [])
            guard allowed.contains(found.secrets[bidder]?.amount) else {
                return Violation(promise: .kept, facts: "the offer of \(bidder) is another")
            }
        }
        return nil
    }
}

extension Effect {
    /// The event of a sale that it records; nil if it records none.
    var event: SaleEvent? {
        switch self {
        case .journal(let event), .news(let event, _, _, _): event
        default: nil
        }
    }
}
