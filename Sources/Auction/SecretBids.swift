/// A bid whose amount is secret until the lot ends.
public struct SealedBid: Hashable, Sendable {
    /// The bidder, who has one sealed bid in a lot.
    public let bidder: Bidder

    /// The amount.
    public let price: Price

    /// The time from the opening of the lot to the bid.
    public let elapsed: Duration

    /// Creates a sealed bid; clamps the time to 0 through `Bid.longestElapsed`.
    public init(bidder: Bidder, price: Price, elapsed: Duration) {
        self.bidder = bidder
        self.price = price
        self.elapsed = min(max(elapsed, .zero), Bid.longestElapsed)
    }
}

/// The secret bids of a lot: the maximum bids of a rising auction, or the bids of a sealed one.
///
/// Each bidder has one. They are in price-time priority: highest first, of equal ones the earliest.
/// An operation on the bid of a bidder takes O(log n), and moves the bids behind it.
@usableFromInline struct SecretBids: Equatable, Sendable {
    @usableFromInline struct Entry: Sendable {
        let bid: SealedBid
        /// Greater than that of each bid that was set before.
        let time: Int

        func precedes(_ other: Entry) -> Bool {
            bid.price == other.bid.price ? time < other.time : bid.price > other.bid.price
        }
    }

    /// - Invariant: ordered by `precedes`.
    @usableFromInline private(set) var entries: [Entry] = []
    /// - Invariant: has exactly the bids of `entries`.
    private var entriesByBidder: [Bidder: Entry] = [:]
    private var latestTime = 0

    @inlinable var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// The bid at a place, the best at 0.
    subscript(place: Int) -> SealedBid { entries[place].bid }

    /// The bid of a bidder; nil if there is none.
    subscript(bidder: Bidder) -> SealedBid? {
        entriesByBidder[bidder]?.bid
    }

    /// The best bid of a bidder other than this one.
    func best(except bidder: Bidder?) -> SealedBid? {
        entries.first { $0.bid.bidder != bidder }?.bid
    }

    /// All bids, the earliest first.
    var inOrderOfTime: [SealedBid] { entries.sorted { $0.time < $1.time }.map(\.bid) }

    /// Sets the bid of its bidder, which becomes the latest of its price.
    mutating func set(_ bid: SealedBid) {
        remove(bid.bidder)
        latestTime += 1
        let entry = Entry(bid: bid, time: latestTime)
        entries.insert(entry, at: place(of: entry))
        entriesByBidder[bid.bidder] = entry
    }

    /// Removes the bid of a bidder, if there is one.
    mutating func remove(_ bidder: Bidder) {
        guard let entry = entriesByBidder.removeValue(forKey: bidder) else { return }
        entries.remove(at: place(of: entry))
    }

    /// The index of the bid of a bidder; nil if there is none.
    func place(of bidder: Bidder) -> Int? { entriesByBidder[bidder].map { place(of: $0) } }

    /// The index of an entry, or where it belongs.
    private func place(of entry: Entry) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].precedes(entry) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Compares the bids and their order, not when they were set.
    @usableFromInline static func == (one: Self, other: Self) -> Bool {
        one.entries.elementsEqual(other.entries) { $0.bid == $1.bid }
    }
}
