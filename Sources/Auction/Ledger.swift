/// What somebody who takes part in a sale has won so far.
public struct Tally: Equatable, Sendable {
    /// The bidder.
    public let bidder: Bidder
    /// The number of lots.
    public let lots: Int
    /// The sum of their prices.
    public let spent: Int64
    /// The sum of their values less their prices; 0 without values.
    public let profit: Int64

    /// Creates a tally.
    public init(bidder: Bidder, lots: Int = 0, spent: Int64 = 0, profit: Int64 = 0) {
        (self.bidder, self.lots, self.spent, self.profit) = (bidder, lots, spent, profit)
    }

    /// Returns the tally after one more lot; sums stop at the bounds of their type.
    fileprivate func adding(price: Int64, profit: Int64) -> Tally {
        Tally(
            bidder: bidder, lots: lots + 1, spent: spent.addingClamped(price),
            profit: self.profit.addingClamped(profit))
    }
}

/// The tallies of those who take part in a sale, best first: they are present, or have bid.
///
/// It has at most `most` tallies: when it is full, nobody enters without a lot, and the worst is
/// dropped for a new winner.
struct Ledger: Equatable {
    /// Whether the profit decides, or the number of lots.
    var ranksByProfit = false {
        didSet { if ranksByProfit != oldValue { ranked.sort(by: precedes) } }
    }
    private let most: Int
    private var tallies: [Bidder: Tally] = [:]
    private(set) var ranked: [Tally] = []
    /// Whether anybody has won a lot.
    private(set) var hasWinner = false

    init(most: Int) {
        self.most = most
    }

    /// The tally of a bidder; nil for one who does not take part.
    subscript(bidder: Bidder) -> Tally? { tallies[bidder] }

    /// Notes that a bidder takes part; O(log n), and moves the tallies behind.
    mutating func enter(_ bidder: Bidder) {
        guard tallies[bidder] == nil, ranked.count < most else { return }
        set(Tally(bidder: bidder))
    }

    /// Notes that a bidder who has not bid has left; O(log n), and moves the tallies behind.
    mutating func leave(_ bidder: Bidder) {
        guard let tally = tallies[bidder], tally.lots == 0 else { return }
        ranked.remove(at: place(of: tally))
        tallies[bidder] = nil
    }

    /// Notes that of the bidders without a lot only these still take part; O(n).
    mutating func keep(_ takesPart: (Bidder) -> Bool) {
        ranked.removeAll { $0.lots == 0 && !takesPart($0.bidder) }
        tallies = Dictionary(uniqueKeysWithValues: ranked.map { ($0.bidder, $0) })
    }

    /// Adds a lot to the tally of its winner; O(log n), and moves the tallies between.
    mutating func add(_ bidder: Bidder, price: Int64, profit: Int64) {
        let former = tallies[bidder]
        set((former ?? Tally(bidder: bidder)).adding(price: price, profit: profit))
    }

    /// Sets the tally of a bidder.
    mutating func set(_ tally: Tally) {
        if let former = tallies[tally.bidder] {
            ranked.remove(at: place(of: former))
        } else if ranked.count >= most {
            tallies[ranked.remove(at: indexToDrop).bidder] = nil
        }
        tallies[tally.bidder] = tally
        ranked.insert(tally, at: place(of: tally))
        hasWinner = hasWinner || tally.lots > 0
    }

    /// The last of those without a lot, who lose nothing, or else the one with the fewest lots.
    ///
    /// Whether the profits are told must not matter, because a log does not record that.
    private var indexToDrop: Int {
        ranked.lastIndex { $0.lots == 0 }
            ?? ranked.indices.max { precedesByLots(ranked[$0], ranked[$1]) } ?? 0
    }

    /// Whether both have the same rank.
    func ties(_ one: Tally, _ other: Tally) -> Bool {
        guard !ranksByProfit else { return one.profit == other.profit }
        return one.lots == other.lots && one.spent == other.spent
    }

    /// Whether one is better; of equals the order of their names decides.
    func precedes(_ one: Tally, _ other: Tally) -> Bool {
        if ranksByProfit, one.profit != other.profit { return one.profit > other.profit }
        return precedesByLots(one, other)
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

extension Int64 {
    /// The sum, or the bound of the type that it would exceed.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOverflow) = addingReportingOverflow(other)
        guard isOverflow else { return sum }
        return other > 0 ? .max : .min
    }
}
