/// The rules of an auction, which are set before it begins.
public struct Rules: Equatable, Sendable {
    /// The bounds of a countdown, in seconds.
    public static let allowedSeconds = 1...3600

    /// The format of the auction.
    public let format: AuctionFormat

    /// Whether open bids follow each other, each above the one before.
    ///
    /// It is a trait of the format, stored because each bid asks for it.
    @usableFromInline let isRising: Bool

    /// The full countdown in seconds, which each accepted bid of a rising auction restarts.
    ///
    /// - Invariant: in `allowedSeconds`.
    public let seconds: Int

    /// The minimum of a lot's first bid, or the first asking price.
    public let start: Price

    /// The least by which a bid must exceed the price, or by how much the asking price falls.
    public let step: Price

    /// Whether the leader may raise their own bid.
    public let allowsSelfRaise: Bool

    /// The time from a lot's first bid after which bids stop resetting the countdown; nil for none.
    ///
    /// The first bid after this time still resets it. It is for rising auctions.
    public let longest: Duration?

    /// The most by which an offer may exceed the price, or `start` before a bid; nil for no limit.
    ///
    /// It is for bids and maxima in rising auctions, and not for purchases.
    ///
    /// - Invariant: at least `step`.
    public let mostRaise: Price?

    /// The secret price below which the lot is not sold; nil for none.
    public let reserve: Price?

    /// The price at which a bidder can buy the lot at once; nil for none.
    public let buy: Price?

    /// Creates the rules of an auction.
    ///
    /// `seconds` must be in `allowedSeconds`, and `mostRaise` at least `step`. What else does not
    /// go together is a `problem`.
    public init(
        seconds: Int, start: Price = .lowest, step: Price = .lowest, allowsSelfRaise: Bool = false,
        longest: Duration? = nil, mostRaise: Price? = nil, format: AuctionFormat = .english,
        reserve: Price? = nil, buy: Price? = nil
    ) {
        precondition(Self.allowedSeconds.contains(seconds), "a countdown has 1 to 3600 seconds")
        precondition(mostRaise ?? step >= step, "a raise can be as small as the increment")
        self.seconds = seconds
        self.start = start
        self.step = step
        self.allowsSelfRaise = allowsSelfRaise
        self.longest = longest
        self.mostRaise = mostRaise
        self.format = format
        isRising = format.isRising
        self.reserve = reserve
        self.buy = buy
    }

    /// The minimum of the next bid at a price, which is nil before the first bid.
    ///
    /// It is above `Price.highest` if the price can rise no more, and at most a buy price.
    @inlinable func minimum(at price: Price?) -> Int64 {
        guard let price else { return start.amount }
        let minimum = price.amount + step.amount
        return buy.map { min($0.amount, minimum) } ?? minimum
    }

    /// The maximum of the next bid at a price, which is nil before the first bid.
    @inlinable func maximum(at price: Price?) -> Int64 {
        guard let mostRaise, isRising else { return Price.highest.amount }
        return min((price ?? start).amount + mostRaise.amount, Price.highest.amount)
    }

    /// The amounts of the next bid at a price, which is nil before the first bid.
    ///
    /// Nil if no bid is possible: the price can rise no more, or a bid of that price has won.
    /// Inlined because it is called for each bid.
    @inlinable public func amounts(at price: Price?) -> ClosedRange<Int64>? {
        if let price, wins(at: price) { return nil }
        let (minimum, maximum) = (minimum(at: price), maximum(at: price))
        return minimum <= maximum ? minimum...maximum : nil
    }

    /// The amounts that take an asking price.
    public static func amounts(asking price: Price) -> ClosedRange<Int64> {
        price.amount...Price.highest.amount
    }

    /// Whether a bid at a price ends the lot at once: it takes an asking price, or is a purchase.
    @inlinable func wins(at price: Price) -> Bool {
        !isRising || buy.map { price >= $0 } ?? false
    }

    /// The full countdown.
    public var countdown: Duration { .seconds(seconds) }
}

extension Rules {
    /// What does not go together in these rules; nil if nothing.
    ///
    /// An auction under rules with a problem comes to an end, but not as anybody expects.
    public var problem: String? { Self.problem(of: terms, reserve: reserve) }

    /// What is contradictory in terms, and what to change, as part of a sentence; or nil.
    ///
    /// `terms.hasReserve` is not read.
    public static func problem(of terms: Terms, reserve: Price?) -> String? {
        guard allowedSeconds.contains(terms.seconds) else {
            return "seconds is \(terms.seconds): use \(allowedSeconds.lowerBound) to "
                + "\(allowedSeconds.upperBound)"
        }
        return terms.format.logic.problem(of: terms, reserve: reserve)
    }
}
