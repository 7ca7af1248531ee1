/// What everybody may know of the rules of a lot: all but the amount of the reserve.
public struct Terms: Hashable, Sendable {
    /// The format of the auction.
    public let format: AuctionFormat

    /// The full countdown in seconds.
    public let seconds: Int

    /// The minimum of the first bid, or the first asking price.
    public let start: Price

    /// The least by which a bid must exceed the price, or by how much the asking price falls.
    public let step: Price

    /// Whether the lot has a reserve, a price below which it is not sold.
    public let hasReserve: Bool

    /// The price at which a bidder can buy the lot at once; nil if it has none.
    public let buy: Price?

    /// The time from the first bid after which bids stop restarting the countdown; nil for none.
    public let longest: Duration?

    /// Creates the terms of a lot; `seconds` must be in `Rules.allowedSeconds`.
    public init(
        format: AuctionFormat = .english, seconds: Int, start: Price = .lowest,
        step: Price = .lowest, hasReserve: Bool = false, buy: Price? = nil,
        longest: Duration? = nil
    ) {
        self.format = format
        self.seconds = seconds
        self.start = start
        self.step = step
        self.hasReserve = hasReserve
        self.buy = buy
        self.longest = longest
    }
}

extension Rules {
    /// What everybody may know of the rules.
    public var terms: Terms {
        Terms(
            format: format, seconds: seconds, start: start, step: step,
            hasReserve: reserve != nil, buy: buy, longest: longest)
    }

    /// Whether the rules are those of a plain English auction, without a reserve or a buy price.
    public var isPlain: Bool { format == .english && reserve == nil && buy == nil }

    /// The same rules for a plain English auction.
    public var plain: Rules {
        Rules(
            seconds: seconds, start: start, step: step, allowsSelfRaise: allowsSelfRaise,
            longest: longest, mostRaise: mostRaise)
    }

    /// Returns these rules with the terms and the reserve of one lot, which must have no problem.
    ///
    /// A greatest raise below the lot's step becomes the step. `terms.hasReserve` is not read.
    public func with(_ terms: Terms, reserve: Price?) -> Rules {
        precondition(Self.problem(of: terms, reserve: reserve) == nil, "terms go together")
        return Rules(
            seconds: terms.seconds, start: terms.start, step: terms.step,
            allowsSelfRaise: allowsSelfRaise, longest: terms.longest,
            mostRaise: mostRaise.map { max($0, terms.step) }, format: terms.format,
            reserve: reserve, buy: terms.buy)
    }
}
