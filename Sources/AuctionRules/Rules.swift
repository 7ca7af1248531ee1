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

    /// Makes the rules of an auction.
    ///
    /// Seconds out of `allowedSeconds` are a bug of the caller.
    public init(
        seconds: Int, start: Price = .lowest, step: Price = .lowest, allowsSelfRaise: Bool = false
    ) {
        precondition(Self.allowedSeconds.contains(seconds), "a countdown has 1 to 3600 seconds")
        self.seconds = seconds
        self.start = start
        self.step = step
        self.allowsSelfRaise = allowsSelfRaise
    }

    /// The time that the countdown starts from.
    public var countdown: Duration { .seconds(seconds) }
}
