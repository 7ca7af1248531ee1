import Auction

/// An auction among bidders whose private values are drawn evenly from one range.
///
/// With `F(v)` the part of the range below `v`, a bidder with the value `v` has the highest one with
/// the probability `G(v) = F(v)^(n-1)`. If all are risk-neutral and play the equilibrium, then in
/// each format it expects to pay `v * G(v)`, less the integral of `G` from the least value that
/// bids. So all formats earn the same, and each bid follows from when it is paid.
///
/// Source: R. Myerson, "Optimal Auction Design", Mathematics of Operations Research 6, 1981;
/// V. Krishna, "Auction Theory", 2nd edition, 2010, chapters 2 and 3.
public struct PrivateValueAuction: Equatable, Sendable {
    /// The range from which each bidder's value is drawn.
    public let values: ClosedRange<Double>
    /// The number of bidders.
    ///
    /// - Invariant: at least 1.
    public let bidders: Int
    /// The least that can be bid.
    public let start: Double

    /// Creates an auction; there is at least one bidder.
    public init(values: ClosedRange<Double>, bidders: Int, start: Double = 0) {
        precondition(bidders >= 1, "an auction has a bidder")
        (self.values, self.bidders, self.start) = (values, bidders, start)
    }

    /// The bid of a bidder with this value; nil if the value is too low to bid.
    ///
    /// From `low` to `high`, with n bidders and a start of at most `low`:
    /// - in `english` and `vickrey`, `v`;
    /// - in `sealed` and `dutch`, `low + (v - low) * (n - 1) / n`;
    /// - in `allpay`, `v * G(v) - (v - low) * G(v) / n`.
    ///
    /// A value above the range counts as the highest one where a bidder pays its own bid. Alone, a
    /// bidder bids the start there.
    public func bid(of value: Double, in format: AuctionFormat) -> Double? {
        guard value >= leastValue(in: format) else { return nil }
        let value = format.pricing == .rivalBid ? value : min(value, values.upperBound)
        switch format.pricing {
        case .rivalBid: return value
        case .ownBid:
            let chance = chanceToBeHighest(value)
            return chance > 0 ? payment(of: value, in: format) / chance : value
        case .everyBid: return payment(of: value, in: format)
        }
    }

    /// What the seller can expect.
    ///
    /// With a start of at most `low` it is the expected second-highest value,
    /// `low + (high - low) * (n - 1) / (n + 1)`.
    public func revenue(in format: AuctionFormat) -> Double {
        let (low, width) = (values.lowerBound, values.upperBound - values.lowerBound)
        let least = min(part(below: leastValue(in: format)), 1)
        guard bidders > 1 else { return start * (1 - least) }
        let n = Double(bidders)
        let sold = 1 - power(least, bidders)
        let high = (1 - power(least, bidders + 1)) / (n + 1)
        let kept = high / n - power(least, bidders) * (1 - least) / n
        return n * (low * sold / n + width * (high - kept))
    }

    /// The least value with which a bidder bids.
    ///
    /// Where all pay, the bid of the start must be worth the chance to win.
    private func leastValue(in format: AuctionFormat) -> Double {
        guard format.pricing == .everyBid, bidders > 1 else { return start }
        var (least, most) = (values.lowerBound, values.upperBound)
        guard least * chanceToBeHighest(least) < start else { return least }
        guard most * chanceToBeHighest(most) >= start else { return .infinity }
        for _ in 0..<60 {
            let middle = (least + most) / 2
            if middle * chanceToBeHighest(middle) < start { least = middle } else { most = middle }
        }
        return most
    }

    /// What a bidder with this value expects to pay.
    private func payment(of value: Double, in format: AuctionFormat) -> Double {
        guard bidders > 1 else { return start }
        let least = max(leastValue(in: format), values.lowerBound)
        let width = values.upperBound - values.lowerBound
        let integral = power(part(below: value), bidders) - power(part(below: least), bidders)
        return value * chanceToBeHighest(value) - width * max(integral, 0) / Double(bidders)
    }

    private func chanceToBeHighest(_ value: Double) -> Double {
        power(part(below: value), bidders - 1)
    }

    /// The part of the range that is below a value; more than 1 above the range.
    private func part(below value: Double) -> Double {
        let width = values.upperBound - values.lowerBound
        return width > 0 ? max(value - values.lowerBound, 0) / width : 0
    }
}

