/// The rules of an auction, which are set before it begins.
public struct Rules: Equatable, Sendable {
    /// The bounds of a countdown, in seconds.
    public static let allowedSeconds = 1...3600

    /// The most times that the asking price of a Dutch auction may fall in a second.
    public static let mostFallsPerSecond = 10

    /// The kind of auction.
    public let format: AuctionFormat

    /// The full countdown in seconds, which each accepted bid of an English auction restarts.
    ///
    /// - Invariant: in `allowedSeconds`.
    public let seconds: Int

    /// The minimum of a lot's first bid; the first asking price of a Dutch auction.
    public let start: Price

    /// The increment: the least by which a bid must exceed the price.
    ///
    /// In a Dutch auction, how much the asking price falls at a time.
    public let step: Price

    /// Whether the leader may raise their own bid.
    public let allowsSelfRaise: Bool

    /// The time from a lot's first bid after which bids stop resetting the countdown; nil for none.
    ///
    /// The first bid after this time still resets it. It is for English auctions.
    public let longest: Duration?

    /// The most by which an offer may exceed the price, or `start` before a bid; nil for no limit.
    ///
    /// It is for bids and maxima in English auctions, and not for purchases.
    ///
    /// - Invariant: at least `step`.
    public let mostRaise: Price?

    /// The secret price below which the lot is not sold; nil for none.
    public let reserve: Price?

    /// The price at which a bidder can buy the lot at once; nil for none.
    public let buy: Price?

    /// Creates the rules of an auction.
    ///
    /// `seconds` must be in `allowedSeconds`, and `mostRaise` at least `step`. What else does not go
    /// together is a `problem`.
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
        guard let mostRaise, format == .english else { return Price.highest.amount }
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

    /// The amounts that take an asking price of a Dutch auction.
    public static func amounts(asking price: Price) -> ClosedRange<Int64> {
        price.amount...Price.highest.amount
    }

    /// Whether a bid at a price ends the lot at once: it takes an asking price, or is a purchase.
    @inlinable func wins(at price: Price) -> Bool {
        format != .english || buy.map { price >= $0 } ?? false
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
        if terms.format == .dutch { return dutchProblem(of: terms, floor: reserve ?? .lowest) }
        if let reserve, reserve < terms.start {
            return "the reserve is below the start: use a reserve of at least "
                + "\(terms.start.amount)"
        }
        guard let buy = terms.buy else { return nil }
        guard buy > terms.start else {
            return "the buy price is not above the start: use more than \(terms.start.amount)"
        }
        guard buy >= reserve ?? buy else {
            return "the buy price is below the reserve: use at least the reserve"
        }
        return nil
    }

    private static func dutchProblem(of terms: Terms, floor: Price) -> String? {
        guard terms.buy == nil else {
            return "a dutch auction has no buy price: to take the asking price is to buy"
        }
        guard terms.start > floor else {
            return "a dutch auction falls from its start: use a start above \(floor.amount)"
        }
        let mostFalls = Int64(terms.seconds * mostFallsPerSecond)
        let least = (terms.start.amount - floor.amount + mostFalls - 1) / mostFalls
        guard terms.step.amount >= least else {
            return "a dutch auction falls at most \(mostFallsPerSecond) times a second: "
                + "use a step of at least \(least)"
        }
        return nil
    }
}
