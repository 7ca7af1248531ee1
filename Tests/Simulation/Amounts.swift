import Auction
import Wire

/// The amounts that clients have asked for, and those that are secret, in all rooms.
final class Amounts {
    /// How often each bidder asked for each amount, and how often such a bid was applied.
    private var asked: [String: Int] = [:]
    private var applied: [String: Int] = [:]
    private var askedByAnybody: Set<Int64> = []
    var secrecy = Secrecy()

    func noteAsked(_ amount: Int64, by bidder: Bidder) {
        asked["\(bidder) \(amount)", default: 0] += 1
        askedByAnybody.insert(amount)
    }

    /// Whether a bidder, or for nil anybody, has asked for a price.
    func hasAsked(_ bidder: Bidder?, _ amount: Int64) -> Bool {
        bidder.map { asked["\($0) \(amount)"] != nil } ?? askedByAnybody.contains(amount)
    }

    /// Counts a bid that is applied: it must have been asked for, once for each time.
    func noteApplied(_ bid: Bid) -> Violation? {
        let key = "\(bid.bidder) \(bid.price.amount)"
        applied[key, default: 0] += 1
        guard applied[key, default: 0] > asked[key, default: 0] else { return nil }
        return Violation(promise: .applied, facts: key)
    }

    /// Forgets what was applied, because a start applies it again.
    func forgetApplied() { applied = [:] }
}

/// The amounts that not everybody may know.
struct Secrecy {
    /// The only bidder who may know each; nobody if there is none.
    private var owners: [Int64: Set<Bidder>] = [:]
    private var published: Set<Int64> = []
    /// Whether it is told what a lot was worth to its winner.
    var tellsWorths = false

    mutating func keep(_ amount: Int64, of bidder: Bidder?) {
        // Everybody is told the highest price, as the maximum of a bid without a bound of its own.
        guard amount >= GameTerms.secretAmounts.lowerBound, amount < Price.highest.amount else {
            return
        }
        owners[amount, default: []].formUnion([bidder].compactMap { $0 })
    }

    /// Notes the amounts that news makes known.
    mutating func publish(_ message: ServerMessage) {
        switch message.event {
        case .termsAnnounced(let terms): (terms.buy?.amount).map { _ = published.insert($0) }
        case .bidPlaced(let bid): published.insert(bid.price.amount)
        case .bidRevealed(let bid): published.insert(bid.price.amount)
        case .askFell(let price): published.insert(price.amount)
        case .lotSold(let sold): published.insert(sold.price.amount)
        case .valueRevealed(let value): published.insert(value)
        default: break
        }
    }

    /// Whether news or the minimum after it can be this amount by itself.
    private func isNearNews(_ amount: Int64) -> Bool {
        published.contains { abs($0 - amount) <= 100 }
    }

    /// The line without what the lot was worth to its winner, if it says that the sale is over.
    ///
    /// Then the standings have the profits, from which the worth follows.
    private func withoutToldWorth(_ line: String) -> String {
        guard tellsWorths || line.contains(#""stage":"over""#),
            let name = line.firstRange(of: #""winnerWorth":"#)
        else { return line }
        return String(line[..<name.lowerBound]) + line[name.upperBound...].drop { $0.isNumber }
    }

    /// A secret in a line that a client with these names receives; nil if there is none.
    ///
    /// `sent` are the amounts that the client has sent.
    func leak(in line: String, to names: Set<Bidder>, sent: Set<Int64>) -> Int64? {
        let line = withoutToldWorth(line)
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
