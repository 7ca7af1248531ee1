import Auction

extension LotView {
    /// The bid of a risk-neutral bidder in the equilibrium of a first-price auction.
    ///
    /// It is the expected highest value of the rivals, given that all of them are below `worth`:
    /// for values drawn evenly from `prior` and n bidders, `low + (worth - low) * (n - 1) / n`, or
    /// somewhat more if the lot starts above `low`. A falling price is the same game: the bidder
    /// chooses a price, and pays it if nobody has chosen a higher one. Rounded down; alone, a
    /// bidder bids the start.
    ///
    /// Source: V. Krishna, "Auction Theory", 2nd edition, 2010, propositions 2.2 and 2.5.
    public var equilibriumBid: Int64 {
        let bidders = rivals + 1
        // The lowest asking price is secret.
        let start = terms.format.verb == .take ? Price.lowest.amount : terms.start.amount
        let low = min(max(prior.lowerBound, 0), worth)
        guard worth > low, worth > start else { return worth }
        let range = Double(worth - low)
        // The chance that a rival with a value below `worth` cannot afford the start.
        let excluded = max(Double(start - low) / range, 0)
        var excludedAll = 1.0
        for _ in 0..<min(bidders, 1_000) { excludedAll *= excluded }
        let shade = range / Double(bidders) * (1 - excludedAll)
        return max(worth - Int64(shade.rounded(.up)), start)
    }

    /// The limit of a bidder who plays the equilibrium of each format.
    ///
    /// It is the worth where the bidder pays a price that others set, and `equilibriumBid` where
    /// the bidder pays its own bid.
    public var equilibriumLimit: Int64 {
        switch terms.format.pricing {
        case .rivalBid: worth
        case .ownBid: equilibriumBid
        }
    }
}
