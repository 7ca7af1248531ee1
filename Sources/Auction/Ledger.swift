import Basics

/// What one bidder of a sale has won and paid so far.
public struct Tally: Equatable, Sendable {
    /// The bidder.
    public let bidder: Bidder
    /// The number of lots.
    public let lots: Int
    /// The sum of what the bidder has paid.
    public let spent: Int64
    /// The sum of the values of the lots less what the bidder has paid; 0 without values.
    public let profit: Int64
    /// The points of the earlier games of the series.
    public let points: Int

    /// Creates a tally.
    public init(
        bidder: Bidder, lots: Int = 0, spent: Int64 = 0, profit: Int64 = 0, points: Int = 0
    ) {
        (self.bidder, self.lots, self.spent, self.profit) = (bidder, lots, spent, profit)
        self.points = points
    }

    /// Whether it can be the sum of what lots have brought.
    var isPossible: Bool { lots >= 0 && spent >= 0 && (0...Self.mostPoints).contains(points) }

    /// The most points of a series.
    static let mostPoints = 15

    /// Returns the tally with the numbers of another; sums stop at the bounds of their type.
    fileprivate func adding(_ other: Tally) -> Tally {
        Tally(
            bidder: bidder, lots: lots.addingClamped(other.lots),
            spent: spent.addingClamped(other.spent),
            profit: profit.addingClamped(other.profit), points: max(points, other.points))
    }
}

