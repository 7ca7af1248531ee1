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
        let options = lotPlan(for: round).options
        let example = PracticeExample(options, values)
        var sentences = sentences(ofGroup: groupSize)
        sentences.append(options.procedure)
        sentences.append(options.payment)
        sentences.append(
            format.traits.earnings(values.noise == nil ? "your value" : "its true value"))
        if lot.reserve != nil {
            sentences.append("The lot is not sold below a lowest price, which is secret.")
        }
        return ClassInstructions(
            title: format.title, sentences: sentences, question: example.question,
            answers: example.profits.map { "\($0)" }, right: example.right)
    }

    /// Against whom one plays, and what a lot is worth.
    private func sentences(ofGroup size: Int) -> [String] {
        // A group may have more or fewer members, by who is in the class when it is drawn.
        let group =
            "You and usually \(size - 1) other\(size == 2 ? "" : "s") bid for one lot (the item for "
            + "sale); when the round begins, you see how many you are."
        let range = "from \(values.range.lowerBound) to \(values.range.upperBound)"
        switch values {
        case .personal:
            return [
                group,
                "The lot has its own value for each of you: any whole number \(range) is equally likely, "
                    + "and only you see yours.",
            ]
        case .common(_, let noise):
            return [
                group,
                "The lot has the same value for all of you, any whole number \(range). Nobody knows "
                    + "it: you see an estimate, at most \(noise) too low or too high, and the "
                    + "others see other estimates.",
            ]
        }
    }
}

/// The parts of the text that depend on the options of the lot, which has a format.
extension LotOptions {
    fileprivate var kind: AuctionFormat { format ?? .english }
    fileprivate var least: Int64 { (start ?? .lowest).amount }
    fileprivate var raise: Int64 { (step ?? .lowest).amount }

    /// How one bids, and when the round ends.
    fileprivate var procedure: String {
        let time = "\(seconds ?? 1) second\(seconds == 1 ? "" : "s")"
        if kind.isSealed {
            return
                "Bid \(least > 1 ? "at least \(least) " : "")in secret within \(time), until then you "
                + "can change your bid; at the end the highest bid wins, and of equal bids the first."
        }
        if kind.isRising {
            let first = least > 1 ? " (the first: at least \(least))" : ""
            return
                "Everybody sees each bid, which is \(raise > 1 ? "at least \(raise) " : "")above the "
                + "one before\(first) and starts a countdown of \(time) again; at 0 the last bidder "
                + "wins. If nobody bids within \(time), nobody wins."
        }
        let floor = reserve == nil ? "to \(Price.lowest.amount) " : ""
        return "The price falls from \(least) \(floor)in \(time), and the first to take it wins at "
            + "once; if nobody does, nobody wins."
    }

    /// Who pays what.
    fileprivate var payment: String {
        guard kind.isSealed else {
            return "The winner pays the price at that moment; the others pay nothing."
        }
        switch kind.traits.pricing {
        case .ownBid: return "The winner pays what they bid; the others pay nothing."
        case .rivalBid:
            let alone = reserve == nil ? "\(least)" : "the lowest price"
            return
                "The winner pays the second-highest bid, not their own, or \(alone) if nobody else "
                + "bids; the others pay nothing."
        case .everyBid: return "Everybody pays what they bid, also those who do not win."
        }
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

/// An example of a lot, in which one wins, or loses where that costs something.
///
/// Its numbers are possible in the class: the value is in the range, the estimate is as near to it
/// as the noise says, and the bids are allowed.
private struct PracticeExample {
    let question: String
    /// The right profit and two wrong ones, in rising order.
    let profits: [Int64]
    let right: Int

    init(_ options: LotOptions, _ values: GameOptions.Values) {
        let format = options.kind
        let range = values.range
        // The least bid where bids rise; the first asking price is none.
        let least = format.verb == .take ? 1 : options.least
        let floor = least > 1 ? least : 0
        // The middle of the range, or more if that leaves no room for different bids.
        let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
        let value = max(middle, min(range.upperBound, floor + 20))
        let low = max(floor + (value - floor) * 3 / 5, least)
        var high = max(
            floor + (value - floor) * 4 / 5, low + (format.isRising ? options.raise : 1))
        if format.verb == .take { high = options.askingPrice(near: high) }
        let loses = format.cost(of: low, against: high) > 0
        let (own, rival) = loses ? (low, high) : (high, low)
        let profit = (loses ? 0 : value) - format.cost(of: own, against: rival)
        let estimate = value + min(values.noise ?? 0, max(value / 10, 1))
        // The profit with another payment, and the value or the estimate in place of the profit.
        let likely =
            loses
            ? [0, value - own]
            : [value - own, value - rival, values.noise == nil ? value : estimate - own]
        var wrong: [Int64] = []
        // Small numbers may be equal, so that others have to fill up.
        for answer in likely + [value, own, profit + 1, profit + 2]
        where answer != profit && !wrong.contains(answer) && wrong.count < 2 {
            wrong.append(answer)
        }
        let known =
            values.noise == nil
            ? "Your value is \(value)."
            : "Your estimate is \(estimate), and the true value turns out to be \(value)."
        question = "\(known) \(format.traits.story(own: own, rival: rival)) How much do you earn?"
        profits = ([profit] + wrong).sorted()
        right = profits.firstIndex(of: profit) ?? 0
    }
}

extension LotOptions {
    /// The asking price of a falling lot that is an amount, or the next above it.
    fileprivate func askingPrice(near amount: Int64) -> Int64 {
        amount < least ? least - (least - amount) / raise * raise : least
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
