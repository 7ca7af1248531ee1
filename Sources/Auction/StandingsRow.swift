/// The row of a bidder in the standings of a sale.
public struct StandingsRow: Equatable, Sendable {
    /// The rank from 1; bidders who tie share one.
    public let rank: Int
    /// The bidder.
    public let bidder: Bidder
    /// The number of lots won.
    public let lots: Int
    /// The sum of what the bidder has paid, in an all-pay auction also for lots not won.
    public let spent: Int64
    /// What is left of the purse; nil if there is none.
    public let left: Int64?
    /// The sum of the values of the lots less `spent`, and with `left` if that counts; nil if they
    /// have no values, or while the profits are secret.
    public let profit: Int64?
    /// The points of the ended games of a series; nil until one has ended.
    public let points: Int?

    /// Creates a row.
    public init(
        rank: Int, bidder: Bidder, lots: Int, spent: Int64, left: Int64? = nil,
        profit: Int64? = nil, points: Int? = nil
    ) {
        (self.rank, self.bidder, self.lots, self.spent) = (rank, bidder, lots, spent)
        (self.left, self.profit, self.points) = (left, profit, points)
    }
}

extension Sale {
    /// The most rows of the standings.
    package static let mostStandings = 100

    /// The standings: those who take part, best first.
    ///
    /// At most `mostStandings` rows; O(rows).
    package var standings: [StandingsRow] { rows(of: ledger.ranked.prefix(Self.mostStandings)) }

    /// All who take part, best first, with their profits, for the operator alone.
    package var completeStandings: [StandingsRow] {
        var sale = self
        sale.showProfits(true)
        return sale.rows(of: sale.ledger.ranked[...])
    }

    private func rows(of tallies: ArraySlice<Tally>) -> [StandingsRow] {
        let earned = earnedPoints
        // A game has ended in which at least two have bid, or a series goes on.
        let hasPoints = gamesOfSeries > 1 || !earned.isEmpty
        return zip(ranks(of: tallies), tallies).map { rank, tally in
            StandingsRow(
                rank: rank, bidder: tally.bidder, lots: tally.lots, spent: tally.spent,
                left: options?.purse.map { max($0.amount - tally.spent, 0) },
                profit: options?.values.flatMap { _ in
                    tellsProfits ? ledger.profit(of: tally) : nil
                },
                points: hasPoints ? tally.points + earned[tally.bidder, default: 0] : nil)
        }
    }

    /// The rank of each tally, from 1; those that tie share one.
    private func ranks(of tallies: ArraySlice<Tally>) -> [Int] {
        var ranks: [Int] = []
        for (index, pair) in zip(tallies.indices, tallies).enumerated() {
            let isTie = index > 0 && ledger.ties(pair.1, tallies[pair.0 - 1])
            ranks.append(isTie ? ranks[index - 1] : index + 1)
        }
        return ranks
    }

    /// The points for the first three ranks of the game that has ended; empty if it goes on.
    ///
    /// Only bidders who have bid earn points, and only if there are at least two.
    var earnedPoints: [Bidder: Int] {
        guard isOver, ledger.hasWinner else { return [:] }
        let bidders = ledger.ranked.filter { isListed($0.bidder) }
        guard bidders.count > 1 else { return [:] }
        let ranked = zip(bidders, ranks(of: bidders[...])).prefix { $1 <= 3 }
        return Dictionary(uniqueKeysWithValues: ranked.map { ($0.bidder, 4 - $1) })
    }

    /// The champions that were named; empty until the sale is over.
    public var champions: [Bidder] { numbers.champions.map(\.bidder) }

    /// The best of those who have bid, several if they tie; empty if no lot was sold.
    ///
    /// At most `mostStandings`. With values the best may have won nothing, if all winners paid too
    /// much. O(n).
    var best: [Tally] {
        let bidders = ledger.hasWinner ? ledger.ranked.filter { isListed($0.bidder) } : []
        return Array(
            bidders.prefix(Self.mostStandings).prefix { ledger.ties($0, bidders[0]) })
    }

    /// The ranks of those who have bid, in the first `mostStandings` rows of the standings.
    package var ranks: [Bidder: Int] {
        let bidders = standings.filter { isListed($0.bidder) }
        return Dictionary(uniqueKeysWithValues: bidders.map { ($0.bidder, $0.rank) })
    }

    /// Whether everybody knows that a bidder has bid; in a class all take part.
    private func isListed(_ bidder: Bidder) -> Bool {
        if drawnRound != nil { return true }
        if ledger[bidder]?.spent ?? 0 > 0 { return true }
        guard let account = names[bidder], account.hasBid else { return false }
        // In a later game an earlier bid does not count. A state does not tell the lot.
        return games == 1 || account.lot >= firstLot
    }

    /// What decides the championship: the profit, or without values the number of lots.
    func score(of tally: Tally) -> Int64 {
        ledger.ranksByProfit ? ledger.profit(of: tally) : Int64(tally.lots)
    }
}
