import Auction
import TestSupport
import Wire

/// What a client knows of the price, and the amounts that it has sent.
struct KnownAmounts {
    private var price: Int64?
    private var minimum: Int64
    private var lastBid: Int64?
    private var lastMaximum: Int64?
    /// The amounts that it has sent, in whatever command.
    private(set) var sent: Set<Int64> = []

    init(minimum: Int64) {
        self.minimum = minimum
    }

    /// Updates what it knows of the price.
    mutating func learn(_ message: ServerMessage, _ rules: Rules) {
        switch message.event {
        case .bidVoided, .lotOpened: (price, minimum) = (nil, rules.start.amount)
        case .bidPlaced(let bid):
            (price, minimum) = (bid.price.amount, bid.price.amount + rules.step.amount)
        default: break
        }
    }

    mutating func noteSent(_ amount: Int64) { sent.insert(amount) }

    /// Draws the amount of a bid, sometimes a secret one with `hasSecrets`, and notes its sending.
    mutating func drawBid(hasSecrets: Bool, using dice: inout SplitMix64) -> Int64 {
        let drawn: Int64 =
            switch Int.random(in: 0..<100, using: &dice) {
            case 0..<12 where hasSecrets: .random(in: GameTerms.secretAmounts, using: &dice)
            case 0..<45: minimum
            case 45..<65: minimum + .random(in: 1...40, using: &dice)
            case 65..<78: price ?? minimum
            case 78..<84: minimum - .random(in: 1...10, using: &dice)
            case 84: Price.highest.amount
            default: lastBid ?? minimum
            }
        let amount = min(max(drawn, 1), Price.highest.amount)
        lastBid = amount
        noteSent(amount)
        return amount
    }

    /// Draws a maximum, and notes that it is sent: a new one, that of another client, its own
    /// again, or one near the price.
    mutating func drawMaximum(
        _ neighbour: KnownAmounts, using dice: inout SplitMix64
    ) -> Int64 {
        let drawn: Int64 =
            switch Int.random(in: 0..<8, using: &dice) {
            case 0..<4: .random(in: GameTerms.secretAmounts, using: &dice)
            case 4: neighbour.lastMaximum ?? minimum
            case 5: lastMaximum ?? minimum
            default: minimum + .random(in: 0...30, using: &dice)
            }
        let amount = min(drawn, Price.highest.amount)
        lastMaximum = amount
        noteSent(amount)
        return amount
    }
}
