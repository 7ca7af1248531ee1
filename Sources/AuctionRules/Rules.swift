/// The rules of an auction, which are set before it begins.
public struct Rules: Equatable, Sendable {
    /// The bounds of a countdown, in seconds.
    public static let allowedSeconds = 1...3600

    /// The most by which the asking price of a Dutch auction may fall in a second, in steps.
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

    /// The most by which a bid may exceed the price, or `start` if there is no bid; nil for no
    /// limit.
    ///
    /// It is for the bids of English auctions that bidders make themselves.
    ///
    /// - Invariant: at least `step`.
    public let mostRaise: Price?

    /// The secret price below which the lot is not sold; nil for none.
    public let reserve: Price?

    /// The price at which a bidder can buy the lot at once; nil for none.
    public let buy: Price?

    /// Creates the rules of an auction.
    ///
    /// `seconds` must be in `allowedSeconds`, and `mostRaise` at least `step`. Rules that come from
    /// a user may have a `problem`.
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

    /// The full countdown.
    public var countdown: Duration { .seconds(seconds) }
}

extension Rules {
    /// Terms that do not go together; the description says what to change.
    public enum Problem: Error, Equatable, CustomStringConvertible {
        /// The reserve is below the start, which bids reach at once.
        case reserveBelowStart(Price)
        /// The buy price is not above the start.
        case buyNotAboveStart(Price)
        /// The buy price is below the reserve, at which the lot may not be sold.
        case buyBelowReserve
        /// A Dutch auction begins at or below this last asking price.
        case dutchStartTooLow(floor: Price)
        /// A Dutch auction would fall too fast with a step below this.
        case dutchStepTooSmall(least: Price)
        /// A Dutch auction has a buy price, which its asking price is already.
        case dutchBuy

        /// What is wrong and what to change, as part of a sentence.
        public var description: String {
            switch self {
            case .reserveBelowStart(let start):
                "the reserve is below the start: use a reserve of at least \(start.amount)"
            case .buyNotAboveStart(let start):
                "the buy price is not above the start: use more than \(start.amount)"
            case .buyBelowReserve:
                "the buy price is below the reserve: use a buy price of at least the reserve"
            case .dutchStartTooLow(let floor):
                "a dutch auction falls from its start: use a start above \(floor.amount)"
            case .dutchStepTooSmall(let least):
                "a dutch auction falls at most \(mostFallsPerSecond) times a second: "
                    + "use a step of at least \(least.amount)"
            case .dutchBuy:
                "a dutch auction has no buy price: to take its asking price is to buy"
            }
        }
    }

    /// What does not go together in these rules, the first thing; nil if nothing.
    ///
    /// An auction under rules with a problem can be played to its end, but not as anybody expects.
    public var problem: Problem? {
        if format == .dutch { return dutchProblem }
        if let reserve, reserve < start { return .reserveBelowStart(start) }
        guard let buy else { return nil }
        guard buy > start else { return .buyNotAboveStart(start) }
        guard buy >= reserve ?? buy else { return .buyBelowReserve }
        return nil
    }

    private var dutchProblem: Problem? {
        guard buy == nil else { return .dutchBuy }
        let floor = reserve ?? .lowest
        guard start > floor else { return .dutchStartTooLow(floor: floor) }
        let mostFalls = Int64(seconds * Self.mostFallsPerSecond)
        let least = (start.amount - floor.amount + mostFalls - 1) / mostFalls
        guard step.amount >= least else {
            return .dutchStepTooSmall(least: Price(least) ?? .highest)
        }
        return nil
    }
}
