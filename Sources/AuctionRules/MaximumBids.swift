/// The maximum bids of a lot, with which the server bids for their bidders.
///
/// The highest maximum leads at the least price that no other maximum reaches: the second-highest
/// plus one increment, or its own amount if that is less. Of two equal maxima the earlier leads, at
/// their amount. So up to the increment the leader pays what a Vickrey auction would ask.
///
/// Source: P. Milgrom, "Putting Auction Theory to Work" (2004), 2.1; eBay, "Automatic bidding".
struct MaximumBids: Equatable, Sendable {
    private var bids = RankedBids<MaximumBid>()

    init() {}

    /// Restores maximum bids in the order in which they were set.
    init(_ maxima: [MaximumBid]) {
        for maximum in maxima { set(maximum.price, of: maximum.bidder) }
    }

    var isEmpty: Bool { bids.isEmpty }

    /// All of them, the earliest first.
    var inOrderOfTime: [MaximumBid] { bids.inOrderOfTime }

    subscript(bidder: Bidder) -> Price? { bids[bidder]?.price }

    /// Sets the maximum of a bidder, or takes it back if it is nil.
    mutating func set(_ maximum: Price?, of bidder: Bidder) {
        guard let maximum else { return bids.remove(bidder) }
        bids.set(MaximumBid(bidder: bidder, price: maximum))
    }

    /// A bid that the server makes for a bidder.
    typealias Proxy = (bidder: Bidder, amount: Int64)

    /// The bid that follows from the maxima; nil if the leader stays where it is.
    ///
    /// Asked again after each bid, it ends after at most about three, whatever the amounts.
    func nextBid(leading: Bid?, minimum: Int64, _ rules: Rules) -> Proxy? {
        let own = leading.flatMap { self[$0.bidder] }?.amount
        if let challenger = challenger(to: leading?.bidder, minimum: minimum) {
            let bid = answer(to: challenger, own: own, leader: leading?.bidder, minimum, rules)
            let needed = reserve(unmetBy: leading, rules) ?? 0
            guard bid.amount < needed, self[bid.bidder].map({ $0.amount >= needed }) ?? false
            else { return bid }
            return (bid.bidder, needed)
        }
        // The leader's own maximum reaches the reserve that the price does not.
        guard let own, let leader = leading?.bidder, own >= minimum,
            let reserve = reserve(unmetBy: leading, rules), own >= reserve
        else { return nil }
        return (leader, max(reserve, minimum))
    }

    /// The best maximum of a bidder who does not lead, if it still reaches the minimum.
    private func challenger(to leader: Bidder?, minimum: Int64) -> MaximumBid? {
        guard let best = bids.best(except: leader), best.price.amount >= minimum else { return nil }
        return best
    }

    private func answer(
        to challenger: MaximumBid, own: Int64?, leader: Bidder?, _ minimum: Int64, _ rules: Rules
    ) -> Proxy {
        let most = challenger.price.amount
        guard let leader, let own, own >= minimum else { return (challenger.bidder, minimum) }
        if most > own {
            return (challenger.bidder, min(most, own + rules.step.amount))
        }
        // The challenger bids all it has, so that everybody sees why it is outbid.
        if own >= most + rules.step.amount { return (challenger.bidder, most) }
        return (leader, most)
    }

    /// The reserve, if the price does not reach it.
    private func reserve(unmetBy leading: Bid?, _ rules: Rules) -> Int64? {
        guard let reserve = rules.reserve, leading.map({ $0.price < reserve }) ?? true else {
            return nil
        }
        return reserve.amount
    }
}