/// The tallies of those who take part in a sale, best first: they are present, or have bid.
///
/// When it has `most` tallies, a bidder who has paid nothing does not enter, and one who has paid
/// replaces the worst. With purses it keeps all who have paid until the sale is over, or they could
/// spend their purse again. Their names stay owned until then, so beyond the `most` tallies that
/// `keep` leaves, the limit of names bounds it.
package struct Ledger: Equatable {
    /// Whether the profit decides, or the number of lots.
    package var ranksByProfit = false {
        didSet { if ranksByProfit != oldValue { ranked.sort(by: precedes) } }
    }
    /// The purse of which what is left counts as profit; nil if it does not count.
    var countedPurse: Int64? {
        didSet { if countedPurse != oldValue { ranked.sort(by: precedes) } }
    }
    /// Whether all who have paid are kept.
    package var keepsPayers = false
    private let most: Int
    private var tallies: [Bidder: Tally] = [:]
    /// The tallies, best first.
    package private(set) var ranked: [Tally] = []
    /// Whether anybody has won a lot.
    private(set) var hasWinner = false

    /// Creates a ledger without tallies, which has at most this many.
    package init(most: Int) {
        self.most = most
    }

    /// The tally of a bidder; nil for one who does not take part.
    package subscript(bidder: Bidder) -> Tally? { tallies[bidder] }

    /// Notes that a bidder takes part; O(log n), and moves the tallies behind.
    package mutating func enter(_ bidder: Bidder) {
        guard tallies[bidder] == nil, ranked.count < most else { return }
        set(Tally(bidder: bidder))
    }

    /// Notes that a bidder who has not bid has left; O(log n), and moves the tallies behind.
    ///
    /// With points it stays, unless its name is free again and could get another owner.
    package mutating func leave(_ bidder: Bidder, isFreed: Bool = false) {
        guard let tally = tallies[bidder], tally.spent == 0, tally.points == 0 || isFreed else {
            return
        }
        ranked.remove(at: place(of: tally))
        tallies[bidder] = nil
    }

    /// Notes which bidders still take part; O(n log n).
    ///
    /// Of the others nobody is kept who has paid nothing, and if there are more than `most` tallies
    /// the best of those who have paid.
    package mutating func keep(_ takesPart: (Bidder) -> Bool) {
        ranked.removeAll { $0.spent == 0 && !takesPart($0.bidder) }
        if ranked.count > most {
            let payers = ranked.filter { !takesPart($0.bidder) }.sorted(by: outlasts)
            let dropped = Set(payers.suffix(ranked.count - most).map(\.bidder))
            ranked.removeAll { dropped.contains($0.bidder) }
        }
        tallies = Dictionary(uniqueKeysWithValues: ranked.map { ($0.bidder, $0) })
    }

    /// Begins a game: nobody has won or paid anything, and the points are these; O(n log n).
    ///
    /// Keeps the bidders that take part or have points.
    mutating func begin(points: [Bidder: Int], _ takesPart: (Bidder) -> Bool) {
        let bidders = ranked.map(\.bidder).filter { takesPart($0) || points[$0, default: 0] > 0 }
        ranked = bidders.prefix(most).map { Tally(bidder: $0, points: points[$0, default: 0]) }
            .sorted(by: precedes)
        tallies = Dictionary(uniqueKeysWithValues: ranked.map { ($0.bidder, $0) })
        hasWinner = false
    }

    /// Adds to the tallies of some bidders what a lot has brought them.
    ///
    /// For one bidder O(log n), and moves the tallies between; for more O(n log n).
    package mutating func add(_ changes: [Tally]) {
        let sums = changes.map { tallies[$0.bidder]?.adding($0) ?? $0 }
        guard sums.count > 1 else { return sums.forEach { set($0) } }
        for sum in sums { tallies[sum.bidder] = sum }
        if tallies.count > most {
            let payers = keepsPayers ? tallies.values.count { $0.spent > 0 } : 0
            let kept = tallies.values.sorted(by: outlasts).prefix(max(most, payers))
            tallies = Dictionary(uniqueKeysWithValues: kept.map { ($0.bidder, $0) })
        }
        ranked = tallies.values.sorted(by: precedes)
        hasWinner = hasWinner || sums.contains { $0.lots > 0 }
    }

    /// Sets the tally of a bidder.
    mutating func set(_ tally: Tally) {
        if let former = tallies[tally.bidder] {
            ranked.remove(at: place(of: former))
        } else if ranked.count >= most, let index = indexToDrop {
            tallies[ranked.remove(at: index).bidder] = nil
        }
        tallies[tally.bidder] = tally
        ranked.insert(tally, at: place(of: tally))
        hasWinner = hasWinner || tally.lots > 0
    }

    private var indexToDrop: Int? {
        let index = ranked.indices.max { outlasts(ranked[$0], ranked[$1]) }
        return index.flatMap { keepsPayers && ranked[$0].spent > 0 ? nil : $0 }
    }

    /// Whether another is dropped before one: it has paid nothing, or else has fewer lots.
    ///
    /// Must not depend on whether the profits are public, which a journal does not record.
    private func outlasts(_ one: Tally, _ other: Tally) -> Bool {
        if (one.spent > 0) != (other.spent > 0) { return one.spent > 0 }
        return precedesByLots(one, other)
    }

    /// Whether both have the same rank.
    func ties(_ one: Tally, _ other: Tally) -> Bool {
        guard !ranksByProfit else { return profit(of: one) == profit(of: other) }
        return one.lots == other.lots && one.spent == other.spent
    }

    /// Whether one is better; of equals the order of their names decides.
    func precedes(_ one: Tally, _ other: Tally) -> Bool {
        guard ranksByProfit else { return precedesByLots(one, other) }
        let (first, second) = (profit(of: one), profit(of: other))
        return first == second ? precedesByLots(one, other) : first > second
    }

    /// The profit of a bidder, with what is left of the purse if that counts.
    func profit(of tally: Tally) -> Int64 {
        guard let countedPurse else { return tally.profit }
        return tally.profit.addingClamped(max(countedPurse - tally.spent, 0))
    }

    private func precedesByLots(_ one: Tally, _ other: Tally) -> Bool {
        if one.lots != other.lots { return one.lots > other.lots }
        if one.spent != other.spent { return one.spent < other.spent }
        return one.bidder.precedes(other.bidder)
    }

    /// The index of a tally, or where it belongs.
    private func place(of tally: Tally) -> Int {
        var (low, high) = (0, ranked.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(ranked[middle], tally) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension FixedWidthInteger {
    /// The sum, or the bound of the type that it would exceed.
    func addingClamped(_ other: Self) -> Self {
        let (sum, isOverflow) = addingReportingOverflow(other)
        guard isOverflow else { return sum }
        return other > 0 ? .max : .min
    }
}

extension Sale {
    /// What a bidder may still spend on lots, including the open one; nil without a purse.
    package func most(of bidder: Bidder) -> Int64? {
        guard let purse = options?.purse else { return nil }
        return max(purse.amount - (ledger[bidder]?.spent ?? 0), 0)
    }

    /// What is left of the purse of a bidder, without what the open lot may cost them.
    ///
    /// That is the leading bid, the maximum or the sealed bid, whichever is more. Nil without a
    /// purse.
    package func left(of bidder: Bidder) -> Int64? {
        let reserved = result == nil ? auction.reserved(by: bidder) : 0
        return most(of: bidder).map { max($0 - reserved, 0) }
    }

    /// What everybody may know of the game; nil if the sale has neither purses nor values.
    package func publicGame(lots: Int?) -> PublicGame? {
        options?.published(lots: lots)
    }

    /// What the newest lot is worth to a bidder; nil if it has no values, or none was drawn.
    package func worth(of bidder: Bidder) -> Worth? { valuations.worths[bidder] }

    /// Whether a bidder has paid for a lot of a game that goes on, in which the name still counts.
    package func hasPaidInGame(_ bidder: Bidder) -> Bool {
        publicGame(lots: nil) != nil && !isOver && ledger[bidder]?.spent ?? 0 > 0
    }

    /// Requires that the purse of its bidder has what an event could cost.
    ///
    /// - Throws: `overPurse` if it has not.
    package func requirePurse(for event: SaleEvent) throws(Auction.Refusal) {
        guard options?.purse != nil, let (bidder, price) = event.offer,
            let most = most(of: bidder)
        else { return }
        guard price.amount <= most else { throw .overPurse(left: most) }
    }
}