/// An auction of something that is worth the same to all, of which each bidder has an estimate.
///
/// The value is drawn evenly from a range, and each estimate evenly from the value ± `noise`. The
/// highest estimate is most likely too high. A bidder that takes its estimate for its value wins
/// when it has that one, and pays too much: the winner's curse.
///
/// Source: J. Kagel and D. Levin, "The Winner's Curse and Public Information in Common Value
/// Auctions", American Economic Review 76, 1986.
public struct CommonValueAuction: Equatable, Sendable {
    /// The range from which the value is drawn.
    public let values: ClosedRange<Double>
    /// The most by which an estimate is wrong.
    public let noise: Double
    /// The number of bidders.
    ///
    /// - Invariant: at least 1.
    public let bidders: Int

    /// Creates an auction; there is at least one bidder.
    public init(values: ClosedRange<Double>, noise: Double, bidders: Int) {
        precondition(bidders >= 1, "an auction has a bidder")
        (self.values, self.noise, self.bidders) = (values, noise, bidders)
    }

    /// Creates an auction whose values are whole amounts.
    public init(amounts: ClosedRange<Int64>, noise: Int64, bidders: Int) {
        self.init(
            values: Double(amounts.lowerBound)...Double(amounts.upperBound), noise: Double(noise),
            bidders: bidders)
    }

    /// The expected value, given this estimate and that all others are lower.
    ///
    /// At least `noise` inside of the range it is `estimate - noise * (n - 1) / (n + 1)`. With one
    /// bidder it is what the estimate alone says.
    public func valueIfHighest(_ estimate: Double) -> Double {
        let (low, high) = (values.lowerBound, values.upperBound)
        let nearest = min(max(estimate, low), high)
        guard noise > 0 else { return nearest }
        // A value of `estimate + noise - 2 * noise * t` leaves each rival the chance `t` to be
        // lower, so the density of `t` is proportional to its power of n - 1.
        let most = min(1, (estimate + noise - low) / (2 * noise))
        let least = max(0, (estimate + noise - high) / (2 * noise))
        guard most > least else { return nearest }
        let ratio = least / most
        let mean =
            most * Double(bidders) / Double(bidders + 1)
            * (1 - power(ratio, bidders + 1)) / (1 - power(ratio, bidders))
        return estimate + noise - 2 * noise * mean
    }
}

extension PrivateValueAuction {
    /// Creates the auction of a lot as its bidders know it.
    ///
    /// The reserve and the lowest asking price are secret, so nobody counts on them: `start` is the
    /// least bid, except where the price falls.
    public init(
        values: ClosedRange<Int64>, bidders: Int, format: AuctionFormat, start: Price
    ) {
        let least = format.verb == .take ? Price.lowest : start
        self.init(
            values: Double(values.lowerBound)...Double(values.upperBound), bidders: bidders,
            start: Double(least.amount))
    }
}

extension LotView {
    /// The lot as an auction with private values, as this bidder sees it.
    public var privateValueAuction: PrivateValueAuction {
        PrivateValueAuction(
            values: range, bidders: rivals + 1, format: terms.format, start: terms.start)
    }

    /// The bid of the equilibrium of a first-price auction, rounded; the worth if it is too low.
    public var equilibriumBid: Int64 { rounded(in: .sealed) ?? worth }

    /// The limit of a bidder who plays the equilibrium of the format, rounded; 0 for no bid.
    ///
    /// It is the worth where others set the price, less where the winner pays its own bid, and
    /// least where each bidder pays its own bid. An estimate counts as if it were the value.
    public var equilibriumLimit: Int64 { rounded(in: terms.format) ?? 0 }

    /// The worth; for an estimate the expected value if it is the highest one, rounded.
    public var valueIfHighest: Int64 {
        guard let noise else { return worth }
        let auction = CommonValueAuction(amounts: range, noise: noise, bidders: rivals + 1)
        return Int64(auction.valueIfHighest(Double(worth)).rounded())
    }

    private var range: ClosedRange<Int64> {
        let low = max(prior.lowerBound, 0)
        return low...max(prior.upperBound, low)
    }

    private func rounded(in format: AuctionFormat) -> Int64? {
        privateValueAuction.bid(of: Double(worth), in: format).map { Int64($0.rounded()) }
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
