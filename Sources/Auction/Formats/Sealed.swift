import Basics

/// An auction with one secret bid for each bidder, revealed at the end; the highest wins.
struct Sealed: FormatLogic {
    /// What decides how much is paid.
    let pricing: AuctionFormat.Pricing

    var traits: AuctionFormat.Traits {
        AuctionFormat.Traits(
            rule: rule, advice: "the bids on this lot are sealed, type: bid AMOUNT",
            pricing: pricing, isSealed: true)
    }

    private var rule: String {
        switch pricing {
        case .ownBid: "secret bids: the highest wins and pays its amount"
        case .rivalBid: "secret bids: the highest wins, but pays the second-highest"
        case .everyBid: "secret bids: the highest wins, and all pay what they bid"
        }
    }

    func decideBid(
        _ price: Price, by bidder: Bidder, in auction: Auction, at now: Instant
    ) throws(Auction.Refusal) -> SaleEvent? {
        try auction.requireOpen()
        if auction.secretBids[bidder]?.price == price { return nil }
        guard !auction.isPaused else { throw .paused }
        let start = auction.rules.start
        guard price >= start else { throw .belowMinimum(start.amount) }
        return .bidSealed(
            SealedBid(bidder: bidder, price: price, elapsed: auction.openedAt.duration(to: now)))
    }

    /// The number of bids, which is told whenever it has changed.
    func dueEvent(in auction: Auction, at now: Instant) -> SaleEvent? {
        auction.announced == auction.sealedCount ? nil : .bidsSealed(auction.sealedCount)
    }

    /// After a purchase nobody pays for a secret bid.
    func cost(of bid: SealedBid, in auction: Auction) -> Int64 {
        auction.leading == nil ? bid.price.amount : 0
    }

    /// The highest bid wins, if it reaches the reserve.
    ///
    /// In a second-price auction it pays the second-highest bid, or else the least that would win.
    ///
    /// Sources: W. Vickrey, "Counterspeculation, Auctions, and Competitive Sealed Tenders", Journal
    /// of Finance 16 (1961); M. Baye, D. Kovenock and C. de Vries, "The All-Pay Auction with
    /// Complete Information", Economic Theory 8 (1996).
    func outcome(of bids: SecretBids, under rules: Rules) -> Outcome {
        guard !bids.isEmpty else { return .passed(reason: .noBids) }
        let (best, floor) = (bids[0], max(rules.start, rules.reserve ?? rules.start))
        guard best.price >= floor else { return .passed(reason: .reserveNotMet) }
        switch pricing {
        case .ownBid, .everyBid: return .sold(to: best.bidder, for: best.price)
        case .rivalBid:
            let second = bids.count > 1 ? bids[1].price : floor
            return .sold(to: best.bidder, for: max(second, floor))
        }
    }

    func price(ofLosing bid: SealedBid) -> Price? { pricing == .everyBid ? bid.price : nil }
}
