/// An experiment with a class: rounds of auctions in groups, and what students see of them.
public struct ClassPlan: Equatable, Sendable {
    /// The allowed numbers of bidders in a group.
    public static let allowedGroupSizes = 2...100
    /// The most rounds, with those for practice.
    public static let mostRounds = 100

    /// The title, which satisfies `Lot.isTitle`, without `#`, and without blanks at its ends.
    public var title = "A class"
    /// The number of bidders in each auction, where the number in the class allows it.
    public var groupSize = 3
    /// Whether the groups are drawn anew for each round, and not once.
    public var matchesAnew = true
    /// Where the bidders play who are left over.
    public var rest = Rest.larger
    /// How the lots get their values.
    public var values = GameOptions.Values.personal(50...150)
    /// The rounds, as parts in their order; the last one is no practice.
    public var parts: [Part] = []
    /// The seconds, the longest time, the start, the step and the reserve of each lot.
    public var lot: LotOptions
    /// The time between two rounds.
    public var pause = Duration.seconds(10)
    /// What students see beside their own bids.
    public var shows: Set<Shown> = [.instructions]
    /// Whether each treatment has the values and the groups of the others, round by round.
    public var hasSameDraws = false
    /// How the server bids for a bidder who leaves during a round; nil if the others play on.
    public var substitute: StrategyKind?

    /// Creates a plan without rounds, in which all else is the default.
    public init() {
        lot = LotOptions()
        lot.seconds = 30
    }

    /// Some rounds in a row of the same kind.
    public struct Part: Equatable, Sendable {
        /// The number of rounds.
        public let count: Int
        /// How their lots are sold.
        public let format: AuctionFormat
        /// Whether they are for practice, and belong to the part after them.
        public let isPractice: Bool

        /// Creates a part; `count` is at least 1.
        public init(_ count: Int, _ format: AuctionFormat, isPractice: Bool = false) {
            (self.count, self.format, self.isPractice) = (count, format, isPractice)
        }
    }

    /// Where bidders play who are left over when all groups are complete.
    public enum Rest: String, CaseIterable, Sendable {
        /// One more in some groups.
        case larger
        /// In a smaller group, but one bidder alone as the one more in another group.
        case smaller
    }

    /// What students may see beside their own bids; the raw values are the words of a file.
    public enum Shown: String, CaseIterable, Sendable {
        /// The instructions, before the first round of each format.
        case instructions
        /// The standings of the class after each round, and not only at the end.
        case standings = "standings after each round"
        /// What a lot was worth to its winner.
        case values
    }
}

/// A round of a class: each group plays for one lot.
public struct ClassRound: Equatable, Sendable {
    /// The number, from 1.
    public let number: Int
    /// The number, from 1, of the part that is no practice and to which the round belongs.
    public let treatment: Int
    /// How the lots are sold.
    public let format: AuctionFormat
    /// Whether it is for practice.
    public let isPractice: Bool
    /// The number by which values and groups are drawn.
    ///
    /// Rounds with the same number have the same draws.
    public let draw: Int

    /// Creates a round of a part, whose count is not read.
    public init(number: Int, treatment: Int, of part: ClassPlan.Part, draw: Int) {
        (self.number, self.treatment, self.draw) = (number, treatment, draw)
        (format, isPractice) = (part.format, part.isPractice)
    }
}

extension ClassPlan {
    /// The rounds in their order.
    public var rounds: [ClassRound] {
        var (rounds, treatment): ([ClassRound], Int) = ([], 1)
        // The number of the last round that counts, and of the last for practice, by treatment.
        var places = [0, 0]
        for part in parts {
            for _ in 0..<part.count {
                places[part.isPractice ? 1 : 0] += 1
                let number = rounds.count + 1
                let place = part.isPractice ? Self.mostRounds + places[1] : places[0]
                rounds.append(
                    ClassRound(
                        number: number, treatment: treatment, of: part,
                        draw: hasSameDraws ? place : number))
            }
            if !part.isPractice { (treatment, places) = (treatment + 1, [0, 0]) }
        }
        return rounds
    }

    /// The lot that each group plays for in a round.
    public func lotPlan(for round: ClassRound) -> LotPlan {
        var options = lot
        options.format = round.format
        if !round.format.isRising { options.longest = nil }
        options.start = lot.start ?? .lowest
        options.step = lot.step ?? .lowest
        if round.format.verb == .take { fall(&options) }
        let word = round.isPractice ? "Practice" : "Round"
        return LotPlan(title: "\(word) \(round.number)", options: options)
    }

    /// Chooses from where an asking price falls, and by how much.
    ///
    /// All asking prices together last `seconds`, whatever their number is. So only how often the
    /// price falls is chosen here: at most twice a second, which people can follow, and by as
    /// little as that allows, because a step of the price is the precision of the experiment.
    private func fall(_ options: inout LotOptions) {
        let highest = min(highestEstimate, Price.highest.amount)
        options.start = lot.start ?? Price(highest) ?? .lowest
        let floor = options.reserve ?? .lowest
        let (height, falls) = (
            (options.start ?? floor).amount - floor.amount, Int64(2 * (options.seconds ?? 1))
        )
        let least = Price((height + falls - 1) / falls) ?? .lowest
        options.step = max(options.step ?? least, least)
    }

    /// The most that a bidder can believe a lot to be worth.
    private var highestEstimate: Int64 {
        switch values {
        case .personal(let range): range.upperBound
        case .common(let range, let noise): range.upperBound + noise
        }
    }
}

extension ClassPlan {
    /// Divides bidders into the groups that play a round, each bidder into one group.
    ///
    /// The same bidders, draw and seed give the same groups, whatever the order of the bidders is.
    /// Fixed groups of the round before, `former`, stay without those who are missing; only who is
    /// in none of them, or left alone, is placed. There is a group of one only for one bidder.
    public func groups(
        of bidders: [Bidder], in round: ClassRound, seed: Seed, keeping former: [[Bidder]] = []
    ) -> [[Bidder]] {
        let present = Set(bidders)
        let stayed = former.map { $0.filter(present.contains) }.filter { $0.count > 1 }
        var groups = matchesAnew ? [] : stayed
        let draw = matchesAnew ? round.draw : 0
        var free = present.subtracting(groups.joined())
            .map { (bidder: $0, key: key(of: $0, draw: draw, seed: seed)) }
            .sorted { $0.key < $1.key }.map(\.bidder)[...]
        for size in sizes(of: free.count) {
            groups.append(Array(free.prefix(size)))
            free = free.dropFirst(size)
        }
        if groups.isEmpty, !free.isEmpty { return [Array(free)] }
        for bidder in free {
            let smallest = groups.indices.min { groups[$0].count < groups[$1].count }
            smallest.map { groups[$0].append(bidder) }
        }
        return groups
    }

    /// The sizes of the new groups of `count` bidders, of whom some may be left over.
    private func sizes(of count: Int) -> [Int] {
        let (complete, left) = count.quotientAndRemainder(dividingBy: groupSize)
        let smaller = rest == .smaller && left > 1 ? [left] : []
        return Array(repeating: groupSize, count: complete) + smaller
    }

    /// Where a bidder stands among all, in the order in which groups are filled.
    private func key(of bidder: Bidder, draw: Int, seed: Seed) -> UInt64 {
        // No lot has the number 0, so the groups tell nothing of a value.
        var hash = KeyedHash(key: seed)
        hash.combine(UInt64(0))
        hash.combine(UInt64(draw))
        hash.combine(bidder)
        return hash.finish()
    }
}
