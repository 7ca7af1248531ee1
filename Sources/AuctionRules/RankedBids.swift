/// A secret bid of which each bidder has one in a lot.
protocol SecretBid: Equatable, Sendable {
    var bidder: Bidder { get }
    var price: Price { get }
}

extension SealedBid: SecretBid {}
extension MaximumBid: SecretBid {}

/// Bids of different bidders in price-time priority: highest first, of equal ones the earliest.
///
/// Finding a bidder takes O(log n), and setting a bid moves O(n) entries.
struct RankedBids<Element: SecretBid>: Equatable, Sendable {
    private struct Entry {
        let bid: Element
        /// Counts the bids that were set in the lot.
        let time: Int

        func precedes(_ price: Price, _ time: Int) -> Bool {
            bid.price == price ? self.time < time : bid.price > price
        }
    }

    /// - Invariant: ordered by `precedes`.
    private var entries: [Entry] = []
    /// - Invariant: has exactly the bids of `entries`.
    private var ranks: [Bidder: (Price, Int)] = [:]
    private var timesSet = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// All bids, the best first.
    ///
    /// O(n).
    var ranked: [Element] { entries.map(\.bid) }

    /// All bids, the earliest first.
    ///
    /// O(n log n).
    var inOrderOfTime: [Element] { entries.sorted { $0.time < $1.time }.map(\.bid) }

    /// The bid at a place, from 0.
    subscript(place: Int) -> Element { entries[place].bid }

    /// The bid of a bidder; nil if there is none.
    subscript(bidder: Bidder) -> Element? {
        ranks[bidder].map { entries[place(of: $0)].bid }
    }

    /// The best bid of a bidder other than this one.
    func best(except bidder: Bidder?) -> Element? {
        entries.prefix(2).first { $0.bid.bidder != bidder }?.bid
    }

    /// Sets the bid of its bidder, which becomes the latest of its price.
    mutating func set(_ bid: Element) {
        remove(bid.bidder)
        timesSet += 1
        let rank = (bid.price, timesSet)
        entries.insert(Entry(bid: bid, time: timesSet), at: place(of: rank))
        ranks[bid.bidder] = rank
    }

    /// Removes the bid of a bidder, if there is one.
    mutating func remove(_ bidder: Bidder) {
        guard let rank = ranks.removeValue(forKey: bidder) else { return }
        entries.remove(at: place(of: rank))
    }

    /// The index of the first entry that does not precede this rank.
    private func place(of rank: (price: Price, time: Int)) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].precedes(rank.price, rank.time) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Compares the bids and their order, not how often a bid was set.
    static func == (one: Self, other: Self) -> Bool {
        one.entries.count == other.entries.count
            && zip(one.entries, other.entries).allSatisfy { $0.bid == $1.bid }
    }
}
