/// Automatic bids: how the maximum bids of a lot bid against each other.
///
/// The highest maximum leads at the least price that no other maximum reaches: the second-highest
/// plus one increment, or its own amount if that is less. Of two equal maxima the earlier leads, at
/// their amount. So up to one increment the leader pays what a Vickrey auction asks.
///
/// Source: eBay, "Automatic bidding"; D. Lucking-Reiley, "Vickrey Auctions in Practice", Journal of
/// Economic Perspectives 14 (2000).
extension SecretBids {
    /// A bid that the server makes for a bidder.
    typealias AutomaticBid = (bidder: Bidder, amount: Int64)

    /// The bid that follows from the maxima; nil if the leader stays where it is.
    ///
    /// It is at most the maximum of its bidder. Asked again after each bid, it ends after about
    /// three, whatever the amounts.
    func automaticBid(against leading: Bid?, minimum: Int64, _ rules: Rules) -> AutomaticBid? {
        let own = leading.flatMap { self[$0.bidder] }?.price.amount
        guard let bid = answer(to: leading, own: own, minimum: minimum, rules) else { return nil }
        // Below the reserve no price wins, so a maximum that reaches it goes there at once.
        guard let reserve = rules.reserve?.amount, bid.amount < reserve,
            let most = self[bid.bidder]?.price.amount, most >= reserve
        else { return bid }
        return (bid.bidder, reserve)
    }

    private func answer(
        to leading: Bid?, own: Int64?, minimum: Int64, _ rules: Rules
    ) -> AutomaticBid? {
        let leader = leading?.bidder
        guard let rival = best(except: leader), rival.price.amount >= minimum else {
            // The leader bids against the reserve alone, where leaders may raise their own bids.
            guard rules.allowsSelfRaise, let leading, let own, let reserve = rules.reserve,
                leading.price < reserve,
                own >= max(reserve.amount, minimum)
            else { return nil }
            return (leading.bidder, minimum)
        }
        let most = rival.price.amount
        guard let leader, let own, own >= minimum else { return (rival.bidder, minimum) }
        if most > own { return (rival.bidder, min(most, own + rules.step.amount)) }
        // The rival bids all it has, so that everybody sees why it is outbid.
        if own >= most + rules.step.amount { return (rival.bidder, most) }
        return (leader, most)
    }
}
