import Auction
import Strategies

/// The names of some bots: friendly ones, in an order that follows from a seed.
///
/// Each bot has names of its own, so that two bots of a process never want the same one.
package struct BotNames: Sendable {
    /// How many names a bot tries, because others may be taken.
    private static let tries = 100
    private static let friendly = [
        "Ada", "Anton", "Bella", "Bruno", "Carla", "Cosmo", "Daisy", "Dora", "Edgar", "Emma",
        "Felix", "Fiona", "Gina", "Gustav", "Hanna", "Hugo", "Ida", "Igor", "Jonas", "Juno",
        "Karl", "Kira", "Leo", "Lola", "Mila", "Max", "Nora", "Norbert", "Olga", "Otto", "Paul",
        "Pia", "Quentin", "Rosa", "Rufus", "Selma", "Theo", "Ursula", "Viktor", "Wanda",
    ]

    private let order: [String]
    private let count: Int

    /// Makes the names of this many bots.
    package init(for count: Int, seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        order = Self.friendly.shuffled(using: &chance)
        self.count = count
    }

    /// The names that the bot with an index, from 0, tries one after the other.
    ///
    /// Once all friendly names are used they begin again with a number, as in `Ada-2`.
    package subscript(index: Int) -> [Bidder] {
        (0..<Self.tries).map { name(index + $0 * count) }
    }

    private func name(_ index: Int) -> Bidder {
        let (round, place) = index.quotientAndRemainder(dividingBy: order.count)
        guard let name = Bidder(order[place] + (round > 0 ? "-\(round + 1)" : "")) else {
            preconditionFailure("a friendly name and a number make a name")
        }
        return name
    }
}
