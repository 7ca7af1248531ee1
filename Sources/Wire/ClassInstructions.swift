import Auction
import Basics

/// What a student reads before a round, and a question for practice.
public struct ClassInstructions: Equatable, Sendable {
    /// The name of the auction.
    public let title: String
    /// How the round is played, what the winner pays and how one earns; five sentences, or six with
    /// a reserve.
    public let sentences: [String]
    /// A question about the profit in an example.
    public let question: String
    /// Three answers, of which one is right.
    public let answers: [String]
    /// The index of the right answer.
    public let right: Int
}

extension ClassInstructions {
    /// The instructions as a JSON object.
    package var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBuffered(as: .json) { line in
            line.append("{\"title\":")
            line.append(quoted: title)
            line.append(",\"sentences\":")
            sentences.write(to: &line)
            line.append(",\"question\":")
            line.append(quoted: question)
            line.append(",\"answers\":")
            answers.write(to: &line)
            line.append(",\"right\":")
            line.append(right)
            line.append("}")
        }
        return bytes
    }
}

extension ClassPlan {
    /// What a student reads before a round, in a group of this many bidders.
    public func instructions(for round: ClassRound, groupSize: Int) -> ClassInstructions {
        let format = round.format
        let example = PracticeExample(format, values)
        var sentences = sentences(ofGroup: groupSize)
        sentences.append(procedure(of: round))
        sentences.append(format.payment)
        sentences.append(format.traits.earnings(values.isCommon ? "its true value" : "your value"))
        if lot.reserve != nil {
            sentences.append("The lot is not sold below a lowest price, which is secret.")
        }
        return ClassInstructions(
            title: format.title, sentences: sentences, question: example.question,
            answers: example.profits.map { "\($0)" }, right: example.right)
    }

    /// Against whom one plays, and what a lot is worth.
    private func sentences(ofGroup size: Int) -> [String] {
        let rivals = "\(size - 1) other\(size == 2 ? "" : "s")"
        let range = "from \(values.range.lowerBound) to \(values.range.upperBound)"
        switch values {
        case .personal:
            return [
                "You and \(rivals) bid for one lot.",
                "It has its own value for each of you: any whole number \(range) is equally likely, "
                    + "and only you see yours.",
            ]
        case .common(_, let noise):
            return [
                "You and \(rivals) bid for one lot, which has the same value for all of you: any "
                    + "whole number \(range) is equally likely.",
                "Nobody knows this value: you see an estimate, which is at most \(noise) too low or "
                    + "too high, and the others see other estimates.",
            ]
        }
    }

    /// How one bids, and when the round ends.
    private func procedure(of round: ClassRound) -> String {
        let (format, options) = (round.format, lotPlan(for: round).options)
        let seconds = "\(options.seconds ?? 1) second\(options.seconds == 1 ? "" : "s")"
        if format.isSealed {
            return
                "Bid in secret within \(seconds), until then you can change your bid; at the end "
                + "the highest bid wins, and of equal bids the first."
        }
        if format.isRising {
            return
                "Everybody sees each bid, which is above the one before and starts a countdown of "
                + "\(seconds) again; when it reaches 0, the last bidder wins."
        }
        return "The price falls from \(options.start?.amount ?? 0) in \(seconds), and the first to "
            + "take it wins at once; if nobody does, nobody wins."
    }
}

/// The parts of the text that depend on the format.
extension AuctionFormat.Traits {
    fileprivate var title: String {
        guard isSealed else {
            return isRising ? "Rising price (English auction)" : "Falling price (Dutch auction)"
        }
        switch pricing {
        case .ownBid: return "Secret bids, first price"
        case .rivalBid: return "Secret bids, second price (Vickrey auction)"
        case .everyBid: return "Secret bids, everybody pays (all-pay auction)"
        }
    }

    fileprivate var payment: String {
        guard isSealed else {
            return "The winner pays the price at that moment; the others pay nothing."
        }
        switch pricing {
        case .ownBid: return "The winner pays what they bid; the others pay nothing."
        case .rivalBid:
            return "The winner pays the second-highest bid, not their own; the others pay nothing."
        case .everyBid: return "Everybody pays what they bid, also those who do not win."
        }
    }

    fileprivate func earnings(_ value: String) -> String {
        switch pricing {
        case .ownBid, .rivalBid:
            "If you win, you earn \(value) less what you pay, which can be a loss; if not, you earn "
                + "nothing."
        case .everyBid:
            "If you win, you earn \(value) less your bid, which can be a loss; if not, you lose your "
                + "bid."
        }
    }

    fileprivate func story(own: Int64, rival: Int64) -> String {
        if isSealed { return "You bid \(own), and the highest bid of the others is \(rival)." }
        if isRising { return "The others stop at \(rival), and you win with a bid of \(own)." }
        return "You take the lot when the price is \(own)."
    }
}

extension GameOptions.Values {
    fileprivate var isCommon: Bool {
        switch self {
        case .personal: false
        case .common: true
        }
    }
}

/// An example of a lot, in which one wins, or loses where that costs something.
private struct PracticeExample {
    let question: String
    /// The right profit and two wrong ones, in rising order.
    let profits: [Int64]
    let right: Int

    init(_ format: AuctionFormat, _ values: GameOptions.Values) {
        let (value, high, low, estimate): (Int64, Int64, Int64, Int64) = (100, 80, 60, 110)
        let loses = format.cost(of: low, against: high) > 0
        let (own, rival) = loses ? (low, high) : (high, low)
        let profit = (loses ? 0 : value) - format.cost(of: own, against: rival)
        // What one earns who pays another amount, and who confuses value or estimate with profit.
        let wrong =
            loses
            ? [0, value - own]
            : [value - own, value - rival, values.isCommon ? estimate - own : value]
        let known =
            values.isCommon
            ? "Your estimate is \(estimate), and the true value turns out to be \(value)."
            : "Your value is \(value)."
        question = "\(known) \(format.traits.story(own: own, rival: rival)) How much do you earn?"
        profits = ([profit] + wrong.filter { $0 != profit }.prefix(2)).sorted()
        right = profits.firstIndex(of: profit) ?? 0
    }
}

extension AuctionFormat {
    /// What a bid costs its bidder when the highest bid of the others is `rival`.
    fileprivate func cost(of own: Int64, against rival: Int64) -> Int64 {
        let open = Instant(nanoseconds: 0)
        var auction = Auction(
            Lot(number: 1), rules: Rules(seconds: 1, format: self), openedAt: open)
        let bids = [("you", own), ("other", rival)].compactMap { name, amount in
            Bidder(name).flatMap { bidder in
                Price(amount).map { SealedBid(bidder: bidder, price: $0, elapsed: .zero) }
            }
        }
        if traits.isSealed {
            for bid in bids { auction.apply(.bidSealed(bid), at: open) }
        } else if let best = bids.max(by: { $0.price < $1.price }) {
            let bid = Bid(number: 1, price: best.price, bidder: best.bidder, elapsed: .zero)
            auction.apply(.bidPlaced(bid), at: open)
        }
        return auction.payments.first { $0.bidder == bids[0].bidder }?.price.amount ?? 0
    }
}
