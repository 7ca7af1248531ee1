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
package struct DrawnRound: Equatable, Sendable {
    /// The round.
    package let round: ClassRound
    /// The number of bidders who are drawn for it; 0 if it was left out.
    package let members: Int
    /// The place of each bidder who is drawn; in a round that was left out, those of the round before.
    package private(set) var places: [Bidder: ClassPlace] = [:]
    /// The places of the round before, until all places of this one are known.
    private var former: [Bidder: ClassPlace]

    /// Creates a round for which nobody is drawn yet.
    package init(_ round: ClassRound, members: Int, after previous: DrawnRound?) {
        (self.round, self.members) = (round, members)
        former = previous.map { $0.isComplete ? $0.places : $0.former } ?? [:]
        guard members == 0 else { return }
        (places, former) = (former, [:])
        for bidder in places.keys { noteResult(of: bidder) }
    }

    /// Draws a bidder for a place.
    package mutating func draw(_ bidder: Bidder, for place: ClassPlace) {
        places[bidder] = place
        if isComplete { former = [:] }
    }

    /// Notes that it is recorded what the round has brought a bidder.
    package mutating func noteResult(of bidder: Bidder) {
        places[bidder]?.isDone = true
    }

    /// Whether the places of all who are drawn are known.
    package var isComplete: Bool { places.count >= members }

    /// Whether it is recorded what the round has brought everybody.
    package var isDone: Bool { isComplete && places.values.allSatisfy(\.isDone) }

    /// The groups for which it is not recorded what the round has brought.
    package var openGroups: [ClassGroup] {
        groups.filter { $0.bidders.contains { places[$0]?.isDone == false } }
    }

    /// The groups in the order of their numbers; those of the round before until this one is complete.
    package var groups: [ClassGroup] {
        let entries = Dictionary(grouping: isComplete ? places : former) { $0.value.group }
        return entries.sorted { $0.key < $1.key }.map { number, entries in
            ClassGroup(
                number: number, lot: entries[0].value.lot,
                bidders: entries.map(\.key).sorted { $0.precedes($1) })
        }
    }
}

/// A group of a class in a round.
package struct ClassGroup: Equatable, Sendable {
    /// The number, from 1.
    package let number: Int
    /// The number of the lot for which it plays, in its room.
    package let lot: Int
    /// The bidders, in the order of their names.
    package let bidders: [Bidder]
}

/// What the members of a class are told of a round.
public struct ClassNotice: Equatable, Sendable {
    /// The number of the round, from 1.
    public let round: Int
    /// The number of rounds.
    public let rounds: Int
    /// How its lots are sold.
    public let format: AuctionFormat
    /// The title of the class.
    public let title: String
    /// Whether the round does not count.
    public var isPractice = false
    /// The number of the group that this client's bidder is in; nil before groups are drawn.
    public var group: Int?
    /// The number of groups; nil before they are drawn.
    public var groups: Int?
    /// The number of bidders in the group, or in a full group before groups are drawn.
    public var size = ClassPlan.allowedGroupSizes.lowerBound

    /// Creates the notice of a round that counts.
    public init(round: Int, of rounds: Int, format: AuctionFormat, title: String) {
        (self.round, self.rounds, self.format, self.title) = (round, rounds, format, title)
    }
}
