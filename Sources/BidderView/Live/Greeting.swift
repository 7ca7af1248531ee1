import AuctionRules

/// What the server says of the sale when it greets.
public struct Greeting: Equatable, Sendable {
    /// The seconds of a full countdown.
    public let seconds: Int
    /// The increment.
    public let step: Price

    package init(seconds: Int, step: Price) {
        self.seconds = seconds
        self.step = step
    }
}
