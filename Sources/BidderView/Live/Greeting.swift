import AuctionRules
import Wire

/// What the server says of the sale when it greets.
public struct Greeting: Equatable, Sendable {
    /// The seconds of a full countdown.
    public let seconds: Int
    /// The increment.
    public let step: Price

    /// The identity of the game; nil from an older server.
    public let game: GameID?

    package init(seconds: Int, step: Price, game: GameID? = nil) {
        self.seconds = seconds
        self.step = step
        self.game = game
    }
}
