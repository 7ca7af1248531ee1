/// The place of a bidder in a round of a class.
public struct ClassPlace: Hashable, Sendable {
    /// The number of the group, from 1.
    public let group: Int
    /// The number of the lot of this round in the room of the group.
    public let lot: Int
    /// Whether it is recorded what the lot has brought the bidder.
    public var isDone: Bool

    /// Creates a place.
    public init(group: Int, lot: Int, isDone: Bool = false) {
        (self.group, self.lot, self.isDone) = (group, lot, isDone)
    }
}

/// A round of a class, and who plays it in which group.
package struct ClassLesson: Equatable, Sendable {
    /// The round.
    package let round: ClassRound
    /// The place of each bidder; empty if the round was left out.
    package var places: [Bidder: ClassPlace] = [:]

    /// Creates a round for which nobody is drawn yet.
    package init(round: ClassRound) {
        self.round = round
    }

    /// The groups for which it is not recorded what the round has brought.
    package var openGroups: [(group: Int, lot: Int, bidders: [Bidder])] {
        groups.filter { $0.bidders.contains { places[$0]?.isDone == false } }
    }

    /// The bidders of each group, in the order of their names, with the lot of the round.
    package var groups: [(group: Int, lot: Int, bidders: [Bidder])] {
        Dictionary(grouping: places) { $0.value.group }.sorted { $0.key < $1.key }
            .map { group, entries in
                let bidders = entries.map(\.key).sorted { $0.precedes($1) }
                return (group, entries[0].value.lot, bidders)
            }
    }

    /// Whether it is recorded what the round has brought everybody.
    package var isDone: Bool { places.values.allSatisfy(\.isDone) }
}

/// What the members of a class are told of a round.
public struct ClassNotice: Equatable, Sendable {
    /// The number of the round, from 1.
    public let round: Int
    /// The number of rounds.
    public let rounds: Int
    /// How its lots are sold.
    public let format: AuctionFormat
    /// Whether the round does not count.
    public let isPractice: Bool
    /// The number of the group that this client's bidder is in; nil before groups are drawn.
    public let group: Int?
    /// The number of groups; nil before they are drawn.
    public let groups: Int?
    /// The number of bidders in the group, or in a full group before groups are drawn.
    public let size: Int

    /// Creates a notice.
    public init(
        round: Int, of rounds: Int, format: AuctionFormat, isPractice: Bool,
        group: (number: Int, of: Int)? = nil, size: Int
    ) {
        (self.round, self.rounds, self.format) = (round, rounds, format)
        (self.isPractice, self.size) = (isPractice, size)
        (self.group, groups) = (group?.number, group?.of)
    }
}
