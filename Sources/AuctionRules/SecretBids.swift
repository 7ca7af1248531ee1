/// The secret bids of a lot: the maximum bids of an English auction, or the bids of a sealed one.
///
/// Each bidder has one. They are in price-time priority: highest first, of equal ones the earliest.
/// An operation on the bid of a bidder takes O(n).
struct SecretBids: Equatable, Sendable {
    private struct Entry: Equatable {
        let bid: SealedBid
        /// Greater than that of each bid that was set before.
        let time: Int
    }

    /// - Invariant: by falling price, and those of one price by rising time.
    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// The bid at a place, the best at 0.
    subscript(place: Int) -> SealedBid { entries[place].bid }

    /// The bid of a bidder; nil if there is none.
    subscript(bidder: Bidder) -> SealedBid? {
        entries.first { $0.bid.bidder == bidder }?.bid
    }

    /// The best bid of a bidder other than this one.
    func best(except bidder: Bidder?) -> SealedBid? {
        entries.first { $0.bid.bidder != bidder }?.bid
    }

    /// All bids, the earliest first.
    var inOrderOfTime: [SealedBid] { entries.sorted { $0.time < $1.time }.map(\.bid) }

    /// Sets the bid of its bidder, which becomes the latest of its price.
    mutating func set(_ bid: SealedBid) {
        let entry = Entry(bid: bid, time: 1 + (entries.lazy.map(\.time).max() ?? 0))
        remove(bid.bidder)
        let place = entries.firstIndex { $0.bid.price < bid.price }
        entries.insert(entry, at: place ?? entries.endIndex)
    }

    /// Removes the bid of a bidder, if there is one.
    mutating func remove(_ bidder: Bidder) {
        guard let place = entries.firstIndex(where: { $0.bid.bidder == bidder }) else { return }
        entries.remove(at: place)
    }
}

extension SecretBids {
    /// How sealed bids end: who bid most buys, if the bid reaches the reserve.
    ///
    /// In a Vickrey auction the price is the second-highest bid, or the least that would have won.
    func outcome(_ rules: Rules) -> Outcome {
        guard !isEmpty else { return .passed(reason: .noBids) }
        let (best, floor) = (self[0], max(rules.start, rules.reserve ?? rules.start))
        guard best.price >= floor else { return .passed(reason: .reserveNotMet) }
        guard rules.format == .vickrey else { return .sold(to: best.bidder, for: best.price) }
        let second = count > 1 ? self[1].price : floor
        return .sold(to: best.bidder, for: max(second, floor))
    }
}
