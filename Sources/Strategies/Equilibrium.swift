import Auction

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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
    /// The ratio of two chances from which on they are equal as far as the digits of numbers go.
    fileprivate static let nearlyOne = 1 - 1e-9
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

    /// The bid of a bidder with this estimate, if all play the equilibrium.
    ///
    /// Nil in `allpay`, for which no simple form is known, and for one bidder alone who would pay its
    /// own bid. Without noise it is the value. At least `noise` inside of the range, with n bidders:
    /// - in `english` and `vickrey`, the expected value if one other estimate is the same and none is
    ///   higher: `estimate - noise * (n - 2) / n`. In `english` all bid by a maximum, and see nothing
    ///   of other estimates;
    /// - in `sealed` and `dutch`, `estimate - noise`, and a little more near the low end.
    ///
    /// Source: J. Kagel and D. Levin, as above; P. Milgrom and R. Weber, "A Theory of Auctions and
    /// Competitive Bidding", Econometrica 50, 1982, theorems 6 and 14.
    public func bid(of estimate: Double, in format: AuctionFormat) -> Double? {
        let estimate = min(max(estimate, values.lowerBound - noise), values.upperBound + noise)
        switch format.pricing {
        case .everyBid: return nil
        case .ownBid, .rivalBid: if noise == 0 { return estimate }
        }
        if format.pricing == .rivalBid {
            return expectedValue(estimate, lower: max(bidders - 1, 1))
        }
        return bidders > 1 ? firstPriceBid(of: estimate) : nil
    }

    /// The bid where the winner pays its own.
    ///
    /// It comes nearer to the value that is expected if another one has the same estimate, as fast as
    /// such rivals are met. Below `noise` from the high end the solution is known; from there on it is
    /// computed in steps, in each of which the value is taken for linear and the rate for constant.
    private func firstPriceBid(of estimate: Double) -> Double {
        let (n, low, width) = (Double(bidders), values.lowerBound, 2 * noise)
        let known = min(estimate, values.upperBound - noise)
        var bid =
            known <= low + noise
            ? low + (known + noise - low) / (n + 1)
            : known - noise + width / (n + 1) * exp(-n * (known - low - noise) / width)
        guard estimate > known else { return bid }
        let steps = 64 + 2 * bidders
        let step = (estimate - known) / Double(steps)
        var value = expectedValue(known, lower: bidders - 1)
        for index in 1...steps {
            let end = known + Double(index) * step
            let (least, most) = chances(end - step / 2)
            let ratio = least / most
            let rate =
                n / width / most * sumOfPowers(of: ratio, bidders - 1)
                / sumOfPowers(of: ratio, bidders)
            let next = expectedValue(end, lower: bidders - 1)
            let lag = (next - value) / step / rate
            bid = next - lag + (bid - value + lag) * exp(-rate * step)
            value = next
        }
        return bid
    }

    /// The expected value, given this estimate and that all others are lower.
    ///
    /// At least `noise` inside of the range it is `estimate - noise * (n - 1) / (n + 1)`. With one
    /// bidder it is what the estimate alone says.
    public func valueIfHighest(_ estimate: Double) -> Double {
        expectedValue(estimate, lower: bidders)
    }

    /// The expected value, if its density is proportional to the power of `lower - 1` of the chance
    /// that one rival is below the estimate.
    private func expectedValue(_ estimate: Double, lower: Int) -> Double {
        let (least, most) = chances(estimate)
        guard noise > 0, most > least, least / most < Self.nearlyOne else {
            let middle =
                (max(values.lowerBound, estimate - noise)
                    + min(values.upperBound, estimate + noise)) / 2
            return min(max(middle, values.lowerBound), values.upperBound)
        }
        let ratio = least / most
        let mean =
            most * Double(lower) / Double(lower + 1)
            * sumOfPowers(of: ratio, lower + 1) / sumOfPowers(of: ratio, lower)
        return estimate + noise - 2 * noise * mean
    }

    /// The chance that a rival is below an estimate, at the highest and at the lowest value for which
    /// the estimate is possible.
    ///
    /// A value of `estimate + noise - 2 * noise * t` leaves a rival the chance `t`.
    private func chances(_ estimate: Double) -> (least: Double, most: Double) {
        let most = min(1, (estimate + noise - values.lowerBound) / (2 * noise))
        return (max(0, (estimate + noise - values.upperBound) / (2 * noise)), most)
    }
}

/// The sum of the powers of a ratio from 0 to 1, from the power of 0 on, as many as `count`.
private func sumOfPowers(of ratio: Double, _ count: Int) -> Double {
    ratio < CommonValueAuction.nearlyOne
        ? (1 - power(ratio, count)) / (1 - ratio) : Double(count)
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

    /// The limit of a bidder who plays the equilibrium among bidders with estimates, rounded.
    ///
    /// For a private value and where no equilibrium is known, it is `equilibriumLimit` with the
    /// worth, or with the expected value if the estimate is the highest one.
    public var correctedLimit: Int64 {
        guard let noise else { return equilibriumLimit }
        let auction = CommonValueAuction(amounts: range, noise: noise, bidders: rivals + 1)
        if let bid = auction.bid(of: Double(worth), in: terms.format) {
            return Int64(bid.rounded())
        }
        var view = self
        view.worth = Int64(auction.valueIfHighest(Double(worth)).rounded())
        return view.equilibriumLimit
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
