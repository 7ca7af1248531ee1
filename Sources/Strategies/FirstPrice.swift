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
        let shade = range / Double(bidders) * (1 - power(excluded, bidders))
        return max(worth - Int64(shade.rounded(.up)), start)
    }

    /// The bid of a risk-neutral bidder in the equilibrium of an all-pay auction.
    ///
    /// A bidder with the value `v` has the highest one with probability `G(v)`. It bids what it
    /// would expect to pay in any auction with the same winner: `v * G(v)`, less the integral of
    /// `G` from the least value that bids, for which `v * G(v)` is the start. 0 for a lower value.
    ///
    /// Source: V. Krishna, "Auction Theory", 2nd edition, 2010, section 3.2.
    public var allPayBid: Int64 {
        let low = Double(max(prior.lowerBound, 0))
        let range = max(Double(prior.upperBound) - low, 1)
        // The chance that the values of some bidders are all below one.
        func chance(_ value: Double, of bidders: Int) -> Double {
            power(max(value - low, 0) / range, bidders)
        }
        func payment(_ value: Double) -> Double { value * chance(value, of: rivals) }
        let (value, start) = (Double(min(worth, prior.upperBound)), Double(terms.start.amount))
        guard payment(value) >= start else { return 0 }
        guard rivals > 0 else { return terms.start.amount }
        var (least, most) = (0.0, value)
        for _ in 0..<60 {
            let middle = (least + most) / 2
            if payment(middle) < start { least = middle } else { most = middle }
        }
        let bidders = rivals + 1
        let integral = (chance(value, of: bidders) - chance(most, of: bidders)) * range
        return max(Int64(payment(value) - integral / Double(bidders)), terms.start.amount)
    }

    /// The limit of a bidder who plays the equilibrium of each format.
    ///
    /// It is the worth where others set the price, less where the winner pays its own bid, and
    /// least where each bidder pays its own bid.
    public var equilibriumLimit: Int64 {
        switch terms.format.pricing {
        case .rivalBid: worth
        case .ownBid: equilibriumBid
        case .everyBid: allPayBid
        }
    }

    private func power(_ base: Double, _ exponent: Int) -> Double {
        var (result, square, left) = (1.0, base, exponent)
        while left > 0 {
            if left % 2 == 1 { result *= square }
            square *= square
            left /= 2
        }
        return result
    }
}
