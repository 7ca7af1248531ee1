/// The rules of an auction, which are set before it begins.
public struct Rules: Equatable, Sendable {
    /// The bounds of a countdown, in seconds.
    public static let allowedSeconds = 1...3600

    /// The full countdown in seconds, which each accepted bid restarts.
    ///
    /// - Invariant: in `allowedSeconds`.
    public let seconds: Int

    /// The minimum of a lot's first bid.
    public let start: Price

    /// The increment: the least by which a bid must exceed the price.
    public let step: Price

    /// Whether the leader may raise their own bid.
    public let allowsSelfRaise: Bool

    /// The time from a lot's first bid after which bids stop resetting the countdown; nil for none.
    ///
    /// The first bid after this time still resets it.
    public let longest: Duration?

    /// The most by which a bid may exceed the price, or `start` if there is no bid; nil for no
    /// limit.
    ///
    /// - Invariant: at least `step`.
    public let mostRaise: Price?

    /// Creates the rules of an auction.
    ///
    /// `seconds` must be in `allowedSeconds`, and `mostRaise` at least `step`.
    public init(
        seconds: Int, start: Price = .lowest, step: Price = .lowest, allowsSelfRaise: Bool = false,
        longest: Duration? = nil, mostRaise: Price? = nil
    ) {
        precondition(Self.allowedSeconds.contains(seconds), "a countdown has 1 to 3600 seconds")
        precondition(mostRaise ?? step >= step, "a raise can be as small as the increment")
        self.seconds = seconds
        self.start = start
        self.step = step
        self.allowsSelfRaise = allowsSelfRaise
        self.longest = longest
        self.mostRaise = mostRaise
    }

    /// The full countdown.
    public var countdown: Duration { .seconds(seconds) }
}
