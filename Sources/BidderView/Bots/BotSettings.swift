import Auction
import Strategies

extension Bot {
    /// The settings of a bot.
    package struct Settings: Sendable {
        /// The strategy.
        package var kind: StrategyKind
        /// The number with which its name ends at first; others are tried if it is taken.
        package var number: Int
        /// The range of values in which it believes.
        package var prior: ClosedRange<Int64>
        /// The mean of the time to think before a move; zero to move at once.
        package var delay: Duration
        /// The seed of everything that it does by chance.
        package var seed: UInt64
        /// The room in which it plays.
        package var room: RoomName

        /// Creates settings.
        package init(
            _ kind: StrategyKind, number: Int, prior: ClosedRange<Int64>, delay: Duration = .zero,
            seed: UInt64, room: RoomName = .main
        ) {
            (self.kind, self.number, self.prior) = (kind, number, prior)
            (self.delay, self.seed, self.room) = (delay, seed, room)
        }
    }
}
