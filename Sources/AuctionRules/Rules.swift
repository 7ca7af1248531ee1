/// What is agreed before an auction begins.
public struct Rules: Equatable, Sendable {
    /// The seconds that a countdown may have.
    public static let allowedSeconds = 1...3600

    /// The whole seconds that the countdown starts from at each accepted bid.
    ///
    /// - Invariant: in `allowedSeconds`.
    public let seconds: Int

    /// The least amount of a lot's first bid.
    public let start: Price

    /// The increment: by how much a bid must pass the price at least.
    public let step: Price

    /// Whether the leader may raise a bid of their own.
    public let allowsSelfRaise: Bool

    /// The time from a lot's first bid after which bids stop resetting the countdown; nil for none.
    ///
    /// The first bid after this time still resets it.
    public let longest: Duration?

    /// The most by which a bid may exceed the price, or a first bid `start`; nil for no limit.
    ///
    /// - Invariant: at least `step`.
    public let mostRaise: Price?

    /// Makes the rules of an auction.
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

    /// The time that the countdown starts from.
    public var countdown: Duration { .seconds(seconds) }
}
