import Basics

/// An auction with rising open bids, each of which restarts the countdown; the last one wins.
struct English: FormatLogic {
    var traits: AuctionFormat.Traits {
        AuctionFormat.Traits(
            rule: "each bid restarts the countdown, and the last one wins",
            advice: "the price of this lot rises, type: bid AMOUNT", pricing: .rivalBid,
            isRising: true, beginsAtOpening: false)
    }

    func decideBid(
        _ price: Price, by bidder: Bidder, in auction: Auction, at now: Instant
    ) throws(Auction.Refusal) -> SaleEvent? {
        try auction.requireOpen()
        let leading = auction.leading
        if let leading, leading.bidder == bidder, leading.price == price { return nil }
        guard !auction.isPaused else { throw .paused }
        if let leading, leading.bidder == bidder, !auction.rules.allowsSelfRaise {
            throw .leading(leading.price)
        }
        guard price.amount >= auction.minimum else { throw .belowMinimum(auction.minimum) }
        guard price.amount <= auction.maximum else { throw .aboveMaximum(auction.maximum) }
        return auction.placed(price, by: bidder, at: now)
    }

    /// A maximum above the buy price counts as the buy price, the most that anybody pays.
    ///
    /// It may exceed the price by as much as a bid may, so an automatic bid exceeds the price by no
    /// more either: two bidders who cooperate raise the price no faster with maxima than with bids.
    func decideMaximum(
        _ maximum: Price?, of bidder: Bidder, in auction: Auction
    ) throws(Auction.Refusal) -> SaleEvent? {
        let former = auction.maximum(of: bidder)
        guard let maximum else { return former.map { _ in .maximumSet(bidder, nil) } }
        let price = min(maximum, auction.rules.buy ?? maximum)
        guard price != former else { return nil }
        guard !auction.isPaused else { throw .paused }
        let own = auction.leading.flatMap { $0.bidder == bidder ? $0.price.amount : nil }
        let least = own ?? auction.minimum
        guard price.amount >= least else { throw .belowMinimum(least) }
        guard price.amount <= auction.maximum else { throw .aboveMaximum(auction.maximum) }
        return .maximumSet(bidder, price)
    }

    /// The first of these that is due: an automatic bid, `reserveMet`, `lastReset`.
    func dueEvent(in auction: Auction, at now: Instant) -> SaleEvent? {
        if let bid = automaticBid(in: auction, at: now) { return bid }
        guard let leading = auction.leading else { return nil }
        if let reserve = auction.rules.reserve, !auction.isReserveMet, leading.price >= reserve {
            return .reserveMet
        }
        if let longest = auction.rules.longest, !auction.isLast, let first = auction.first,
            leading.elapsed - first.elapsed >= longest
        {
            return .lastReset
        }
        return nil
    }

    private func automaticBid(in auction: Auction, at now: Instant) -> SaleEvent? {
        let rules = auction.rules
        guard !auction.isPaused, !auction.secretBids.isEmpty,
            let bid = auction.secretBids.automaticBid(
                against: auction.leading, minimum: auction.minimum, rules),
            let price = Price(min(bid.amount, rules.buy?.amount ?? bid.amount))
        else { return nil }
        return auction.placed(price, by: bid.bidder, at: now)
    }

    func cost(of bid: SealedBid, in auction: Auction) -> Int64 {
        // A maximum below the minimum cannot lead, so it costs nothing unless a void lowers the
        // price.
        let leads = auction.leading?.bidder == bid.bidder
        return leads || bid.price.amount >= auction.minimum ? bid.price.amount : 0
    }
}

/// Automatic bids: how the maximum bids of a lot bid against each other.
///
/// A challenger leads at the leader's maximum plus one step, or at its own maximum if that is less.
/// A leader who can bid a full step above a challenger leads one step above it; a leader who cannot
/// leads at the challenger's amount. Of two equal maxima the earlier leads, at their amount. So the
/// leader pays the price of a Vickrey auction, or at most one step more.
///
/// Source: eBay, "Automatic bidding"; D. Lucking-Reiley, "Vickrey Auctions in Practice", Journal of
/// Economic Perspectives 14 (2000).
extension SecretBids {
    /// A bid that the server makes for a bidder.
    typealias AutomaticBid = (bidder: Bidder, amount: Int64)

    /// The next automatic bid; nil if none is due.
    ///
    /// It is at most the maximum of its bidder. The caller applies it and asks again; nil follows
    /// after about three bids, whatever the amounts.
    func automaticBid(against leading: Bid?, minimum: Int64, _ rules: Rules) -> AutomaticBid? {
        let own = leading.flatMap { self[$0.bidder] }?.price.amount
        guard let bid = answer(to: leading, own: own, minimum: minimum, rules) else { return nil }
        // No price below the reserve wins, so a maximum that reaches the reserve bids it at once.
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
            // Without a challenger the leader raises its own bid only to reach the reserve.
            guard rules.allowsSelfRaise, let leading, let own, let reserve = rules.reserve,
                leading.price < reserve,
                own >= max(reserve.amount, minimum)
            else { return nil }
            return (leading.bidder, minimum)
        }
        let most = rival.price.amount
        guard let leader, let own, own >= minimum else { return (rival.bidder, minimum) }
        if most > own { return (rival.bidder, min(most, own + rules.step.amount)) }
        // The challenger bids its whole maximum first, so that everybody sees why it is outbid.
        if own >= most + rules.step.amount { return (rival.bidder, most) }
        return (leader, most)
    }
}
